"""Cards that were not read, among and under those that were: searched where something has changed, once it is still."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.table import Area, Cover
from vision.calibration.table_calibration import TableCalibration
from vision.changes.card_edges import CardPlace
from vision.changes.card_stacks import CardStacks, ReadCard, examine_cards, mark_changed
from vision.changes.card_surroundings import TablePicture, find_paper_at_cards, outline_alone
from vision.changes.top_view import EmptyView
from vision.changes.unread_paper import REACH_MM
from vision.frame import Grey
from vision.live.due_zones import DueZones
from vision.live.frame_reading import FrameReading
from vision.live.search_plan import SearchPlan
from vision.pieces import PIECES
from vision.tags.codebook import BOOK
from vision.tags.placement import PlacedTag, outline_paper

ToColour = Callable[[], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class HiddenCards:
    """``unseen``: where a card must be that was not read. ``covers``: pairs of overlapping cards, the upper one first.

    ``searched`` are the zones whose search ended with the last frame, ``waiting`` those that are to be searched in the
    next ones.
    """

    unseen: tuple[Area, ...] = ()
    covers: frozenset[Cover] = frozenset()
    searched: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()


class HiddenCardTracker:
    """Searches zones for cards that were not read; what was found stays until the zone changes.

    The search is slow: a zone is searched once nothing moves there any more, over as many frames as the ``plan`` says.
    """

    def __init__(
        self, zones: Mapping[str, Area], plan: SearchPlan, empty: EmptyView | None, game: str | None = None
    ) -> None:
        self._zones, self._plan, self._empty, self._game = zones, plan, empty, game
        self._stacks = CardStacks()
        self._paper: dict[str, tuple[Area, ...]] = {}
        self._due = DueZones(zones, wait_frames=0)
        self._near: dict[str, frozenset[str]] = {}
        self._last: FrameReading | None = None

    def update(
        self, grey: Grey, now: FrameReading, colour: ToColour | None = None, others: Sequence[CardPlace] = ()
    ) -> HiddenCards:
        """What is known after one more frame; ``others`` are known cards without a code in view."""
        searched: tuple[str, ...] = ()
        if now.calibration is None or now.blind:
            self._stacks = CardStacks()
            self._due.add(self._zones)
        elif self._due or now is not self._last:
            searched = self._search(grey, now, now.calibration, colour, others)
        self._last = now
        # an arm swings for longer than people wait: until it is at rest cards count unsearched
        waiting = self._due.names if now.sway.total is None else frozenset[str]()
        paper = (area for areas in self._paper.values() for area in areas)
        covers = ((BOOK[upper].piece, BOOK[lower].piece) for upper, lower in self._stacks.covers)
        unseen = tuple(dict.fromkeys((*self._stacks.doubtful, *paper)))
        return HiddenCards(unseen, frozenset(covers), frozenset(searched), waiting)

    def _search(
        self,
        grey: Grey,
        now: FrameReading,
        calibration: TableCalibration,
        colour: ToColour | None,
        others: Sequence[CardPlace],
    ) -> tuple[str, ...]:
        """Search a little more; returns the zones whose search has ended."""
        pieces = [piece for piece in now.pieces if piece.mm is not None]
        lying = [_locate_card(piece, calibration) for piece in pieces]
        near = self._find_cards_near(lying)
        self._due.add([zone for zone in near if near[zone] != self._near.get(zone)])
        self._near = near
        if now.moving:
            self._stacks = mark_changed(self._stacks, now.moving)
        ready = self._due.select_ready(calibration, now.moving)
        if not ready or now.sway.total is not None:  # a swaying table does not lie where it was
            return ()
        cards = [card for card, piece in zip(lying, pieces, strict=True) if self._is_examined(piece)]
        before, most = self._stacks.examined, self._plan.steps_beside if now.moving else self._plan.steps
        self._stacks = examine_cards(grey, calibration, cards, self._stacks, now.moving, most)
        examined = sum(card is not before.get(name) for name, card in self._stacks.examined.items())
        left = len(ready) if most is None else most - examined
        waiting = [card.bound() for card in self._stacks.waiting]
        ended: list[str] = []
        for zone, place in ready.items():
            if any(bound.overlaps(place) for bound in waiting):
                continue
            if near[zone]:
                if left <= 0:
                    continue
                left -= 1
                self._paper[zone] = self._search_paper(grey, now, colour, place, lying, others)
            else:
                self._paper[zone] = ()
            ended.append(zone)
        self._due.remove(ended)
        return tuple(ended)

    def _search_paper(
        self,
        grey: Grey,
        now: FrameReading,
        colour: ToColour | None,
        place: Area,
        lying: Sequence[ReadCard],
        others: Sequence[CardPlace],
    ) -> tuple[Area, ...]:
        if self._empty is None or now.calibration is None or now.view is None or now.light is None:
            return ()
        picture = TablePicture(grey, now.calibration, self._empty, now.view, now.light, colour)
        explained = [np.array(outline_paper(quad)) for quad in now.calibration.markers.values()]
        explained += [outline_alone(card) for card in others]
        return find_paper_at_cards(picture, place, lying, self._stacks, explained)

    def _find_cards_near(self, lying: Sequence[ReadCard]) -> dict[str, frozenset[str]]:
        """The cards in each zone or near it: one may be read, or read no more, some time after the last movement."""
        bounds = [(card.name, card.place.bound(REACH_MM)) for card in lying]
        return {
            zone: frozenset(name for name, bound in bounds if bound.overlaps(place))
            for zone, place in self._zones.items()
        }

    def _is_examined(self, piece: PlacedTag) -> bool:
        """Cards of the game that is played; cards of any game in a photo without one."""
        game = BOOK[piece.tag.payload].game
        return not piece.doubtful and PIECES[game].kind == "card" and self._game in (None, game)


def _locate_card(piece: PlacedTag, calibration: TableCalibration) -> ReadCard:
    """The piece of a tag that has a place, and the corners of its code in mm of the table."""
    code = calibration.to_mm(np.array(piece.tag.corners))
    return ReadCard(piece.tag.payload, place_by_sticker(piece), code)


def place_by_sticker(piece: PlacedTag) -> CardPlace:
    """Where the sticker of a piece that has a place claims it to be."""
    assert piece.mm is not None
    return CardPlace(*piece.mm, piece.angle or 0.0, PIECES[BOOK[piece.tag.payload].game].size)
