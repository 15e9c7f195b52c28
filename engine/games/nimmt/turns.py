"""A turn: cards chosen, shown, and laid lowest first; rows taken by force or by choice."""

from dataclasses import replace

from engine.game import Illegal, Unfinished
from engine.games.nimmt.cards import STANDING_KINDS, count_heads
from engine.games.nimmt.rounds import end_turn
from engine.games.nimmt.state import ROWS, Slot, State, replace_item, sort_placements


def choose_card(state: State, player: int) -> State:
    """A card face down; allowed for the next turn as soon as the player's card of this one is laid."""
    check_player(state, player)
    if state.rules.seats == "off":
        raise Illegal("N-5", "out_of_order", "seats_are_off")
    if state.phase == "deal":
        raise Unfinished("N-3", "out_of_order", "deal_rows_first")
    if state.phase not in ("choose", "lay"):
        raise Illegal("N-5", "out_of_order", "not_now")
    if state.shown[player - 1] or player in state.chosen:
        raise Illegal("N-5", "out_of_order", "chosen_already", player=player)
    return state.change(chosen=state.chosen | {player})


def reveal_card(state: State, player: int, card: int) -> State:
    """A card turned up. When all players have shown one, the lowest is due."""
    if state.rules.seats == "off":
        return _bring(state, player, card)
    check_player(state, player)
    check_new_card(state, card)
    if state.phase == "deal":
        raise Illegal("N-3", "out_of_order", "deal_rows_first")
    if shown := state.shown[player - 1]:
        raise Illegal("N-6", "out_of_order", "choice_stands", card=shown)
    if state.phase != "choose":
        raise Illegal("N-6", "out_of_order", "finish_laying", card=card)
    if any(player == laid for laid, _ in state.laid_early):
        raise Illegal("N-6", "out_of_order", "finish_laying", card=card)
    if state.draft and card not in state.draft.picks[player - 1]:
        raise Illegal("P-6", "not_in_drafted_hand", "not_picked", card=card, player=player)
    after = state.change(shown=replace_item(state.shown, player, card), chosen=state.chosen - {player},
                    plain=None, taker=None, earlier=())  # fmt: skip
    return start_next_slot(after) if after.all_shown() else after


def put_off_cards(state: State, cards: tuple[int, ...]) -> State:
    """These cards were shown for the next turn: their players' cards of this one were laid unseen."""
    slot = state.slot
    laid = slot is not None and (slot.special or slot.start or not state.all_shown())
    if state.rules.seats == "off" or state.phase not in ("choose", "lay") or laid:
        raise Illegal("N-6", "out_of_order", "not_now")
    for card in cards:
        if card not in state.shown:
            raise Illegal("N-6", "out_of_order", "not_shown", card=card)
    return state.change(phase="choose", slot=None, shown=tuple(None if c in cards else c for c in state.shown))


def _bring(state: State, player: int, card: int) -> State:
    """Seats are off: a card comes straight to the rows."""
    if player:
        raise Illegal("N-5", "out_of_order", "seats_are_off")
    check_new_card(state, card)
    if state.phase != "choose":
        raise Illegal("N-6", "out_of_order", "finish_laying", card=card)
    if state.laid and card < state.laid[-1]:
        raise Illegal("N-7", "out_of_order", "laid_before", first=card, card=state.laid[-1])
    return state.change(phase="lay", slot=Slot(None, card))


def check_player(state: State, player: int) -> None:
    if player not in state.players():
        raise Illegal("N-5", "out_of_order", "no_such_player", player=player)


def check_new_card(state: State, card: int) -> None:
    """N-8: a number that cannot be is a reading error, never a play."""
    if card not in state.deck:
        raise Illegal("N-8", "not_in_deck", "not_in_deck", card=card)
    if card in state.shown:
        raise Illegal("N-8", "duplicate_card", "shown_twice", card=card)
    if state.has_seen(card):
        raise Illegal("N-8", "already_seen", "seen_before", card=card)


def start_next_slot(state: State) -> State:
    """The state with the next slot of the turn, or at the end of the turn."""
    if order := state.order():
        player, card = order[0]
        return state.change(phase="lay", slot=Slot(player, card))
    if state.rules.seats == "off" and len(state.laid) < len(state.players()):
        return state.change(phase="choose")
    return end_turn(state)


