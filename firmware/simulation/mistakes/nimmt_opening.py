"""Mistakes of 6 nimmt! before the first turn of a round: the open draft and the first cards of the rows."""

import random
from collections.abc import Iterator

from engine.games.nimmt import moves as m
from engine.games.nimmt.state import State
from engine.table import Layout
from firmware.simulation.mistakes.mistake import Mistake, add_pieces, remove_pieces, set_zone, wrong_table
from firmware.simulation.mistakes.nimmt_rows import seat_of


def list_mistakes(state: State, now: Layout, move: m.Move, rng: random.Random) -> Iterator[Mistake]:
    match move:
        case m.Spread(cards):
            if not now.zones:
                yield from _spread(state, now, cards, rng)
        case m.Pick(_, cards):
            yield from _picked(state, now, cards, rng)
        case m.Deal(cards):
            yield from _dealt(state, now, cards, rng)
        case m.Tidy(zone) if state.phase == "deal" and zone.startswith("row"):
            card = rng.choice([card for card in state.deck if str(card) not in now.zones[zone]])
            late = add_pieces(now, zone, str(card))
            yield wrong_table(
                "dealt before the last round was cleared", late, by="N-28", why="table_not_cleared", soft=True
            )
        case _:
            pass


def _spread(state: State, now: Layout, cards: tuple[int, ...], rng: random.Random) -> Iterator[Mistake]:
    """P-2: the spread is the whole deck and nothing else."""
    pieces = [str(card) for card in cards]
    if state.dealt < 10:
        high = str(rng.randint(10 * state.dealt + 5, 104))
        yield wrong_table("card in the spread that is not in play", set_zone(now, "spread", *pieces, high), by="P-2",
                   why="not_in_deck")  # fmt: skip
    twice = sorted((*cards, rng.choice(cards)))
    yield wrong_table(
        "number twice in the spread", set_zone(now, "spread", *map(str, twice)), by="N-8", why="duplicate_card"
    )
    short = list(pieces)
    short.remove(rng.choice(short))
    yield wrong_table("spread that lacks a card", set_zone(now, "spread", *short), by="P-2", soft=True)


def _picked(state: State, now: Layout, cards: tuple[int, ...], rng: random.Random) -> Iterator[Mistake]:
    picked = sorted(set().union(*state.draft.picks)) if state.draft else []
    if picked:
        back = sorted((*state.spread, rng.choice(picked)))
        yield wrong_table(
            "picked card laid back", set_zone(now, "spread", *map(str, back)), by="P-4", why="out_of_order"
        )
    if len(state.spread) == 5:
        more = next(card for card in state.spread if card not in cards)
        left = remove_pieces(
            now, (str(cards[0]), "spread"), (str(more), "spread")
        )  # only lifted: the card may come back
        yield wrong_table("one of the last four picked", left, by="P-5", why="out_of_order", soft=True)


def _dealt(state: State, now: Layout, cards: tuple[int, ...], rng: random.Random) -> Iterator[Mistake]:
    """N-3: four cards, one for each row, before any player shows a card."""
    first, second, third, fourth = map(str, cards)
    rows = {f"row:{number}": (str(card),) for number, card in enumerate(cards, 1)}
    if state.lying:
        return
    if state.draft:
        picked = [card for picks in state.draft.picks for card in picks]
        if picked:
            wrong = Layout(rows | {"row:4": (str(rng.choice(picked)),)})
            # the card that belongs there is in a hand
            yield wrong_table(
                "picked card starts a row", wrong, by="P-4 P-5", why="not_in_deck out_of_order", soft=True
            )
        return
    # dealing goes on: a card may still be moved
    heap = Layout({"row:1": (first,), "row:2": (second, third), "row:3": (fourth,)})
    yield wrong_table("two cards dealt to one row", heap, by="N-3", soft=True)
    same = Layout(rows | {"row:4": (first,)})
    yield wrong_table("number twice among the first cards", same, by="N-8", why="duplicate_card")
    if state.rules.seats == "on":
        card = rng.choice([c for c in state.deck if c not in cards])
        at = f"seat:{seat_of(state, rng.choice(state.players()))}"
        early = Layout({at: (str(card),)})
        yield wrong_table("card shown before the rows are dealt", early, by="N-3", why="out_of_order")
