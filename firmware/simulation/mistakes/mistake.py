"""A planted mistake, and helpers that turn a correct layout into a wrong one."""

from dataclasses import dataclass

from engine.table import Layout, Placement


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake made instead of the legal move, and the ruling of a human arbiter.

    ``layouts`` appear on the table one after the other; the box must not accept the last one. ``rulings`` and ``whys``
    hold more than one only where rules overlap. The box only asks about a ``soft`` mistake, because the move may be
    unfinished. ``entry`` is a mistake made with a button: the move in notation, which must be refused; the table stays
    correct.
    """

    kind: str
    layouts: tuple[Layout, ...] = ()
    rulings: frozenset[str] = frozenset()
    whys: frozenset[str] = frozenset()
    soft: bool = False
    entry: str = ""


def wrong_table(kind: str, *layouts: Layout, by: str, why: str = "", soft: bool = False) -> Mistake:
    """A mistake on the table; ``by`` and ``why`` are words separated by spaces."""
    return Mistake(kind, layouts, frozenset(by.split()), frozenset(why.split()), soft)


def wrong_entry(kind: str, entry: str, *, by: str, why: str) -> Mistake:
    return Mistake(kind, (), frozenset(by.split()), frozenset(why.split()), entry=entry)


def set_zone(layout: Layout, zone: str, *pieces: str) -> Layout:
    """The layout with exactly these pieces in the zone."""
    zones = {name: held for name, held in layout.zones.items() if name != zone}
    return Layout(zones | {zone: pieces} if pieces else zones)


def add_pieces(layout: Layout, zone: str, *pieces: str) -> Layout:
    return set_zone(layout, zone, *layout.zones.get(zone, ()), *pieces)


def remove_pieces(layout: Layout, *placements: Placement) -> Layout:
    """The layout without these pieces; of equal pieces in a zone, one for each time it is named."""
    for piece, zone in placements:
        held = list(layout.zones.get(zone, ()))
        held.remove(piece)
        layout = set_zone(layout, zone, *held)
    return layout


def move_piece(layout: Layout, piece: str, source: str, target: str) -> Layout:
    """The layout with this piece at the end of another zone."""
    return add_pieces(remove_pieces(layout, (piece, source)), target, piece)
