"""Mistakes of The Game: cards that do not fit, cards placed before, and turns ended or given up wrongly."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.games.the_game.moves import Cannot, Done, Move, Play, Verify
from engine.games.the_game.state import State
from engine.log import Log
from engine.table import Layout
from firmware.simulation.mistakes.mistake import Mistake, add_pieces, move_piece, wrong_entry, wrong_table
from firmware.simulation.mistakes.the_game_hidden_pairs import (
    PILES,
    is_explained_by_unseen_cards,
    is_legal,
    laid_cards,
    list_pairs,
    list_unlaid_cards,
    top_card,
)

MIN_CARDS = {"standard": (2, "G-11"), "expert": (3, "G-22"), "expert_small_hand": (3, "G-22")}


def list_mistakes(
    log: Log[Any, Any], move: Move, rng: random.Random, hands: Mapping[int, Sequence[int]]
) -> Iterator[Mistake]:
    state, now = log.state, log.game.layout(log.state)
    match move:
        case Play(card, pile):
            yield from _cards(state, now, rng)
            yield from _old_cards(state, now, rng)
            yield from (pair.mistake for pair in list_pairs(log, rng, hands))
            yield from _too_early(state)
            yield from _under(state, card, pile, rng)
        case Done(player, cards):
            yield from _wrong_end(log, player, cards)
        case Cannot(player):
            if len(state.playing) > 1:
                yield wrong_entry(
                    "given up for another", f"cannot {_other(state, player)}", by="G-4", why="not_your_turn"
                )
        case Verify(hand):
            yield from _after_end(state, now, hand, rng)
        case _:
            return


def _cards(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """Cards in the wrong direction on a pile, including the start cards."""
    for pile in rng.sample(PILES, len(PILES)):
        up, on = pile.startswith("up"), top_card(state, pile)
        ruling = "G-5" if up else "G-6"
        other = "100" if up else "1"
        yield wrong_table(
            "start card carried to another pile", add_pieces(now, pile, other), by="G-10", why="not_in_deck"
        )
        back = [card for card in list_unlaid_cards(state) if (card < on) == up and not is_legal(pile, on, card)]
        by_kind = {
            f"wrong way on a pile going {'up' if up else 'down'}": [c for c in back if abs(c - on) not in (9, 11)],
            "nine off, not ten": [c for c in back if abs(c - on) == 9],
            "eleven off, not ten": [c for c in back if abs(c - on) == 11],
        }
        for kind, cards in by_kind.items():
            for card in rng.sample(cards, min(1, len(cards))):
                look, by = add_pieces(now, pile, str(card)), "G-8" if "off" in kind else ruling
                yield wrong_table(
                    kind, look, by=by, why="wrong_direction", soft=is_explained_by_unseen_cards(state, pile, card)
                )


def _old_cards(state: State, now: Layout, rng: random.Random) -> Iterator[Mistake]:
    """A card on a pile is moved, or appears from under others: G-24 forbids both."""
    for pile in rng.sample(PILES, len(PILES)):
        held = laid_cards(state, pile)
        target = rng.choice([other for other in PILES if other != pile])
        if held:
            look = move_piece(now, str(held[-1]), pile, target)
            yield wrong_table("laid card carried to another pile", look, by="G-24", why="already_seen")
        if len(held) > 1:
            look = add_pieces(now, target, str(rng.choice(held[:-1])))  # its place under the others is hidden
            yield wrong_table("number laid a second time", look, by="G-10", why="already_seen")


def _too_early(state: State) -> Iterator[Mistake]:
    """The turn is ended, or the game given up, after the wrong number of cards."""
    if state.hand < 2:  # with the last card there is no minimum
        return
    wanted, ruling = MIN_CARDS[state.level] if state.deck else (1, "G-14")
    if state.laid < wanted and state.hand + state.laid >= wanted:
        kind = "turn ended too early" if state.deck else "turn ended without a card, the deck gone"
        yield wrong_entry(kind, f"done {state.turn} {state.laid}", by=ruling, why="min_not_met")
    if state.laid >= wanted:
        yield wrong_entry("given up after the minimum", f"cannot {state.turn}", by="G-16", why="min_already_met")


def _under(state: State, card: int, pile: str, rng: random.Random) -> Iterator[Mistake]:
    """An entry says that a hidden card is where it cannot be, or that none is where the box did not ask."""
    up = pile.startswith("up")
    cards = [c for c in list_unlaid_cards(state) if c != card]
    between = [c for c in cards if is_legal(pile, card, c)]  # another unseen card may lie there
    misfits = [
        c
        for c in cards
        if abs(c - card) not in (9, 11)
        and not is_legal(pile, card, c)
        and not any(is_legal(pile, other, c) for other in between if other != c)
    ]
    if misfits:
        said = f"under {card} {rng.choice(misfits)} {pile}"
        yield wrong_entry(
            "hidden card entered that does not fit", said, by="G-5" if up else "G-6", why="wrong_direction"
        )
    yield wrong_entry(
        "pile entered as complete without a question", f"bare {card} {pile}", by="G-10", why="out_of_order"
    )


def _wrong_end(log: Log[Any, Any], player: int, cards: int) -> Iterator[Mistake]:
    state = log.state
    if len(state.playing) > 1:
        yield wrong_entry(
            "turn ended for another", f"done {_other(state, player)} {cards}", by="G-4", why="not_your_turn"
        )
    if cards > 1:
        # fewer cards than were placed cannot be right: those were visible
        yield wrong_entry("fewer cards entered than laid", f"done {player} {cards - 1}", by="G-12", why="out_of_order")
    most = state.hands[player - 1] + state.laid
    yield wrong_entry(
        "more cards entered than a hand holds", f"done {player} {most + 1}", by="G-21", why="out_of_order"
    )
    stranger = len(state.hands) + 1
    yield wrong_entry("stranger leaves the game", f"leave {stranger}", by="N-30", why="out_of_order")
    yield wrong_entry("hand shown without a request", f"verify {_any_free(state)}", by="G-18", why="out_of_order")
    yield wrong_entry("resumed a game that was not given up", "resume", by="G-18", why="out_of_order")


def _after_end(state: State, now: Layout, hand: tuple[int, ...], rng: random.Random) -> Iterator[Mistake]:
    """After the end: no card may follow, and the hand is shown unchanged."""
    fits = [
        (card, pile)
        for pile in PILES
        for card in list_unlaid_cards(state)
        if is_legal(pile, top_card(state, pile), card)
    ]
    if fits:
        card, pile = rng.choice(fits)
        yield wrong_table("card laid after the end", add_pieces(now, pile, str(card)), by="G-16", why="out_of_order")
    old = [card for pile in PILES for card in laid_cards(state, pile)]
    if old:
        shown = ",".join(map(str, (*hand[1:], rng.choice(old))))
        yield wrong_entry("laid card shown in the hand", f"verify {shown}", by="G-10", why="already_seen")
    if len(hand) > 1:
        twice = ",".join(map(str, (*hand[1:], hand[1])))
        yield wrong_entry("number twice in the hand", f"verify {twice}", by="G-10", why="duplicate_card")
        yield wrong_entry("hand shown in part", f"verify {','.join(map(str, hand[1:]))}", by="G-18", why="out_of_order")
    yield wrong_entry("turn ended after the end", f"done {state.turn} {state.laid}", by="G-16", why="out_of_order")


def _other(state: State, player: int) -> int:
    return next(other for other in state.playing if other != player)


def _any_free(state: State) -> str:
    return str(list_unlaid_cards(state)[0]) if list_unlaid_cards(state) else "-"
