"""What the camera has missed in a turn: a special under a hand, and a card that was laid and taken again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.due_action import find_due_action
from engine.games.nimmt.slot_stories import explains
from engine.games.nimmt.state import ROWS, Slot, State
from engine.games.nimmt.turns import lay_card, reveal_card, take_row
from engine.games.nimmt.unseen_turns import is_turn_on
from engine.games.nimmt.zones import list_hidden_rows
from engine.table import BACK, Gap


def find_hidden_special(state: State, slot: Slot, gap: Gap) -> str:
    """A hidden zone where a special of this slot may lie, before whose card it is played (A-8), or nothing."""
    if slot.special or slot.restarts or not slot.player or not state.specials_of(slot.player):
        return ""
    places = (f"special:{state.seats[slot.player - 1]}", *(f"mark:{r}" for r in ROWS))
    return next((place for place in places if place in gap.seen.hidden), "")


def find_row_over_due_card(state: State, slot: Slot, gap: Gap) -> str:
    """A hidden row where the due card may lie already, or nothing."""
    due, lost = find_due_action(state), str(slot.card)
    seat = f"seat:{state.seats[slot.player - 1]}" if slot.player else ""
    away = (lost, seat) in gap.missing + gap.veiled and all(lost != piece for piece, _ in gap.extra)
    if due is None or not away:
        return ""
    rows = (due.row,) if due.row else due.choices
    return next((f"row:{r}" for r in rows if f"row:{r}" in gap.seen.hidden), "")


def find_doubt(state: State, slot: Slot, gap: Gap, mark: m.Mark) -> str:
    """Why a special at a row may not be this player's, as the place that would tell; or nothing.

    It may be one that stands at a row under a hand, or the next player's, if the due card is not seen any more.
    """
    under = next((zone for piece, zone in gap.veiled if piece == mark.kind), "")
    carried = any(piece == mark.kind and zone.startswith("special:") for piece, zone in state.lying)
    if under or carried or slot.special or not slot.player:
        return under
    seat = f"seat:{state.seats[slot.player - 1]}"
    if seat not in gap.seen.hidden and (str(slot.card), seat) not in gap.missing:
        return ""
    if any(piece == str(slot.card) for piece, _ in gap.extra):
        return find_hidden_special(state, slot, gap)
    gone = any(state.row(r) and len(gap.missing_in(f"row:{r}")) == len(state.row(r)) for r in ROWS)
    return seat if gone or any(zone.startswith("row:") for zone in gap.seen.hidden) else ""


def read_unshown(state: State, gap: Gap) -> Iterator[m.Move]:
    """A card that was revealed and laid before it was seen at a seat, by the one player whose it can be; or a question.

    Only if there are as many such cards as players who show none: otherwise more is to come. What those show is of the
    next turn if every card that was shown in this one has left its seat (N-6).
    """
    numbers = state.numbers()
    pieces = [piece for piece, zone in gap.extra if zone.startswith("row:") and is_number_card(piece)]
    fresh = sorted(int(piece) for piece in pieces if int(piece) not in numbers)
    rest = state.list_unshown()
    seats = [f"seat:{state.seats[player - 1]}" for player in rest]
    shows = any(piece != BACK for seat in seats for piece in gap.seen.zones.get(seat, ()))
    if (
        not fresh
        or len(fresh) != len(rest)
        or (shows and is_turn_on(state, gap))
        or gap.seen.hidden.intersection(seats)
    ):
        return
    if not set(fresh) <= set(state.deck):
        return
    picks = state.draft.picks if state.draft else ()
    owners = [(card, [p for p in rest if not picks or card in picks[p - 1]]) for card in fresh]
    card, able = min(owners, key=lambda owned: len(owned[1]))
    if len(able) > 1:
        yield m.Whose(card)
    elif (hidden := list_hidden_rows(gap)) and not is_turn_on(state, gap):  # the cards of this turn may lie there
        yield m.Unseen(hidden[0])
    else:
        yield m.Reveal((able or rest)[0], card)


def _stands_twice(state: State, gap: Gap, kind: str, zone: str) -> bool:
    """Is this a second special of its kind at a row that was not taken?"""
    row = int(zone[5:]) if zone.startswith("mark:") else 0
    return bool(row) and kind in state.marks[row - 1] and not gap.missing_in(f"row:{row}")


def read_unseen_taker(state: State, gap: Gap) -> m.Unnamed | None:
    """The one player who shows no card took one of five rows, and the card went with it before it was seen (A-21)."""
    rest = state.list_unshown()
    if not state.five_rows() or len(rest) != 1 or gap.seen.hidden:
        return None
    numbers = state.numbers()
    waits = f"seat:{state.seats[rest[0] - 1]}" in gap.seen.zones or all(piece != "fifth" for piece, _ in gap.missing)
    fresh = any(is_number_card(piece) and int(piece) not in numbers for piece, _ in gap.extra)
    gone = [r for r in ROWS if state.row(r) and f"row:{r}" not in gap.seen.zones]
    if waits or fresh or not gone:
        return None
    free = [card for card in state.deck if card not in numbers]
    ends = (0, *(state.row(r)[-1] for r in gone if state.room(r) < 1))
    able = (next((card for card in free if card > end), 0) for end in ends)
    return m.Unnamed(rest[0]) if any(_may_have_gone(state, gap, rest[0], card) for card in able if card) else None


def _may_have_gone(state: State, gap: Gap, player: int, card: int) -> bool:
    """Do the rules lead from this card, shown by this player, to the table?"""
    try:
        return explains(reveal_card(state, player, card), gap.seen)
    except Illegal:
        return False


def find_early(state: State, gap: Gap) -> str:
    """A piece that was laid too early, unless the players of whom no card is seen have shown theirs; or nothing.

    Their cards may be in a hand, under a hand, or among the new cards in the rows. A card that still lies face down was
    not shown, unless its player has laid already and chosen the next one. A card of a row may be carried by a Move. So
    many new cards that they are those of whole turns may have been laid unseen, or those of this turn where a hidden
    seat shows the next card already.
    """
    laid = [(piece, zone) for piece, zone in gap.extra if zone.startswith(("row:", "mark:", "special:"))]
    carried = {"seat", "row"} if ("move", "special") in {(p, z.partition(":")[0]) for p, z in laid} else {"seat"}
    gone = {(piece, zone.partition(":")[0]) for piece, zone in gap.missing + gap.veiled}
    numbers = state.numbers()
    fresh = [piece for piece, _ in laid if is_number_card(piece) and int(piece) not in numbers]
    known = any(
        int(piece) not in state.deck or (piece not in fresh and gone.isdisjoint((piece, kind) for kind in carried))
        if is_number_card(piece)
        else (piece, "mark") in gone or _stands_twice(state, gap, piece, zone)
        for piece, zone in laid
    )
    rest = [f"seat:{state.seats[player - 1]}" for player in state.list_unshown()]
    down = sum(gap.seen.zones.get(seat) == (BACK,) for seat in rest)
    shows = any(piece != BACK for seat in rest for piece in gap.seen.zones.get(seat, ()))
    hidden = bool(gap.seen.hidden.intersection(rest))
    most = len(rest) - (not hidden)
    if not (fresh or hidden or any(state.shown)):
        return ""
    more = len(fresh) - len(rest)
    turns = more >= (not hidden) and more % len(state.players()) == 0 and not (shows and is_turn_on(state, gap))
    if not laid or known or state.rules.seats == "off":
        return ""
    if not turns and (shows or not down <= len(fresh) <= most):
        return ""
    return next((piece for piece, zone in laid if zone.startswith("special:")), laid[0][0])


def read_moved_later(state: State, slot: Slot, gap: Gap, row: int, lifted: list[int]) -> Iterator[m.Move]:
    """The due card lies where a later player's Move may have brought it, from its row or from one that it took."""
    seat = f"special:{state.seats[slot.player - 1]}" if slot.player else ""
    moves = any(piece == "move" and zone.startswith("special:") and zone != seat for piece, zone in gap.extra)
    if not moves or slot.special:
        return
    home = slot.restarts or state.home(slot.card)
    if home and home != row:
        yield m.Lay(slot.card, home)
    yield from (m.Take(r) for r in lifted if not slot.restarts)


