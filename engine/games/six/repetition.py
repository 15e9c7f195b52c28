"""Positions of SIX that come again: which earlier ones count, and from when the players are told."""

from engine.games.six.rules import Position
from engine.games.six.state import State


def add_to_past(state: State, game: Position) -> tuple[tuple[int, int, str], ...]:
    """The past with this position; tiles that left never return, so what was before cannot come again."""
    if any(game.hands) or game.split or game.end:
        return ()
    board = game.board
    now = (board.red, board.black, game.turn)
    same = state.game is not None and state.game.board.all.bit_count() == board.all.bit_count()
    return (*state.past, now) if same else (now,)


def count_repetitions(state: State) -> int:
    """How often this position has come up with the same player to act."""
    return state.past.count(state.past[-1]) if state.past else 0


def is_repeated(state: State) -> bool:
    """Has the position come up as often as the option ``repetition_notice`` says? 0 switches this off."""
    return bool(state.terms.notice) and count_repetitions(state) >= state.terms.notice
