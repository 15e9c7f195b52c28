"""Finds the likeliest faults of a sheet of cards from the cards that are due and those that are read."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

DeckFaultKind = Literal["missing", "swapped", "instead", "twice", "double", "foreign", "astray"]
Step = tuple[str, str]
"""A card that is due and the card that is read in its place; one of them is empty where there is none."""

SWAPPED_COST, INSTEAD_COST, TO_COME_COST = 0.9, 1.9, 0.9
"""What it costs to believe that another card is read: less than 1 if the two may have changed places, more than 1
if that other card would then need an excuse of its own. A card too many or too few costs 1, one that may still be
laid a little less."""


@dataclass(frozen=True, slots=True)
class DeckFault:
    """``missing`` card; ``swapped`` card and read; ``instead`` of card read; ``twice``: card bears the code of read.

    ``double`` is one more card of a code that is due, ``foreign`` one that is not due, ``astray`` one out of order.
    """

    kind: DeckFaultKind
    card: str
    read: str = ""


@dataclass(frozen=True, slots=True)
class DeckFindings:
    """Faults in the order of the sheet, and the cards at its end that are not there yet."""

    faults: tuple[DeckFault, ...] = ()
    to_come: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return not self.faults and not self.to_come


def explain_deck(due: Sequence[str], read: Sequence[str]) -> DeckFindings:
    """The likeliest explanation, for cards in the order of the sheet or in reverse, as seen from the other side."""
    return min((_explain(tuple(due), way) for way in (tuple(read), tuple(reversed(read)))), key=_cost)


def _cost(found: DeckFindings) -> tuple[int, int]:
    return len(found.faults), len(found.to_come)


def _explain(due: tuple[str, ...], read: tuple[str, ...]) -> DeckFindings:
    steps = _align(due, read)
    last = max((n for n, (_, there) in enumerate(steps) if there), default=-1)
    astray = {card for card, there in steps if not there} & {there for card, there in steps if not card}
    to_come = tuple(card for card, _ in steps[last + 1 :] if card not in astray)
    return DeckFindings(_faults(steps[: last + 1], astray, Counter(due), Counter(read)), to_come)


def _faults(steps: tuple[Step, ...], astray: set[str], due: Counter[str], read: Counter[str]) -> tuple[DeckFault, ...]:
    faults: list[DeckFault] = []
    pairs = Counter(step for step in steps if all(step))
    for card, there in steps:
        if card == there:
            continue
        if not there and card not in astray:
            faults.append(DeckFault("missing", card))
        elif not card:
            kind: DeckFaultKind = "astray" if there in astray else "double" if there in due else "foreign"
            faults.append(DeckFault(kind, there))
        elif there and pairs[there, card]:
            if pairs[card, there]:
                pairs[card, there] -= 1
                pairs[there, card] -= 1
                faults.append(DeckFault("swapped", card, there))
        elif there and pairs[card, there]:
            faults.append(DeckFault("twice" if read[there] > due[there] > 0 else "instead", card, there))
    return tuple(faults)


def _align(due: tuple[str, ...], read: tuple[str, ...]) -> tuple[Step, ...]:
    """The alignment of due and read cards with the least cost, both in order."""
    times, wanted = Counter(read), Counter(due)

    def excuse(card: str, there: str) -> float:
        if card == there:
            return 0.0
        if there not in wanted or times[there] > wanted[there]:
            return 1.0
        return SWAPPED_COST if card in times else INSTEAD_COST

    @cache
    def best(i: int, j: int) -> tuple[float, tuple[Step, ...]]:
        ways: list[tuple[float, tuple[Step, ...]]] = []
        if i < len(due) and j < len(read):
            cost, rest = best(i + 1, j + 1)
            ways.append((cost + excuse(due[i], read[j]), ((due[i], read[j]), *rest)))
        if i < len(due):
            cost, rest = best(i + 1, j)
            ways.append((cost + (1 if j < len(read) else TO_COME_COST), ((due[i], ""), *rest)))
        if j < len(read):
            cost, rest = best(i, j + 1)
            ways.append((cost + 1, (("", read[j]), *rest)))
        return min(ways, key=lambda way: round(way[0], 6)) if ways else (0.0, ())

    return best(0, 0)[1]
