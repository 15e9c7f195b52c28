"""Faults of 6 nimmt!: a turn's cards shown, laid and taken wrongly."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.games.nimmt import moves as m
from engine.games.nimmt.state import State
from engine.log import Log
from engine.table import Layout
from firmware.simulation.mistakes import opening, presses, specials
from firmware.simulation.mistakes.mistake import Mistake, add, carry, off, put, seen
from firmware.simulation.mistakes.rows import RowsOnTable, due_seat, fresh, gone_by, seat, slot_of


def faults(
    log: Log[Any, Any], move: m.Move, rng: random.Random, hands: Mapping[int, Sequence[int]]
) -> Iterator[Mistake]:
    state, now = log.state, log.game.layout(log.state)
    slot = state.slot
    yield from presses.faults(log, move, rng)
    yield from opening.faults(state, now, move, rng)
    match move:
        case m.Choose() | m.Reveal():
            yield from _shown(state, now, rng)
        case m.Tidy(zone) if (
            slot and zone == f"row:{slot.restarts}" and RowsOnTable(log.states[-2]).nearest(slot.card) and slot.player
        ):
            on = carry(now, str(slot.card), f"seat:{due_seat(state)}", zone)
            yield seen("laid on a row named, but not lifted", on, by="N-12", why="row_not_taken", soft=True)
        case m.Lay() | m.Take():
            if state.rules.seats == "on":
                yield from _beside_the_slot(state, now, rng)
            if not (slot and (slot.special or slot.restarts)):
                yield from _laid(state, now, rng)
        case _:
            pass
    if state.rules.anniversary:
        yield from specials.faults(state, now, move, rng)
    elif state.rules.seats == "on" and state.phase in ("choose", "lay"):
        look = add(now, f"special:{seat(state, rng.choice(list(state.players())))}", "block")
        yield seen("special card in a game without them", look, by="A-1", why="out_of_order")


def _shown(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Cards are chosen and turned up."""
    if state.rules.seats == "off" or state.phase != "choose":
        yield from _out_of_turn_without_seats(state, now, rng)
        return
    players = list(state.players())
    rng.shuffle(players)
    waiting = [p for p in players if not state.shown[p - 1]]
    cards = fresh(state)
    rows = RowsOnTable(state)
    at = f"seat:{seat(state, waiting[0])}"
    if cards:
        row = f"row:{rng.choice(rows.all)}"
        straight = add(put(now, at), row, str(rng.choice(cards)))
        yield seen("card laid before all have shown theirs", straight, by="N-6", why="out_of_order")
    for player in players:
        if card := state.shown[player - 1]:
            early = carry(now, str(card), f"seat:{seat(state, player)}", f"row:{rng.choice(rows.all)}")
            yield seen("shown card laid before all have shown theirs", early, by="N-6", why="out_of_order")
            if cards:
                both = add(now, f"seat:{seat(state, player)}", str(rng.choice(cards)))
                # one card each (N-5), and no changing one's mind (N-6): a second card breaks either
                yield seen("second card shown at one seat", both, by="N-5 N-6", why="out_of_order")
                change = put(now, f"seat:{seat(state, player)}", str(rng.choice(cards)))
                # the first one is in the air, so it is not yet wrong
                yield seen("shown card changed for another", change, by="N-6", why="out_of_order", soft=True)
            break
    yield from _impossible_numbers(state, now, at, waiting[0], rng)
    yield from _nobodys_seat(state, now, rng)
    yield from _disturbed(state, now, rng)


