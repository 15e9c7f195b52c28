"""Mistakes of 6 nimmt!: cards of a turn shown, placed or taken wrongly."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.games.nimmt import moves as m
from engine.games.nimmt.rounds import may_deal_again
from engine.games.nimmt.state import State
from engine.log import Log
from engine.table import Layout
from firmware.simulation.mistakes import nimmt_entries, nimmt_opening, nimmt_specials
from firmware.simulation.mistakes.mistake import Mistake, add_pieces, move_piece, remove_pieces, set_zone, wrong_table
from firmware.simulation.mistakes.nimmt_rows import (
    RowsOnTable,
    due_seat,
    list_taken_cards,
    list_unseen_cards,
    may_all_have_shown,
    seat_of,
    slot_of,
)


def list_mistakes(
    log: Log[Any, Any], move: m.Move, rng: random.Random, hands: Mapping[int, Sequence[int]]
) -> Iterator[Mistake]:
    state, now = log.state, log.game.layout(log.state)
    slot = state.slot
    yield from nimmt_entries.list_mistakes(log, move, rng)
    yield from nimmt_opening.list_mistakes(state, now, move, rng)
    match move:
        case m.Choose() | m.Reveal():
            yield from _shown(state, now, rng)
        case m.Tidy(zone) if (
            slot and zone == f"row:{slot.restarts}" and RowsOnTable(log.states[-2]).nearest(slot.card) and slot.player
        ):
            on = move_piece(now, str(slot.card), f"seat:{due_seat(state)}", zone)
            yield wrong_table("laid on a row named, but not lifted", on, by="N-12", why="row_not_taken", soft=True)
        case m.Lay() | m.Take():
            if state.rules.seats == "on":
                yield from _beside_the_slot(state, now, rng)
            if not (slot and (slot.special or slot.restarts)):
                yield from _laid(state, now, rng)
        case _:
            pass
    if state.rules.anniversary:
        yield from nimmt_specials.list_mistakes(state, now, move, rng)
    elif state.rules.seats == "on" and state.phase in ("choose", "lay"):
        look = add_pieces(now, f"special:{seat_of(state, rng.choice(state.players()))}", "block")
        yield wrong_table("special card in a game without them", look, by="A-1", why="out_of_order")


def _shown(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Mistakes while cards are chosen and shown."""
    if state.rules.seats == "off" or state.phase != "choose":
        yield from _out_of_turn_without_seats(state, now, rng)
        return
    players = list(state.players())
    rng.shuffle(players)
    waiting = [p for p in players if not state.shown[p - 1]]
    cards = list_unseen_cards(state)
    rows = RowsOnTable(state)
    at = f"seat:{seat_of(state, waiting[0])}"
    # the card of the only player who shows none may be laid, unless a lower one is shown
    late = cards if len(waiting) > 1 else [card for card in cards if card > min(filter(None, state.shown), default=0)]
    if late:
        row = f"row:{rng.choice(rows.all)}"
        straight = add_pieces(set_zone(now, at), row, str(rng.choice(late)))
        yield wrong_table(
            "card laid before all have shown theirs",
            straight,
            by="N-6 N-7 P-6",
            why="out_of_order not_in_drafted_hand",
            soft=may_all_have_shown(state, straight),
        )
    for player in players:
        if card := state.shown[player - 1]:
            early = move_piece(now, str(card), f"seat:{seat_of(state, player)}", f"row:{rng.choice(rows.all)}")
            yield wrong_table(
                "shown card laid before all have shown theirs",
                early,
                by="N-6",
                why="out_of_order",
                soft=may_all_have_shown(state, early),
            )
            if cards:
                both = add_pieces(now, f"seat:{seat_of(state, player)}", str(rng.choice(cards)))
                # one card each (N-5), and a choice is final (N-6): a second card breaks either
                yield wrong_table("second card shown at one seat", both, by="N-5 N-6", why="out_of_order")
                change = set_zone(now, f"seat:{seat_of(state, player)}", str(rng.choice(cards)))
                # the first card is in a hand, so it is not yet wrong
                yield wrong_table("shown card changed for another", change, by="N-6", why="out_of_order", soft=True)
            break
    yield from _impossible_numbers(state, now, at, waiting[0], rng)
    yield from _empty_seat(state, now, rng)
    yield from _disturbed(state, now, rng)


