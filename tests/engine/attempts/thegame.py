"""The Game: moves that a player may try with one card, and the layout after each."""

from engine.games.the_game import TheGame
from engine.games.the_game.match_end import is_over
from engine.games.the_game.moves import Play
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, PILES
from engine.table import Layout

GAME = TheGame()
OPTIONS = [
    {"players": 1, "level": "expert"},
    {"players": 3},
    {"players": 5, "level": "expert_small_hand"},
]


def attempts(state, rng):
    """(move, layout) pairs: any number on any pile, an old one among them."""
    if is_over(state):
        return
    zones = dict(GAME.layout(state).zones)
    for index, pile in enumerate(PILES):
        elsewhere = [card for other, held in enumerate(state.piles) if other != index for card in held[:-1]]
        for card in (
            rng.randint(LOWEST_CARD, HIGHEST_CARD),
            rng.randint(LOWEST_CARD, HIGHEST_CARD),
            HIGHEST_CARD + 2,
            *elsewhere[:1],
        ):
            if card not in state.piles[index]:
                yield Play(card, pile), Layout(zones | {pile: (*zones.get(pile, ()), str(card))})


def commuting(state):
    """Moves that may come in either order: cards on different piles."""
    if is_over(state) or state.claimed or state.hand < 2:
        return []
    old = {card for pile in state.piles for card in pile}
    fresh = [card for card in range(LOWEST_CARD, HIGHEST_CARD + 1) if card not in old]
    fits = ((next((c for c in fresh if c > state.top(i)), 0), i) for i in (0, 1))
    found = [(card, i) for card, i in fits if card]
    if len({card for card, _ in found}) < 2:
        return []
    return [Play(card, PILES[i]) for card, i in found]
