"""What a screen may show of any game: public facts, and never a card in a hand."""

from dataclasses import dataclass

from engine.text import Text


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that a person may choose now: the label of the button, and a move in notation."""

    label: Text
    move: str


@dataclass(frozen=True, slots=True)
class Pad:
    """The score pad of a player. ``now`` is the running round, ``cards`` the pile; ``gone`` players are not ranked."""

    player: int
    rounds: tuple[int, ...] = ()
    now: int = 0
    total: int = 0
    cards: int = 0
    gone: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """``turn`` is the player to act; ``winners`` are players, the team of a cooperative game is player 0.

    ``alert`` says what is wrong and how to mend it, ``ruling`` names the paragraph; ``news`` needs no mending and is
    never shown as a fault. ``cursor`` points at the offer that OK would take, ``lines`` are what a longer screen lists,
    ``bar`` is how full a bar is, 0 to 1, ``link`` an address for a phone to read.
    """

    prompt: Text
    turn: int | None = None
    pads: tuple[Pad, ...] = ()
    offers: tuple[Offer, ...] = ()
    alert: Text | None = None
    over: bool = False
    winners: tuple[int, ...] = ()
    ruling: str = ""
    cursor: int = 0
    lines: tuple[Text, ...] = ()
    bar: float | None = None
    link: str = ""
    news: tuple[Text, ...] = ()

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(pad.total + pad.now for pad in self.pads)

    def news_since(self, before: "View") -> tuple[Text, ...]:
        return tuple(text for text in self.news if text not in before.news)
