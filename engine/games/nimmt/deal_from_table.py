"""From a difference to the next move before a turn: the open draft, the first cards of rows, a card at a seat."""

from collections.abc import Iterator

from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import STANDING_KINDS, is_number_card
from engine.games.nimmt.rounds import may_deal_again
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.state import ROWS, State
from engine.table import BACK, Gap


def read_draft(state: State, gap: Gap) -> Iterator[m.Move]:
    """The open draft: all cards spread, and then the cards that are picked."""
    extra = [piece for piece, zone in gap.extra if zone == "spread"]
    if zone := find_cleared_zone(state, gap):
        yield m.Tidy(zone)
    elif not state.spread and extra:
        yield m.Spread(tuple(map(int, gap.seen.zones["spread"])))
    elif extra:
        yield m.Stray(extra[0], "spread")
    elif gap.extra and not state.spread:
        yield m.Spread(())  # an old card laid down again while the table is cleared
    else:
        dealt = {piece for piece, zone in gap.extra if zone.startswith("row:")}  # the last four start the rows
        if gone := [piece for piece in gap.missing_in("spread") if piece not in dealt]:
            yield m.Pick(0, tuple(map(int, gone)))


def read_deal(state: State, gap: Gap) -> Iterator[m.Move]:
    """The table is cleared, and each row gets its first card."""
    rows = [gap.seen.zones.get(f"row:{r}", ()) for r in range(1, 5)]
    fresh = {piece for piece, zone in gap.extra if zone.startswith("row")}
    if all(len(row) == 1 for row in rows) and fresh and state.lying:
        return (yield m.Sweep())
    if zone := find_cleared_zone(state, gap):
        return (yield m.Tidy(zone))
    for piece, zone in gap.extra:
        kind, _, number = zone.partition(":")
        hidden = [f"row:{r}" for r in range(1, 5) if f"row:{r}" in gap.seen.hidden]
        if kind == "seat" and hidden:  # the first cards may all lie there
            yield m.Unseen(hidden[0])
        elif kind == "seat":
            yield read_at_seat(state, gap, piece, int(number))
        elif kind != "row" or number == "5" or not is_number_card(piece):
            yield m.Stray(piece, zone)
        elif len(gap.seen.zones[zone]) > 1 and not state.lying:
            yield m.Stray(piece, "row:1")
        else:
            yield m.Deal(tuple(int(row[0]) for row in rows if row and is_number_card(row[0])))
        return


def read_new_order(state: State, gap: Gap) -> m.Deal | None:
    """The last four cards of a draft, pushed together in another order before the first card is revealed (P-5)."""
    if not may_deal_again(state):
        return None
    rows = [gap.seen.zones.get(f"row:{r}", ()) for r in range(1, 5)]
    first = [str(card) for row in state.rows for card in row]
    lie = [piece for row in rows for piece in row]
    if lie == first or sorted(lie) != sorted(first):
        return None
    return m.Deal(tuple(int(row[0]) for row in rows if len(row) == 1))


def read_chosen(state: State, gap: Gap) -> m.Move | None:
    """A card face down for a turn to come: it has no part in what else is on the table."""
    seats = (int(zone[5:]) for piece, zone in gap.extra if piece == BACK and zone.startswith("seat:"))
    free = (player for seat in seats if (player := state.player_at(seat)) and not state.shown[player - 1])
    return next((m.Choose(player) for player in free if player not in state.chosen), None)


def read_at_seat(state: State, gap: Gap, piece: str, seat: int) -> m.Move:
    """A card that a player chooses or reveals, unless a revealed card was turned down again or changed its seat."""
    player = state.player_at(seat)
    if not player:
        return m.Stray(piece, f"seat:{seat}")
    down = (str(state.shown[player - 1]), f"seat:{seat}") if piece == BACK else ("", "")
    if down in gap.missing and all(down[0] != other for other, _ in gap.extra):
        return m.Stray(piece, f"seat:{seat}")
    if piece != BACK and any(piece == gone and zone.startswith("seat:") for gone, zone in gap.missing):
        return m.Stray(piece, f"seat:{seat}")
    if not state.shown[player - 1] and _count_new_cards(state, gap, f"seat:{seat}") > 1:
        return m.Stray(piece, f"seat:{seat}")  # the player must say which one was chosen
    return m.Choose(player) if piece == BACK else m.Reveal(player, int(piece))


def _count_new_cards(state: State, gap: Gap, seat: str) -> int:
    """How many of the cards at this seat may be shown for the first time?"""
    pieces = (piece for piece, zone in gap.extra if zone == seat and is_number_card(piece))
    return sum(int(piece) in state.deck and int(piece) not in state.numbers() for piece in pieces)


def find_cleared_zone(state: State, gap: Gap) -> str:
    """A zone from which every leftover is gone; a played card that went to a row does not count as gone.

    Nor does a special that may have been carried to a row under a hand, after the last card of a round.
    """
    if not state.lying or not gap.missing:
        return ""
    laid = {piece for piece, zone in gap.extra if zone.startswith("row")}
    littered = {zone for _, zone in state.lying}
    for zone in dict.fromkeys(zone for _, zone in gap.missing if zone in littered):
        left = [p for p, z in state.lying if z == zone and not is_in_force(state, p, z)]
        if zone.startswith("seat") and laid.intersection(left):
            continue
        if zone.startswith("special") and _may_lie_at_hidden_row(state, gap, left):
            continue
        if left and not set(left) - set(gap.missing_in(zone)):
            return zone
    return ""


def _may_lie_at_hidden_row(state: State, gap: Gap, left: list[str]) -> bool:
    """May one of these specials lie at a hidden row, where it stood when the round ended?"""
    hidden = any(state.row(r) and f"mark:{r}" in gap.seen.hidden for r in ROWS)
    return hidden and state.phase in ("over", "end") and not STANDING_KINDS.isdisjoint(left)
