"""6 nimmt!: base game, open draft, two halves and the anniversary specials, judged from the table."""

from collections.abc import Iterable

from engine import notation
from engine.game import Unfinished
from engine.games.nimmt import (
    adoption,
    draft,
    due_action,
    moves_from_table,
    player_changes,
    rounds,
    specials,
    stray_pieces,
    turns,
)
from engine.games.nimmt import moves as m
from engine.games.nimmt import view as viewing
from engine.games.nimmt import zones as sight
from engine.games.nimmt.cards import SPECIAL_CARDS
from engine.games.nimmt.match_options import OPTIONS, parse_rules
from engine.games.nimmt.special_hands import ROUND_1_SPECIALS
from engine.games.nimmt.state import Draft, SpecialCards, State
from engine.games.nimmt.table_plan import place, plan
from engine.options import BadOption, Option, Options, fill_options
from engine.plan import Plan
from engine.table import Gap, Layout, Placement, Table
from engine.view import View


class Nimmt:
    """6 nimmt! as a ``Game``."""

    name = "nimmt"
    options: tuple[Option, ...] = OPTIONS

    def plan(self, options: Options) -> Plan:
        return plan(parse_rules(fill_options(OPTIONS, options)))

    def start(self, options: Options) -> State:
        rules = parse_rules(options)
        spots = rules.spots or tuple(range(1, rules.players + 1))
        if rules.seats == "off" and rules.anniversary:
            raise BadOption("seats", "seats_for_specials")
        if len(set(spots)) != len(spots) or len(spots) != rules.players:
            raise BadOption("spots", "one_spot_each", n=rules.players)
        zones = plan(rules).zones
        for spot in spots if rules.seats == "on" else ():
            if f"seat:{spot}" not in zones:
                raise BadOption("spots", "no_such_seat", seat=spot)
        n, each = rules.players, ROUND_1_SPECIALS
        return State(
            rules,
            spots,
            "draft" if rules.variant == "professional" else "deal",
            dealt=n,
            shown=(None,) * n,
            piles=((),) * n,
            credit=(0,) * n,
            pads=((),) * n,
            brought=(0,) * n,
            draft=Draft((frozenset(),) * n) if rules.variant == "professional" else None,
            specials=SpecialCards((each,) * n, SPECIAL_CARDS - each * n) if rules.anniversary else None,
        )

    def parse(self, text: str) -> m.Move:
        return notation.parse_move(m.MOVES, text)

    def layout(self, state: State) -> Layout:
        return sight.layout(state)

    def view(self, state: State) -> View:
        return viewing.build_view(state)

    def arrange(self, state: State, table: Table) -> Layout:
        return sight.arrange(state, table)

    def place(self, state: State, layout: Layout) -> Table:
        return place(state.rules, layout)

    def read(self, state: State, gap: Gap) -> Iterable[m.Move]:
        return moves_from_table.read(state, gap)

    def due(self, state: State, gap: Gap) -> tuple[m.Move, ...]:
        return due_action.list_forced_moves(state, due_action.find_lifted_rows(state, gap))

    def removable(self, state: State, gap: Gap) -> frozenset[Placement]:
        return sight.list_removable(state, gap)

    def adopt(self, state: State, seen: Layout) -> State:
        return adoption.adopt(state, seen)

    def play(self, state: State, move: m.Move) -> State:
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
            case m.Unseen(zone):
                return stray_pieces.wait_for_sight(state, zone)
            case m.Undecided(cards):
                raise Unfinished("N-7", "out_of_order", "which_first", cards=cards)
