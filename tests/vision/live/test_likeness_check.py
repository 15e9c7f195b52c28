"""A table that looks like the cards on it is reported for a while at the beginning of a game."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hw.frame import Frame
from tests.support.blank_faces import show_table_through_cards
from tests.support.frames import BARE, READ, card, picture
from vision.live.perception import ALIKE_NOTICE_S, Perception
from vision.live.perception_events import FaultChanged
from vision.live.picture_faults import LASTING_S
from vision.live.read_request import ReadRequest
from vision.render import DrawnCard

PACE = 0.2
CARDS = tuple(card("nimmt", piece, x, y) for piece, x, y in (("17", 40, 55), ("23", 150, 55), ("64", 250, 55)))
MORE = (*CARDS, card("nimmt", "80", 60, 165), card("nimmt", "91", 200, 165))


def watch(cards: Sequence[DrawnCard], seconds: float, *, alike: bool) -> list[tuple[float, str | None]]:
    """The faults that are reported, and when, after the cards were laid on the bare table."""
    bare = picture(BARE)
    laid = picture(replace(BARE, cards=tuple(cards), seed=7))
    now = show_table_through_cards(laid, bare) if alike else laid
    eyes, request, told = Perception(bare), replace(READ), []
    for n in range(round((1 + seconds) / PACE)):
        at = n * PACE - 1
        for item in eyes.update(Frame(bare if at < 0 else now, at), request):
            if isinstance(item, FaultChanged):
                told.append((at, item.text and item.text.id))
    return told


def test_a_table_like_the_cards_is_reported_and_then_no_more() -> None:
    (begun, text), (ended, none) = watch(MORE, ALIKE_NOTICE_S + 5, alike=True)
    assert (text, none) == ("table_like_cards", None)
    assert begun == pytest.approx(LASTING_S, abs=1.0)
    assert ended - begun == pytest.approx(ALIKE_NOTICE_S - LASTING_S, abs=1.5)


@pytest.mark.parametrize(
    ("cards", "alike"),
    [pytest.param(MORE, False, id="cards that differ"), pytest.param(CARDS, True, id="three may lie under a lamp")],
)
def test_nothing_is_reported_of_other_tables(cards: tuple[DrawnCard, ...], alike: bool) -> None:
    assert watch(cards, LASTING_S + 2, alike=alike) == []


def test_another_game_is_told_again() -> None:
    bare = picture(BARE)
    now = show_table_through_cards(picture(replace(BARE, cards=MORE, seed=7)), bare)
    eyes, told = Perception(bare), []
    for n in range(round((ALIKE_NOTICE_S + 10) / PACE)):
        request = (
            READ if n * PACE < ALIKE_NOTICE_S + 5 else ReadRequest("read", "nimmt", dict(list(READ.zones.items())[:1]))
        )
        told += [item for item in eyes.update(Frame(now, n * PACE), request) if isinstance(item, FaultChanged)]
    assert [item.text and item.text.id for item in told] == ["table_like_cards", None, "table_like_cards"]
