"""Mistakes of 6 nimmt! made with a button: entries at the wrong time, or about the wrong player or card."""

import random
from collections.abc import Iterator
from typing import Any

from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import HEADS
from engine.games.nimmt.state import State
from engine.log import Log
from firmware.simulation.mistakes.mistake import Mistake, wrong_entry
from firmware.simulation.mistakes.nimmt_rows import RowsOnTable, seat_of, slot_of


def list_mistakes(log: Log[Any, Any], move: m.Move, rng: random.Random) -> Iterator[Mistake]:
    state = log.state
    match move:
        case m.Pick(_, cards) if len(state.players()) > 1:
            wrong = state.picked + state.round + state.rules.first - 1
            player = wrong % len(state.seats) + 1  # the player after the one whose turn it is
            yield wrong_entry("picked out of turn", f"pick {player} {cards[0]}", by="P-4", why="out_of_order")
        case m.Choose() | m.Reveal() | m.Lay():
            yield from _at_any_time(state)
        case m.Take():
            yield from _takes(state, rng)
        case m.Negpos(card, cancel):
            yield from _negpos(state, card, cancel)
        case m.Next():
            if state.rules.variant != "base":
                yield wrong_entry("joins a game that cannot be joined", "join 5", by="N-30", why="player_count")
            elif state.rules.seats == "on" and len(state.players()) < 10:
                taken = seat_of(state, state.players()[0])
                yield wrong_entry("joins at a seat that is taken", f"join {taken}", by="N-30", why="occupied")
        case _:
            pass
    if isinstance(move, m.Shift) and not slot_of(state).restarts:
        yield from _shifts(state, move)


def _at_any_time(state: State) -> Iterator[Mistake]:
    """Mistakes that are possible during any turn."""
    yield wrong_entry("next round in the middle of one", "next", by="N-24", why="table_not_cleared")
    yield wrong_entry("half-time with cards in the hands", "hands", by="H-5", why="hands_not_empty")
    yield wrong_entry("stranger leaves the game", f"leave {len(state.seats) + 1}", by="N-29", why="out_of_order")
    if state.rules.variant == "base" and len(state.players()) < 10:
        yield wrong_entry("joins in the middle of a round", "join 6", by="N-30", why="out_of_order")
    if not state.unowned:
        yield wrong_entry("take claimed that was not made", "who 1", by="N-17", why="no_row_taken")
    shown = next((p for p, card in enumerate(state.shown, 1) if card), 0)
    if shown and not state.unowned:
        yield wrong_entry(
            "changes seats with a card shown", f"sit {shown} {seat_of(state, shown)}", by="N-6", why="out_of_order"
        )
    if state.rules.anniversary:
        slot = state.slot
        if slot is None or not slot.special or slot.used:
            player = state.actor or 1
            yield wrong_entry(
                "special handed back that was not played", f"handback {player}", by="A-11", why="out_of_order"
            )
        stranger = next(p for p in state.players() if p != state.taker)
        if not state.owed:
            yield wrong_entry("exchange without a take", f"exchange {stranger}", by="A-90", why="no_row_taken")
        if state.taker and not state.specials_of(state.taker) and not state.owed:
            yield wrong_entry(
                "exchange with no special in hand", f"exchange {state.taker}", by="A-90", why="no_special_in_hand"
            )


def _takes(state: State, rng: random.Random) -> Iterator[Mistake]:
    """A wrong row is named as the one to be taken."""
    slot = slot_of(state)
    if slot.special:
        return
    rows = RowsOnTable(state)
    if home := rows.nearest(slot.card):
        others = [r for r in rows.open if r != home]
        if others:
            yield wrong_entry("wrong row named", f"take {rng.choice(others)}", by="N-12", why="wrong_row")
    if rows.blocked:
        yield wrong_entry("blocked row named", f"take {rng.choice(rows.blocked)}", by="A-51", why="row_blocked")
    missing = [r for r in range(1, 6) if r not in rows.all]
    if missing:
        yield wrong_entry("row named that is not there", f"take {missing[0]}", by="N-15", why="wrong_row")


def _negpos(state: State, card: int, cancel: tuple[int, ...]) -> Iterator[Mistake]:
    """A-80 to A-84: the entry must name a card of the taken row, and other cards for exactly its heads."""
    player = state.taker
    if player is None:
        return
    pile = state.piles[player - 1]
    words = ",".join(map(str, cancel)) or "-"
    foreign = [c for c in pile if c not in state.owed]
    if foreign:
        # with five rows this includes the card just played
        yield wrong_entry("card named that was not in the row", f"negpos {foreign[-1]} {words}", by="A-80 A-84",
                   why="card_not_in_taken_row")  # fmt: skip
    others = [c for c in pile if c != card]
    if sum(HEADS[c] for c in others) > HEADS[card] + state.credit[player - 1]:
        every = ",".join(map(str, others))
        yield wrong_entry("more cancelled than the card is worth", f"negpos {card} {every}", by="A-83",
                   why="card_not_in_taken_row")  # fmt: skip
    stranger = next(c for c in state.deck if c not in pile)
    yield wrong_entry("card cancelled that is not in the pile", f"negpos {card} {stranger}", by="A-81",
               why="card_not_in_taken_row")  # fmt: skip


def _shifts(state: State, move: m.Shift) -> Iterator[Mistake]:
    """A hand covers the row, so the Move is entered with a button (section 11 of the rulebook)."""
    source = next(r for r, cards in RowsOnTable(state).cards.items() if move.card in cards)
    yield wrong_entry("moved to its own row", f"shift {move.card} {source}", by="A-70", why="same_row")
    waiting = [card for card in state.shown if card and card != slot_of(state).card]
    if waiting:
        yield wrong_entry("waiting card moved", f"shift {waiting[0]} {move.row}", by="A-71", why="card_not_in_a_row")
