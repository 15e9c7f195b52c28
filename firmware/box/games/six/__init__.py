"""SIX at the box: tiles of two colours, and players who change places after each game."""

from collections.abc import Mapping
from typing import Any

from engine.games.six.board import COLOURS
from engine.games.six.match_end import find_next_starter
from engine.games.six.moves import Act, Lay, Move
from engine.games.six.state import State
from engine.games.six.table_plan import LEAST_AREA_MM
from engine.log import Log
from engine.options import Options, Value
from engine.text import Text, say
from engine.view import Offer
from firmware.box.games.game_ui import NextMatch, PlainUi, SetupQuestion
from firmware.box.games.manual_entry_question import Question
from firmware.box.games.six import manual_entry, table_questions
from firmware.box.games.six.lessons import LESSONS
from firmware.box.table_state import TilesState, TileState
from firmware.journal.operation_types import Started

NOTICES = (3, 2, 0, *range(9, 3, -1))
"""How often a position comes before the box tells it: the usual values first."""


class SixUi(PlainUi):
    areas = (LEAST_AREA_MM,)
    about = Text("about_six")
    swaps_places = True
    plays_on = True
    lessons = LESSONS

    def __init__(self) -> None:
        super().__init__("six")

    def rounds_played(self, log: Log[Any, Any]) -> int:
        """In each of the two phases: moving is explained as laying was."""
        game = log.state.game
        kind = Lay if game is None or any(game.hands) else Move
        return sum(isinstance(move, kind) for move in log.moves) // len(COLOURS)

    def setup_questions(self, given: Options) -> tuple[SetupQuestion, ...]:
        return (
            SetupQuestion("first", say("ask_first")),
            SetupQuestion("first_tile_restriction", say("ask_first_tile")),
            SetupQuestion("repetition_notice", say("ask_repeats"), NOTICES),
        )

    def describe_option(self, option: str, value: Value, options: Options) -> Text:
        match option, value:
            case "first", _:
                return say("starts_colour", colour=str(value))
            case "first_tile_restriction", int() if value:
                return say("first_tile_apart")
            case "first_tile_restriction", _:
                return say("first_tile_free")
            case _, int() if value:
                return say("repeats_told", times=value)
            case _:
                return say("repeats_untold")

    def rematch(self, started: Started, log: Log[Any, Any]) -> NextMatch:
        """The loser starts, and the first player is the one who starts (S-23)."""
        state: State = log.state
        if state.game is None or state.game.end is None:
            return NextMatch((1, 2))
        starter = find_next_starter(state.starter, state.game.end.winner)
        first = state.player(starter)
        return NextMatch((first, 3 - first), {"first": starter})

    def colours(self, state: State) -> Mapping[int, str]:
        return {state.player(colour): colour for colour in COLOURS}

    def describe_stories(self, state: State, stories: tuple[tuple[Act, ...], ...]) -> tuple[Text, ...]:
        return say("cut_off_gone_who_next"), *(table_questions.name_outcome(state, story) for story in stories)

    def name_doubtful(self, state: State, stories: tuple[tuple[Act, ...], ...]) -> tuple[Text, ...]:
        return table_questions.name_doubtful_outcomes(state, stories)

    def manual_forms(self, state: State) -> tuple[Offer, ...]:
        return manual_entry.forms(state)

    def ask(self, state: State, verb: str, words: tuple[str, ...]) -> Question | None:
        return manual_entry.ask(state, verb, words)

    def entry(self, verb: str, words: tuple[str, ...]) -> str:
        return manual_entry.entry(verb, words)

    def board_choice(self, state: State) -> tuple[tuple[Offer, ...], tuple[Text, ...]]:
        """Which group leaves the board after it fell apart."""
        return manual_entry.split(state.game) if state.game is not None and state.game.split else ((), ())

    def keep_apart(self, log: Log[Any, Any]) -> tuple[Text, ...]:
        game = log.state.game
        stocks = zip(COLOURS, game.hands, strict=True) if game else ()
        return tuple(say("keep_tiles", colour=colour, n=n) for colour, n in stocks if n)

    def hands_secret(self, state: State) -> bool:
        return state.game is not None and state.game.end is None

    def table_state(self, log: Log[Any, Any]) -> TilesState:
        state: State = log.state
        tiles = [TileState(q, r, colour, litter=False) for (q, r), colour in sorted(state.tiles)]
        tiles += [TileState(q, r, colour, litter=True) for (q, r), colour in sorted(state.litter - state.tiles)]
        game = state.game
        left = dict(zip(COLOURS, game.hands, strict=True)) if game else {}
        return TilesState(tiles, game.turn if game and game.end is None else None, left)
