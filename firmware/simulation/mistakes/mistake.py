"""What a planted mistake is, and how a wrong table is made of a right one."""

from dataclasses import dataclass

from engine.table import Layout, Placement


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something done wrong instead of the legal move, and what a human arbiter would say to it.

    ``looks`` are zones as they lie, one look after the other; the last one is not to be accepted. ``rulings`` and
    ``whys`` hold more than one only where rules overlap. A ``soft`` mistake is only asked about: more may be to come.
    ``said`` is a mistake made by pressing: the move in notation, to be refused; then nothing lies wrong.
    """

    kind: str
    layouts: tuple[Layout, ...] = ()
    rulings: frozenset[str] = frozenset()
    whys: frozenset[str] = frozenset()
    soft: bool = False
    entry: str = ""


def wrong_table(kind: str, *layouts: Layout, by: str, why: str = "", soft: bool = False) -> Mistake:
    """A mistake that lies on the table; ``by`` and ``why`` are words with blanks between them."""
    return Mistake(kind, layouts, frozenset(by.split()), frozenset(why.split()), soft)


def wrong_entry(kind: str, entry: str, *, by: str, why: str) -> Mistake:
    return Mistake(kind, (), frozenset(by.split()), frozenset(why.split()), entry=entry)


def set_zone(layout: Layout, zone: str, *pieces: str) -> Layout:
    """The zone holds exactly these."""
    zones = {name: held for name, held in layout.zones.items() if name != zone}
    return Layout(zones | {zone: pieces} if pieces else zones)


def add_pieces(layout: Layout, zone: str, *pieces: str) -> Layout:
    return set_zone(layout, zone, *layout.zones.get(zone, ()), *pieces)


def remove_pieces(layout: Layout, *placements: Placement) -> Layout:
    """These are gone from the table; of equal pieces in a zone, one for each time it is named."""
    for piece, zone in placements:
        held = list(layout.zones.get(zone, ()))
        held.remove(piece)
        layout = set_zone(layout, zone, *held)
    return layout


def move_piece(layout: Layout, piece: str, source: str, target: str) -> Layout:
    """The piece lies at the end of another zone now."""
    return add_pieces(remove_pieces(layout, (piece, source)), target, piece)
