"""The seven special cards: played, handed back, laid at a row, carried out, named and exchanged."""

from dataclasses import replace
from functools import lru_cache

from engine.game import Illegal, NewRule, Unfinished
from engine.games.nimmt.cards import COPIES_OF_A_SPECIAL, HEADS, SPECIAL_KINDS, STANDING_KINDS, count_heads
from engine.games.nimmt.special_hands import count_out
from engine.games.nimmt.state import ROWS, Slot, SpecialCards, State, replace_item, sort_placements
from engine.games.nimmt.turns import check_new_card, check_player, start_next_slot


def play_special(state: State, player: int, kind: str) -> State:
    """A special beside its owner's number card (A-8); one whose condition fails is handed back (A-11)."""
    return _check_copies(state, _play_special(state, player, kind), kind)


def _check_copies(state: State, after: State, kind: str) -> State:
    """A fifth of a kind was fished from the discard or misread (A-93)."""
    if count_out(after, kind) > max(count_out(state, kind), COPIES_OF_A_SPECIAL):
        raise NewRule(after, "A-93", "already_seen", "no_fifth_of_a_kind", kind=kind)
    return after


def _play_special(state: State, player: int, kind: str) -> State:
    check_player(state, player)
    slot, specials = state.slot, state.specials
    if specials is None or kind not in SPECIAL_KINDS:
        raise Illegal("A-1", "out_of_order", "no_specials")
    if state.phase != "lay" or slot is None or slot.player is None:
        raise Illegal("A-8", "out_of_order", "special_waits")
    if player != slot.player:
        raise Illegal("A-8", "out_of_order", "special_of_due", player=slot.player)
    if slot.special:
        raise Illegal("A-9", "one_special_per_card", "one_special")
    if slot.restarts:
        raise Illegal("A-8", "out_of_order", "special_too_late")
    if not specials.held[player - 1]:
        raise Illegal("A-5", "no_special_in_hand", "no_special_left", player=player)
    _check_condition(state, slot, kind)
    seat = state.seats[player - 1]
    return replace(
        state,
        slot=replace(slot, special=kind, used=False),
        lying=sort_placements(*state.lying, (kind, f"special:{seat}")),
        specials=replace(specials, held=replace_item(specials.held, player, specials.held[player - 1] - 1)),
    )


def _check_condition(state: State, slot: Slot, kind: str) -> None:
    """``Illegal`` where it is clear that the special cannot be carried out."""
    home = state.home(slot.card)
    match kind:
        case "fifth" if state.five_rows():
            raise Illegal("A-20", "five_rows_already", "five_rows")
        case "seven" if not home:
            raise Illegal("A-34", "low_card", "seven_low", card=slot.card)
        case "seven" if home and "seven" in state.marks[home - 1]:
            raise Illegal("A-33", "marker_already_there", "one_seven", row=home)
        case "insert" if row := _find_blocked_insertion(state, slot.card):
            raise Illegal("A-51", "row_blocked", "row_blocked", row=row)
        case "insert" if all(slot.card > row[-1] for row in state.rows if row):
            raise Illegal("A-41", "insert_not_at_end", "insert_inside", card=slot.card)
        case "replace" if state.turns >= state.rules.turns - 1:
            raise Illegal("A-63", "no_other_card", "no_other_card")
        case "block" if sum(state.blocked(row) for row in ROWS) >= 2:
            raise Illegal("A-53", "two_blocks_already", "two_blocks")
        case "negpos" if home and state.room(home) > 0:
            raise Illegal("A-80", "no_row_taken", "negpos_needs_take")


def _find_blocked_insertion(state: State, card: int) -> int | None:
    """A row with a higher end, if all such rows are blocked."""
    higher = [r for r in ROWS if state.row(r) and state.row(r)[-1] > card]
    return higher[0] if higher and all(map(state.blocked, higher)) else None


def hand_back(state: State, player: int) -> State:
    """A special that was not carried out goes back to the hand."""
    slot, specials = state.slot, state.specials
    if slot is None or specials is None or player != slot.player or not slot.special or slot.used:
        raise Illegal("A-11", "out_of_order", "nothing_to_hand_back")
    held = replace_item(specials.held, player, specials.held[player - 1] + 1)
    return replace(state, slot=replace(slot, special=None), specials=replace(specials, held=held))


def mark_row(state: State, kind: str, row: int) -> State:
    """A special to a row, from the seat or directly from the hand; or carried there later."""
    try:
        after = _mark_row(state, kind, row)
    except Unfinished:
        raise
    except Illegal as why:
        if kind == "seven" and (late := _laid_plainly(state, row)):
            raise Unfinished("A-32", "wrong_row", "whose_seven", late=True, kind=kind, row=row, card=late) from why
        raise
    return _check_copies(state, after, kind)


