"""The open draft: all cards in play are spread, and the players pick them in turn."""

from dataclasses import replace

from engine.game import Illegal, Unfinished
from engine.games.nimmt.state import Draft, Phase, State


def find_drafter(players: int, first: int, round: int, picked: int) -> int:
    """The player who picks after ``picked`` cards: clockwise, starting one player later in each round (P-4)."""
    return (first - 1 + round - 1 + picked) % players + 1


def spread_cards(state: State, cards: tuple[int, ...]) -> State:
    """The open draft begins with all cards in play (P-2, P-3)."""
    deck = state.deck
    draft = state.draft
    if state.phase != "draft" or draft is None or draft.spread:
        raise Illegal("P-3", "out_of_order", "not_now")
    if len(set(cards)) != len(cards):
        raise Illegal("N-8", "duplicate_card", "dealt_twice")
    if strange := [card for card in cards if card not in deck]:
        raise Illegal("P-2", "not_in_deck", "not_in_spread", card=strange[0], last=deck[-1])
    if len(cards) < len(deck):
        raise Unfinished("P-2", "out_of_order", "spread_all", last=deck[-1], n=len(deck) - len(cards))
    return replace(state, draft=replace(draft, spread=tuple(sorted(cards))), lying=())


def pick_cards(state: State, player: int, cards: tuple[int, ...]) -> State:
    """Cards leave the spread: one each to the next players in turn (P-4)."""
    rules, draft = state.rules, state.draft
    if state.phase != "draft" or draft is None or not draft.spread:
        raise Illegal("P-4", "out_of_order", "not_now")
    if strange := [card for card in cards if card not in draft.spread]:
        raise Illegal("P-3", "not_in_deck", "not_in_spread", card=strange[0], last=state.deck[-1])
    if len(set(cards)) != len(cards):
        raise Illegal("N-8", "duplicate_card", "dealt_twice")
    order = state.players()
    total, most = draft.picked + len(cards), rules.turns * len(order)
    if total > most:
        raise Illegal("P-5", "out_of_order", "last_four_stay")
    picks = list(draft.picks)
    for picked in range(draft.picked, total):
        turn = order[find_drafter(len(order), rules.first, state.round, picked) - 1]
        if player not in (0, turn):
            raise Illegal("P-4", "out_of_order", "pick_turn", player=turn)
        picks[turn - 1] |= set(cards)
    rest = tuple(card for card in draft.spread if card not in cards)
    phase: Phase = "deal" if total == most else "draft"
    return replace(state, draft=Draft(tuple(picks), rest, total), phase=phase)
