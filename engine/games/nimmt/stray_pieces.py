"""Why a piece may not lie where it is seen, when no move explains it."""

from typing import NoReturn

from engine.game import Illegal, Unfinished
from engine.games.nimmt.cards import SPECIAL_KINDS, is_number_card
from engine.games.nimmt.state import ROWS, State
from engine.games.nimmt.turns import check_new_card
from engine.games.nimmt.view import build_prompt
from engine.table import BACK
from engine.text import say


def refuse_stray(state: State, piece: str, zone: str) -> NoReturn:
    kind, _, place = zone.partition(":")
    if kind == "strange" and piece in SPECIAL_KINDS:
        raise Illegal("A-1", "out_of_order", "no_specials")
    if kind == "seat":
        _refuse_at_seat(state, piece, int(place) if is_number_card(place) else 0)
    if kind == "spread" and is_number_card(piece) and int(piece) not in state.deck:
        raise Illegal("P-2", "not_in_deck", "not_in_spread", card=int(piece), last=state.deck[-1])
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
    if kind == "row" and piece == BACK:
        raise Illegal("N-3", "out_of_order", "rows_face_up")
    if kind == "row" and is_number_card(piece) and int(piece) not in state.shown:
        check_new_card(state, int(piece))
    slot = state.slot
    if kind == "row" and state.phase == "lay" and slot and piece == str(slot.card) and (row := state.home(slot.card)):
        raise Illegal("N-9", "wrong_row", "belongs_in_row", card=slot.card, row=row, behind=state.row(row)[-1])
    raise Illegal("N-8", "not_in_deck", "not_of_this_game", piece=piece)


def _refuse_at_seat(state: State, piece: str, seat: int) -> NoReturn:
    player = state.player_at(seat)
    owner = next((p for p, card in enumerate(state.shown, 1) if card and str(card) == piece), None)
    if owner and owner != player:
        raise Illegal("N-6", "out_of_order", "back_to_seat", card=int(piece), player=owner)
    if piece == BACK and player and (card := state.shown[player - 1]):
        raise Illegal("N-6", "out_of_order", "turn_up_again", card=card)
    if is_number_card(piece) and player and (card := state.shown[player - 1]):
        check_new_card(state, int(piece))
        raise Illegal("N-6", "out_of_order", "choice_stands", card=card)
    if is_number_card(piece) and player:
        raise Unfinished("N-5", "duplicate_card", "show_one_card", player=player)
    raise Illegal("N-5", "out_of_order", "nobody_sits_there", seat=seat)


def wait_for_sight(state: State, zone: str) -> NoReturn:
    """A hidden zone decides what the table means: what is due stays due until it is seen.

    Where seats are off, a row may have been filled and taken unseen: only the players know with which card.
    """
    row = next((r for r in ROWS if zone == f"row:{r}" and state.row(r)), None)
    if row and state.slot and not state.slot.player:
        ask_unseen_card(state, state.slot.card, row)
    ruling = (
        "N-28" if state.phase == "over" else "N-7" if state.rules.seats == "off" else "A-8" if state.slot else "N-6"
    )
    entered = not zone and state.slot is not None and not state.slot.player  # its card has gone with the row
    waits = Unfinished(ruling, "out_of_order", "not_now", keeps=entered)
    waits.text = say("cannot_see", zone=zone) if ruling == "N-6" and state.phase == "choose" else build_prompt(state)[0]
    raise waits


def ask_unseen_card(state: State, card: int, row: int, *, late: bool = False) -> NoReturn:
    """This card lies where the row was: with it a card was taken that only the players know.

    ``late``: or it was laid after a card that is higher.
    """
    if row not in ROWS or not state.row(row):
        raise Illegal("N-15", "wrong_row", "no_such_row", row=row)
    behind = state.row(row)[-1]
    raise Unfinished(
        "N-12", "row_not_taken", "what_lay_behind", late=late, keeps=True, card=card, row=row, behind=behind
    )