def _laid_plainly(state: State, row: int) -> int | None:
    """The card laid last, if a Take-at-7 at this row may have been played with it under a hand (A-32)."""
    player, card, home = state.plain or (0, 0, 0)
    able = home == row and state.specials_of(player) and "seven" not in state.marks[row - 1]
    return card if able else None


def _mark_row(state: State, kind: str, row: int) -> State:
    if row not in ROWS or kind not in STANDING_KINDS:
        raise Illegal("A-10", "wrong_row", "special_not_at_row")
    there = (kind, f"mark:{row}")
    owed = [p for p in state.lying if p[0] == kind and p[1].startswith("special:")]
    done = state.phase in ("over", "end")  # none acts any more
    stands = state.row(row) if done else kind in state.marks[row - 1]
    if stands and there not in state.lying and owed:
        return replace(state, lying=_move(state, owed[0][1], there))
    if there in state.lying and kind not in state.marks[row - 1] and (owed or not (state.slot and state.slot.special)):
        raise Unfinished("A-52" if kind == "block" else "A-31", "marker_already_there", "clear_spent", row=row)
    if not (state.slot and state.slot.special):
        state = _play_special(state, state.actor or 1, kind)
    slot = state.slot
    if slot is None or slot.player is None or not slot.waits_for(kind):
        raise Illegal("A-9", "one_special_per_card", "one_special")
    if kind == "block" and state.blocked(row):
        raise Illegal("A-53", "row_blocked", "row_blocked", row=row)
    if there in state.lying:
        raise Illegal("A-33", "marker_already_there", "one_seven", row=row)
    if kind == "fifth" and state.row(row):
        raise Illegal("A-20", "wrong_row", "starts_fifth_row", card=slot.card)
    if kind == "seven" and row != (home := state.home(slot.card)):
        raise Illegal("A-32", "wrong_row", "seven_own_row", row=home or 0)
    state = replace(state, lying=_move(state, f"special:{state.seats[slot.player - 1]}", there))
    if kind != "block":
        return state  # it takes effect with the number card
    if not state.row(row):
        raise Illegal("A-50", "wrong_row", "no_such_row", row=row)
    marks = replace_item(state.marks, row, state.marks[row - 1] | {"block"})
    return replace(state, slot=replace(slot, used=True), marks=marks)


