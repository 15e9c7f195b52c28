"""What can happen to the box, each with its time: tables seen, presses, commands, faults, and time itself."""

from dataclasses import dataclass

from firmware.box.commands import Command, Confirm, Vote, parse_command
from hw.button_presses import Press
from vision.live.perception_events import CameraMeasured, FaultChanged, TableSeen


@dataclass(frozen=True, slots=True)
class Told:
    """A command of a person, and where it was given: button, web or command line."""

    command: Command
    by: str
    at: float


def parse_told(line: str, by: str, at: float) -> Told:
    return Told(parse_command(line), by, at)


Owners = tuple[tuple[str, tuple[str, ...]], ...]
"""Piles, and the cards that belong to each."""


@dataclass(frozen=True, slots=True)
class AllAgreed:
    """Every player has agreed."""

    vote: Vote


@dataclass(frozen=True, slots=True)
class OwnersNamed:
    """Every group of cards that vanished has its owner. ``by_all``: all players overrule the box."""

    owners: Owners
    by_all: bool


Conclusion = Confirm | AllAgreed | OwnersNamed


@dataclass(frozen=True, slots=True)
class Answered:
    """What a flow tells those below it once its question is answered. It never comes from outside the box."""

    conclusion: Conclusion
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class Pressed:
    press: Press
    at: float


@dataclass(frozen=True, slots=True)
class Ticked:
    """Time has passed."""

    at: float


@dataclass(frozen=True, slots=True)
class PageStatus:
    """The address of the page; while a phone may pair, the code and the time until which it is valid.

    ``paired`` is the time of the last pairing.
    """

    address: str
    code: str = ""
    until: float = 0.0
    paired: float | None = None


@dataclass(frozen=True, slots=True)
class PageChanged:
    """The page is ready, or its status has changed."""

    page: PageStatus
    at: float


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """The state of the box. ``address`` is empty without a network, ``games`` None if the journal cannot be read."""

    name: str
    address: str
    version: str
    free: str
    games: int | None


@dataclass(frozen=True, slots=True)
class FactsReady:
    """The answer to ``RequestFacts``."""

    facts: BoxFacts
    at: float


FlowEvent = TableSeen | CameraMeasured | Told | Answered | Ticked
"""The events that flows handle."""
BoxEvent = TableSeen | CameraMeasured | Told | Pressed | Ticked | FaultChanged | PageChanged | FactsReady
