"""What is searched beyond the codes in plain view, and how much of it in one frame: in a photo, and in a game."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """``outside``: codes are searched outside the area too, where the empty table shows, and partly covered ones among
    the cards that were read; else only where the table is not bare and no card explains it.

    ``finders`` are the places around which partly covered codes are searched, about a millisecond each. ``cards`` and
    ``zones`` are searched in one frame for cards that were not read, a millisecond for each card and a few for each
    zone; None is all of them.
    """

    outside: bool
    finders: int
    cards: int | None
    zones: int | None


IN_PHOTO = SearchPlan(outside=True, finders=64, cards=None, zones=None)
IN_GAME = SearchPlan(outside=False, finders=8, cards=4, zones=3)
"""A frame at rest in which this is searched takes less time than one in which a new card is read."""