def _impossible_numbers(state: State, now: Layout, at: str, player: int, rng: random.Random) -> Iterator[Mistake]:
    """Shown: a number that was taken, that another one shows, that lies, or that is not in play."""
    taken = gone_by(state)
    if taken:
        look = put(now, at, str(rng.choice(taken)))
        yield seen("taken card played again", look, by="N-8", why="already_seen")
    doubles = [card for card in state.shown if card]
    if doubles:
        # two prints of one card, or one card read at two places
        yield seen("number shown twice", put(now, at, str(rng.choice(doubles))), by="N-8", why="duplicate_card")
    lying = [card for row in RowsOnTable(state).cards.values() for card in row]
    look = put(now, at, str(rng.choice(lying)))
    yield seen("number shown that lies in a row", look, by="N-8", why="already_seen")
    if state.draft:
        players = state.dealt
        if players < 10:
            look = put(now, at, str(rng.randint(10 * players + 5, 104)))
            # a number outside the deck (N-8): these cards are out (P-2)
            yield seen("card shown that is not in play", look, by="N-8 P-2", why="not_in_deck")
        mine = state.draft.picks[player - 1]
        foreign = [c for c in fresh(state) if c not in mine and any(c in picks for picks in state.draft.picks)]
        if foreign:
            look = put(now, at, str(rng.choice(foreign)))
            yield seen("card shown that another one picked", look, by="P-6", why="not_in_drafted_hand")


