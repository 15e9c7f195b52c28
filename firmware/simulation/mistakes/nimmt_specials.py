"""Mistakes with the seven special cards: shown too soon, placed at the wrong row, or carried out wrongly."""

import random
from collections.abc import Iterator

from engine.games.nimmt import moves as m
from engine.games.nimmt.state import State
from engine.table import Layout
from firmware.simulation.mistakes import nimmt_special_choice
from firmware.simulation.mistakes.mistake import Mistake, add_pieces, move_piece, remove_pieces, set_zone, wrong_table
from firmware.simulation.mistakes.nimmt_rows import (
    RowsOnTable,
    due_seat,
    list_unseen_cards,
    may_all_have_shown,
    seat_of,
    slot_of,
)


def list_mistakes(state: State, now: Layout, move: m.Move, rng: random.Random) -> Iterator[Mistake]:
    slot = state.slot
    restarts = slot is not None and slot.restarts is not None
    match move:
        case m.Choose() | m.Reveal() if state.phase == "choose":
            player = rng.choice(state.players())
            look = add_pieces(now, f"special:{seat_of(state, player)}", rng.choice(nimmt_special_choice.SPECIAL_KINDS))
            asked = may_all_have_shown(state, look)
            yield wrong_table("special shown before its slot", look, by="A-8 N-6", why="out_of_order", soft=asked)
        case m.Lay() | m.Take() | m.Special() if state.actor and not restarts:
            yield from nimmt_special_choice.list_mistakes(state, now, rng)
        case m.Negpos() if not restarts:
            yield from _before_it_is_named(state, now, rng)
        case _:
            pass
    if isinstance(move, m.Take) and RowsOnTable(state).five:  # the row vanishes with the card just played
        at, card = f"row:{move.row}", str(slot_of(state).card)
        look = add_pieces(set_zone(remove_pieces(now, (card, f"seat:{due_seat(state)}")), at), at, card)
        yield wrong_table("row restarted that vanishes with five rows", look, by="A-21", why="wrong_row")
    if slot is None or not slot.player or restarts or not slot.special:
        return
    match slot.special:
        case "fifth":
            yield from _fifth(state, now, move, rng)
        case "seven":
            yield from _seven(state, now, move, rng)
        case "block":
            yield from _block(state, now, move, rng)
        case "insert":
            yield from _insert(state, now, rng)
        case "move":
            yield from _move(state, now, move, rng)
        case "replace" if isinstance(move, m.Swap):
            yield from _not_carried_out(state, now, "A-60 A-61", rng)
        case _:
            pass
    if isinstance(move, m.Lay) and (slot.used or slot.special in ("seven", "negpos")):
        yield from _plain(state, now, rng)


