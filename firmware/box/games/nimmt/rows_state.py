"""The rows, seats and piles of 6 nimmt! as a screen draws them."""

from collections.abc import Mapping

from engine.games.nimmt.cards import HEADS, count_heads, find_kind, is_number_card
from engine.games.nimmt.due_action import find_due_action
from engine.games.nimmt.state import ROWS, State
from engine.table import BACK
from firmware.box.table_state import CardState, DueState, PileState, RowsState, RowState, SeatState


def rows_state(state: State, zones: Mapping[str, tuple[str, ...]]) -> RowsState:
    done = state.phase in ("over", "end")
    rows = [r for r in ROWS if r < 5 or state.five_rows() or zones.get(f"row:{r}")]
    return RowsState(
        state.round,
        state.phase,
        [_row(state, r, zones) for r in rows],
        [_seat(state, player, zones) for player in state.players()] if state.rules.seats == "on" else [],
        [_card(number) for number in state.spread],
        [PileState(player, [_card(c) for c in pile]) for player, pile in enumerate(state.piles, 1) if pile and done],
        _due(state),
    )


def _row(state: State, number: int, zones: Mapping[str, tuple[str, ...]]) -> RowState:
    cards = state.row(number)
    lie = [int(piece) for piece in zones.get(f"row:{number}", ()) if is_number_card(piece)]
    marks = {*state.marks[number - 1], *filter(None, map(find_kind, zones.get(f"mark:{number}", ())))}
    return RowState(number, [_card(c, litter=c not in cards) for c in lie], sorted(marks), count_heads(cards))


def _seat(state: State, player: int, zones: Mapping[str, tuple[str, ...]]) -> SeatState:
    spot = state.seats[player - 1]
    shown = state.shown[player - 1]
    card = str(shown) if shown else BACK if player in state.chosen else None
    special = next(iter(zones.get(f"special:{spot}", ())), None)
    return SeatState(player, spot, card, find_kind(special) if special else None)


def _due(state: State) -> DueState | None:
    due = find_due_action(state)
    if due is None:
        return None
    return DueState(due.player or None, str(due.card), [due.row] if due.row else list(due.choices), due.take)


def _card(number: int, *, litter: bool = False) -> CardState:
    return CardState(str(number), HEADS[number], litter)