def _impossible_numbers(state: State, now: Layout, at: str, player: int, rng: random.Random) -> Iterator[Mistake]:
    """A shown number that was taken, is shown by another player, is in a row, or is not in play."""
    taken = list_taken_cards(state)
    if taken:
        look = set_zone(now, at, str(rng.choice(taken)))
        yield wrong_table("taken card played again", look, by="N-8", why="already_seen")
    doubles = [card for card in state.shown if card]
    if doubles:
        # two copies of one card, or one card read at two places; where there is one copy it was carried off (N-6)
        yield wrong_table("number shown twice", set_zone(now, at, str(rng.choice(doubles))), by="N-6 N-8",
                   why="duplicate_card out_of_order")  # fmt: skip
    lying = [card for row in RowsOnTable(state).cards.values() for card in row]
    look = set_zone(now, at, str(rng.choice(lying)))
    yield wrong_table("number shown that is in a row", look, by="N-8", why="already_seen")
    if state.draft:
        players = state.dealt
        if players < 10:
            look = set_zone(now, at, str(rng.randint(10 * players + 5, 104)))
            # a number outside the deck (N-8): these cards are not used (P-2)
            yield wrong_table("card shown that is not in play", look, by="N-8 P-2", why="not_in_deck")
        mine = state.draft.picks[player - 1]
        foreign = [
            c for c in list_unseen_cards(state) if c not in mine and any(c in picks for picks in state.draft.picks)
        ]
        if foreign:
            look = set_zone(now, at, str(rng.choice(foreign)))
            yield wrong_table("card shown that another one picked", look, by="P-6", why="not_in_drafted_hand")


