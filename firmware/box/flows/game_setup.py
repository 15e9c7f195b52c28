"""Set-up of a match on the box: the game, its options, and the players, counted by the cards at the seats."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from engine.games import GAMES
from engine.options import BadOption, Options, Value, get_number
from engine.table import Area
from engine.text import Text, say
from engine.view import Offer, View
from firmware.box.commands import BeginMatch, ChooseGame, ChooseOption, Command, SetOption, SetPlayerCount, Verb
from firmware.box.events import Answered, FlowEvent, Ticked, Told
from firmware.box.flow import Flow, Turn
from firmware.box.flow_context import Context
from firmware.box.flows.deck_check import DeckCheck
from firmware.box.flows.game_setup_options import list_options, players_menu, rules_menu, set_option, values_menu
from firmware.box.flows.game_setup_seats import find_taken_seats, plan_seats
from firmware.box.games import ui_of
from firmware.box.games.game_ui import option_of
from firmware.box.match_start import begin_command, find_problem
from firmware.box.menu_and_confirmation import UNDERSTOOD, Menu, offer
from vision.live.perception_events import CameraMeasured, TableSeen
from vision.live.read_request import ReadRequest


def find_unchecked_deck(game: str, options: Options, known: Context) -> str:
    """The first deck that this match needs and whose stickers were never checked."""
    return next((deck for deck in ui_of(game).needed_decks(options) if deck not in known.decks), "")


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Choose a game, and its variant if it has several."""

    def read_request(self, known: Context) -> ReadRequest | None:
        return None

    def view(self, known: Context) -> View:
        return View(say("which_game"), offers=tuple(offer(say("game", game=game), ChooseGame(game)) for game in GAMES))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case Told(Verb.BACK, _, _):
                return Turn(())
            case Told(ChooseGame(game, ""), _, _) if game in GAMES and (variants := ui_of(game).variants):
                offers = tuple(offer(variant.label, ChooseGame(game, variant.name)) for variant in variants)
                return Turn((self, Menu(say("which_variant"), offers)))
            case Told(ChooseGame(game, ""), _, _) if game in GAMES:
                return Turn((self, GameSetup(game)))
            case Told(ChooseGame(game, name), _, _) if game in GAMES:
                variant = next((variant for variant in ui_of(game).variants if variant.name == name), None)
                return Turn((self, GameSetup(game, variant.options))) if variant else None
                return Turn((self, GameSetup(game)))
            case Told(BeginMatch() as begin, _, _):
                return Turn((), tell=begin)
            case _:
                return None


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Choose the options and the players. ``given`` holds what differs from the defaults, and ``players`` if they were
    counted by hand.

    ``found`` are the seats with a card, ``unsure`` the seats that something hides. When all is ``agreed`` the cards go
    back to the hands before the match begins, so that no card counts as the first move. A match that is ``taught``
    explains itself.
    """

    game: str
    given: Mapping[str, Value] = field(default_factory=dict)
    found: tuple[int, ...] = ()
    unsure: tuple[int, ...] = ()
    agreed: bool = False
    taught: bool = False

    def read_request(self, known: Context) -> ReadRequest | None:
        zones = self._seats(known)
        return ReadRequest("read", self.game, zones) if zones else None

    def view(self, known: Context) -> View:
        if self.agreed:
            return View(say("take_cards_back"), offers=(offer(say("cards_are_back"), Verb.CARDS_ARE_BACK),))
        by_cards = bool(self._seats(known))
        if by_cards and not self.found:
            return View(say("lay_at_seats"), offers=tuple(self._others(known)), alert=self._warning(known))
        if by_cards:
            prompt = say("players_at_seats", n=len(self.found), seats=self.found)
        else:
            prompt = say("game_for", n=self._count(known), game=self.game)
        others = tuple(self._others(known))
        if wrong := find_problem(self.game, self._options(known), known):
            return View(prompt, offers=others, alert=wrong[0], ruling=wrong[1])
        start = offer(say("start_unchecked" if self._unchecked(known) else "start"), Verb.START)
        return View(prompt, offers=(start, *others), alert=self._warning(known))

    def handle(self, event: FlowEvent, known: Context) -> Turn | None:
        match event:
            case TableSeen(table, _):
                return self._looked(*find_taken_seats(self._seats(known), table), known)
            case Told(command, _, _):
                return self._told(command, known)
            case CameraMeasured() | Answered() | Ticked():
                return None

    def _looked(self, found: tuple[int, ...], unsure: tuple[int, ...], known: Context) -> Turn:
        if not self.agreed:
            return Turn((replace(self, found=found, unsure=unsure),))
        clear = not found and not set(unsure) & set(self.found)  # something else may stay at a seat that no player has
        return self._begin(known) if clear else Turn((self,))

    def _told(self, command: Command, known: Context) -> Turn | None:
        match command:
            case Verb.BACK:
                return Turn((replace(self, agreed=False),) if self.agreed else ())
            case Verb.CARDS_ARE_BACK if self.agreed:
                return self._begin(known)
            case Verb.START if find_problem(self.game, self._options(known), known) is None:
                return Turn((replace(self, agreed=True),)) if self._seats(known) else self._begin(known)
            case Verb.PLAYER_COUNTS:
                return Turn((self, players_menu(self.game, self._count(known))))
            case Verb.PLAYERS_BY_CARDS:
                return Turn((replace(self, given={k: v for k, v in self.given.items() if k != "players"}),))
            case SetPlayerCount(count):
                return self._set("players", str(count))
            case Verb.RULES if list_options(self.game, self.given):
                return Turn((self, rules_menu(self.game, self._so_far(known))))
            case ChooseOption(name) if name in list_options(self.game, self.given):
                return Turn((self, values_menu(self.game, self._so_far(known), name)))
            case SetOption(name, value) if name in list_options(self.game, self.given):
                return self._set(name, value)
            case Verb.CHECK_NEEDED_DECK if unchecked := self._unchecked(known):
                return Turn((self, DeckCheck(unchecked)))
            case _:
                return None

    def _set(self, name: str, value: str) -> Turn:
        try:
            return Turn((replace(self, given=set_option(self.game, self.given, name, value), agreed=False),))
        except BadOption as why:
            refusal: Flow = Menu(why.text, (UNDERSTOOD,))
            return Turn((self, refusal))

    def _begin(self, known: Context) -> Turn:
        return Turn((), tell=begin_command(self.game, self._options(known), taught=self.taught))

    def _seats(self, known: Context) -> Mapping[str, Area]:
        by_cards = ui_of(self.game).counts_by_cards and "players" not in self.given
        return plan_seats(self.game, self.given, known) if by_cards else {}

    def _options(self, known: Context) -> Options:
        if self._seats(known):
            return {**self.given, "players": len(self.found), "spots": self.found}
        return {**self.given, "players": self._count(known)}

    def _so_far(self, known: Context) -> Options:
        """The options so far; at least two players while cards are still being put at the seats."""
        return {**self.given, "players": max(len(self.found), 2) if self._seats(known) else self._count(known)}

    def _count(self, known: Context) -> int:
        """The number of players: counted, else as in the last match, within the limits of the game."""
        option = option_of(self.game, "players")
        options = {"players": option.default, **(known.last.options if known.last else {}), **self.given}
        return min(max(get_number(options, "players"), option.low), option.high)

    def _others(self, known: Context) -> Iterator[Offer]:
        if self._unchecked(known):
            yield offer(say("check_deck"), Verb.CHECK_NEEDED_DECK)
        players = option_of(self.game, "players")
        if players.low < players.high:
            yield offer(say("count_players"), Verb.PLAYER_COUNTS)
        if ui_of(self.game).counts_by_cards and "players" in self.given and known.area is not None:
            yield offer(say("players_by_cards"), Verb.PLAYERS_BY_CARDS)
        if list_options(self.game, self.given):
            yield offer(say("other_rules"), Verb.RULES)

    def _warning(self, known: Context) -> Text | None:
        if self.found and self.unsure:
            return say("seat_unsure", seat=self.unsure[0])
        if notice := ui_of(self.game).setup_notice(self._options(known)):
            return notice
        return say("deck_unchecked") if self._unchecked(known) and not known.faults else None

    def _unchecked(self, known: Context) -> str:
        return find_unchecked_deck(self.game, self.given, known)
