"""What only the people of some games can do: rebuild a board, spread piles, show a hand, exchange a special card."""

from typing import Protocol, runtime_checkable

from firmware.simulation.people.company import Script
from firmware.simulation.people.screen_reading import SeenScreen, Sentence


@runtime_checkable
class BoardBuilder(Protocol):
    def show_board(self, lines: tuple[Sentence, ...]) -> Script:
        """Rebuild a board of tiles from its lines."""
        ...


@runtime_checkable
class PileSpreader(Protocol):
    def spread_pile(self, player: int) -> Script:
        """Spread the pile of this player beside everything else."""
        ...

    def take_pile(self, player: int) -> Script:
        """The player takes the pile back that was spread."""
        ...


@runtime_checkable
class HandShower(Protocol):
    def spread_hand(self) -> Script:
        """Show the hand that could not play."""
        ...


@runtime_checkable
class SpecialExchanger(Protocol):
    last_taker: int

    def exchange(self, player: int) -> Script:
        """The player exchanges a special card after taking a row."""
        ...


@runtime_checkable
class SpecialPlayer(Protocol):
    def may_play_special(self, screen: SeenScreen, kind: str) -> bool:
        """Has the player in turn a special card of this kind that can be carried out now?"""
        ...

    def play_special(self, screen: SeenScreen, kind: str) -> Script:
        """The player in turn puts it beside the number card."""
        ...
