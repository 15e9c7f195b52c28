"""Renaming a player: a name from earlier matches, a colour, or a name spelled with four buttons."""

from dataclasses import dataclass, replace
from string import ascii_lowercase

from engine.text import say
from engine.view import View
from firmware.box.commands import Command, NamePlayer, SetName, SpellLetter, Verb
from firmware.box.events import FlowEvent, Told
from firmware.box.flow import Turn
from firmware.box.flow_context import Context
from firmware.box.menu_and_confirmation import offer
from firmware.journal.operation_types import Names, RenamePlayers
from vision.live.read_request import ReadRequest

NAME_LENGTH = 10
COLOUR_NAMES = ("Red", "Blue", "Green", "Yellow", "White", "Black", "Orange", "Pink", "Grey", "Brown")
SPELLING_LETTERS = (*ascii_lowercase, "-")


@dataclass(frozen=True, slots=True)
class PlayerRenaming:
    """``spelled`` is the part of a name that is spelled so far, None while a name is chosen from the list."""

    player: int
    spelled: str | None = None

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        if self.spelled is None:
            names = (offer(say("as_is", value=name), SetName(name)) for name in self._names(known))
            return View(say("new_name", player=self.player), offers=(*names, offer(say("spell"), Verb.SPELL)))
        keys = (offer(say("as_is", value=letter.upper()), SpellLetter(letter)) for letter in SPELLING_LETTERS)
        done = offer(say("spelled"), Verb.SPELLED), offer(say("erase"), Verb.ERASE)
        return View(say("spelling", value=self.spelled or "_"), offers=(*keys, *done))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK, _, _):
                return Turn((replace(self, spelled=None),) if self.spelled is not None else ())
            case Told(Verb.MENU, _, _):
                return Turn(())
            case Told(Verb.SPELL, _, _):
                return Turn((replace(self, spelled=""),))
            case Told(SetName(name), _, _):
                return name_player(self.player, name, known)
            case Told(NamePlayer(player, name), _, _) if player == self.player:
                return name_player(player, name, known)
            case Told(command, _, _) if self.spelled is not None:
                return self._spell(command, self.spelled, known)
            case _:
                return None

    def _spell(self, command: Command, spelled: str, known: Context) -> Turn | None:
        match command:
            case Verb.SPELLED:
                return name_player(self.player, spelled, known)
            case Verb.ERASE:
                return Turn((replace(self, spelled=spelled[:-1]),))
            case SpellLetter(letter) if letter in SPELLING_LETTERS:
                grown = spelled + (letter if spelled and spelled[-1] != "-" else letter.upper())
                return Turn((replace(self, spelled=grown[:NAME_LENGTH]),))
            case _:
                return None

    def _names(self, known: Context) -> tuple[str, ...]:
        """First the other players, to exchange names; then all names that were ever used, then colours."""
        here = (name for player, name in known.names.items() if player != self.player)
        own = known.names.get(self.player)
        return tuple(name for name in dict.fromkeys((*here, *known.people, *COLOUR_NAMES)) if name != own)


def name_player(player: int, told: str, known: Context) -> Turn | None:
    """The turn that ends with this name; None if nothing of it is a name."""
    name = " ".join(told.split())[:NAME_LENGTH]
    if not name:
        return None
    names = exchange_names(known.names, player, name)
    people = tuple(dict.fromkeys((name, *known.people)))
    # before the first game there is no game to write it to
    written = (RenamePlayers(names),) if known.game else ()
    old = {had: names.get(player, had) for player, had in known.names.items()}
    placed = {player: old.get(had, had) for player, had in known.names_by_seat.items()}
    return Turn((), written, known=replace(known, names=names, people=people, names_by_seat=placed))


def exchange_names(names: Names, player: int, name: str) -> dict[int, str]:
    """Names stay unique: the player who had the name gets the old name of the other one."""
    after = dict(names)
    for other, had in names.items():
        if had == name and other != player:
            del after[other]
            if player in names:
                after[other] = names[player]
    return {**after, player: name}
