"""Disturb a true table: pieces in hands, arms, glare and hidden areas."""

from engine.table import Area, Layout, Table

CARD = 45.0
"""A piece whose centre is nearer than this to a hidden area counts as hidden, in mm."""


def without(layout, *placements):
    """The layout while a hand holds these (piece, zone)."""
    zones = {z: tuple(p for p in held if (p, z) not in placements) for z, held in layout.zones.items()}
    return Layout({z: held for z, held in zones.items() if held})


def hidden(table, *areas):
    """The table as it is read while something covers these areas."""
    wide = tuple(Area(a.left - CARD, a.top - CARD, a.right + CARD, a.bottom + CARD) for a in areas)
    seen = frozenset(s for s in table.seen if not any(a.contains(s.x, s.y) for a in wide))
    return Table(seen, (*table.unseen, *wide))


def arm(rng, plan):
    """A random area over the table, from a fingertip to a whole sleeve."""
    x, y = rng.uniform(0, plan.width), rng.uniform(0, plan.height)
    return Area(x, y, x + rng.uniform(20, 260), y + rng.uniform(20, 260))
