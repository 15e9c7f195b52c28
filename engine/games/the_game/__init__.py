"""The Game: everyone against the deck, on two piles going up and two going down."""

from collections.abc import Iterable, Sequence

from engine import notation
from engine.game import Doubtful, Illegal
from engine.games.the_game import adoption, moves_from_table, table_plan, turns, zones
from engine.games.the_game import view as screens
from engine.games.the_game.match_options import MOST_PLAYERS, OPTIONS
from engine.games.the_game.moves import MOVES, Move
from engine.games.the_game.rules import hand_size
from engine.games.the_game.state import State
from engine.options import BadOption, Options, fill_options, get_number, get_word
from engine.plan import Plan
from engine.table import Gap, Layout, Placement, Table
from engine.view import View


class TheGame:
    """A turn lasts until ``done``: the camera does not see who lays a card, so further cards belong to the turn.

    Only when a player has no card left, the next card is certainly the next player's.
    """

    name = "thegame"
    options = OPTIONS

    def plan(self, options: Options) -> Plan:
        choice = fill_options(self.options, options)
        return table_plan.plan(*_size(choice), get_word(choice, "start_cards"))

    def start(self, options: Options) -> State:
        players, first, level = get_number(options, "players"), get_number(options, "first"), get_word(options, "level")
        if not 1 <= players <= MOST_PLAYERS:
            raise Illegal("G-1", "player_count", "players_from_to", low=1, high=MOST_PLAYERS)
        if not 1 <= first <= players:
            raise BadOption("first", "option_range", value=str(first), low=1, high=players)
        self.plan(options)
        hands = (hand_size(players, level),) * players
        return State(_size(options), level, hands, first, arrangement=get_word(options, "start_cards"))

    def play(self, state: State, move: Move) -> State:
        return turns.play_move(state, move)

    def layout(self, state: State) -> Layout:
        return zones.layout(state)

    def view(self, state: State) -> View:
        return screens.build_view(state)

    def arrange(self, state: State, table: Table) -> Layout:
        return zones.arrange(state, table)

    def place(self, state: State, layout: Layout) -> Table:
        return table_plan.place(state, layout)

    def read(self, state: State, gap: Gap) -> Iterable[Move | Doubtful[Move]]:
        return moves_from_table.read(state, gap)

    def due(self, state: State, gap: Gap) -> tuple[Move, ...]:
        return ()  # every card may go on several piles, and back to the hand

    def removable(self, state: State, gap: Gap) -> frozenset[Placement]:
        return zones.list_removable(state, gap)

    def complete(self, states: Sequence[State], seen: Layout) -> Layout:
        return seen

    def adopt(self, state: State, seen: Layout) -> State:
        return adoption.adopt(state, seen)

    def parse(self, text: str) -> Move:
        return notation.parse_move(MOVES, text)


def _size(options: Options) -> tuple[int, int]:
    return get_number(options, "width"), get_number(options, "height")