def take_row(state: State, row: int) -> State:
    """The row goes to the pile of the player whose slot it is (N-12, N-15)."""
    slot = state.slot
    unordered = state.rules.seats == "off" and state.phase == "choose"
    if unordered and row in ROWS and state.row(row) and state.may_be_lifted(row):
        raise Unfinished("N-19", "row_not_taken", "lay_taker", row=row)
    if state.phase != "lay" or slot is None or slot.restarts or state.owed:
        raise Illegal("N-12", "row_not_taken", "no_take_now")
    if row not in ROWS or not state.row(row):
        raise Illegal("N-15", "wrong_row", "no_such_row", row=row)
    if state.blocked(row):
        raise Illegal("A-51", "row_blocked", "row_blocked", row=row)
    home = state.home(slot.card)
    _special_first(slot)
    if slot.emptied:
        raise Illegal("A-73", "wrong_row", "starts_row", card=slot.card, row=slot.emptied)
    if slot.special == "fifth":
        raise Illegal("A-20", "wrong_row", "starts_fifth_row", card=slot.card)
    if slot.special == "insert":
        raise Illegal("A-42", "wrong_row", "insert_inside", card=slot.card)
    if home and (home != row or state.room(row) > 0 or slot.special == "seven"):
        # laid on the spot of a row that was not its own, the card lies wrong whatever else is in the air
        raise Illegal("N-10" if state.room(home) > 0 else "N-12", "wrong_row", "belongs_in_row",
                      sure=home != row and bool(slot.player),
                      card=slot.card, row=home, behind=state.row(home)[-1])  # fmt: skip
    return _take_row(state, slot, row, state.row(row), ())


def _special_first(slot: Slot) -> None:
    """A special is carried out before its card is laid or takes a row (A-8, A-12)."""
    match None if slot.used else slot.special:
        case "move":
            raise Illegal("A-70", "out_of_order", "move_first", card=slot.card)
        case "block":
            raise Illegal("A-50", "out_of_order", "block_first", card=slot.card)
        case "replace":
            raise Illegal("A-60", "out_of_order", "replace_first", card=slot.card)


def _take_row(state: State, slot: Slot, row: int, got: tuple[int, ...], stays: tuple[int, ...]) -> State:
    """A-13 in its order: row to the pile, markers off, Blocks off; taken cards stay on the table until lifted."""
    five, me, player = state.five_rows(), slot.card, slot.player
    slot = replace(slot, restarts=row, used=slot.used or slot.special == "negpos")
    leaving = [(str(c), f"row:{row}") for c in (*got, *(stays if five else ()))]
    taken = got
    if five:
        taken, stays = (*got, *stays, *(() if me in got else (me,))), ()
        if me not in got and player:
            leaving.append((str(me), f"seat:{state.seats[player - 1]}"))
    spent = sorted("block" for mark in state.marks if "block" in mark)
    spent += ["fifth"] if five else []
    spent += ["seven"] if "seven" in state.marks[row - 1] else []
    spent += [slot.special] if slot.special and slot.used and slot.special not in STANDING_KINDS else []
    marks = tuple(mark - {"block", "fifth"} if five else mark - {"block"} for mark in state.marks)
    after = state.change(
        rows=replace_item(state.rows, row, stays),
        marks=replace_item(marks, row, marks[row - 1] - {"seven"}),
        slot=slot,
        plain=None,
        taker=player,
        earlier=tuple(p for p in state.may_exchange() if p != player),
        lying=sort_placements(*state.lying, *leaving),
        owed=state.row(row) if slot.special == "negpos" else (),
        specials=state.specials.discarded(*spent) if state.specials else None,
    )
    if player:
        pile = (*state.piles[player - 1], *taken)
        after = after.change(piles=replace_item(state.piles, player, pile))
    else:
        after = after.change(unowned=(*state.unowned, taken))
    if five or me in got:
        return _end_slot(after.change(entered=state.entered + 1), slot)
    return after