def _nobodys_seat(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    sitting = {seat(state, player) for player in state.players()}
    last = 8 if state.rules.anniversary else 6  # the smallest table has so many
    empty = [s for s in range(1, last + 1) if s not in sitting and f"seat:{s}" not in now.zones]
    if empty and fresh(state):
        look = add(now, f"seat:{rng.choice(empty)}", str(rng.choice(fresh(state))))
        yield seen("card shown where nobody sits", look, by="N-5", why="out_of_order")


def _disturbed(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """What lies is carried about, or lifted without need."""
    rows = RowsOnTable(state)
    source, target = rng.sample(rows.all, 2)
    card = rng.choice(rows.cards[source])
    look = carry(now, str(card), f"row:{source}", f"row:{target}")
    # only a Move ever lets a lying card change its row
    yield seen("lying card carried to another row", look, by="A-70", why="out_of_order wrong_row")
    for row in rng.sample(rows.all, len(rows.all)):
        if len(rows.cards[row]) > 1:
            mixed = list(rows.cards[row])
            while mixed == list(rows.cards[row]):
                rng.shuffle(mixed)
            look = put(now, f"row:{row}", *map(str, mixed))
            yield seen("cards of a row changed about", look, by="N-9", why="out_of_order wrong_row")
            break
    if state.phase == "choose":
        look = put(now, f"row:{source}")  # in the air: it may come back
        yield seen("row lifted between two turns", look, by="N-12", why="row_not_taken", soft=True)


def _beside_the_slot(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Laying is on: somebody else lays or shows a card."""
    rows, cards = RowsOnTable(state), fresh(state)
    waiting = [p for p in state.players() if state.shown[p - 1] and p != state.actor]
    for player in rng.sample(waiting, min(1, len(waiting))):
        card = state.shown[player - 1] or 0
        row = rows.nearest(card) or rng.choice(rows.all)
        look = carry(now, str(card), f"seat:{seat(state, player)}", f"row:{row}")
        yield seen("card laid out of order", look, by="N-7", why="out_of_order")
    if not cards:
        return
    look = add(now, f"row:{rng.choice(rows.all)}", str(rng.choice(cards)))
    yield seen("card laid that nobody has shown", look, by="N-6", why="out_of_order")
    done = [p for p in state.players() if not state.shown[p - 1] and p != state.actor]
    if done:
        look = put(now, f"seat:{seat(state, rng.choice(done))}", str(rng.choice(cards)))
        yield seen("next card turned up before all are laid", look, by="N-6", why="out_of_order")
    if taken := gone_by(state):
        look = add(now, f"row:{rng.choice(rows.all)}", str(rng.choice(taken)))
        yield seen("taken card laid again", look, by="N-8", why="already_seen")
    if not slot_of(state).special:
        yield from _disturbed(state, now, rng)


def _laid(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """The due card, where it does not belong."""
    rows, slot = RowsOnTable(state), slot_of(state)
    card = str(slot.card)
    hand = off(now, (card, f"seat:{due_seat(state)}")) if slot.player else now
    home = rows.nearest(slot.card)
    higher = [r for r in rows.open if rows.end(r) > slot.card]
    if not home:
        look = add(hand, f"row:{rng.choice(higher)}", card)
        # taking is compulsory (N-15), and comes before laying (N-19)
        yield seen("low card laid without a row taken", look, by="N-15 N-19", why="row_not_taken")
        taken, other = rng.sample(rows.open, 2)
        lifted = put(hand, f"row:{taken}")
        if not rows.five:
            beside = add(lifted, f"row:{other}", card)
            yield seen("low card laid beside the row it took", lifted, beside, by="N-16", why="wrong_row")
        return
    full, here = rows.room(home) < 1, f"row:{home}"
    if higher:
        yield seen("behind a higher end", add(hand, f"row:{rng.choice(higher)}", card), by="N-9", why="wrong_row")
    lower = [r for r in rows.open if r != home and rows.end(r) < slot.card]
    if lower:
        look = add(hand, f"row:{rng.choice(lower)}", card)
        if full:
            lifted = put(look, here)
            yield seen("full row taken, its card laid elsewhere", lifted, by="N-12", why="wrong_row")
        kind = "full row dodged" if full else "behind a lower end that is not the nearest"
        yield seen(kind, look, by="N-12" if full else "N-10", why="wrong_row")
    elsewhere = [r for r in rows.open if r != home]
    if elsewhere:
        wrong = f"row:{rng.choice(elsewhere)}"
        # the card has a place (N-10), and with room there no take is due (N-12)
        yield seen("wrong row taken", put(hand, wrong, card), by="N-12" if full else "N-10 N-12", why="wrong_row")
        if slot.player:  # else nobody knows yet whose card is to come
            look = put(now, wrong)
            yield seen("wrong row lifted", look, by="N-12" if full else "N-10 N-12",
                       why="wrong_row", soft=True)  # fmt: skip
    if full:
        yield from _full(state, hand, home, rng)
        return
    inside = list(hand.zones[here])
    inside.insert(rng.randrange(len(inside)), card)
    yield seen("left of the end", put(hand, here, *inside), by="N-9", why="wrong_row")
    alone = put(hand, here, card)  # the row's cards are in the air
    yield seen("row with room taken", alone, by="N-10 N-12", why="wrong_row", soft=True)


def _full(state: State, hand: Layout, home: int, rng: random.Random) -> Iterator[Mistake]:
    """The row is full and has to be taken (N-12); with a Take-at-7 it holds six (A-31)."""
    rows, card, here = RowsOnTable(state), str(slot_of(state).card), f"row:{home}"
    by = "N-12 A-31" if "seven" in rows.marks[home] else "N-12"
    more = add(hand, here, card)
    yield seen("sixth card on a full row", more, by=by, why="row_not_taken", soft=True)
    part = put(hand, here, rng.choice(hand.zones[here]), card)
    yield seen("full row taken but for one card", part, by=by, why="row_not_taken", soft=True)
    later = sorted((c, p) for p, c in enumerate(state.shown, 1) if c and c > slot_of(state).card)
    others = [r for r in rows.open if r != home]
    if not later or not others:
        return
    follower, player = str(later[0][0]), later[0][1]
    at, row = f"seat:{seat(state, player)}", f"row:{rng.choice(others)}"
    both = carry(more, follower, at, row)
    yield seen("sixth card left on a full row and another laid", more, both, by=by, why="row_not_taken")
    if not rows.five:
        gone = put(hand, here)
        # the card stays in play (N-17): the next one is laid before it (N-7). Both are in the air, so it is asked
        yield seen("played card taken with the row", gone, carry(gone, follower, at, row), by="N-17 N-7",
                   why="out_of_order row_not_taken", soft=True)  # fmt: skip


def _out_of_turn_without_seats(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Cards come straight to the rows: still the lowest first (N-7)."""
    lower = [card for card in fresh(state) if state.laid and card < state.laid[-1]]
    if lower:
        look = add(now, f"row:{rng.choice(RowsOnTable(state).all)}", str(rng.choice(lower)))
        yield seen("lower card laid after a higher one", look, by="N-7", why="out_of_order")
    if taken := gone_by(state):
        look = add(now, f"row:{rng.choice(RowsOnTable(state).all)}", str(rng.choice(taken)))
        yield seen("taken card laid again", look, by="N-8", why="already_seen")
