"""Before and between games: what the box can do now."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.game import Illegal
from engine.options import BadOption, Options, get_number
from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.context import Context, Stopped
from firmware.box.effects import Invite, PowerOff, Restart
from firmware.box.events import Answered, Ticked, Told
from firmware.box.flow import Flow, Turn
from firmware.box.flows.about_box import AboutBox
from firmware.box.flows.camera_setup import CameraSetup
from firmware.box.flows.deck_check import DeckCheck, decks
from firmware.box.flows.game_setup import Games, unchecked
from firmware.box.flows.pair_phone import PairingPhone
from firmware.box.flows.playing import guiding, playing
from firmware.box.flows.rename_player import Renaming
from firmware.box.games import ui_of
from firmware.box.match_start import begun, from_words, names_for, once_more
from firmware.box.menu import Menu
from firmware.journal.operations import BeginGame, Names, ResumeGame, Started
from vision.live.events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Home:
    """Always at the bottom."""

    def aim(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        return View(say("home" if known.area else "home_no_camera"), offers=tuple(_offers(known)))

    def take(self, item: TableSeen | CameraMeasured | Told | Ticked, known: Context) -> Turn | None:
        return self._told(item, known) if isinstance(item, Told) else None

    def _told(self, told: Told, known: Context) -> Turn | None:
        match told.words.split():
            case ["menu"]:
                return Turn((self,))
            case ["resume", number]:
                return self._resume(number, known)
            case ["stopped"] if known.stopped:
                return Turn((self, Menu(say("which_stopped"), tuple(map(_stopped, _newest(known))))))
            case ["same", "again"] if known.last:
                return self._begin(known.last.game, once_more(known.last), known.names or known.last.names, known)
            case ["begin", *_] if begin := from_words(told.words):
                return self._begin(*begin, None, known)
            case ["new", "game"]:
                return Turn((self, Games()))
            case ["deck"]:
                return Turn((self, Menu(say("which_deck"), tuple(_decks()))))
            case ["deck", deck] if deck in decks():
                return Turn((self, DeckCheck(deck)))
            case ["people"] if known.last:
                who = tuple(Offer(say("player", player=n), f"rename {n}") for n in _players(known.last))
                return Turn((self, Menu(say("who_is_renamed"), who)))
            case ["rename", number] if known.last and number in map(str, _players(known.last)):
                return Turn((self, Renaming(int(number))))
            case ["pair"] if known.page is not None:
                return Turn((self, PairingPhone(known.now)), (Invite(True),))
            case ["aim"]:
                return Turn((self, CameraSetup()))
            case ["about"]:
                return Turn((self, AboutBox()))
            case ["restart"]:
                return Turn((self,), (Restart(),))
            case ["power"]:
                answers = (Offer(say("stay_on"), "back"), Offer(say("power_off"), "power off"))
                return Turn((self, Menu(say("power_off_sure"), answers)))
            case ["power", "off"] if isinstance(told, Answered):
                return Turn((self,), (PowerOff(),))
            case _:
                return None

    def _begin(self, game: str, given: Options, names: Names | None, known: Context) -> Turn:
        """Without names people keep those of last evening."""
        try:
            log = begun(game, given, known)
        except (BadOption, Illegal) as why:
            return Turn((self, refusal(why.text)))
        started = Started(game, log.options, names_for(log, known) if names is None else names)
        swapped = known.last is not None and known.last.game == game and ui_of(game).swaps_places
        placed = known.placed if swapped else started.names
        after = replace(known, last=started, names=started.names, placed=placed)
        return Turn((self, playing(log)), (BeginGame(started),), known=after)

    def _resume(self, number: str, known: Context) -> Turn | None:
        stopped = next((stopped for stopped in known.stopped if str(stopped.id) == number), None)
        if stopped is None:
            return None
        last = Started(stopped.log.game.name, stopped.log.options, stopped.names)
        rest = tuple(other for other in known.stopped if other != stopped)
        placed = known.placed or known.names if ui_of(last.game).swaps_places else stopped.names
        after = replace(known, names=stopped.names, last=last, stopped=rest, placed=placed or stopped.names)
        game = guiding(stopped.log) if stopped.log.moves else playing(stopped.log)
        return Turn((self, game.on(known.area)), (ResumeGame(stopped.id),), known=after)


def refusal(text: Text) -> Flow:
    """Says why not, until somebody goes on."""
    return Menu(text, (Offer(say("understood"), "back"),))


def _offers(known: Context) -> Iterator[Offer]:
    """What is most likely wanted comes first; UP from there reaches the end at once."""
    if known.area is None:
        yield Offer(say("aim_camera"), "aim")
    for stopped in _newest(known)[:1]:
        yield Offer(say("resume_game", game=stopped.log.game.name), f"resume {stopped.id}")
    if known.last:
        risky = unchecked(known.last.game, known.last.options, known)
        yield Offer(say("same_again_unchecked" if risky else "same_again"), "same again")
    yield Offer(say("new_game"), "new game")
    if len(known.stopped) > 1:
        yield Offer(say("stopped_games"), "stopped")
    yield Offer(say("check_deck"), "deck")
    if known.last:
        yield Offer(say("people"), "people")
    if known.area is not None:
        yield Offer(say("aim_camera"), "aim")
    if known.page is not None:
        yield Offer(say("pair_phone"), "pair")
    yield Offer(say("about_box"), "about")
    yield Offer(say("restart"), "restart")
    yield Offer(say("power_off"), "power")


def _players(last: Started) -> range:
    return range(1, get_number(last.options, "players") + 1)


def _newest(known: Context) -> tuple[Stopped, ...]:
    return tuple(sorted(known.stopped, key=lambda stopped: -stopped.id))


def _stopped(stopped: Stopped) -> Offer:
    return Offer(say("stopped_game", number=stopped.id, game=stopped.log.game.name), f"resume {stopped.id}")


def _decks() -> Iterator[Offer]:
    for name, deck in decks().items():
        yield Offer(deck.label, f"deck {name}")
