"""6 nimmt!: moves that a player may try with one card, and the layout after each."""

from engine.games.nimmt import Nimmt
from engine.games.nimmt import moves as m
from engine.games.nimmt.state import ROWS
from engine.table import Layout

GAME = Nimmt()
OPTIONS = [
    {"players": 2},
    {"players": 10, "end": "rounds", "rounds": 2},
    {"players": 3, "seats": "off", "cmp": "gt"},
    {"players": 4, "variant": "professional", "first": 3},
    {"players": 7, "variant": "halves"},
    {"players": 3, "variant": "anniversary"},
    {"players": 8, "variant": "anniversary"},
]


def attempts(state, rng):
    """(move, layout) pairs: the due card and others at every row, strangers and doubles at seats."""
    zones = dict(GAME.layout(state).zones)
    rows = [r for r in ROWS if state.row(r)]
    slot = state.slot
    if slot and slot.player and not (slot.restarts or slot.special or state.owed):
        for player, card in state.order():
            seat = f"seat:{state.seats[player - 1]}"
            for row in rows:
                after = {z: held for z, held in zones.items() if z != seat}
                after[f"row:{row}"] = (*after[f"row:{row}"], str(card))
                yield m.Lay(card, row), Layout(after)
    elif state.phase == "choose" and state.rules.seats == "on":
        fresh = [c for c in state.deck if c not in state.numbers()]
        for player in state.players():
            if not state.shown[player - 1]:
                seat = f"seat:{state.seats[player - 1]}"
                for card in (rng.choice(fresh), rng.choice(sorted(state.numbers())), 105):
                    yield m.Reveal(player, card), Layout(zones | {seat: (str(card),)})


def commuting(state):
    """Moves that may come in either order: cards shown at different seats."""
    if state.phase == "choose" and state.rules.seats == "on":
        waiting = [p for p in state.players() if not state.shown[p - 1]]
        fresh = [c for c in state.deck if c not in state.numbers()]
        if state.rules.variant == "professional":
            return []
        return [m.Reveal(player, card) for player, card in zip(waiting[:3], fresh, strict=False)]
    return []
