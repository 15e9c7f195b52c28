"""What people understand of a screen: each sentence as a topic with its particulars."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.text import Text
from engine.view import Pad, View
from firmware.journal.operation_types import Names

NOTICES = frozenset(
    {
        "deck_unchecked", "shown_early", "halves_of_two", "stopped_early", "not_now",
        "not_asked", "aim_cards", "aim_tiles", "picture_moved", "recording", "pile_of_other", "never_taken",
        "seat_unsure", "no_joining",
    }
)  # fmt: skip
"""Alerts that tell something, and ask for no act."""
PLACE_ARGS = frozenset({"row", "player", "seat", "zone", "n", "heads"})
"""Particulars that are numbers of places, players or amounts, and never a piece."""
PLACE_WORDS = re.compile(r"(?:row|player|seat) \d+|\d+ heads?|takes? \d+|took \d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as understood: ``topic`` is what it is about, ``args`` its cards, places (``row:3``) and players."""

    topic: str
    args: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """A particular as a number, 0 if the sentence has none of this name."""
        value = self.args.get(name, "")
        return int(value) if value.lstrip("-").isdigit() else 0

    def names(self, piece: str) -> bool:
        """Does the sentence name this piece, also if it is not understood?"""
        named = {word for name, value in self.args.items() if name not in PLACE_ARGS for word in value.split()}
        return piece in named or piece in re.findall(r"\w+", PLACE_WORDS.sub("", self.topic))

    def matches(self, topic: str, **args: object) -> bool:
        return self.topic == topic and all(self.args.get(name) == str(value) for name, value in args.items())


@dataclass(frozen=True, slots=True)
class SeenScreen:
    """A screen as understood. ``offers`` stand in their order, ``moves`` are what a phone sends for each of them."""

    prompt: Sentence
    alert: Sentence | None = None
    lines: tuple[Sentence, ...] = ()
    offers: tuple[Sentence, ...] = ()
    moves: tuple[str, ...] = ()
    cursor: int = 0
    turn: int | None = None
    pads: tuple[Pad, ...] = ()
    over: bool = False

    @property
    def fault(self) -> Sentence | None:
        """The alert, if it asks for an act."""
        return None if self.alert is None or self.alert.topic in NOTICES else self.alert

    def find_offer(self, topic: str, **args: object) -> int | None:
        """The place of the first offer about this, or None."""
        return next((n for n, offer in enumerate(self.offers) if offer.matches(topic, **args)), None)

    def find_same(self, before: "SeenScreen", at: int) -> int | None:
        """The place of an offer, as long as the offers are those of an earlier screen."""
        return at if self.offers == before.offers else None


ScreenReader = Callable[[View, Names], SeenScreen]


def read_texts(view: View, names: Names) -> SeenScreen:
    """A reader who knows every text of the box by its id."""
    return read_view(view, lambda text: Sentence(text.id, {name: _as_word(value) for name, value in text.args}))


def read_view(view: View, understand: Callable[[Text], Sentence]) -> SeenScreen:
    """The view with each of its texts understood."""
    return SeenScreen(
        understand(view.prompt),
        understand(view.alert) if view.alert else None,
        tuple(map(understand, view.lines)),
        tuple(understand(offer.label) for offer in view.offers),
        tuple(offer.move for offer in view.offers),
        view.cursor,
        view.turn,
        view.pads,
        view.over,
    )


def _as_word(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