def read_shifted_and_taken(state: State, gap: Gap) -> Iterator[m.Move]:
    """Move: a card that is gone from its row went to a row that is gone too, and was taken with it.

    Under a hand it may lie in another row.
    """
    if any(zone.startswith("row:") for zone in gap.seen.hidden):
        return
    extra = {piece for piece, _ in gap.extra}
    gone = {r: [piece for piece in gap.missing_in(f"row:{r}") if piece not in extra] for r in ROWS if state.row(r)}
    whole = [r for r, pieces in gone.items() if len(pieces) == len(state.row(r))]
    single = [pieces[0] for r, pieces in gone.items() if len(pieces) == 1 and r not in whole]
    yield from (m.Shift(int(card), r) for card in single for r in whole)


def read_taken_again(state: State, slot: Slot, gap: Gap) -> Iterator[m.Move]:
    """The due card is gone, and a row begins with a later card, which took it: what the due card did before that.

    Read only if the rules lead from the due card to that second take without another choice, nothing is hidden, and no
    card of another row is in the air.
    """
    carried_out = slot.used or slot.special not in ("move", "replace", "block")
    if gap.seen.hidden or not slot.player or not carried_out or not has_vanished(state, slot, gap):
        return
    fresh = {piece: int(zone[4:]) for piece, zone in gap.extra if zone.startswith("row:")}
    again = {row: piece for row in ROWS if (piece := _begins(state, gap, fresh, row)) is not None}
    extra = {piece for piece, _ in gap.extra}
    if any(
        zone.startswith("row:") and int(zone[4:]) not in again and piece not in extra for piece, zone in gap.missing
    ):
        return
    for row in again:
        if _leads_to_take(state, gap, fresh, again, row):
            due = find_due_action(state)
            here = (due and due.row) or row
            yield m.Take(here) if due and due.take else m.Lay(slot.card, here)


