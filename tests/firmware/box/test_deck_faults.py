"""Planted faults of a sheet of cards are found by their kind, and no others."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.box.deck_faults import DeckFault, explain_deck

DUE = tuple(map(str, range(41, 51)))


def planted(**at):
    """The sheet with other cards read at some places; an empty word is a missing card."""
    return tuple(at.get(f"c{card}", card) for card in DUE if at.get(f"c{card}", card))


@pytest.mark.parametrize(
    ("read", "faults"),
    [
        (DUE, ()),
        (tuple(reversed(DUE)), ()),
        (planted(c44=""), (DeckFault("missing", "44"),)),
        (planted(c44="45", c45="44"), (DeckFault("swapped", "44", "45"),)),
        (planted(c42="49", c49="42"), (DeckFault("swapped", "42", "49"),)),
        (planted(c44="99"), (DeckFault("instead", "44", "99"),)),
        (planted(c44="47"), (DeckFault("twice", "44", "47"),)),
        ((*DUE[:4], "44", *DUE[4:]), (DeckFault("double", "44"),)),
        ((*DUE[:4], "7", *DUE[4:]), (DeckFault("foreign", "7"),)),
        (("50", *DUE[:9]), (DeckFault("astray", "50"),)),
        ((*DUE[:1], *DUE[2:6], "42", *DUE[6:]), (DeckFault("astray", "42"),)),
        (planted(c44="", c48="99"), (DeckFault("missing", "44"), DeckFault("instead", "48", "99"))),
        (planted(c41="43", c43="41", c42=""), (DeckFault("swapped", "41", "43"), DeckFault("missing", "42"))),
        (tuple(reversed(planted(c44="99"))), (DeckFault("instead", "44", "99"),)),
    ],
    ids=[
        "all-right",
        "laid-from-the-other-side",
        "one-missing",
        "neighbours-swapped",
        "swapped-far-apart",
        "a-sticker-from-elsewhere",
        "a-sticker-printed-twice",
        "one-card-too-many",
        "a-card-not-due",
        "the-last-one-first",
        "one-laid-too-late",
        "two-things",
        "a-swap-around-a-gap",
        "a-fault-seen-from-the-other-side",
    ],
)
def test_the_likeliest_story_is_told(read, faults):
    assert explain_deck(DUE, read).faults == faults


@pytest.mark.parametrize("count", range(10))
def test_cards_that_are_still_to_come_are_no_fault(count):
    found = explain_deck(DUE, DUE[:count])
    assert (found.faults, found.to_come) == ((), DUE[count:])


def test_a_card_laid_too_early_is_the_only_fault():
    found = explain_deck(DUE, ("41", "42", "47", "43"))
    assert (found.faults, found.to_come) == ((DeckFault("astray", "47"),), ("44", "45", "46", "48", "49", "50"))


def test_copies_of_a_special_card_are_all_the_same():
    due = ("fifth",) * 4 + ("seven",) * 4
    assert explain_deck(due, due).right
    assert explain_deck(due, ("fifth",) * 3 + ("block",) + ("seven",) * 4).faults == (
        DeckFault("instead", "fifth", "block"),
    )
    assert explain_deck(due, ("fifth",) * 5 + ("seven",) * 3).faults == (DeckFault("twice", "seven", "fifth"),)


def test_every_swap_of_two_stickers_is_named_and_nothing_else():
    for a, b in combinations(DUE, 2):
        assert explain_deck(DUE, planted(**{f"c{a}": b, f"c{b}": a})).faults == (DeckFault("swapped", a, b),), (a, b)


def test_every_sticker_used_twice_is_named_and_nothing_else():
    for card in DUE:
        for other in set(DUE) - {card}:
            assert explain_deck(DUE, planted(**{f"c{card}": other})).faults == (DeckFault("twice", card, other),), (
                card,
                other,
            )


def test_every_missing_card_but_the_last_is_named_and_nothing_else():
    for card in DUE[:-1]:
        assert explain_deck(DUE, planted(**{f"c{card}": ""})).faults == (DeckFault("missing", card),)


@st.composite
def sheets(draw):
    """Up to three faults, each in a stretch of its own so that no two can be taken for a third."""
    read, faults = list(DUE), []
    rng = random.Random(draw(st.integers(0, 10**6)))
    for start in rng.sample((0, 3, 6), draw(st.integers(0, 3))):
        here, there = DUE[start], DUE[start + 1]
        kind = draw(st.sampled_from(("missing", "swapped", "instead", "twice", "double", "foreign")))
        at = read.index(here)
        match kind:
            case "missing":
                read.remove(here)
                faults.append(DeckFault("missing", here))
            case "swapped":
                read[at : at + 2] = there, here
                faults.append(DeckFault("swapped", here, there))
            case "instead":
                read[at] = str(60 + start)
                faults.append(DeckFault("instead", here, str(60 + start)))
            case "twice":
                read[at] = there
                faults.append(DeckFault("twice", here, there))
            case "double":
                read.insert(at, here)
                faults.append(DeckFault("double", here))
            case _:
                read.insert(at + 1, str(80 + start))
                faults.append(DeckFault("foreign", str(80 + start)))
    return tuple(read), faults


@settings(max_examples=150, deadline=None)
@given(sheets())
def test_planted_faults_are_named_exactly(sheet):
    read, faults = sheet
    found = explain_deck(DUE, read)
    assert sorted(map(str, found.faults)) == sorted(map(str, faults))
    assert not found.to_come


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from((*DUE, "7", "99")), max_size=14))
def test_only_the_sheet_itself_is_right(read):
    """Of any cards only the whole sheet in order, from either side, is right."""
    assert explain_deck(DUE, read).right == (tuple(read) in (DUE, tuple(reversed(DUE))))
