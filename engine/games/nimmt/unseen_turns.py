"""A whole turn that was laid under a hand, and the cards of the next turn that players show meanwhile (N-6)."""

from dataclasses import replace

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.adoption import adopt
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.slot_stories import explains
from engine.games.nimmt.state import ROWS, State
from engine.games.nimmt.turns import start_next_slot
from engine.games.nimmt.zones import list_hidden_rows
from engine.table import BACK, Gap, Layout


def is_turn_on(state: State, gap: Gap) -> bool:
    """Is a card that was shown in this turn still at its seat?"""
    return bool(_list_waiting(state, gap))


def is_turn_past(state: State, gap: Gap) -> bool:
    """Have all players shown cards of the next turn, and do all cards of this one lie in rows (R-4)?

    A player who shows none has laid it, as one of the lowest (N-7). What has left the rows went with a whole row that a
    new card begins now.
    """
    numbers, seen = state.numbers(), gap.seen.zones
    if gap.seen.hidden:
        return False
    seats = [seen.get(f"seat:{state.seats[player - 1]}", ()) for player in state.players()]
    shown = [held for held in seats if held]
    if not shown or any(len(held) > 1 or not is_number_card(held[0]) or int(held[0]) in numbers for held in shown):
        return False
    due = {str(card) for card in state.shown if card}
    lies = {piece for piece, zone in gap.extra if zone.startswith("row:") and is_number_card(piece)}
    fresh = {piece for piece in lies if int(piece) not in numbers}
    if not due <= lies or len(fresh) != len(seats) - len(shown):
        return False
    if fresh and max(map(int, fresh)) > min(int(held[0]) for held in shown):
        return False
    gone: list[str] = []
    for row, cards in zip(ROWS, state.rows, strict=True):
        begins, left = seen.get(f"row:{row}", ()), gap.missing_in(f"row:{row}")
        if left and (len(left) < len(cards) or due.union(fresh).isdisjoint(begins[:1])):
            return False
        gone += left
    taken = {f"pile:{state.players()[0]}": tuple(gone)} if gone else {}
    try:
        after = adopt(state, Layout({**seen, **taken}))
    except Illegal:
        return False
    return after.turns > state.turns and after.phase in ("choose", "lay")


def find_unseen_turn(state: State, gap: Gap) -> str:
    """A hidden row that decides whether the cards shown are of the next turn, or nothing.

    None of this turn is left at its seat. One lies in a row, so that the others may lie in a hidden one; or the cards
    shown were not seen face down, and the whole turn may have been laid in rows of which the end is hidden.
    """
    hidden = list_hidden_rows(gap)
    if not hidden or is_turn_on(state, gap):
        return ""
    rest = {player: f"seat:{state.seats[player - 1]}" for player in state.list_unshown()}
    shows = {player for player, seat in rest.items() if gap.seen.zones.get(seat, (BACK,)) != (BACK,)}
    if not shows:
        return ""
    numbers = state.numbers().difference(filter(None, state.shown))
    if any(zone.startswith("row:") and is_number_card(p) and int(p) not in numbers for p, zone in gap.extra):
        return hidden[0]
    veiled = set(gap.veiled)
    rows = [zone for zone in hidden if any((str(card), zone) in veiled for card in state.row(int(zone[4:]))[-1:])]
    full = shows.isdisjoint(state.chosen) and _has_room(state, gap, hidden)
    return rows[0] if rows and full else ""


def _has_room(state: State, gap: Gap, hidden: list[str]) -> bool:
    """May a card of each player lie in these rows? A row of which a card is in sight was not taken."""
    rows = [int(zone[4:]) for zone in hidden]
    taken = any(state.row(r) and gap.may_hide(f"row:{r}", state.row(r)) for r in rows)
    return taken or sum(state.room(r) for r in rows if state.row(r)) >= len(state.players())


def read_ahead(state: State, gap: Gap) -> m.Ahead | m.Unseen | None:
    """As many new cards in rows as players of whom none of this turn was seen there: those shown may be of the next.

    Such cards were shown while a row was hidden, or entered for others. Asked only where the rules lead to this table,
    and not before all rows are in sight.
    """
    if not _may_begin(state):
        return None
    numbers = state.numbers()
    pieces = [piece for piece, zone in gap.extra if zone.startswith("row:") and is_number_card(piece)]
    fresh = sorted(int(piece) for piece in pieces if int(piece) not in numbers)
    if not fresh or not set(fresh) <= set(state.deck):
        return None
    waiting = _list_waiting(state, gap)
    seats = {state.seats[player - 1]: player for player in state.players() if state.shown[player - 1]}
    veiled = [seats[int(zone[5:])] for _, zone in gap.veiled if zone.startswith("seat:") and int(zone[5:]) in seats]
    unshown = state.list_unshown()
    unseen = [player for player in state.players() if player in waiting or player in unshown]
    if len(fresh) == len(unseen) + len(veiled):
        waiting += veiled
    if not waiting or not len(unseen) <= len(fresh) <= len(unseen) + len(veiled):
        return None
    if hidden := list_hidden_rows(gap):
        return m.Unseen(hidden[0])
    owners = [player for player in state.players() if player in waiting or player in unseen]
    if len(owners) != len(fresh) or not _explains_turn(state, gap, dict(zip(owners, fresh, strict=True))):
        return None
    cards = (state.shown[player - 1] for player in waiting)
    return m.Ahead(fresh[0], tuple(card for card in cards if card))


def _may_begin(state: State) -> bool:
    """Was no card of this turn laid yet?"""
    slot = state.slot
    if state.rules.seats == "off" or (slot and (slot.special or slot.start)):
        return False
    return state.phase == "choose" or (state.phase == "lay" and state.all_shown() and not state.laid_early)


def _list_waiting(state: State, gap: Gap) -> list[int]:
    """The players whose shown card is seen at its seat."""
    seats = ((p, f"seat:{state.seats[p - 1]}") for p in state.players() if state.shown[p - 1])
    return [player for player, seat in seats if str(state.shown[player - 1]) in gap.seen.zones.get(seat, ())]


def _explains_turn(state: State, gap: Gap, cards: dict[int, int]) -> bool:
    """Do the rules lead to the table if these players had these cards in this turn? Whose is whose does not matter."""
    shown = tuple(cards.get(player, card) for player, card in enumerate(state.shown, 1))
    seen = replace(gap.seen, hidden=frozenset())  # what is hidden at a seat has left it, or is of the next turn
    return explains(start_next_slot(state.change(shown=shown, slot=None)), seen)
