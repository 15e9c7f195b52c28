"""What several slots of the anniversary game left on the table between two looks: every legal story that ends so.

A story is what the rules ask for, one slot after the other (A-12), with the new specials that are seen: a special that
came and went is never inferred. A used-up special that still lies there may be a new one of its kind. A card that is
gone was taken again only where its whole row is gone, or all but the last card of a full row it was inserted into
(A-42).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.deal_from_table import find_cleared_zone
from engine.games.nimmt.due_action import find_due_action
from engine.games.nimmt.move_effects import play_move
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.state import ROWS, Slot, State, replace_item
from engine.games.nimmt.zones import layout, list_removable
from engine.table import BACK, Gap, Layout, Placement, find_gap

MOST_TRIED = 120
"""Moves that are tried at most; a table that needs more is a mess."""

MOST_BLOCKS = 2
"""Rows that may be blocked at a time (A-53)."""

Story = tuple[m.Move, ...]


def tells_of_slots(state: State, gap: Gap) -> bool:
    """Has more than one thing happened since the last look: cards gone from seats, new specials?"""
    slot = state.slot
    if state.phase != "lay" or slot is None or not slot.player or not state.specials:
        return False
    gone = sum(place in gap.missing for _, place in _shown_places(state))
    fresh = sum(zone.startswith(("mark:", "special:")) for _, zone in gap.extra)
    return gone + fresh > 1


def find_hidden_place(state: State, gap: Gap) -> str:
    """A hidden zone where a card or a special of these slots may lie, or nothing."""
    seats = {f"{kind}:{state.seats[player - 1]}" for player in state.players() for kind in ("seat", "special")}
    rows = {f"{kind}:{r}" for r in ROWS for kind in ("row", "mark")}
    return min(gap.seen.hidden & (seats | rows), default="")


def list_stories(state: State, gap: Gap) -> list[Story]:
    """The legal stories that explain the table, but for what may be lifted now; else those that leave more lifted.

    None if there is none, or if there are too many moves to try. While a row is in the air that decides what was
    taken, it is waited for.
    """
    search = _Search(gap.seen, tuple(_list_used_up(state, gap)))
    search.follow(state, (), gap)
    if search.tried > MOST_TRIED:
        return []
    if search.half_taken:
        return [(m.Unseen(search.half_taken),)]
    found = search.whole or search.partly
    plain = sorted(found.values(), key=_count_specials)
    return plain if found or not search.lifted else [(m.Unseen(search.lifted),)]


def _count_specials(story: Story) -> int:
    return sum(isinstance(move, m.Special | m.Mark) for move in story)


def find_renewed(state: State, slot: Slot, gap: Gap) -> m.Renewed | None:
    """A used-up special at a row that makes the table legal if it is a new one of its kind, played in this slot.

    A 5th Row is certain: a card in an empty row can only have come with another one.
    """
    if not state.specials or not slot.player or slot.special or slot.restarts:
        return None
    for kind, row in _list_used_up(state, gap):
        zone = f"mark:{row}"
        try:
            after = play_move(play_move(state, m.Tidy(zone)), m.Mark(kind, row))
        except Illegal:
            continue
        if list_stories(after, find_gap(layout(after), gap.seen)):
            return m.Renewed(kind, row, slot.card)
    return None


def find_unplaced_block(state: State, slot: Slot, gap: Gap) -> m.Unplaced | Story | None:
    """A Block that left its seat for a row, from which a take has removed it since: that row, or a question."""
    if not slot.player or not slot.waits_for("block") or find_hidden_place(state, gap):
        return None
    left = ("block", f"special:{state.seats[slot.player - 1]}") in gap.missing
    if not left or any(piece == "block" for piece, _ in gap.extra):
        return None
    rows = tuple(r for r in state.open_rows() if _may_have_been_blocked(state, r, gap.seen))
    return m.Unplaced(slot.card, rows) if len(rows) > 1 else (m.Mark("block", rows[0]),) if rows else None


def _may_have_been_blocked(state: State, row: int, seen: Layout) -> bool:
    """Do the rules lead from a Block at this row to a table where it is removed?"""
    try:
        after = play_move(state, m.Mark("block", row))
    except Illegal:
        return False
    search = _Search(seen)
    search.follow(after, (), find_gap(layout(after), seen))
    return any(m.Tidy(f"mark:{row}") in story for story in search.whole.values())


def explains(state: State, seen: Layout) -> bool:
    """Do the rules lead from this state to the table, but for what may be lifted now?"""
    search = _Search(seen)
    search.follow(state, (), find_gap(layout(state), seen))
    return bool(search.whole)


def find_half_taken(state: State, slot: Slot, seen: Layout) -> str:
    """The row that decides whether the due card went with a row that it took, and with which; or nothing.

    Such a take ends without a card laid: with five rows (A-21), and by an Insert into a full row (A-42). The card has
    left its seat and lies in no row.
    """
    due = find_due_action(state)
    if due is None or slot.start:
        return ""
    rows = [r for r in ((due.row,) if due.row else due.choices) if f"row:{r}" not in seen.hidden]
    left = {r: sum(str(card) in seen.zones.get(f"row:{r}", ()) for card in state.row(r)) for r in rows}
    if slot.special == "insert":
        stays = 0 if state.five_rows() else 1
        return next((f"row:{r}" for r in rows if state.room(r) < 1 and stays < left[r] < len(state.row(r))), "")
    if not state.five_rows() or not due.take:
        return ""
    lying = {piece for zone, held in seen.zones.items() if zone.startswith("row:") for piece in held}
    gone = [r for r in rows if f"row:{r}" not in seen.zones and lying.isdisjoint(map(str, state.row(r)))]
    half = gone[1:] if gone else [r for r in rows if 0 < left[r] < len(state.row(r))]
    return f"row:{half[0]}" if half else ""


def find_renewed_before(state: State, gap: Gap) -> m.Renewed | None:
    """The same, played in an earlier slot of this turn: the table is legal if the special is in force."""
    if all(state.shown[player - 1] for player in state.players()):
        return None
    for kind, row in _list_used_up(state, gap):
        if kind == "block" and sum(state.blocked(r) for r in ROWS) >= MOST_BLOCKS:
            continue
        marks = replace_item(state.marks, row, state.marks[row - 1] | {kind})
        if explains(state.change(marks=marks), gap.seen):
            return m.Renewed(kind, row, 0)
    return None


def _list_used_up(state: State, gap: Gap) -> list[tuple[str, int]]:
    """The specials, and their rows, that lie there although a take has removed them; one like it may have come."""
    return [
        (kind, int(zone[5:]))
        for kind, zone in state.lying
        if zone.startswith("mark:") and kind != "fifth" and (kind, zone) not in gap.missing
        if not is_in_force(state, kind, zone)
    ]


def _shown_places(state: State) -> list[tuple[int, Placement]]:
    """The shown cards, each with its place at a seat."""
    return [(card, (str(card), f"seat:{state.seats[p - 1]}")) for p, card in enumerate(state.shown, 1) if card]


@dataclass(slots=True)
class _Search:
    """Follows the slots until nothing new is unexplained. ``whole`` and ``partly`` are the stories by their end.

    ``half_taken`` is the zone of a row of which not enough is lifted, or which is not the only one lifted;
    ``lifted`` that of a row in the air into which a card may have been laid unseen.
    """

    seen: Layout
    used: tuple[tuple[str, int], ...] = ()
    """Specials and their rows that were used up before, and lie there: each may be a new one."""
    tried: int = 0
    half_taken: str = ""
    lifted: str = ""
    whole: dict[State, Story] = field(default_factory=dict)
    partly: dict[State, Story] = field(default_factory=dict)
    lies: dict[str, str] = field(init=False)
    beside: frozenset[str] = field(init=False)
    """What is seen outside the rows."""

    def __post_init__(self) -> None:
        rows = ((zone, held) for zone, held in self.seen.zones.items() if zone.startswith("row:"))
        self.lies = {piece: zone for zone, held in rows for piece in held}
        others = (held for zone, held in self.seen.zones.items() if not zone.startswith("row:"))
        self.beside = frozenset(piece for held in others for piece in held)

    def follow(self, state: State, story: Story, gap: Gap) -> None:
        while zone := find_cleared_zone(state, gap):
            state, story = play_move(state, m.Tidy(zone)), (*story, m.Tidy(zone))
            gap = find_gap(layout(state), self.seen)
        laid = {str(move.card) for move in story if isinstance(move, m.Lay)}
        waits = self._find_sixth(state, laid)
        rest = [place for place in gap.extra if place != waits and not _is_of_next_turn(state, *place)]
        whole = set(gap.missing) <= list_removable(state, gap)
        unseen = not laid <= self.lies.keys()  # such a card may be in a hand, or in a pile of heads
        if not rest and (whole or (story and not unseen)):
            (self.whole if whole else self.partly).setdefault(state, story)
        elif not rest:
            filled = (r for r in ROWS if 0 < len(laid.intersection(map(str, state.row(r)))) < len(state.row(r)))
            self.lifted = self.lifted or next((f"row:{r}" for r in filled if self._is_gone(state, r)), "")
        if (not rest and whole) or self.tried > MOST_TRIED:
            return
        slot = state.slot
        if state.phase != "lay" or slot is None or (state.owed and not slot.restarts):
            return
        for moves in self._list_ways(state, slot, gap, rest):
            if not rest and not isinstance(moves[0], m.Take):
                continue  # only the take of one of five rows is told by what is gone
            self.tried += len(moves)
            after = state
            try:
                for move in moves:
                    after = play_move(after, move)
            except Illegal:
                continue
            self.follow(after, (*story, *moves), find_gap(layout(after), self.seen))

    def _list_ways(self, state: State, slot: Slot, gap: Gap, rest: list[Placement]) -> Iterator[Story]:
        """What may have happened next in this slot."""
        player = slot.player or 0
        seat = state.seats[player - 1]
        specials = [(piece, zone) for piece, zone in rest if zone.startswith(("mark:", "special:"))]
        if not slot.special and not slot.restarts:
            if not any(zone == f"special:{seat}" for _, zone in specials):
                for kind, row in self.used:
                    yield m.Tidy(f"mark:{row}"), m.Mark(kind, row)
            for kind, zone in specials:
                if zone == f"special:{seat}":
                    yield (m.Special(player, kind),)
                elif zone.startswith("mark:"):
                    yield (m.Mark(kind, int(zone[5:])),)
            if any(zone == f"special:{seat}" for _, zone in specials):
                return
        if slot.waits_for("move"):
            yield from ((move,) for move in self._list_shifts(state))
        elif slot.waits_for("replace"):
            fresh = [piece for piece, zone in rest if zone == f"seat:{seat}" or zone.startswith("row:")]
            yield from ((m.Swap(int(piece)),) for piece in fresh if is_number_card(piece) and int(piece) != slot.card)
        elif slot.special and not slot.used and any(kind == slot.special for kind, _ in specials):
            yield from ((m.Mark(kind, int(zone[5:])),) for kind, zone in specials if zone.startswith("mark:"))
        elif not slot.waits_for("block") and (str(slot.card), f"seat:{seat}") in gap.missing:
            moved = any(kind == "move" for kind, _ in specials)
            yield from self._list_lays(state, slot, moved=moved)

    def _list_lays(self, state: State, slot: Slot, *, moved: bool) -> Iterator[Story]:
        """The card is laid, after a take if it needs one. ``moved``: a later Move may have carried it away."""
        due = find_due_action(state)
        if due is None:
            return
        if state.five_rows() and due.take and str(slot.card) in self.lies:
            return
        if str(slot.card) not in self.lies and (zone := find_half_taken(state, slot, self.seen)):
            self.half_taken = zone
            return
        for row in (due.row,) if due.row else due.choices:
            lay = m.Lay(slot.card, row)
            if due.take:
                if not self._is_gone(state, row):
                    continue
                if state.five_rows():
                    yield (m.Take(row), m.Tidy(f"row:{row}"))
                elif self._may_lie(state, slot, row, moved=moved, alone=True):
                    yield (m.Take(row), m.Tidy(f"row:{row}"), lay)
            elif self._may_lie(state, slot, row, moved=moved, alone=not state.row(row)):
                yield (lay,)

    def _may_lie(self, state: State, slot: Slot, row: int, *, moved: bool, alone: bool) -> bool:
        """Is the card seen in this row, or may it have left it with the whole row?"""
        zone = self.lies.get(str(slot.card))
        stays = slot.special == "insert" and state.room(row) < 1 and not state.five_rows()  # its last card
        gone = self._are_gone(state.row(row)[:-1] if stays else state.row(row), row)
        unseen = zone is None and str(slot.card) not in self.beside
        return moved or zone == f"row:{row}" or (unseen and (alone or gone))

    def _find_sixth(self, state: State, laid: set[str]) -> Placement | None:
        """The due card beside the full row that it has to take: cards from before this story still lie there."""
        due = find_due_action(state)
        if due is None or not due.take or not due.row:
            return None
        if self._are_gone(tuple(card for card in state.row(due.row) if str(card) not in laid), due.row):
            return None
        place = (str(due.card), f"row:{due.row}")
        return place if self.lies.get(place[0]) == place[1] else None

    def _is_gone(self, state: State, row: int) -> bool:
        """Does none of the cards of this row lie there any more?"""
        return self._are_gone(state.row(row), row)

    def _are_gone(self, cards: tuple[int, ...], row: int) -> bool:
        return all(self.lies.get(str(card)) != f"row:{row}" for card in cards)

    def _list_shifts(self, state: State) -> Iterator[m.Shift]:
        """The cards that lie in another row now, or are gone to a row that is gone."""
        for source in state.open_rows():
            for card in state.row(source):
                zone = self.lies.get(str(card))
                if zone is None:
                    yield from (m.Shift(card, r) for r in state.open_rows() if r != source and self._is_gone(state, r))
                elif zone != f"row:{source}":
                    yield m.Shift(card, int(zone[4:]))


def _is_of_next_turn(state: State, piece: str, zone: str) -> bool:
    """A card at the seat of a player who has laid: face down, or, once the turn is over, shown."""
    kind, _, number = zone.partition(":")
    player = state.player_at(int(number)) if kind == "seat" else None
    return bool(player and not state.shown[player - 1] and (piece == BACK or state.phase != "lay"))