def lay_card(state: State, card: int, row: int) -> State:
    """The due card to a row, by Rules 1 to 4 or by its special."""
    slot = _slot_of(state, card)
    if row not in ROWS:
        raise Illegal("N-4", "wrong_row", "no_such_row", row=row)
    if state.blocked(row):
        raise Illegal("A-51", "row_blocked", "row_blocked", row=row)
    old, marks = state.row(row), state.marks
    if start := slot.start:
        if row != start:
            raise Illegal("A-73" if slot.emptied else "N-16", "wrong_row", "starts_row", card=card, row=start)
        if any(zone == f"row:{row}" for _, zone in state.lying):
            raise Unfinished("N-12", "row_not_taken", "lift_row", lone=True, row=row)
    elif slot.special == "fifth":
        if old:
            raise Illegal("A-20", "wrong_row", "starts_fifth_row", card=card)
        marks = replace_item(marks, row, marks[row - 1] | {"fifth"})
    elif slot.special == "insert":
        if not old or card > old[-1]:
            raise Illegal("A-41", "insert_not_at_end", "insert_inside", card=card)
        if state.room(row) < 1:
            return _take_row(state, replace(slot, used=True), row, tuple(sorted((*old[:-1], card))), old[-1:])
    else:
        _special_first(slot)
        marks = _append(state, slot, row)
    after = state.change(
        rows=replace_item(state.rows, row, tuple(sorted((*old, card)))),
        marks=marks,
        entered=state.entered + 1,
        plain=(slot.player, card, row)
        if state.rules.anniversary and slot.player and not (slot.special or slot.start)
        else None,
    )
    return _end_slot(after, replace(slot, used=True) if slot.special else slot)


def _append(state: State, slot: Slot, row: int) -> tuple[frozenset[str], ...]:
    """Rules 1 to 4 and the room of the row; the marks afterwards."""
    card = slot.card
    home = state.home(card)
    if not home:
        raise Illegal("N-19", "row_not_taken", "low_takes_first", card=card)
    if home != row:
        ruling = "N-9" if (card,) < state.row(row)[-1:] else "N-12" if state.room(home) < 1 else "N-10"
        raise Illegal(ruling, "wrong_row", "belongs_in_row", sure=bool(slot.player) and not slot.special,
                      card=card, row=home, behind=state.row(home)[-1])  # fmt: skip
    if slot.special == "seven":
        if "seven" in state.marks[row - 1]:
            raise Illegal("A-33", "marker_already_there", "one_seven", row=row)
        return replace_item(state.marks, row, state.marks[row - 1] | {"seven"})
    if state.room(row) < 1:
        raise Unfinished("N-12", "row_not_taken", "take_row", lone=True, row=row, n=count_heads(state.row(row)))
    if slot.special == "negpos":
        raise Illegal("A-80", "no_row_taken", "negpos_needs_take")
    return state.marks


def _slot_of(state: State, card: int) -> Slot:
    """The slot in which this card is laid now, or ``Illegal``."""
    slot = state.slot
    if any(piece == str(card) and zone.startswith("seat") for piece, zone in state.lying):
        raise Illegal("A-21", "wrong_row", "goes_with_row", card=card)
    if card not in state.deck:
        raise Illegal("N-8", "not_in_deck", "not_in_deck", card=card)
    if state.owed and not (slot and slot.restarts):
        raise Illegal("A-80", "out_of_order", "name_negative")
    if state.phase == "choose" and state.rules.seats == "on":
        raise Illegal("N-6", "out_of_order", "all_show_first")
    if state.phase != "lay":
        raise Illegal("N-6", "out_of_order", "not_now")
    if slot and card == slot.card:
        return slot
    if slot and card in state.shown:
        raise Illegal("N-7", "out_of_order", "laid_before", first=slot.card, card=card)
    if state.has_seen(card):
        raise Illegal("N-8", "already_seen", "seen_before", card=card)
    raise Illegal("N-6", "out_of_order", "not_shown", card=card)


def _end_slot(state: State, slot: Slot) -> State:
    """The slot is over; a Neg=Pos still to be named holds up the next one."""
    specials = state.specials
    if specials and slot.special and slot.used and slot.special not in STANDING_KINDS and not slot.restarts:
        specials = specials.discarded(slot.special)
    after = state.change(
        shown=replace_item(state.shown, slot.player, None) if slot.player else state.shown,
        laid=() if slot.player else (*state.laid, slot.card),
        slot=None,
        specials=specials,
    )
    return after if after.owed else start_next_slot(after)
