"""Taking the table as the truth: the piles as seen, with hands and deck counted again."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise

from engine.game import Illegal
from engine.games.the_game.rules import find_ruling, fits
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, NO_CARDS, PILES, START_CARDS, State, find_pile
from engine.games.the_game.turns import charge_hands
from engine.games.the_game.zones import parse_number
from engine.table import Layout


def adopt(state: State, seen: Layout) -> State:
    """Cards that came belong to the running turn; cards that went return to its hand, older ones to the deck, unless a
    player is named as ``pile:2`` who has them.

    Hidden cards may lie under a top, so the last step on a pile is never refused; earlier steps are, unless the
    record already has them.
    """
    owned = {zone: held for zone, held in seen.zones.items() if zone.startswith("pile:")}
    for zone in seen.zones:
        if zone not in PILES and zone not in owned:
            raise Illegal("G-3", "out_of_order", "no_such_pile", known=" ".join(PILES))
    piles = tuple(_pile(pile, seen.zones.get(name, ())) for pile, name in enumerate(PILES))
    been: set[int] = set()
    for card in (card for held in piles for card in held):
        if card in been:
            raise Illegal("G-10", "duplicate_card", "card_twice", card=card)
        been.add(card)
    for pile, held in enumerate(piles):
        old = set(pairwise((START_CARDS[pile], *state.piles[pile])))
        for low, high in list(pairwise((START_CARDS[pile], *held)))[:-1]:
            if (low, high) not in old and not fits(pile, low, high):
                zone = PILES[pile]
                raise Illegal(
                    find_ruling(pile, low, high), "wrong_direction", "take_back", card=high, top=low, zone=zone
                )
    grown = (len(new) - len(old) for new, old in zip(piles, state.piles, strict=True))
    fresh = tuple(max(0, n + more) for n, more in zip(state.fresh, grown, strict=True))
    more = sum(fresh) - state.laid
    after = replace(state, piles=piles, fresh=fresh, claimed=0, bare=NO_CARDS, said=(), drew=(0, 0), shown=())
    if more <= 0:
        hands = tuple(n - more if p == state.turn else n for p, n in enumerate(state.hands, 1))
    else:
        others = (p for p in range(1, len(state.hands) + 1) if p != state.turn)
        hands = charge_hands(state.hands, (state.turn, *others), more)
    return replace(after, hands=_give_back(state, hands, been, owned))


def _give_back(
    state: State, hands: tuple[int, ...], there: Collection[int], owned: Mapping[str, tuple[str, ...]]
) -> tuple[int, ...]:
    """The hands with the cards that these players have; those of this turn were given to its player before."""
    counts = list(hands)
    for zone, held in owned.items():
        player = parse_number(zone.removeprefix("pile:"))
        if player not in state.playing:
            raise Illegal("N-30", "out_of_order", "not_at_table", player=player)
        for card in map(parse_number, held):
            name = find_pile(state, card)
            if name is None or card in there:
                raise Illegal("G-10", "duplicate_card", "card_twice", card=card)
            pile = PILES.index(name)
            if state.piles[pile].index(card) >= len(state.piles[pile]) - state.fresh[pile]:
                counts[state.turn - 1] -= 1
            counts[player - 1] += 1
    return tuple(counts)


def _pile(pile: int, pieces: tuple[str, ...]) -> tuple[int, ...]:
    cards = tuple(parse_number(piece) for piece in pieces if piece != str(START_CARDS[pile]))
    for card in cards:
        if card in START_CARDS:
            raise Illegal("G-10", "not_in_deck", "start_card_astray", card=card)
        if not LOWEST_CARD <= card <= HIGHEST_CARD:
            raise Illegal("G-10", "not_in_deck", "no_such_card", card=card)
    return cards
