"""SIX: hexagons on an open table; lay in phase 1, lift and lay in phase 2, and what is cut off leaves."""

from collections.abc import Iterator, Sequence

from engine import notation
from engine.games.six import adoption, moves_from_table, table_plan, turns
from engine.games.six import view as screen
from engine.games.six import zones as sight
from engine.games.six.match_options import OPTIONS
from engine.games.six.moves import ACTS, Act, Clear
from engine.games.six.state import State, Terms
from engine.games.six.tile_change import Story
from engine.options import BadOption, Options, fill_options, get_number, get_word
from engine.plan import Plan
from engine.table import Gap, Layout, Placement, Table
from engine.view import View


class Six:
    name = "six"
    options = OPTIONS

    def plan(self, options: Options) -> Plan:
        choice = fill_options(OPTIONS, options)
        return table_plan.plan(get_number(choice, "width"), get_number(choice, "height"))

    def start(self, options: Options) -> State:
        choice = fill_options(OPTIONS, options)
        plan = self.plan(choice)
        starter, spaced = get_word(choice, "first"), bool(get_number(choice, "first_tile_restriction"))
        notice = get_number(choice, "repetition_notice")
        if notice == 1:
            raise BadOption("repetition_notice", "option_words", value="1", words="0 2 3 4 5 6 7 8 9")
        return State(Terms(starter, spaced, notice, plan.width, plan.height), starter)

    def parse(self, text: str) -> Act:
        return notation.parse_move(ACTS, text)

    def layout(self, state: State) -> Layout:
        return sight.layout(state)

    def view(self, state: State) -> View:
        return screen.build_view(state)

    def arrange(self, state: State, table: Table) -> Layout:
        return sight.arrange(state, table)

    def place(self, state: State, layout: Layout) -> Table:
        return sight.place(state, layout)

    def read(self, state: State, gap: Gap) -> Iterator[Story]:
        return moves_from_table.read(state, gap)

    def due(self, state: State, gap: Gap) -> tuple[Act, ...]:
        return (Clear(),) if state.litter else ()

    def removable(self, state: State, gap: Gap) -> frozenset[Placement]:
        return sight.list_removable(state, gap)

    def complete(self, states: Sequence[State], seen: Layout) -> Layout:
        return seen

    def adopt(self, state: State, seen: Layout) -> State:
        return adoption.adopt(state, seen)

    def play(self, state: State, move: Act) -> State:
        return turns.play_move(state, move)
