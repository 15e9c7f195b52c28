"""From a difference to the next move: a piece that is laid counts, a piece that is lifted does not."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.game import Illegal, Settled, Unfinished
from engine.games.nimmt import moves as m
from engine.games.nimmt.brought_cards import read_brought, was_laid_and_taken
from engine.games.nimmt.cards import STANDING_KINDS, is_number_card
from engine.games.nimmt.certain_specials import find_certain_lay, find_certain_special
from engine.games.nimmt.deal_from_table import (
    find_cleared_zone,
    read_at_seat,
    read_chosen,
    read_deal,
    read_draft,
    read_new_order,
)
from engine.games.nimmt.move_effects import play_move
from engine.games.nimmt.slot_stories import (
    find_half_taken,
    find_hidden_place,
    find_renewed,
    find_renewed_before,
    find_unplaced_block,
    list_stories,
    tells_of_slots,
)
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.state import ROWS, Slot, State
from engine.games.nimmt.turns import take_row
from engine.games.nimmt.unseen_cards import (
    find_doubt,
    find_early,
    find_hidden_special,
    find_row_over_due_card,
    has_vanished,
    read_moved_later,
    read_shifted_and_taken,
    read_taken_again,
    read_unseen_taker,
    read_unshown,
)
from engine.games.nimmt.unseen_replace import (
    read_brought_already,
    read_brought_card,
    read_replaced_card,
    was_replaced_and_taken,
)
from engine.games.nimmt.unseen_turns import find_unseen_turn, is_turn_past, read_ahead
from engine.games.nimmt.zones import layout
from engine.table import BACK, Gap, Placement, find_gap

Told = m.Move | tuple[m.Move, ...] | Settled[m.Move]
"""A move, several in order, or those that are certain although the rest of the table waits."""


def read(state: State, gap: Gap) -> Iterator[Told]:
    """The next move the difference suggests: foreign pieces are refused, but a question about the others goes first."""
    foreign = _list_foreign(state, gap)
    if not foreign:
        yield from _read_pieces(state, gap)
        return
    told = list(_read_pieces(state, _set_right(state, gap, dict.fromkeys(foreign, ""))))
    if not any(isinstance(move, m.Early | m.Whose | m.Undecided) for move in told):
        (zone, piece), *_ = foreign
        yield m.Stray(piece, zone)
    yield from told


def _read_pieces(state: State, gap: Gap) -> Iterator[Told]:
    match state.phase:
        case "draft":
            yield from read_draft(state, gap)
        case "deal":
            yield from read_deal(state, gap)
        case "half" if gap.extra:
            yield m.Hands()
        case "over" if gap.extra and _is_next_deal(state, gap):
            yield m.Unseen("")
        case _ if first := read_chosen(state, gap) or read_new_order(state, gap):
            yield first
        case _:
            yield from _read_turn(state, gap)


def _is_next_deal(state: State, gap: Gap) -> bool:
    """Are these cards of the next round, all at places from which those of the last one are gone?

    A card that left others of the last round in its row was only moved.
    """
    old = layout(state).zones
    left = {at for at, cards in old.items() if not set(cards).isdisjoint(gap.seen.zones.get(at, ()))}
    moved = {piece for piece, at in gap.missing if at in left}
    return all(
        (piece == BACK or is_number_card(piece)) and zone not in left and piece not in moved
        for piece, zone in gap.extra
    )


def _read_turn(state: State, gap: Gap) -> Iterator[Told]:
    """Specials first, then what was cleared away, then the due card, then cards of other players."""
    lands = {piece: int(zone[4:]) for piece, zone in gap.extra if zone.startswith("row:")}
    slot = state.slot
    me = str(slot.card) if slot else ""
    if state.owed and slot is None and any(piece != BACK for piece, _ in gap.extra):
        yield from _hold_pieces(state, gap)
        return
    if slot and (certain := find_certain_special(state, slot, gap)):
        yield Settled((certain,))
    if ahead := read_ahead(state, gap):
        return (yield ahead)
    if state.phase == "choose" and any(zone.startswith(("mark:", "special:")) for _, zone in gap.extra):
        if replaced := read_replaced_card(state, gap):
            return (yield replaced)
        if shown := tuple(_read_shown(state, gap)):  # the special is of the turn that has begun, perhaps unseen
            yield from shown
            return
    if state.phase == "choose" and state.rules.seats == "on":
        if zone := find_unseen_turn(state, gap):
            return (yield m.Unseen(zone))
        if unnamed := read_unseen_taker(state, gap):
            return (yield unnamed)
        if early := find_early(state, gap):
            return (yield m.Early(early))
    vanished = slot is not None and state.specials is not None and has_vanished(state, slot, gap)
    if slot and vanished and (zone := find_half_taken(state, slot, gap.seen)):
        return (yield m.Unseen(zone))
    if slot and (unplaced := find_unplaced_block(state, slot, gap)):
        return (yield unplaced)
    if slot and slot.player and was_replaced_and_taken(state, slot, gap):
        return (yield m.Unnamed(slot.player))
    if slot and (already := read_brought_already(state, slot, gap)):
        return (yield already)
    if tells_of_slots(state, gap):
        if zone := find_hidden_place(state, gap):
            if slot and (laid := find_certain_lay(state, slot, gap)):
                yield Settled((laid,))
            return (yield m.Unseen(zone))
        if stories := list_stories(state, gap):
            yield from stories
            return
        if slot and (renewed := find_renewed(state, slot, gap)):  # the one story that explains the table
            zone = f"mark:{renewed.row}"
            return (yield (m.Tidy(zone), m.Mark(renewed.kind, renewed.row)))
    if slot and me in lands and (renewed := _find_renewed(state, slot, gap, lands)):
        return (yield renewed)
    if state.specials and (moved := _find_moved(state, gap)):
        (zone, piece), *_ = moved
        yield m.Stray(piece, zone)
        yield from _read_turn(state, _set_right(state, gap, moved))
        return
    for move in _special(state, gap, lands):
        if slot and isinstance(move, m.Mark) and (zone := find_doubt(state, slot, gap, move)):
            again = tuple(read_taken_again(state, slot, gap))
            yield from (move, *again) if again else (m.Unseen(zone),)
            return
        yield move
        if slot and slot.special and isinstance(move, m.Special):
            continue  # a second special is refused, whatever else was done
        if not (isinstance(move, m.Mark) and me in lands):
            return  # a special put directly at a row may also be the next player's: both are tried
    if zone := find_cleared_zone(state, gap):
        return (yield m.Tidy(zone))
    hidden = find_hidden_special(state, slot, gap) if slot else ""
    if hidden and lands:
        return (yield m.Unseen(hidden))
    apart = {zone for _, zone in gap.missing}
    lifted = [r for r in ROWS if f"row:{r}" in apart and state.row(r) and _lifted(state, gap, lands, r)]
    if not (slot and slot.special == "move"):  # a card of a row in another row is reported as a shift
        yield from _shifts(gap, lands)
    if slot and me in lands:
        due = _due_card(state, slot, gap, lands[me], lifted)
        if is_turn_past(state, gap) and _is_refused(state, due):
            yield m.Belated(slot.card, lands[me])
        yield due
        yield from read_moved_later(state, slot, gap, lands[me], lifted)
        if ("fifth", f"mark:{lands[me]}") in state.lying and not state.row(lands[me]) and not slot.special:
            yield m.Tidy(f"mark:{lands[me]}")  # the spent one is gone, another one lies there
        return
    if slot and (unseen := tuple(read_taken_again(state, slot, gap))):
        yield from unseen
    elif taken := () if hidden else tuple(_taken_for_good(state, gap, lifted, bool(lands))):
        yield from taken
    elif state.phase == "choose" and state.rules.seats == "off" and (brought := tuple(read_brought(state, gap))):
        yield from brought
    elif state.phase == "choose" and (shown := tuple(_read_shown(state, gap))):
        yield from shown
    elif gap.extra and slot and (row := find_row_over_due_card(state, slot, gap)):
        yield m.Unseen(row)
    elif slot and gap.extra and was_laid_and_taken(state, slot, gap):
        yield Settled()  # that the row taken before is gone, too
        yield m.Unseen("")
    elif gap.extra:
        yield _attempt(state, gap, *gap.extra[0])
    else:
        yield from _hints(state, lifted)


def _hold_pieces(state: State, gap: Gap) -> Iterator[Told]:
    """The players lay on before the negative card is named: that was before it, so the rest of the table waits."""
    if zone := find_cleared_zone(state, gap):
        yield m.Tidy(zone)
        return
    yield Settled()
    yield m.Held(gap.extra[0][0])


def _list_foreign(state: State, gap: Gap) -> list[tuple[str, str]]:
    """The zones and pieces that cannot have come to this place, and that have not left another one.

    A number that the deck has not or that was laid before, a second card beside a shown one, a card where no player
    sits. A card that a player shows as their first is looked at when it is read.
    """
    foreign = [(zone, piece) for piece, zone in gap.extra if zone == "strange"]
    if state.phase not in ("choose", "lay"):
        return foreign
    moved = {piece for piece, _ in gap.missing + gap.veiled}
    fresh = [(zone, piece) for piece, zone in gap.extra if piece not in moved]
    known: frozenset[int] = frozenset()
    for zone, piece in fresh:
        kind, _, number = zone.partition(":")
        if kind == "seat":
            player = state.player_at(int(number))
            shown = state.shown[player - 1] if player else None
            if player is None or (shown is not None and piece != BACK and str(shown) in gap.seen.zones[zone]):
                slot = state.slot
                replaces = slot is not None and slot.player == player and slot.waits_for("replace")
                if not (replaces and int(piece) in state.deck and not state.has_seen(int(piece))):
                    foreign.append((zone, piece))
        elif kind == "row" and is_number_card(piece) and int(piece) not in state.row(int(number)):
            known = known or state.numbers()
            card = int(piece)
            if card not in state.deck or (card in known and card not in state.shown):
                foreign.append((zone, piece))
    return foreign


def _set_right(state: State, gap: Gap, moved: Mapping[tuple[str, str], str]) -> Gap:
    """The difference if each piece at a zone were where it belongs, or nowhere: what else has happened."""
    zones = dict(gap.seen.zones)
    for (zone, piece), home in moved.items():
        for at in (zone, home) if home else (zone,):
            lying = zones.pop(at, ())
            held = sorted((*lying, piece)) if at == home else [other for other in lying if other != piece]
            zones |= {at: tuple(held)} if held else {}
    return find_gap(layout(state), replace(gap.seen, zones=zones))


def _find_moved(state: State, gap: Gap) -> dict[tuple[str, str], str]:
    """The specials in force that were carried from their row to another one, or to a seat."""
    gone = [
        (piece, zone) for piece, zone in gap.missing if zone.startswith("mark:") and is_in_force(state, piece, zone)
    ]
    carried: dict[tuple[str, str], str] = {}
    for piece, zone in gap.extra:
        home = next((at for kind, at in gone if kind == piece and at not in carried.values()), "")
        if home and zone.startswith(("mark:", "special:")):
            carried[zone, piece] = home
    return carried


def _read_shown(state: State, gap: Gap) -> Iterator[m.Move]:
    """The cards that players show: those laid before they were seen at a seat, or else what lies at the seats."""
    if replaced := read_brought_card(state, gap):
        return (yield replaced)
    unshown = tuple(read_unshown(state, gap))
    yield from unshown
    at_seats = _list_at_seats(state, gap)
    if at_seats and not any(isinstance(move, m.Whose | m.Unseen) for move in unshown):
        yield _attempt(state, gap, *at_seats[0])


def _list_at_seats(state: State, gap: Gap) -> list[Placement]:
    """What is new at seats, cards that may be shown first: a face-down one may be for the next turn."""
    shown = {f"seat:{state.seats[player - 1]}" for player in state.players() if state.shown[player - 1]}
    laid = state.numbers().difference(filter(None, state.shown))

    def rank(place: Placement) -> int:
        piece, zone = place
        return 2 if piece == BACK else zone in shown or int(piece) in laid or int(piece) not in state.deck

    return sorted((place for place in gap.extra if place[1].startswith("seat:")), key=rank)


def _due_card(state: State, slot: Slot, gap: Gap, row: int, lifted: list[int]) -> m.Move:
    """The due card lies in a row: behind its cards, or on the place of a row that was taken."""
    home = state.home(slot.card)
    if row == home and _left_of_end(state, slot, gap, row):
        return m.Stray(str(slot.card), f"row:{row}")
    if slot.special == "insert" and row in lifted and state.room(row) < 1:
        return m.Take(row)  # the last card of a full row should have stayed
    may_take = not slot.start and slot.special not in ("insert", "fifth")
    if may_take and row in lifted:
        filled = not slot.player and row == home and state.room(row) > 0
        return m.Unseen(f"row:{row}") if filled else m.Take(row)
    if may_take and lifted and not home:
        return m.Take(lifted[0])
    return m.Lay(slot.card, row)


def _find_renewed(state: State, slot: Slot, gap: Gap, lands: dict[str, int]) -> m.Renewed | None:
    """A used-up special that makes the due card legal if it is a new one."""
    if not state.specials or not state.lying:
        return None
    lifted = [r for r in ROWS if state.row(r) and _lifted(state, gap, lands, r)]
    if not _is_refused(state, _due_card(state, slot, gap, lands[str(slot.card)], lifted)):
        return None
    return find_renewed(state, slot, gap) or find_renewed_before(state, gap)


def _is_refused(state: State, move: m.Move) -> bool:
    try:
        play_move(state, move)
    except Illegal as why:
        return not isinstance(why, Unfinished)
    return False


def _taken_for_good(state: State, gap: Gap, lifted: list[int], more: bool) -> Iterator[m.Move]:
    """Takes that end without a card laid: only the missing row shows them, or the next player's card."""
    slot = state.slot
    if slot is None or slot.restarts or not slot.player:
        return
    home_again = (str(slot.card), f"seat:{state.seats[slot.player - 1]}") in gap.missing
    hidden = any(zone.startswith("row:") for zone in gap.seen.hidden)  # the card may lie there
    if slot.special == "insert" and home_again:  # into a full row: only its last card stays
        for r in ROWS:
            stays = 0 if state.five_rows() else 1
            if state.room(r) < 1 and len(gap.missing_in(f"row:{r}")) == len(state.row(r)) - stays:
                return (yield m.Lay(slot.card, r))
    if state.five_rows() and lifted and ((home_again and not hidden) or more):
        veiled = (r for r in ROWS if state.row(r) and gap.may_hide(f"row:{r}", state.row(r)))
        home = state.home(slot.card)
        yield from (m.Take(r) for r in (*lifted, *veiled) if home in (None, r))  # a hidden row may be the one taken


