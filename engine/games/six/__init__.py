"""SIX: hexagons on an open table; lay in phase 1, lift and lay in phase 2, and what is cut off leaves."""

from collections.abc import Iterator
from dataclasses import replace

from engine import notation
from engine.game import Illegal, Unfinished
from engine.games.six import adoption, reading
from engine.games.six import view as screen
from engine.games.six import zones as sight
from engine.games.six.board import BLACK, RED
from engine.games.six.moves import (
    ACTS,
    Act,
    Askew,
    Clear,
    Draw,
    Keep,
    Lay,
    Lift,
    Lose,
    Move,
    Pass,
    Rematch,
    Slide,
    Start,
    Veiled,
)
from engine.games.six.position import DRAW, GameEnd, Position, start_position
from engine.games.six.state import Anchor, State, Terms, add_to_past, find_next_starter
from engine.options import BadOption, Option, Options, fill_options, get_number, get_word
from engine.plan import Plan, require_area
from engine.table import Area, Gap, Layout, Table
from engine.view import View

LEAST_AREA_MM = (600, 450)


class Six:
    name = "six"
    options = (
        Option("players", 2, 2, 2),
        Option("first", RED, words=(RED, BLACK)),
        Option("first_tile_restriction", 0, 0, 1),
        Option("repetition_notice", 3, 0, 9),
        Option("width", 0, 0, 5000),
        Option("height", 0, 0, 5000),
    )

    def plan(self, options: Options) -> Plan:
        """One free area: tiles lie anywhere in it."""
        choice = fill_options(self.options, options)
        width, height = (
            get_number(choice, "width") or LEAST_AREA_MM[0],
            get_number(choice, "height") or LEAST_AREA_MM[1],
        )
        require_area(width, height, LEAST_AREA_MM)
        return Plan(width, height, {"table": Area(0, 0, width, height)})

    def start(self, options: Options) -> State:
        choice = fill_options(self.options, options)
        plan = self.plan(choice)
        starter, spaced = get_word(choice, "first"), bool(get_number(choice, "first_tile_restriction"))
        notice = get_number(choice, "repetition_notice")
        if notice == 1:
            raise BadOption("repetition_notice", "option_words", value="1", words="0 2 3 4 5 6 7 8 9")
        return State(Terms(starter, spaced, notice, plan.width, plan.height), starter)

    def parse(self, text: str) -> Act:
        return notation.parse_move(ACTS, text)

    def layout(self, state: State) -> Layout:
        zones = {sight.format_zone(cell): (colour,) for cell, colour in state.lying}
        return Layout(zones | {"anchor": (sight.format_anchor(state.anchor),)} if state.game else zones)

    def view(self, state: State) -> View:
        return screen.build_view(state)

    def arrange(self, state: State, table: Table) -> Layout:
        return sight.arrange(state, table)

    def place(self, state: State, layout: Layout) -> Table:
        return sight.place(state, layout)

    def read(self, state: State, gap: Gap) -> Iterator[Act]:
        return reading.read(state, gap)

    def adopt(self, state: State, seen: Layout) -> State:
        return adoption.adopt(state, seen)

    def play(self, state: State, move: Act) -> State:
        match move:
            case Start(x, y, angle, pitch):
                return self._start(state, (x, y, angle, pitch))
            case Slide(x, y, angle, pitch):
                _running(state)
                return replace(state, anchor=_sound((x, y, angle, pitch)))
            case Lay(colour, q, r):
                game = _running(state)
                _tidy(state)
                return _after(state, game.lay(colour, (q, r)))
            case Move():
                return self._move(state, move)
            case Lift(q, r):
                game = _running(state)
                _tidy(state)
                if len(game.lift((q, r)).stay) > 1 and state.announced is None:
                    raise Unfinished("S-16", "out_of_order", "which_group_goes")
                raise Unfinished("S-11", "out_of_order", "lay_lifted")
            case Keep(q, r, keep_q, keep_r):
                game = _running(state)
                _tidy(state)
                game.choice(game.lift((q, r)), (keep_q, keep_r))
                return replace(state, announced=((q, r), (keep_q, keep_r)))
            case Lose(q, r):
                after, lost = _running(state).lose((q, r))
                return _after(replace(state, litter=state.litter | lost), after)
            case Clear():
                if not state.litter:
                    raise Illegal("S-14", "out_of_order", "nothing_to_take")
                return replace(state, litter=frozenset())
            case Askew(colour):
                if state.litter and state.game is None:
                    raise Unfinished("S-2", "table_not_cleared", "clear_last_game", n=len(state.litter))
                if _running(state).end:
                    _running(state).open()
                if any(kind == colour for _, kind in state.litter):
                    raise Unfinished("S-14", "out_of_order", "take_lost_away", n=len(state.litter))
                raise Illegal("S-3", "not_adjacent", "straighten", colour=colour)
            case Veiled():
                raise Unfinished("S-3", "out_of_order", "show_hidden")
            case Pass():
                _running(state).open()
                raise Illegal("S-18", "must_move", "must_move")
            case Draw():
                game = _running(state)
                game.open()
                if any(game.hands):
                    raise Illegal("S-22", "phase_1", "draw_in_phase_2", n=sum(game.hands))
                return _after(state, replace(game, end=GameEnd(DRAW, "agreed")))
            case Rematch():
                return self._rematch(state)

    def _start(self, state: State, anchor: Anchor) -> State:
        if state.game is not None:
            raise Illegal("S-2", "out_of_order", "game_runs")
        if state.litter:
            raise Unfinished("S-2", "table_not_cleared", "clear_last_game", n=len(state.litter))
        return replace(state, game=start_position(state.starter, state.terms.spaced), anchor=_sound(anchor))

    def _move(self, state: State, move: Move) -> State:
        game = _running(state)
        _tidy(state)
        source = (move.q, move.r)
        keep = state.announced[1] if state.announced and state.announced[0] == source else None
        after, lost = game.move(source, (move.to_q, move.to_r), keep)
        return _after(replace(state, litter=lost), after)

    def _rematch(self, state: State) -> State:
        game = state.game
        if game is None or game.end is None:
            raise Illegal("S-23", "out_of_order", "game_runs")
        winner = game.end.winner
        return State(
            state.terms,
            find_next_starter(state.starter, winner),
            anchor=state.anchor,
            litter=state.lying,
            winners=(*state.winners, winner),
        )


def _running(state: State) -> Position:
    if state.game is None:
        raise Unfinished("S-2", "out_of_order", "lay_start_pair")
    return state.game


def _sound(anchor: Anchor) -> Anchor:
    try:
        return sight.parse_anchor(sight.format_anchor(anchor))
    except ValueError:
        raise Illegal("S-3", "not_adjacent", "tile_size", n=anchor[3] // 10) from None


def _tidy(state: State) -> None:
    """Tiles that left the game must be removed before a tile is lifted."""
    if state.litter and state.game and not state.game.split and not state.game.end:
        raise Illegal("S-14", "out_of_order", "take_lost_away", n=len(state.litter))


def _after(state: State, game: Position) -> State:
    return replace(state, game=game, announced=None, past=add_to_past(state, game))
