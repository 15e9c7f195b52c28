"""What is searched beyond the codes in plain view, and how much of it in one frame: in a photo, and in a game."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """``outside``: codes are searched outside the area too, where the empty table shows, and partly covered ones among
    the cards that were read; else only where the table is not bare and no card explains it.

    ``finders`` are the places around which partly covered codes are searched, about a millisecond each. ``steps`` are
    the cards and zones that are searched in one frame for cards that were not read, about two milliseconds each; None
    is all of them. While something moves elsewhere they are ``steps_beside``: such a frame has enough to read already.
    """

    outside: bool
    finders: int
    steps: int | None
    steps_beside: int = 0


IN_PHOTO = SearchPlan(outside=True, finders=64, steps=None)
IN_GAME = SearchPlan(outside=False, finders=8, steps=8, steps_beside=2)
"""A frame at rest in which this is searched takes no more time than one in which a new card is read."""
