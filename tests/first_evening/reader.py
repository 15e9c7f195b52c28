"""A person who sees only the words of the screens and wants to play a first game: which act comes next?

Nothing here knows an id, a state or a rule of a game: English sentences in, an act out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScreenWords:
    """The rendered texts of one screen; of the ``offers`` one is under the cursor."""

    prompt: str
    alert: str = ""
    lines: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()

    def __str__(self) -> str:
        marked = (f"[{offer}]" for offer in self.offers)
        return "\n".join(
            filter(None, (f"! {self.alert}" if self.alert else "", self.prompt, *self.lines, " ".join(marked)))
        )


@dataclass(frozen=True, slots=True)
class Act:
    """``press`` an offer, or do something at the table; ``words`` say with what."""

    verb: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words))


FIRST_WISHES = ("Language", "English", "Set up the camera")
WISHES = {
    "nimmt": (*FIRST_WISHES, "Check the stickers", "6 nimmt! numbers", "My first game", "6 nimmt!"),
    "thegame": (*FIRST_WISHES, "Check the stickers", "The Game", "My first game", "The Game"),
    "six": (*FIRST_WISHES, "My first game", "SIX"),
}
"""What the person came for, in this order; a wish that was fulfilled is not pressed again."""
AT_THE_TABLE = (
    (re.compile(r"^Clear the table: remove all cards"), "clear"),
    (re.compile(r"^Each player puts any card at their seat"), "card-at-seats"),
    (re.compile(r"^Lay (\d+) to (\d+) in rows|, lay (\d+) to (\d+)$"), "lay-sheet"),
    (re.compile(r"^Start each row with one card"), "start-rows"),
    (re.compile(r"^Each player lays a card face down"), "choose"),
    (re.compile(r"^Waiting for (.+)$"), "choose"),
    (re.compile(r"reveal their cards"), "reveal"),
    (re.compile(r"^Lay (\d+) behind \d+, row (\d)$"), "lay"),
    (re.compile(r"^Start row (\d) with (\d+)$"), "lay-first"),
    (re.compile(r"^Take row (\d): \d+ heads?$"), "take"),
    (re.compile(r"^(\d+) is low: take a row"), "take-any"),
    (re.compile(r"^Move the (\d+) from .+ to "), "move"),
    (re.compile(r"pick up the cards"), "take-back"),
    (re.compile(r"^Lay \d+ cards?$"), "lay-any"),
    (re.compile(r"^Lay a red and a black tile"), "start-pair"),
    (re.compile(r": lay a (\w+) tile"), "lay-tile"),
    (re.compile(r": move a (\w+) tile"), "move-tile"),
)
CONFIRM = re.compile(r"then confirm$")
WAIT = re.compile(r"^Looking|^Hands away")
SURE = re.compile(r"Are you sure\?$")
"""Only asked after the reader has chosen it, so the answer is yes."""
NAMING = re.compile(r"^Name for ")
WAYS_ON = ("Start", "Next round", "Done")


class TextReader:
    """Remembers what it has done, as a person does."""

    def __init__(self, wishes: Sequence[str]) -> None:
        self._left = list(wishes)
        self._given: list[str] = []

    def next_act(self, screen: ScreenWords) -> Act:
        return next(self._acts(screen))

    def _acts(self, screen: ScreenWords) -> Iterator[Act]:
        if self._left and self._left[0] in screen.offers:
            yield Act("press", (self._left.pop(0),))
        if screen.offers and SURE.search(screen.prompt):
            yield Act("press", screen.offers[-1:])
        if screen.offers and CONFIRM.search(screen.prompt):
            yield Act("press", screen.offers[:1])
        if NAMING.search(screen.prompt):
            name = next(name for name in screen.offers if name not in self._given)
            self._given.append(name)
            yield Act("press", (name,))
        for pattern, verb in AT_THE_TABLE:
            if found := pattern.search(screen.prompt):
                yield Act(verb, tuple(word for word in found.groups() if word))
        if WAIT.search(screen.prompt):
            yield Act("wait")
        for way in WAYS_ON:
            for offer in screen.offers:
                if offer.startswith(way):
                    yield Act("press", (offer,))
        yield Act("wait")
