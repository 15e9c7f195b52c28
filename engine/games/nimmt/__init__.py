"""6 nimmt!: base game, open draft, two halves and the anniversary specials, judged from the table."""

from collections.abc import Iterable, Sequence

from engine import notation
from engine.games.nimmt import adoption, due_action, moves_from_table
from engine.games.nimmt import moves as m
from engine.games.nimmt import view as viewing
from engine.games.nimmt import zones as sight
from engine.games.nimmt.cards import SPECIAL_CARDS
from engine.games.nimmt.match_options import OPTIONS, parse_rules
from engine.games.nimmt.move_effects import play_move
from engine.games.nimmt.special_hands import ROUND_1_SPECIALS
from engine.games.nimmt.state import Draft, SpecialCards, State
from engine.games.nimmt.table_plan import place, plan
from engine.games.nimmt.turn_of_table import name_turn
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

    def read(self, state: State, gap: Gap) -> Iterable[moves_from_table.Told]:
        return moves_from_table.read(state, gap)

    def due(self, state: State, gap: Gap) -> tuple[m.Move, ...]:
        return due_action.list_forced_moves(state, due_action.find_lifted_rows(state, gap))

    def removable(self, state: State, gap: Gap) -> frozenset[Placement]:
        return sight.list_removable(state, gap)

    def adopt(self, state: State, seen: Layout) -> State:
        return adoption.adopt(state, seen)

    def complete(self, states: Sequence[State], seen: Layout) -> Layout:
        return name_turn(states, seen)

    def play(self, state: State, move: m.Move) -> State:
        return play_move(state, move)
