"""What each move does to the state of a match: one function of the rules for each."""

from engine.game import Illegal, Unfinished
from engine.games.nimmt import draft, player_changes, rounds, specials, stray_pieces, turns
from engine.games.nimmt import moves as m
from engine.games.nimmt.state import State


def play_move(state: State, move: m.Move) -> State:
    """The state after the move, or ``Illegal``."""
    match move:
        case m.Spread(cards):
            return draft.spread_cards(state, cards)
        case m.Pick(player, cards):
            return draft.pick_cards(state, player, cards)
        case m.Deal(cards):
            return rounds.deal_rows(state, cards)
        case m.Choose(player):
            return turns.choose_card(state, player)
        case m.Reveal(player, card):
            return turns.reveal_card(state, player, card)
        case m.Special(player, kind):
            return specials.play_special(state, player, kind)
        case m.Handback(player):
            return specials.hand_back(state, player)
        case m.Mark(kind, row):
            return specials.mark_row(state, kind, row)
        case m.Shift(card, row):
            return specials.shift_card(state, card, row)
        case m.Swap(card):
            return specials.swap_card(state, card)
        case m.Lay(card, row):
            return turns.lay_card(state, card, row)
        case m.Take(row):
            return turns.take_row(state, row)
        case m.Who(player):
            return player_changes.assign_take(state, player)
        case m.Tidy(zone):
            return rounds.tidy_zone(state, zone)
        case m.Sweep():
            return rounds.clear_table(state)
        case m.Negpos(card, cancel):
            return specials.name_negative(state, card, cancel)
        case m.Replaced(player, card):
            return specials.replace_unseen(state, player, card)
        case m.Later(cards):
            return turns.put_off_cards(state, cards)
        case m.Exchange(player):
            return specials.exchange_special(state, player)
        case m.Shuffle():
            return specials.shuffle_discard(state)
        case m.Hands():
            return rounds.deal_second_half(state)
        case m.Next():
            return rounds.start_next_round(state)
        case m.Leave(player):
            return player_changes.remove_player(state, player)
        case m.Join(seat):
            return player_changes.add_player(state, seat)
        case m.Sit(player, seat):
            return player_changes.change_seat(state, player, seat)
        case m.Stray(piece, zone):
            return stray_pieces.refuse_stray(state, piece, zone)
        case m.Belated(card, row):
            raise Illegal("R-4", "wrong_row", "stays_in_row", sure=True, stands=True, card=card, row=row)
        case m.Unseen(zone):
            return stray_pieces.wait_for_sight(state, zone)
        case m.Held():
            raise Unfinished("A-80", "out_of_order", "name_negative")
        case m.Undecided(cards):
            raise Unfinished("N-7", "out_of_order", "which_first", cards=cards)
        case m.Early(piece):
            raise Unfinished("N-6", "out_of_order", "unless_all_shown", piece=piece)
        case m.Ahead(card, shown):
            raise Unfinished(
                "N-6", "out_of_order", "is_of_next_turn", piece=card, card=min(shown, default=0), maybe=shown
            )
        case m.Untold(card, row):
            return stray_pieces.ask_unseen_card(state, card, row, late=True)
        case m.Whose(card):
            raise Unfinished("N-5", "out_of_order", "whose_card", card=card)
        case m.Renewed(kind, row, 0):
            raise Unfinished("A-10", "marker_already_there", "is_special_new", late=True, kind=kind, row=row)
        case m.Renewed(kind, row, card):
            raise Unfinished("A-10", "marker_already_there", "new_special", kind=kind, row=row, card=card)
        case m.Unreplaced("replace", card):
            raise Unfinished("A-61", "out_of_order", "unless_it_brought", card=card)
        case m.Unreplaced(_, card):
            raise Unfinished("A-61", "out_of_order", "unless_replace_brought", card=card)
        case m.Unnamed(player):
            raise Unfinished("R-5", "out_of_order", "which_card_played", player=player)
        case m.Unreturned(player):
            raise Unfinished("A-61", "out_of_order", "which_was_replaced", player=player)
        case m.Unplaced(card, rows):
            raise Unfinished("A-50", "wrong_row", "which_row_blocked", card=card, maybe=rows)