def _plain(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """The special is carried out; the card itself follows the usual rules."""
    rows, card = RowsOnTable(state), str(slot_of(state).card)
    hand = remove_pieces(now, (card, f"seat:{due_seat(state)}"))
    home = rows.nearest(slot_of(state).card)
    if slot_of(state).emptied:
        row = rng.choice(rows.open)
        yield wrong_table("emptied row not started", add_pieces(hand, f"row:{row}", card), by="A-73", why="wrong_row")
        return
    higher = [r for r in rows.open if rows.end(r) > slot_of(state).card]
    if home and higher:
        look = add_pieces(hand, f"row:{rng.choice(higher)}", card)
        yield wrong_table("behind a higher end, after a special", look, by="N-9", why="wrong_row")
    if rows.blocked and slot_of(state).special == "block":
        look = add_pieces(hand, f"row:{rng.choice(rows.blocked)}", card)
        yield wrong_table("card laid in the row just blocked", look, by="A-51", why="row_blocked")


def _not_carried_out(state: State, now: Layout, by: str, rng: random.Random) -> Iterator[Mistake]:
    """The special is on the table, but its owner places the card as usual."""
    rows = RowsOnTable(state)
    row = rows.nearest(slot_of(state).card)
    if row and rows.room(row) > 0:
        look = move_piece(now, str(slot_of(state).card), f"seat:{due_seat(state)}", f"row:{row}")
        soft = slot_of(state).special == "replace"  # the card seen first may be the one that it brought
        kind = f"{slot_of(state).special} shown, but not carried out"
        yield wrong_table(kind, look, by=by, why="out_of_order", soft=soft)


def _fifth(state: State, now: Layout, move: m.Move, rng: random.Random) -> Iterator[Mistake]:
    rows, card, at = RowsOnTable(state), str(slot_of(state).card), due_seat(state)
    row = rng.choice(rows.open)
    look = move_piece(now, card, f"seat:{at}", f"row:{row}")
    yield wrong_table("card of a fifth row laid in another", look, by="A-20", why="wrong_row")
    if isinstance(move, m.Mark):
        look = move_piece(now, "fifth", f"special:{at}", f"mark:{row}")
        yield wrong_table("fifth row placed at an existing row", look, by="A-20", why="wrong_row")


def _seven(state: State, now: Layout, move: m.Move, rng: random.Random) -> Iterator[Mistake]:
    rows = RowsOnTable(state)
    home = rows.nearest(slot_of(state).card)
    others = [r for r in rows.open if r != home and "seven" not in rows.marks[r]]
    *_, late = state.plain or (0, 0, 0)  # there it may have come, unseen, with the card laid before
    clean = [r for r in others if ("seven", f"mark:{r}") not in state.lying and r != late]
    if isinstance(move, m.Mark) and clean:
        look = move_piece(now, "seven", f"special:{due_seat(state)}", f"mark:{rng.choice(clean)}")
        yield wrong_table("Take-at-7 put at another row", look, by="A-32", why="wrong_row")
    if others:
        lower = [r for r in others if rows.end(r) < slot_of(state).card]
        if lower:
            look = move_piece(now, str(slot_of(state).card), f"seat:{due_seat(state)}", f"row:{rng.choice(lower)}")
            full = rows.room(home) < 1
            # the Take-at-7 gives its row room for one more card; rule 2 is broken either way
            yield wrong_table("card of a Take-at-7 laid in another row", look, by="N-10 N-12" if full else "N-10",
                       why="wrong_row")  # fmt: skip


def _block(state: State, now: Layout, move: m.Move, rng: random.Random) -> Iterator[Mistake]:
    if slot_of(state).used or not isinstance(move, m.Mark):
        return
    rows, at = RowsOnTable(state), f"special:{due_seat(state)}"
    if rows.blocked:
        look = move_piece(now, "block", at, f"mark:{rng.choice(rows.blocked)}")
        yield wrong_table("second Block on a row", look, by="A-53", why="row_blocked")
    empty = [r for r in range(1, 6) if r not in rows.all and f"mark:{r}" not in now.zones]
    if empty:
        look = move_piece(now, "block", at, f"mark:{empty[0]}")
        yield wrong_table("Block at a row that is not there", look, by="A-50", why="wrong_row")
    yield from _not_carried_out(state, now, "A-50", rng)


def _insert(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    rows, card = RowsOnTable(state), str(slot_of(state).card)
    hand = remove_pieces(now, (card, f"seat:{due_seat(state)}"))
    lower = [r for r in rows.open if rows.end(r) < slot_of(state).card]
    if lower:
        look = add_pieces(hand, f"row:{rng.choice(lower)}", card)
        yield wrong_table("inserted at the end", look, by="A-41", why="insert_not_at_end")
    if rows.blocked:
        row = rng.choice(rows.blocked)
        held = [*rows.cards[row], slot_of(state).card]
        look = set_zone(hand, f"row:{row}", *map(str, sorted(held)))
        yield wrong_table("inserted in a blocked row", look, by="A-51", why="row_blocked")
    full = [r for r in rows.open if rows.end(r) > slot_of(state).card and rows.room(r) < 1]
    if full:
        row = rng.choice(full)
        # its last card stays (A-42; A-43 with six cards), or none with five rows
        by = "A-44 A-42" if rows.five else "A-43 A-42" if "seven" in rows.marks[row] else "A-42"
        look = set_zone(hand, f"row:{row}", card)
        yield wrong_table("inserted card left as a row of its own", look, by=by, why="wrong_row", soft=True)
    wide = [r for r in rows.open if rows.end(r) > slot_of(state).card and rows.room(r) > 0]
    if wide:
        row = rng.choice(wide)
        look = add_pieces(
            hand, f"row:{row}", card
        )  # this row is allowed, but its cards must rise (A-40, and N-9 for every row)
        yield wrong_table("inserted out of order", look, by="A-40 N-9", why="wrong_row out_of_order")


def _move(state: State, now: Layout, move: m.Move, rng: random.Random) -> Iterator[Mistake]:
    """Move: one card of a row to another place where it fits, before the own card is placed."""
    rows, at = RowsOnTable(state), f"seat:{due_seat(state)}"
    source = rng.choice(rows.open)
    card = rng.choice(rows.cards[source])
    here, gone = f"row:{source}", str(card)
    others = [r for r in rows.open if r != source]
    if slot_of(state).used:
        roomy = [r for r in others if rows.room(r) > 0]
        if roomy and not slot_of(state).emptied:
            target = rng.choice(roomy)
            look = set_zone(
                remove_pieces(now, (gone, here)), f"row:{target}", *map(str, sorted((*rows.cards[target], card)))
            )
            yield wrong_table("second card moved", look, by="A-70", why="out_of_order")
        return
    full = [r for r in others if rows.room(r) < 1]
    if full:
        look = set_zone(
            remove_pieces(now, (gone, here)), f"row:{full[0]}", *map(str, sorted((*rows.cards[full[0]], card)))
        )
        yield wrong_table("moved to a full row", look, by="A-72", why="row_full")
    if rows.blocked:
        frozen = rng.choice(rows.blocked)
        look = set_zone(
            remove_pieces(now, (gone, here)), f"row:{frozen}", *map(str, sorted((*rows.cards[frozen], card)))
        )
        # a blocked row accepts no card; the rule of Move repeats this
        yield wrong_table("moved to a blocked row", look, by="A-51 A-72", why="row_blocked")
        stuck, target = rng.choice(rows.cards[frozen]), source
        if rows.room(target) > 0:
            look = set_zone(remove_pieces(now, (str(stuck), f"row:{frozen}")), f"row:{target}",
                       *map(str, sorted((*rows.cards[target], stuck))))  # fmt: skip
            yield wrong_table("moved from a blocked row", look, by="A-51 A-72", why="row_blocked")
    empty = [r for r in range(1, 6) if r not in rows.all]
    if empty:
        look = move_piece(now, gone, here, f"row:{empty[0]}")
        yield wrong_table("moved to a row that is not there", look, by="A-70 A-71", why="wrong_row")
    low = [r for r in others if rows.room(r) > 0 and rows.end(r) > card]
    if low:
        look = move_piece(
            now, gone, here, f"row:{low[0]}"
        )  # the cards of the row must rise (A-71, and N-9 for every row)
        yield wrong_table("moved out of order", look, by="A-71 N-9", why="out_of_order wrong_row")
    waiting = [p for p in state.players() if state.shown[p - 1] and p != state.actor]
    if waiting:
        shown = str(state.shown[waiting[0] - 1])
        look = move_piece(now, shown, f"seat:{seat_of(state, waiting[0])}", here)
        # a card at a seat may not be moved, and for its owner it is too early (N-7)
        yield wrong_table("waiting card moved to a row", look, by="A-71 N-7", why="card_not_in_a_row out_of_order")
    if isinstance(move, m.Shift):
        yield from _not_carried_out(state, now, "A-70", rng)
    if at in now.zones and list_unseen_cards(state):
        look = set_zone(now, at, str(rng.choice(list_unseen_cards(state))))
        yield wrong_table("shown card changed with no Replace", look, by="N-6", why="out_of_order", soft=True)


def _before_it_is_named(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Neg=Pos is settled with the take (A-13), before the next card is laid."""
    waiting = sorted((card, player) for player, card in enumerate(state.shown, 1) if card)
    if waiting and not any(zone.startswith(("row", "seat")) for _, zone in state.lying):
        card, player = waiting[0]
        rows = RowsOnTable(state)
        row = rows.nearest(card) or rng.choice(rows.all)
        look = move_piece(now, str(card), f"seat:{seat_of(state, player)}", f"row:{row}")
        yield wrong_table("next card laid before Neg=Pos is named", look, by="A-80 A-13", why="out_of_order", soft=True)
