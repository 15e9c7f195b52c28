"""When The Game is over, and how good the result is."""

from engine.games.the_game.state import State

MOST_LEFT_EXCELLENT = 9
"""With at most this number of cards left the result is excellent (G-20)."""


def is_over(state: State) -> bool:
    return state.stopped or not state.playing or (state.in_hands == 0 and state.deck == 0)


def grade_result(left: int) -> str:
    if left == 0:
        return "beaten"
    return "excellent" if left <= MOST_LEFT_EXCELLENT else "ended"