def _empty_seat(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    sitting = {seat_of(state, player) for player in state.players()}
    last = 8 if state.rules.anniversary else 6  # seats on the smallest table
    empty = [s for s in range(1, last + 1) if s not in sitting and f"seat:{s}" not in now.zones]
    if empty and list_unseen_cards(state):
        look = add_pieces(now, f"seat:{rng.choice(empty)}", str(rng.choice(list_unseen_cards(state))))
        yield wrong_table("card shown at an empty seat", look, by="N-5", why="out_of_order")


def _disturbed(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Cards on the table are moved or lifted without need."""
    rows = RowsOnTable(state)
    source, target = rng.sample(rows.all, 2)
    card = rng.choice(rows.cards[source])
    look = move_piece(now, str(card), f"row:{source}", f"row:{target}")
    if not may_deal_again(state):  # only the special card Move lets a card change its row
        yield wrong_table("lying card carried to another row", look, by="A-70", why="out_of_order wrong_row")
    for row in rng.sample(rows.all, len(rows.all)):
        if len(rows.cards[row]) > 1:
            mixed = list(rows.cards[row])
            while mixed == list(rows.cards[row]):
                rng.shuffle(mixed)
            look = set_zone(now, f"row:{row}", *map(str, mixed))
            yield wrong_table("cards of a row swapped", look, by="N-9", why="out_of_order wrong_row")
            break
    if state.phase == "choose":
        look = set_zone(now, f"row:{source}")  # in a hand: the row may come back
        yield wrong_table("row lifted between two turns", look, by="N-12", why="row_not_taken", soft=True)


def _beside_the_slot(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """While cards are placed, another player places or shows a card."""
    rows, cards = RowsOnTable(state), list_unseen_cards(state)
    waiting = [p for p in state.players() if state.shown[p - 1] and p != state.actor]
    for player in rng.sample(waiting, min(1, len(waiting))):
        card = state.shown[player - 1] or 0
        row = rows.nearest(card) or rng.choice(rows.all)
        look = move_piece(now, str(card), f"seat:{seat_of(state, player)}", f"row:{row}")
        yield wrong_table("card laid out of order", look, by="N-7", why="out_of_order")
    if not cards:
        return
    look = add_pieces(now, f"row:{rng.choice(rows.all)}", str(rng.choice(cards)))
    yield wrong_table("card laid that was not shown", look, by="N-6", why="out_of_order")
    done = [p for p in state.players() if not state.shown[p - 1] and p != state.actor]
    if done:
        look = set_zone(now, f"seat:{seat_of(state, rng.choice(done))}", str(rng.choice(cards)))
        yield wrong_table("next card turned up before all are laid", look, by="N-6", why="out_of_order")
    if taken := list_taken_cards(state):
        look = add_pieces(now, f"row:{rng.choice(rows.all)}", str(rng.choice(taken)))
        yield wrong_table("taken card laid again", look, by="N-8", why="already_seen")
    if not slot_of(state).special:
        yield from _disturbed(state, now, rng)


def _laid(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """The due card in a wrong place."""
    rows, slot = RowsOnTable(state), slot_of(state)
    card = str(slot.card)
    hand = remove_pieces(now, (card, f"seat:{due_seat(state)}")) if slot.player else now
    home = rows.nearest(slot.card)
    higher = [r for r in rows.open if rows.end(r) > slot.card]
    if not home:
        look = add_pieces(hand, f"row:{rng.choice(higher)}", card)
        # taking is compulsory (N-15), and comes before placing the card (N-19)
        yield wrong_table("low card laid without a row taken", look, by="N-15 N-19", why="row_not_taken")
        taken, other = rng.sample(rows.open, 2)
        lifted = set_zone(hand, f"row:{taken}")
        if not rows.five:
            beside = add_pieces(lifted, f"row:{other}", card)
            yield wrong_table("low card laid beside the row it took", lifted, beside, by="N-16", why="wrong_row")
        return
    full, here = rows.room(home) < 1, f"row:{home}"
    if higher:
        yield wrong_table(
            "behind a higher end", add_pieces(hand, f"row:{rng.choice(higher)}", card), by="N-9", why="wrong_row"
        )
    lower = [r for r in rows.open if r != home and rows.end(r) < slot.card]
    if lower:
        look = add_pieces(hand, f"row:{rng.choice(lower)}", card)
        if full:
            lifted = set_zone(look, here)
            yield wrong_table("full row taken, its card laid elsewhere", lifted, by="N-12", why="wrong_row")
        kind = "full row avoided" if full else "behind a lower end that is not the nearest"
        yield wrong_table(kind, look, by="N-12" if full else "N-10", why="wrong_row")
    elsewhere = [r for r in rows.open if r != home]
    if elsewhere:
        wrong = f"row:{rng.choice(elsewhere)}"
        # the card has a row (N-10), and while that has room no row is taken (N-12)
        yield wrong_table(
            "wrong row taken", set_zone(hand, wrong, card), by="N-12" if full else "N-10 N-12", why="wrong_row"
        )
        if slot.player:  # else the player of the next card is not known yet
            look = set_zone(now, wrong)
            yield wrong_table("wrong row lifted", look, by="N-12" if full else "N-10 N-12",
                       why="wrong_row", soft=True)  # fmt: skip
    if full:
        yield from _full(state, hand, home, rng)
        return
    inside = list(hand.zones[here])
    inside.insert(rng.randrange(len(inside)), card)
    yield wrong_table("left of the end", set_zone(hand, here, *inside), by="N-9", why="wrong_row")
    alone = set_zone(hand, here, card)  # the cards of the row are in a hand
    yield wrong_table("row with room taken", alone, by="N-10 N-12", why="wrong_row row_not_taken", soft=True)


def _full(state: State, hand: Layout, home: int, rng: random.Random) -> Iterator[Mistake]:
    """The row is full and has to be taken (N-12); with a Take-at-7 it holds six (A-31)."""
    rows, card, here = RowsOnTable(state), str(slot_of(state).card), f"row:{home}"
    by = "N-12 A-31" if "seven" in rows.marks[home] else "N-12"
    more = add_pieces(hand, here, card)
    yield wrong_table("sixth card on a full row", more, by=by, why="row_not_taken", soft=True)
    part = set_zone(hand, here, rng.choice(hand.zones[here]), card)
    yield wrong_table("full row taken but for one card", part, by=by, why="row_not_taken", soft=True)
    later = sorted((c, p) for p, c in enumerate(state.shown, 1) if c and c > slot_of(state).card)
    others = [r for r in rows.open if r != home]
    if not later or not others:
        return
    follower, player = str(later[0][0]), later[0][1]
    at, row = f"seat:{seat_of(state, player)}", f"row:{rng.choice(others)}"
    both = move_piece(more, follower, at, row)
    yield wrong_table("sixth card left on a full row and another laid", more, both, by=by, why="row_not_taken")
    if not rows.five:
        gone = set_zone(hand, here)
        # the card stays in play (N-17): the next one is placed before it (N-7); both are in a hand, so the box asks
        yield wrong_table("played card taken with the row", gone, move_piece(gone, follower, at, row), by="N-17 N-7",
                   why="out_of_order row_not_taken", soft=True)  # fmt: skip


def _out_of_turn_without_seats(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Without seats cards go straight to the rows, but still the lowest first (N-7)."""
    lower = [card for card in list_unseen_cards(state) if state.laid and card < state.laid[-1]]
    if lower:
        look = add_pieces(now, f"row:{rng.choice(RowsOnTable(state).all)}", str(rng.choice(lower)))
        yield wrong_table("lower card laid after a higher one", look, by="N-7", why="out_of_order")
    if taken := list_taken_cards(state):
        look = add_pieces(now, f"row:{rng.choice(RowsOnTable(state).all)}", str(rng.choice(taken)))
        yield wrong_table("taken card laid again", look, by="N-8", why="already_seen")
