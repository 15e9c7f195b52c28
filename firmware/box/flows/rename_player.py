"""A player gets another name: one known from earlier evenings, a colour, or letter by letter with four buttons."""

from dataclasses import dataclass, replace
from string import ascii_lowercase

from engine.text import say
from engine.view import Offer, View
from firmware.box.context import Context
from firmware.box.events import Ticked, Told
from firmware.box.flow import Turn
from firmware.journal.operations import Names, RenamePlayers
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest

LONGEST = 10
COLOURS = ("Red", "Blue", "Green", "Yellow", "White", "Black", "Orange", "Pink", "Grey", "Brown")
LETTERS = (*ascii_lowercase, "-")


@dataclass(frozen=True, slots=True)
class Renaming:
    """``spelled`` is what there is of a name that is being spelled, None while one is chosen."""

    player: int
    spelled: str | None = None

    def aim(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        if self.spelled is None:
            names = (Offer(say("as_is", value=name), f"name {name}") for name in self._names(known))
            return View(say("new_name", player=self.player), offers=(*names, Offer(say("spell"), "spell")))
        keys = (Offer(say("as_is", value=letter.upper()), f"letter {letter}") for letter in LETTERS)
        done = Offer(say("spelled"), "spelled"), Offer(say("erase"), "erase")
        return View(say("spelling", value=self.spelled or "_"), offers=(*keys, *done))

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        match item:
            case Told("back", _, _):
                return Turn((replace(self, spelled=None),) if self.spelled is not None else ())
            case Told("menu", _, _):
                return Turn(())
            case Told("spell", _, _):
                return Turn((replace(self, spelled=""),))
            case Told(words, _, _):
                return self._told(words, known)
            case _:
                return None

    def _told(self, words: str, known: Context) -> Turn | None:
        verb, _, rest = words.partition(" ")
        if verb == "name" and (name := " ".join(rest.split())[:LONGEST]):
            names = renamed(known.names, self.player, name)
            people = tuple(dict.fromkeys((name, *known.people)))
            # before the first game there is none to write it to
            written = (RenamePlayers(names),) if known.game else ()
            old = {had: names.get(player, had) for player, had in known.names.items()}
            placed = {player: old.get(had, had) for player, had in known.placed.items()}
            return Turn((), written, known=replace(known, names=names, people=people, placed=placed))
        match (words, self.spelled):
            case ("spelled", str(name)) if name:
                return self._told(f"name {name}", known)
            case ("erase", str(name)):
                return Turn((replace(self, spelled=name[:-1]),))
            case (_, str(name)) if verb == "letter" and rest in LETTERS:
                grown = name + (rest if name and name[-1] != "-" else rest.upper())
                return Turn((replace(self, spelled=grown[:LONGEST]),))
            case _:
                return None

    def _names(self, known: Context) -> tuple[str, ...]:
        """First who sits here too, to change names; then everybody who ever played, then colours."""
        here = (name for player, name in known.names.items() if player != self.player)
        own = known.names.get(self.player)
        return tuple(name for name in dict.fromkeys((*here, *known.people, *COLOURS)) if name != own)


def renamed(names: Names, player: int, name: str) -> dict[int, str]:
    """Nobody shares a name: who had it gets the other's in exchange."""
    after = dict(names)
    for other, had in names.items():
        if had == name and other != player:
            del after[other]
            if player in names:
                after[other] = names[player]
    return {**after, player: name}