def _begins(state: State, gap: Gap, fresh: Mapping[str, int], row: int) -> str | None:
    """The card that begins this row in place of those recorded; nothing where five rows may have become four."""
    seen = gap.seen.zones.get(f"row:{row}", ())
    if not seen:
        return "" if state.five_rows() and state.row(row) else None
    kept = set(seen) & {str(card) for card in state.row(row)}
    return seen[0] if fresh.get(seen[0]) == row and is_number_card(seen[0]) and not kept else None


def has_vanished(state: State, slot: Slot, gap: Gap) -> bool:
    """Has the card of this slot left its seat, and lies nowhere else?"""
    piece = str(slot.card)
    at_seat = (piece, f"seat:{state.seats[slot.player - 1]}") if slot.player else ("", "")
    return at_seat in gap.missing and all(piece != other for other, _ in gap.extra)


def _leads_to_take(state: State, gap: Gap, fresh: Mapping[str, int], again: Mapping[int, str], choice: int) -> bool:
    """Do the due cards, one after the other, fill the row ``choice`` until the card that begins it now takes it?

    A low card takes the row where it is seen, or ``choice`` if it is not seen any more. With five rows the card that
    takes goes with the row.
    """
    first = state.slot
    while (slot := state.slot) and (due := find_due_action(state)):
        card, seen = str(slot.card), fresh.get(str(slot.card))
        row = due.row or seen or choice
        if (row not in again and row != seen) or (due.choices and row not in due.choices):
            return False
        if not (has_vanished(state, slot, gap) if seen is None else row == seen):
            return False
        if row == choice and due.take and slot != first and again[row] == ("" if state.five_rows() else card):
            return True
        whole = state.five_rows()
        try:
            if due.take:
                state = take_row(state, row)
                state = replace(state, lying=tuple(place for place in state.lying if place[1] != f"row:{row}"))
            state = state if due.take and whole else lay_card(state, slot.card, row)
        except Illegal:
            return False
    return False
