"""What the record of The Game says, read from its notation alone, and whether it can be true of piles on a table."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from engine.table import Cover
from tests.tabletop.thegame_rules import PILES, first_card, fits, is_part, legal_orders, may_follow

Piles = Mapping[str, Sequence[int]]


def read_record(lines: Iterable[object]) -> dict[str, list[int]]:
    """The piles that these moves describe, from the bottom to the top, without start cards."""
    piles: dict[str, list[int]] = {pile: [] for pile in PILES}
    for line in lines:
        verb, *words = str(line).split()
        if verb == "play":
            piles[words[1]].append(int(words[0]))
        elif verb == "under":
            pile, top = piles[words[2]], int(words[1])
            pile.insert(pile.index(top) if top in pile else len(pile), int(words[0]))
        elif verb == "over" and piles[words[2]][-2:] == [int(words[0]), int(words[1])]:
            piles[words[2]][-2:] = int(words[1]), int(words[0])
    return piles


def find_untrue_pile(record: Piles, truth: Piles) -> str | None:
    """A pile whose record is not a part of what lies there, in the same order."""
    return next((pile for pile in PILES if not is_part(record[pile], truth[pile])), None)


def looks_legal(pile: str, before: Sequence[int], after: Sequence[int], covers: Iterable[Cover]) -> bool:
    """Could this pile have grown like that by legal play, as far as the picture tells?"""
    if not is_part(before, after):
        return False
    start = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    run = [first_card(pile), *after][start:]
    if not all(fits(card, top, pile) for top, card in pairwise(run)):
        return False
    height = {str(card): n for n, card in enumerate(after)}
    return all(height[up] > height[low] for up, low in covers if up in height and low in height)


def looks_unchanged(pile: str, record: Sequence[int], shown: Sequence[str], covers: Iterable[Cover]) -> bool:
    """May a pile that people only touched look like this: its top in sight, other cards of it beside, none twice?

    How the cards under the top lie has no effect on play (G-3).
    """
    height = {str(first_card(pile)): -1} | {str(card): n for n, card in enumerate(record)}
    return (
        len({*shown}) == len(shown)
        and height.keys() >= {*shown}
        and (not record or str(record[-1]) in shown)
        and not any(low == str(record[-1]) for up, low in covers if record and {up, low} <= {*shown})
    )


def may_lie_between(pile: str, record: Sequence[int], card: int, unseen: int) -> bool:
    """May this card lie among the recorded ones, under the top, with at most so many cards that nobody saw?"""
    steps = pairwise((first_card(pile), *record))
    return any(
        may_follow(card, low, pile, below) and may_follow(high, card, pile, unseen - below)
        for low, high in steps
        for below in range(unseen + 1)
    )


def count_orders(pile: str, before: Sequence[int], new: Sequence[int], covers: Iterable[Cover]) -> int:
    """In how many orders may these new cards have come onto the pile, one directly on the other?"""
    top = before[-1] if before else first_card(pile)
    orders = legal_orders(new, top, pile)
    return sum(looks_legal(pile, before, (*before, *order), covers) for order in orders)
