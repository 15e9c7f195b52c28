"""The home menu: what the box offers before and between matches."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.game import Illegal
from engine.games import GAMES
from engine.options import BadOption, Options, get_number
from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.commands import (
    BeginMatch,
    ChooseDeck,
    ChooseLanguage,
    Command,
    Confirm,
    LearnGame,
    NamePlayer,
    RenamePlayer,
    ResumeMatch,
    Verb,
)
from firmware.box.effects import Invite, KeepLanguage, PowerOff, Restart, RestoreGames
from firmware.box.events import Answered, FlowEvent, Told
from firmware.box.flow import Flow, Turn
from firmware.box.flow_context import Context, Stopped
from firmware.box.flows.about_box import AboutBox
from firmware.box.flows.camera_setup import CameraSetup
from firmware.box.flows.deck_check import DeckCheck, list_decks
from firmware.box.flows.first_game import choose_first_game
from firmware.box.flows.game_setup import GameChoice, GameSetup, find_unchecked_deck
from firmware.box.flows.pair_phone import PhonePairing
from firmware.box.flows.playing import play_from, rebuild_from
from firmware.box.flows.rename_player import PlayerRenaming, name_player
from firmware.box.games import ui_of
from firmware.box.match_start import keep_names, start_match
from firmware.box.menu_and_confirmation import UNDERSTOOD, Confirmation, Menu, offer
from firmware.box.rematch import options_for_rematch
from firmware.journal.operation_types import BeginGame, Names, ResumeGame, Started
from firmware.texts.languages import ENDONYMS, available_languages
from vision.live.read_request import ReadRequest


@dataclass(frozen=True, slots=True)
class Home:
    """The flow at the bottom of the stack."""

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        return View(say("home" if known.area else "home_no_camera"), offers=tuple(_offers(known)))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(command, _, _):
                return self._told(command, known)
            case Answered(Confirm(Verb.RESTORE_GAMES), _, _) if known.missing:
                return Turn((self,), (RestoreGames(), Restart()))
            case Answered(Confirm(Verb.POWER_OFF), _, _):
                return Turn((self,), (PowerOff(),))
            case _:
                return None

    def _told(self, command: Command, known: Context) -> Turn | None:
        match command:
            case Verb.MENU:
                return Turn((self,))
            case ResumeMatch(number):
                return self._resume(number, known)
            case Verb.STOPPED_GAMES if known.stopped:
                return Turn((self, Menu(say("which_stopped"), tuple(map(_stopped, _newest(known))))))
            case Verb.SAME_AGAIN if known.last:
                return self._begin(
                    known.last.game, options_for_rematch(known.last), known.names or known.last.names, known
                )
            case BeginMatch(game, options, taught) if game in GAMES:
                return self._begin(game, dict(options), None, known, taught=taught)
            case Verb.FIRST_GAME:
                return Turn((self, choose_first_game()))
            case LearnGame(game) if game in GAMES:
                return Turn((self, GameSetup(game, ui_of(game).first_game, taught=True)))
            case Verb.NEW_GAME:
                return Turn((self, GameChoice()))
            case Verb.DECKS:
                return Turn((self, Menu(say("which_deck"), tuple(_decks()))))
            case ChooseDeck(deck) if deck in list_decks():
                return Turn((self, DeckCheck(deck)))
            case Verb.PEOPLE if known.last:
                who = tuple(offer(say("player", player=n), RenamePlayer(n)) for n in _players(known.last))
                return Turn((self, Menu(say("who_is_renamed"), who)))
            case RenamePlayer(player) if known.last and player in _players(known.last):
                return Turn((self, PlayerRenaming(player)))
            case NamePlayer(player, name) if known.last and player in _players(known.last):
                turn = name_player(player, name, known)
                return turn and replace(turn, flows=(self,))
            case Verb.PAIR if known.page is not None:
                return Turn((self, PhonePairing(known.now)), (Invite(True),))
            case Verb.SET_UP_CAMERA:
                return Turn((self, CameraSetup()))
            case Verb.LANGUAGE:
                return Turn((self, Menu(say("which_language"), tuple(_languages()))))
            case ChooseLanguage(language) if language in available_languages():
                return Turn((self,), (KeepLanguage(language),), known=replace(known, language=language))
            case Verb.ABOUT:
                return Turn((self, AboutBox()))
            case Verb.RESTORE_GAMES if known.missing:
                sure, leave = say("restore_games_sure", n=known.missing), offer(say("leave_as_is"), Verb.BACK)
                return Turn((self, Confirmation(sure, command, say("restore_games"), leave)))
            case Verb.RESTART:
                return Turn((self,), (Restart(),))
            case Verb.POWER_OFF:
                stay_on = offer(say("stay_on"), Verb.BACK)
                return Turn((self, Confirmation(say("power_off_sure"), command, say("power_off"), stay_on)))
            case _:
                return None

    def _begin(self, game: str, given: Options, names: Names | None, known: Context, *, taught: bool = False) -> Turn:
        """Begin a match; without ``names`` the players keep the names they had."""
        try:
            log = start_match(game, given, known)
        except (BadOption, Illegal) as why:
            return Turn((self, refusal_menu(why.text)))
        started = Started(game, log.options, keep_names(log, known) if names is None else names)
        swapped = known.last is not None and known.last.game == game and ui_of(game).swaps_places
        placed = known.names_by_seat if swapped else started.names
        after = replace(known, last=started, names=started.names, names_by_seat=placed)
        nameless = [n for n in _players(started) if taught and n not in started.names]
        asked = (PlayerRenaming(player) for player in reversed(nameless))  # the last flow is shown first
        return Turn((self, replace(play_from(log), taught=taught), *asked), (BeginGame(started),), known=after)

    def _resume(self, number: int, known: Context) -> Turn | None:
        stopped = next((stopped for stopped in known.stopped if stopped.id == number), None)
        if stopped is None:
            return None
        last = Started(stopped.log.game.name, stopped.log.options, stopped.names)
        rest = tuple(other for other in known.stopped if other != stopped)
        placed = known.names_by_seat or known.names if ui_of(last.game).swaps_places else stopped.names
        after = replace(known, names=stopped.names, last=last, stopped=rest, names_by_seat=placed or stopped.names)
        game = rebuild_from(stopped.log) if stopped.log.moves else play_from(stopped.log)
        return Turn((self, game.refit(known.area)), (ResumeGame(stopped.id),), known=after)


def refusal_menu(text: Text) -> Flow:
    """A menu that gives a reason and waits for a press."""
    return Menu(text, (UNDERSTOOD,))


def _offers(known: Context) -> Iterator[Offer]:
    """The most likely choice comes first; UP from there goes to the last one."""
    language = offer(say("page_language"), Verb.LANGUAGE)
    unused = known.area is None and known.last is None and not known.language
    if unused:
        yield language
    if known.area is None:
        yield offer(say("aim_camera"), Verb.SET_UP_CAMERA)
    if known.missing:
        yield offer(say("restore_games"), Verb.RESTORE_GAMES)
    for stopped in _newest(known)[:1]:
        yield offer(say("resume_game", game=stopped.log.game.name), ResumeMatch(stopped.id))
    if known.last:
        risky = find_unchecked_deck(known.last.game, known.last.options, known)
        yield offer(say("same_again_unchecked" if risky else "same_again"), Verb.SAME_AGAIN)
    yield offer(say("new_game"), Verb.NEW_GAME)
    if len(known.stopped) > 1:
        yield offer(say("stopped_games"), Verb.STOPPED_GAMES)
    yield offer(say("check_deck"), Verb.DECKS)
    yield offer(say("first_game"), Verb.FIRST_GAME)
    if known.last:
        yield offer(say("people"), Verb.PEOPLE)
    if known.area is not None:
        yield offer(say("aim_camera"), Verb.SET_UP_CAMERA)
    if known.page is not None:
        yield offer(say("pair_phone"), Verb.PAIR)
    if not unused:
        yield language
    yield offer(say("about_box"), Verb.ABOUT)
    yield offer(say("restart"), Verb.RESTART)
    yield offer(say("power_off"), Verb.POWER_OFF)


def _players(last: Started) -> range:
    return range(1, get_number(last.options, "players") + 1)


def _newest(known: Context) -> tuple[Stopped, ...]:
    return tuple(sorted(known.stopped, key=lambda stopped: -stopped.id))


def _stopped(stopped: Stopped) -> Offer:
    return offer(say("stopped_game", number=stopped.id, game=stopped.log.game.name), ResumeMatch(stopped.id))


def _languages() -> Iterator[Offer]:
    for language in available_languages():
        yield offer(say("as_is", value=ENDONYMS.get(language, language)), ChooseLanguage(language))


def _decks() -> Iterator[Offer]:
    for name, deck in list_decks().items():
        yield offer(deck.label, ChooseDeck(name))
