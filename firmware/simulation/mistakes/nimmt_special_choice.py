"""Mistakes in the choice of a special card: it may not be played now, or its condition is not met."""

import random
from collections.abc import Iterator

from engine.games.nimmt.state import State
from engine.table import Layout
from firmware.simulation.mistakes.mistake import Mistake, add_pieces, move_piece, remove_pieces, set_zone, wrong_table
from firmware.simulation.mistakes.nimmt_rows import RowsOnTable, due_seat, seat_of, slot_of

SPECIAL_KINDS = ("fifth", "seven", "insert", "replace", "move", "block", "negpos")
LAST_TURN_INDEX = 11
"""Index of the last of twelve turns, counted from 0 (A-3)."""


def list_mistakes(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """A-8, A-9 and the conditions of each kind."""
    rows, slot, due = RowsOnTable(state), slot_of(state), due_seat(state)
    at = f"special:{due}"
    others = [p for p in state.players() if p != slot.player]
    look = add_pieces(now, f"special:{seat_of(state, rng.choice(others))}", rng.choice(SPECIAL_KINDS))
    yield wrong_table("special of another player", look, by="A-8", why="out_of_order")
    if slot.special:
        second = rng.choice([kind for kind in SPECIAL_KINDS if kind != slot.special])
        yield wrong_table(
            "second special for one card", add_pieces(now, at, second), by="A-9", why="one_special_per_card"
        )
        return
    home = rows.nearest(slot.card)
    if not state.specials_of(slot.player or 0):
        harmless = ["move", *(["replace"] if state.turns < LAST_TURN_INDEX else []), *([] if rows.five else ["fifth"])]
        look = add_pieces(now, at, rng.choice(harmless))
        yield wrong_table("more specials than the hand holds", look, by="A-5", why="no_special_in_hand")
        return
    if rows.five:
        yield wrong_table(
            "fifth row beside five rows", add_pieces(now, at, "fifth"), by="A-20", why="five_rows_already"
        )
    if not home:
        yield wrong_table("Take-at-7 for a low card", add_pieces(now, at, "seven"), by="A-34", why="low_card")
    elif "seven" in rows.marks[home]:
        yield wrong_table(
            "second Take-at-7 on a row", add_pieces(now, at, "seven"), by="A-33", why="marker_already_there"
        )
    if all(rows.end(r) < slot.card for r in rows.all):
        yield wrong_table("Insert above all ends", add_pieces(now, at, "insert"), by="A-41", why="insert_not_at_end")
    if state.turns == LAST_TURN_INDEX:
        yield wrong_table("Replace with no other card", add_pieces(now, at, "replace"), by="A-63", why="no_other_card")
    if len(rows.blocked) == 2:
        yield wrong_table("third Block", add_pieces(now, at, "block"), by="A-53", why="two_blocks_already")
    if home and rows.room(home) > 0:
        yield wrong_table("Neg=Pos without a take", add_pieces(now, at, "negpos"), by="A-80", why="no_row_taken")
    spent = rng.choice(("insert", "replace", "move", "negpos"))
    look = add_pieces(now, f"mark:{rng.choice(rows.all)}", spent)
    yield wrong_table("special at a row where it never stays", look, by="A-10", why="out_of_order")
    yield from _blocked(state, now, rows, rng)


def _blocked(state: State, now: Layout, rows: RowsOnTable, rng: random.Random) -> Iterator[Mistake]:
    """A-51: a blocked row is frozen."""
    if not rows.blocked:
        return
    card, at, row = str(slot_of(state).card), f"seat:{due_seat(state)}", rng.choice(rows.blocked)
    yield wrong_table(
        "card laid in a blocked row", move_piece(now, card, at, f"row:{row}"), by="A-51", why="row_blocked"
    )
    if ("block", f"mark:{row}") in state.lying:
        freed = remove_pieces(move_piece(now, card, at, f"row:{row}"), ("block", f"mark:{row}"))
        # a Block in a hand may come back
        yield wrong_table("Block lifted and its row used", freed, by="A-51 A-52", why="row_blocked", soft=True)
    lifted = set_zone(now, f"row:{row}")
    yield wrong_table("blocked row lifted", lifted, by="A-51", why="row_blocked", soft=True)
