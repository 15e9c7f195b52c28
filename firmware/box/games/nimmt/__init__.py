"""6 nimmt! at the box: variants, seats, hidden bull piles and their audit."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.game import Illegal
from engine.games.nimmt.adoption import list_taken_unseen
from engine.games.nimmt.cards import DECK, HEADS
from engine.games.nimmt.match_options import OPTIONS, parse_rules
from engine.games.nimmt.moves import Move, Negpos
from engine.games.nimmt.state import State
from engine.games.nimmt.table_plan import LARGE, SEATS, SMALL, WIDE
from engine.games.nimmt.turn_of_table import list_laid_unseen
from engine.log import Log
from engine.notation import BadNotation
from engine.options import BadOption, Options, Value, fill_options, get_number
from engine.referee import fill_hidden
from engine.table import Table
from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import OpenCheck
from firmware.box.games.game_ui import ClosingCheck, Correction, NextMatch, PlainUi, SetupQuestion
from firmware.box.games.manual_entry_question import Question
from firmware.box.games.nimmt import manual_entry, setup_questions, table_questions
from firmware.box.games.nimmt.lessons import FIRST_GAME, LESSONS
from firmware.box.games.nimmt.pause_match import keep_cards
from firmware.box.games.nimmt.pile_audit import PileAudit
from firmware.box.games.nimmt.rows_state import rows_state
from firmware.box.games.nimmt.take_correction import TakeCorrection, has_named_takes
from firmware.box.menu_and_confirmation import offer
from firmware.box.table_state import RowsState
from firmware.journal.operation_types import Started

ROUND_OVER = ("over", "end")
"""Phases in which no hand holds a card, and bull piles may be opened."""


def _may_play(options: Options, players: int) -> bool:
    try:
        parse_rules(fill_options(OPTIONS, {**options, "players": players}))
    except (BadOption, Illegal):
        return False
    return True


class NimmtUi(PlainUi):
    areas = (WIDE, LARGE, SMALL)
    variants = setup_questions.VARIANTS
    decks = setup_questions.DECKS
    counts_by_cards = True
    leaves = True
    fewest_points_lead = True
    card_points: Mapping[str, int] = {str(card): HEADS[card] for card in DECK}
    pile_moves = (Negpos,)
    first_game = FIRST_GAME
    lessons = LESSONS
    standing_questions = frozenset(["which_was_replaced"])

    def __init__(self) -> None:
        super().__init__("nimmt")

    def setup_questions(self, given: Options) -> tuple[SetupQuestion, ...]:
        return setup_questions.ask_options(given)

    def describe_option(self, option: str, value: Value, options: Options) -> Text:
        return setup_questions.describe(option, value, options)

    def setup_notice(self, options: Options) -> Text | None:
        return setup_questions.notice(options)

    def needed_decks(self, options: Options) -> tuple[str, ...]:
        return ("nimmt", "specials") if options.get("variant") == "anniversary" else ("nimmt",)

    def draws_lot(self, options: Options) -> bool:
        return options.get("variant") == "professional"

    def seats(self, options: Options) -> Mapping[int, int]:
        if options.get("seats") == "off":
            return {}
        spots = options.get("spots", ())
        seats = spots if isinstance(spots, tuple) and spots else range(1, get_number(options, "players") + 1)
        return dict(enumerate(seats, 1))

    def seated(self, log: Log[Any, Any]) -> Mapping[int, int]:
        state: State = log.state
        return {player: state.seats[player - 1] for player in state.players()} if self.seats(log.options) else {}

    def players(self, log: Log[Any, Any]) -> tuple[int, ...]:
        state: State = log.state
        return tuple(state.players())

    def joining(self, log: Log[Any, Any]) -> tuple[Offer, ...] | Text | None:
        """At which free seat; where the rules say no, they say why."""
        if log.options["variant"] != "base":
            return None
        taken = self.seated(log)
        anywhere = [seat for seat in range(1, SEATS + 1) if seat not in taken.values()] if taken else [0]
        try:
            log.add(log.parse(f"join {min(anywhere, default=0)}"))
        except (Illegal, BadNotation) as why:
            return why.text if isinstance(why, Illegal) else say("not_now")
        zones = log.game.plan(log.options).zones
        free = [seat for seat in anywhere if not taken or f"seat:{seat}" in zones]
        if not free:
            return say("seats_all_taken", width=LARGE[0], height=LARGE[1])
        return tuple(Offer(say("at_seat", seat=seat) if seat else say("joins_now"), f"join {seat}") for seat in free)

    def rematch(self, started: Started, log: Log[Any, Any]) -> NextMatch:
        """Those who stayed play again; where they are too few for the variant, all who began do."""
        state: State = log.state
        stay = state.players()
        if not _may_play(started.options, len(stay)):
            stay = tuple(range(1, len(state.seats) + 1))
        seats = tuple(state.seats[player - 1] for player in stay) if state.rules.seats == "on" else ()
        return NextMatch(stay, {"spots": seats})

    def answers(self, state: State, asked: Text) -> tuple[Offer, ...]:
        return table_questions.list_answers(state, asked)

    def doubt(self, state: State, asked: Text, move: Move, table: Table) -> Move | None:
        return table_questions.doubt_first_card(asked, move)

    def describe_stories(self, state: State, stories: tuple[table_questions.Story, ...]) -> tuple[Text, ...]:
        return table_questions.describe_stories(state, stories) or super().describe_stories(state, stories)

    def name_late(self, state: State, moves: table_questions.Story) -> Text | None:
        return table_questions.name_late(state, moves)

    def manual_forms(self, state: State) -> tuple[Offer, ...]:
        return manual_entry.forms(state)

    def ask(self, state: State, verb: str, words: tuple[str, ...]) -> Question | None:
        return manual_entry.ask(state, verb, words)

    def needs(self, zone: str, state: State) -> bool:
        """Something else may be put at a seat where no player sits, and where the fifth row would be."""
        kind, _, number = zone.partition(":")
        match kind:
            case "stock" | "discard":
                return False
            case "seat":
                return bool(state.player_at(int(number)))
            case "row":
                return number != "5" or bool(state.row(5)) or (state.slot is not None and state.slot.special == "fifth")
            case _:
                return True

    def keep_apart(self, log: Log[Any, Any]) -> tuple[Text, ...]:
        return keep_cards(log.state)

    def unowned(self, log: Log[Any, Any], table: Table) -> tuple[tuple[str, ...], ...]:
        """By row: the player who took a row has all cards of it. A card that was laid and taken is asked for alone.

        So is a card in a row that any of several players can have laid.
        """
        state: State = log.state
        if state.phase in ("deal", "draft", *ROUND_OVER):
            return ()
        seen = log.game.arrange(state, table)
        there = {piece for held in seen.zones.values() for piece in held}
        rows = ((f"row:{r}", tuple(map(str, row))) for r, row in enumerate(state.rows, 1))
        away = (tuple(c for c in row if c not in there) for zone, row in rows if zone not in seen.hidden)
        taken = () if seen.hidden else list_taken_unseen(state, seen)
        groups = (*(cards for cards in away if cards), *((str(card),) for card in taken))
        lies = fill_hidden(log, table)
        piles = {f"pile:{state.players()[0]}": sum(groups, ())} if groups else {}
        laid = list_laid_unseen(log.states, replace(lies, zones={**lies.zones, **piles}))
        return (*groups, *((card,) for card in laid))

    def closing_checks(self, log: Log[Any, Any]) -> tuple[ClosingCheck, ...]:
        """Bull piles may be opened when a round is over: before that only their size is public.

        Without seats each taken row must have its owner first: else its cards would count as never taken.
        """
        state: State = log.state
        if state.phase not in ROUND_OVER or state.unowned or not any(state.piles):
            return ()
        return (ClosingCheck(offer(say("audit"), OpenCheck("piles")), lambda: PileAudit.begin(log)),)

    def corrections(self, log: Log[Any, Any]) -> tuple[Correction, ...]:
        if not has_named_takes(log):
            return ()
        return (Correction(offer(say("correct_take"), OpenCheck("takes")), lambda: TakeCorrection(log)),)

    def hands_secret(self, state: State) -> bool:
        return state.phase not in ROUND_OVER

    def public_cards(self, state: State) -> frozenset[int] | None:
        """What went into a bull pile, was drafted, or went back to a hand, is not shown any more (R-9, P-8)."""
        due = (state.slot.card,) if state.slot else ()
        return frozenset((*filter(None, state.shown), *due, *(card for row in state.rows for card in row)))

    def secret_from(self, log: Log[Any, Any]) -> int:
        if not self.hands_secret(log.state):
            return len(log.moves)
        over = [number for number, state in enumerate(log.states) if state.phase in ROUND_OVER]
        return over[-1] if over else 0

    def table_state(self, log: Log[Any, Any]) -> RowsState:
        return rows_state(log.state, log.game.layout(log.state).zones)
