"""Why a piece may not lie where it is seen, when no move explains it."""

from typing import NoReturn

from engine.game import Illegal, Unfinished
from engine.games.nimmt.cards import is_number_card
from engine.games.nimmt.state import ROWS, State


def refuse_stray(state: State, piece: str, zone: str) -> NoReturn:
    kind, _, place = zone.partition(":")
    if kind == "seat":
        raise Illegal("N-5", "out_of_order", "nobody_sits_there", seat=int(place) if is_number_card(place) else 0)
    if kind == "spread":
        raise Illegal("P-4", "out_of_order", "picked_stays", piece=piece)
    if kind == "row" and state.phase == "deal" and state.lying:
        raise Unfinished("N-28", "table_not_cleared", "clear_table")
    if kind == "row" and state.phase == "deal":
        raise Unfinished("N-3", "out_of_order", "one_card_a_row")
    if kind in ("mark", "special"):
        raise Illegal("A-10", "out_of_order", "special_not_at_row")
    for number in ROWS:
        if zone == f"row:{number}" and piece in map(str, state.row(number)):
            raise Illegal("N-9", "wrong_row", "row_must_rise", row=number)
    slot = state.slot
    if kind == "row" and state.phase == "lay" and slot and piece == str(slot.card) and (row := state.home(slot.card)):
        raise Illegal("N-9", "wrong_row", "belongs_in_row", card=slot.card, row=row, behind=state.row(row)[-1])
    raise Illegal("N-8", "not_in_deck", "not_of_this_game", piece=piece)
