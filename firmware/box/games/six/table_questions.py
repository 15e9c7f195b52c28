"""What several moves of SIX have led to, in words for the table: which tiles left, who is next, or who has won."""

from collections.abc import Sequence

from engine.games.six.match_end import DRAW
from engine.games.six.moves import Act
from engine.games.six.state import State
from engine.games.six.turns import play_move
from engine.text import Text, say


def name_outcome(state: State, story: Sequence[Act]) -> Text:
    """Who is next or has won after these moves."""
    turn, winner = _find_outcome(_play(state, story))
    if winner:
        return say("a_draw") if winner == DRAW else say("colour_wins", colour=winner)
    return say("colour_is_next", colour=turn)


def name_doubtful_outcomes(state: State, stories: Sequence[Sequence[Act]]) -> tuple[Text, ...]:
    """The same, with that tiles are out of the game, if any are that are still in it by another story."""
    ends = [_play(state, story) for story in stories]
    counts = {len(after.tiles) for after in ends}
    whole = max(counts) if len(counts) > 1 else len(state.tiles)
    return tuple(
        name_outcome(state, story) if len(after.tiles) == whole else _name_outcome_without_tiles(after)
        for story, after in zip(stories, ends, strict=True)
    )


def _name_outcome_without_tiles(after: State) -> Text:
    turn, winner = _find_outcome(after)
    if winner:
        return say("out_a_draw") if winner == DRAW else say("out_colour_wins", colour=winner)
    return say("out_colour_is_next", colour=turn)


def _play(state: State, story: Sequence[Act]) -> State:
    for act in story:
        state = play_move(state, act)
    return state


def _find_outcome(state: State) -> tuple[str, str]:
    """The colour that is next, and the one that has won, a draw, or "" while the game runs."""
    game = state.game
    assert game is not None
    return game.turn, game.end.winner if game.end else ""