def _move(state: State, seat: str, there: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return sort_placements(*(there if place == (there[0], seat) else place for place in state.lying))


def shift_card(state: State, card: int, row: int) -> State:
    """Move: a card of a row to another row, wherever that row stays ascending (A-70 to A-73)."""
    slot = state.slot
    if slot is None or not slot.waits_for("move") or slot.restarts:
        raise Illegal("A-70", "out_of_order", "stays_where_it_lies", card=card)
    source = next((r for r in ROWS if card in state.row(r)), 0)
    if not source:
        raise Illegal("A-71", "card_not_in_a_row", "move_lying_card")
    if row == source:
        raise Illegal("A-70", "same_row", "move_other_row")
    if row not in ROWS or not state.row(row):
        raise Illegal("A-70", "wrong_row", "no_such_row", row=row)
    for frozen in (source, row):
        if state.blocked(frozen):
            raise Illegal("A-51", "row_blocked", "row_blocked", row=frozen)
    if state.room(row) < 1:
        raise Illegal("A-72", "row_full", "row_full", row=row)
    rest = tuple(c for c in state.row(source) if c != card)
    rows = replace_item(replace_item(state.rows, source, rest), row, tuple(sorted((*state.row(row), card))))
    return replace(state, rows=rows, slot=replace(slot, used=True, emptied=None if rest else source))


def swap_card(state: State, card: int) -> State:
    """Replace: the shown card returned to the hand, this one takes its slot (A-60, A-61).

    If it is the card that was seen first, the one that it replaced was not seen.
    """
    slot = state.slot
    if slot is None or slot.player is None or not slot.waits_for("replace") or state.phase != "lay":
        raise Illegal("A-60", "out_of_order", "choice_stands", card=slot.card if slot else 0)
    if card != slot.card:
        check_new_card(state, card)
    return replace(state, shown=replace_item(state.shown, slot.player, card), slot=replace(slot, card=card, used=True))


def replace_unseen(state: State, player: int, card: int) -> State:
    """Replace was played before the card that it replaced was seen: the others wait, although theirs may be lower."""
    check_player(state, player)
    rest = state.list_unshown()
    if state.phase != "choose" or state.rules.seats == "off" or rest != (player,):
        raise Illegal("A-60", "out_of_order", "all_show_first")
    check_new_card(state, card)
    begun = replace(state, phase="lay", slot=Slot(player, card), plain=None, taker=None, earlier=())
    after = play_special(begun, player, "replace")
    return replace(
        after,
        slot=Slot(player, card, "replace", used=True),
        shown=replace_item(state.shown, player, card),
        chosen=state.chosen - {player},
    )


def name_negative(state: State, card: int, cancel: tuple[int, ...]) -> State:
    """A card of the taken row leaves the pile and cancels its heads' worth of others (A-80 to A-84)."""
    player = state.taker
    if not state.owed or player is None:
        raise Illegal("A-80", "no_row_taken", "negpos_needs_take")
    if card not in state.owed:
        raise Illegal("A-80", "card_not_in_taken_row", "name_taken_card", card=card)
    others = tuple(sorted(c for c in state.piles[player - 1] if c != card))
    if len(set(cancel)) != len(cancel) or not set(cancel) <= set(others):
        raise Illegal("A-81", "card_not_in_taken_row", "cancel_from_pile")
    best, credit = _cancels(others, HEADS[card], state.credit[player - 1])
    if count_heads(cancel) != best:
        raise Illegal("A-83", "card_not_in_taken_row", "cancel_exactly", n=best)
    after = replace(
        state,
        piles=replace_item(state.piles, player, tuple(c for c in others if c not in cancel)),
        aside=(*state.aside, *sorted((card, *cancel))),
        credit=replace_item(state.credit, player, credit),
        owed=(),
    )
    return after if after.slot else start_next_slot(after)


def _cancels(others: tuple[int, ...], worth: int, credit: int) -> tuple[int, int]:
    """Heads of the cards to cancel, and the credit afterwards."""
    if count_heads(others) - credit < worth:  # all of it goes, the surplus is lost
        return count_heads(others), 0
    best = _best(others, worth)
    return best, credit + worth - best


@lru_cache(maxsize=256)
def _best(others: tuple[int, ...], worth: int) -> int:
    """The largest sum of heads, up to ``worth``, that some of these cards add up to."""
    sums = {0}
    for card in others:
        sums |= {s + HEADS[card] for s in sums if s + HEADS[card] <= worth}
    return max(sums)


def list_cancellations(state: State, card: int) -> tuple[tuple[int, ...], ...]:
    """What the named card may cancel: one set of cards for each way to make up the sum."""
    player = state.taker
    if player is None:
        return ()
    others = tuple(sorted(c for c in state.piles[player - 1] if c != card))
    best, _ = _cancels(others, HEADS[card], state.credit[player - 1])
    by_heads = {value: [c for c in others if HEADS[c] == value] for value in (7, 5, 3, 2, 1)}
    found: list[tuple[int, ...]] = []

    def fill(values: tuple[int, ...], rest: int, chosen: tuple[int, ...]) -> None:
        if not rest:
            found.append(tuple(sorted(chosen)))
        elif values:
            cards = by_heads[values[0]]
            for count in range(min(len(cards), rest // values[0]), -1, -1):
                fill(values[1:], rest - count * values[0], (*chosen, *cards[:count]))

    fill(tuple(by_heads), best, ())
    return tuple(sorted(found, key=len))


def shuffle_discard(state: State) -> State:
    """The discard was shuffled into the deck, earlier than the record knew (A-91)."""
    specials = state.specials
    if specials is None or not specials.discard:
        raise Illegal("A-91", "out_of_order", "nothing_to_shuffle")
    stock = specials.stock + len(specials.discard)
    return replace(state, specials=SpecialCards(specials.held, stock))


def exchange_special(state: State, player: int) -> State:
    """After a take: one special discarded face up, one drawn; an empty stock is made of the discard (A-90, A-91)."""
    check_player(state, player)
    if state.owed and player == state.taker:
        raise Illegal("A-13", "out_of_order", "name_negative")
    specials = state.specials
    if specials is None or player not in state.may_exchange():
        raise Illegal("A-90", "no_row_taken", "exchange_after_take")
    if not specials.held[player - 1]:
        raise Illegal("A-90", "no_special_in_hand", "no_special_left", player=player)
    stock, discard = specials.stock, (*specials.discard, "")
    if not stock:
        stock, discard = len(discard), ()
    return replace(
        state,
        taker=None if player == state.taker else state.taker,
        earlier=tuple(p for p in state.earlier if p != player),
        specials=SpecialCards(specials.held, stock - 1, discard),
    )
