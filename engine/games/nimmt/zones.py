"""From millimetres to zones, and where everything lies by the record."""

from functools import lru_cache
from itertools import pairwise

from engine.games.nimmt.cards import SPECIAL_KINDS, STANDING_KINDS, find_kind, is_number_card
from engine.games.nimmt.due_action import find_due_action, find_lifted_rows
from engine.games.nimmt.match_options import Rules
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.state import ROWS, State
from engine.games.nimmt.table_plan import plan
from engine.table import BACK, Area, Gap, Layout, Piece, Placement, Table, group_by_zone

ROW_ZONES = tuple(f"row:{r}" for r in ROWS)
ROOM_MM = 70.0
"""Two cards of a row so far apart have room for another one between them."""


def arrange(state: State, table: Table) -> Layout:
    """Rows read from left to right; specials apart from numbers; what this game does not have is ``strange``."""
    zoned = _zoned(state.rules, table)
    spot = plan(state.rules)
    whole = Area(0, 0, spot.width, spot.height)
    if state.phase == "draft" or state.spread:
        numbers = tuple(s.piece for s in table.seen if is_number_card(s.piece) and whole.contains(s.x, s.y))
        if not _dealt(state, zoned, len(numbers)) and (state.spread or _spreading(state, len(numbers))):
            strange = zoned.zones.get("strange")
            rest = {"strange": strange} if strange else {}
            spread = {"spread": tuple(sorted(numbers, key=int))} if numbers else {}
            return Layout(spread | rest, frozenset(["spread"] if table.unseen else []))
    return zoned


@lru_cache(maxsize=4)
def _zoned(rules: Rules, table: Table) -> Layout:
    """A table by its zones. Cached, because one table is compared with several states."""
    held, hidden = group_by_zone(plan(rules).zones, table)
    zones: dict[str, tuple[str, ...]] = {}
    strange: list[str] = []
    for zone, seen in held.items():
        if zone in ("stock", "discard"):
            continue
        if rules.seats == "off" and zone in hidden:
            seen = _list_before_hole(seen, table.unseen)
        numbers = tuple(s.piece for s in seen if is_number_card(s.piece) or s.piece == BACK)
        others = [find_kind(s.piece) or s.piece for s in seen if not (is_number_card(s.piece) or s.piece == BACK)]
        specials = tuple(sorted(piece for piece in others if rules.anniversary and piece in SPECIAL_KINDS))
        strange += [piece for piece in others if not specials or piece not in SPECIAL_KINDS]
        if numbers:
            zones[zone] = _upmost(numbers) if zone.startswith("seat") else numbers
        if specials:
            zones[_beside(zone)] = specials
    if strange:
        zones["strange"] = tuple(sorted(strange))
    return Layout(zones, hidden | {_beside(zone) for zone in hidden})


def _list_before_hole(seen: list[Piece], unseen: tuple[Area, ...]) -> list[Piece]:
    """The cards of a row up to the first unseen place with room for one: a card right of it may not be the next."""
    for at, (left, right) in enumerate(pairwise(seen), 1):
        between = Area(left.x, min(left.y, right.y) - 1, right.x, max(left.y, right.y) + 1)
        if right.x - left.x >= ROOM_MM and any(between.overlaps(area) for area in unseen):
            return seen[:at]
    return seen


def _spreading(state: State, numbers: int) -> bool:
    """Is the table one open spread, and no longer what the last round left?"""
    return state.phase == "draft" and numbers > len([p for p, _ in state.lying if is_number_card(p)])


def _upmost(pieces: tuple[str, ...]) -> tuple[str, ...]:
    """A card seen at a seat is what the seat shows: its own back is no second card."""
    numbers = tuple(p for p in pieces if p != BACK)
    return numbers or pieces[:1]


def _dealt(state: State, zoned: Layout, numbers: int) -> bool:
    """The last four of a draft lie as the first cards of four rows; some players may have shown a card already."""
    rows = [zoned.zones.get(f"row:{r}", ()) for r in range(1, 5)]
    if any(len(row) != 1 or not is_number_card(row[0]) or int(row[0]) not in state.spread for row in rows):
        return False
    seats = [held for zone, held in zoned.zones.items() if zone.startswith("seat:")]
    shown = [held[0] for held in seats if held != (BACK,)]
    if state.phase == "draft" and (zoned.hidden or any(int(card) in state.spread for card in shown)):
        return False  # it may be the fifth card, which is not picked yet
    return numbers == len(rows) + len(shown)


def _beside(zone: str) -> str:
    return zone.replace("row", "mark").replace("seat", "special")


def layout(state: State) -> Layout:
    """The pieces in every zone, including those that have to be cleared away."""
    zones: dict[str, tuple[str, ...]] = {}
    for zone, row in zip(ROW_ZONES, state.rows, strict=True):
        if row:
            zones[zone] = _name(row)
    for player in state.players():
        if card := state.shown[player - 1]:
            zones[f"seat:{state.seats[player - 1]}"] = (str(card),)
        elif player in state.chosen:
            zones[f"seat:{state.seats[player - 1]}"] = (BACK,)
    if state.spread:
        zones["spread"] = tuple(map(str, state.spread))
    for piece, zone in state.lying:
        zones[zone] = (*zones.get(zone, ()), piece)
    for zone in {zone for _, zone in state.lying}:
        pieces = tuple(sorted(zones[zone], key=lambda piece: (piece.rjust(3), piece)))
        zones[zone] = _upmost(pieces) if zone.startswith("seat") else pieces
    return Layout(zones)


def list_hidden_rows(gap: Gap) -> list[str]:
    return sorted(zone for zone in gap.seen.hidden if zone.startswith("row:"))


@lru_cache(maxsize=256)
def _name(cards: tuple[int, ...]) -> tuple[str, ...]:
    """The pieces of a row. Cached, because most rows are the same in the states that one table is compared with."""
    return tuple(map(str, cards))


def list_removable(state: State, gap: Gap) -> frozenset[Placement]:
    """What may be cleared away, the due card, a row that it may take, and cards that are face down."""
    pieces = {place for place in state.lying if not is_in_force(state, *place)}
    pieces |= {(BACK, f"seat:{state.seats[player - 1]}") for player in state.chosen}
    due, slot = find_due_action(state), state.slot
    if slot and slot.player and slot.special and slot.used and slot.special not in STANDING_KINDS:
        pieces.add((slot.special, f"special:{state.seats[slot.player - 1]}"))  # it is discarded at once
    rows: tuple[int, ...] = ()
    if slot is None:  # without seats a row may be lifted before the card that takes it is seen
        free = state.rules.seats == "off" and state.phase == "choose"
        laid = {zone for _, zone in gap.extra}
        lifted = find_lifted_rows(state, gap) if free else ()
        rows = tuple(r for r in lifted if state.may_be_lifted(r) and f"row:{r}" not in laid)
    elif due:
        rows = (due.row,) if due.take and due.row else due.choices
        rows = tuple(ROWS) if slot.waits_for("move") else rows
        pieces |= {(str(slot.card), f"seat:{state.seats[slot.player - 1]}")} if slot.player else set()
    if state.phase == "over":
        rows = tuple(ROWS)
        pieces |= set(state.lying)
    pieces |= {(str(card), f"row:{r}") for r in rows for card in state.row(r)}
    return frozenset(pieces | {(str(card), "spread") for card in state.spread})