def _hints(state: State, lifted: list[int]) -> Iterator[m.Move]:
    """Lifting commits nothing, but a wrong row gets a hint; when the round is over, cards are gathered in any order."""
    for r in lifted if state.phase not in ("over", "end") else ():
        try:
            take_row(state, r)
        except Illegal:
            yield m.Take(r)


def _left_of_end(state: State, slot: Slot, gap: Gap, row: int) -> bool:
    """Does the due card lie before cards that it belongs behind?"""
    seen = gap.seen.zones[f"row:{row}"]
    rest = seen[seen.index(str(slot.card)) :]
    return (
        slot.special != "insert"
        and state.room(row) > 0
        and state.row(row)[-1] in map(int, filter(is_number_card, rest))
    )


def _special(state: State, gap: Gap, lands: dict[str, int]) -> Iterator[m.Move]:
    """A special of the current slot, and the card move that belongs to it."""
    slot, actor = state.slot, state.actor
    at_seat = f"special:{state.seats[actor - 1]}" if actor else ""
    for piece, zone in gap.extra:
        kind, _, number = zone.partition(":")
        if actor and zone == at_seat:
            yield m.Special(actor, piece)
        elif kind == "mark":
            yield m.Stray(piece, zone) if piece not in STANDING_KINDS else m.Mark(piece, int(number))
    if slot and slot.waits_for("move"):
        yield from _shifts(gap, lands)
        yield from read_shifted_and_taken(state, gap)
    if slot and slot.waits_for("replace"):
        home = f"seat:{state.seats[actor - 1]}" if actor else ""
        if swap := _swapped(state, slot, gap):
            yield swap
        elif (str(slot.card), home) not in gap.missing and any(at == home and piece != BACK for piece, at in gap.extra):
            yield m.Unseen(home)


