"""Changes of the players in the middle of a match: leaving, joining, other seats, owners of takes."""

from dataclasses import replace

from engine.game import Illegal
from engine.games.nimmt.rounds import end_match_if_over, is_scored, score_round
from engine.games.nimmt.state import State, replace_item, sort_placements
from engine.games.nimmt.table_plan import has_seat
from engine.games.nimmt.turns import start_next_slot


def remove_player(state: State, player: int) -> State:
    """N-29: the hand is set aside, the game does not wait for this player, pile and total stay as they are."""
    if player not in state.players():
        raise Illegal("N-29", "out_of_order", "no_such_player", player=player)
    if state.phase == "end":
        raise Illegal("N-29", "out_of_order", "not_now")
    if state.unowned:  # it may belong to this player
        raise Illegal("N-17", "out_of_order", "name_taker")
    laying = state.rules.seats == "off" and (state.slot or state.laid)  # one of these cards may belong to this player
    if state.phase == "draft":
        raise Illegal("N-29", "out_of_order", "leave_after_draft", player=player)
    if state.actor == player or laying:
        raise Illegal("N-29", "out_of_order", "finish_first", player=player)
    card = state.shown[player - 1]
    left = ((str(card), f"seat:{state.seats[player - 1]}"),) if card else ()
    pads = state.pads
    if not is_scored(state):
        pads = replace_item(pads, player, (*pads[player - 1], state.pile_heads(player)))
    after = replace(
        state,
        gone=state.gone | {player},
        shown=replace_item(state.shown, player, None),
        chosen=state.chosen - {player},
        taker=None if player == state.taker else state.taker,
        earlier=tuple(p for p in state.earlier if p != player),
        lying=sort_placements(*state.lying, *left),
        pads=pads,
    )
    if after.phase == "choose" and after.all_shown():
        after = start_next_slot(after)
    return end_match_if_over(after)


def add_player(state: State, seat: int) -> State:
    """N-30: between rounds of the base game, with the highest total at the table."""
    rules = state.rules
    if rules.variant != "base" or len(state.players()) >= 10:
        raise Illegal("N-30", "player_count", "no_joining")
    if state.phase != "over" or state.unowned:
        raise Illegal("N-30", "out_of_order", "join_between_rounds")
    if rules.seats == "on" and (not has_seat(rules, seat) or state.player_at(seat)):
        raise Illegal("N-30", "occupied", "seat_taken", seat=seat)
    highest = max(state.totals()[p - 1] for p in state.players())
    return replace(
        state,
        seats=(*state.seats, seat),
        shown=(*state.shown, None),
        piles=(*state.piles, ()),
        credit=(*state.credit, 0),
        pads=(*state.pads, ()),
        brought=(*state.brought, highest),
    )


def change_seat(state: State, player: int, seat: int) -> State:
    """Change of seats, while neither of the two players has a card on the table."""
    if player not in state.players() or not has_seat(state.rules, seat):
        raise Illegal("N-5", "occupied", "no_such_seat", seat=seat)
    other = state.player_at(seat)
    busy = {p for p in (player, other) if p and (state.shown[p - 1] or p in state.chosen)}
    if busy or state.slot:
        raise Illegal("N-6", "out_of_order", "seats_after_laying")
    seats = replace_item(state.seats, player, seat)
    if other:
        seats = replace_item(seats, other, state.seats[player - 1])
    return replace(state, seats=seats)


def assign_take(state: State, player: int) -> State:
    """Where seats are off: the oldest take without an owner is this player's."""
    if not state.unowned:
        raise Illegal("N-17", "no_row_taken", "no_take_to_own")
    if player not in state.players():
        raise Illegal("N-17", "out_of_order", "no_such_player", player=player)
    pile = (*state.piles[player - 1], *state.unowned[0])
    after = replace(state, piles=replace_item(state.piles, player, pile), unowned=state.unowned[1:])
    return score_round(after) if after.phase == "over" else after