def _lifted(state: State, gap: Gap, lands: dict[str, int], row: int) -> bool:
    """Is the whole row in the air, none of it in another row?"""
    gone = gap.missing_in(f"row:{row}")
    return len(gone) == len(state.row(row)) and not lands.keys() & set(gone)


def _shifts(gap: Gap, lands: dict[str, int]) -> list[m.Move]:
    """The cards of rows that lie in other rows."""
    gone = _gone_from_rows(gap)
    return [m.Shift(int(piece), row) for piece, row in lands.items() if piece in gone]


def _gone_from_rows(gap: Gap) -> set[str]:
    """The pieces that are gone from a row, or whose place there is hidden."""
    return {piece for piece, zone in gap.missing + gap.veiled if zone.startswith("row:")}


def _swapped(state: State, slot: Slot, gap: Gap) -> m.Move | None:
    """The shown card is gone and a new one is at the seat or in a row."""
    seat = f"seat:{state.seats[slot.player - 1]}" if slot.player else ""
    if (str(slot.card), seat) not in gap.missing:
        return None
    fresh = (int(p) for p, z in gap.extra if is_number_card(p) and (z == seat or z.startswith("row:")))
    return next((m.Swap(card) for card in fresh if not state.has_seen(card)), None)


def _attempt(state: State, gap: Gap, piece: str, zone: str) -> m.Move:
    """A piece at an unexpected place, read as the move it would be."""
    kind, _, number = zone.partition(":")
    if kind == "seat":
        return read_at_seat(state, gap, piece, int(number))
    if kind == "special" and (player := state.player_at(int(number))):
        return m.Special(player, piece)
    if kind != "row" or not is_number_card(piece):
        return m.Stray(piece, zone)
    if int(piece) in state.row(int(number)):  # it belongs to the row, but is not at its place
        return m.Stray(piece, zone)
    if piece in _gone_from_rows(gap):
        return m.Shift(int(piece), int(number))
    if state.rules.seats == "off" and state.phase == "choose":
        return m.Reveal(0, int(piece))
    return m.Lay(int(piece), int(number))
