"""What simulated people know of one match: its rules, their seats and hands, and how they handle its pieces."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.game import Game
from engine.games import GAMES
from engine.log import Log
from engine.options import Options
from engine.table import Area
from engine.view import Pad
from firmware.journal.operation_types import Started
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table.piece_places import InHand, InPile, InStock, OnTable, Place
from hw.button_presses import Button, Press, PressKind

if TYPE_CHECKING:
    from firmware.simulation.people.manual_wish import PlannedEntry

Script = Iterator[float | str | Press]
"""What people do, step by step: seconds to wait, a command that a phone sends, or a press of a button."""
THINK_S = 0.6
"""Seconds between two acts: what was done must come to rest, and be read."""
REACH_S = 0.2
"""Seconds for which an arm is shown on its way."""
PRESS_DELAY_S = 0.4
"""Seconds that a finger rests before OK: the offer may just have changed."""
MOST_PRESSES = 80


@dataclass(slots=True)
class TableMates:
    """What all people at the table share: the table itself, chance, and the reading of the present screen."""

    table: PhysicalTable
    rng: random.Random
    screen: SeenScreen
    human: frozenset[int] = frozenset()
    """The players whose hands are not simulated."""

    pads: tuple[Pad, ...] = ()
    """The scores as they were shown last."""
    phones: bool = False
    """Do they press on a phone, or on the box?"""

    def press(self, topic: str, **args: object) -> Script:
        """Choose the offer about this; nothing if it is gone."""
        return self.press_at(lambda screen: screen.find_offer(topic, **args))

    def press_at(self, find: Callable[[SeenScreen], int | None]) -> Script:
        """Choose the offer that ``find`` points at; nothing if it is gone."""
        for _ in range(MOST_PRESSES):
            at = find(self.screen)
            if at is None:
                return
            if self.phones:
                yield self.screen.moves[at]
                return
            if self.screen.cursor == at:
                yield PRESS_DELAY_S
                if self.screen.cursor == find(self.screen):
                    yield Press(Button.OK, PressKind.SHORT)
                    return
            else:
                down = (at - self.screen.cursor) % len(self.screen.offers)
                nearer = Button.DOWN if 2 * down <= len(self.screen.offers) else Button.UP
                yield Press(nearer, PressKind.SHORT)

    def go_back(self) -> Script:
        yield "back" if self.phones else Press(Button.BACK, PressKind.SHORT)

    def open_menu(self) -> Script:
        yield "menu" if self.phones else Press(Button.BACK, PressKind.LONG)


class Company(ABC):
    """The people of one match, and what they do alike with the pieces of every game.

    ``zones`` are the places that the mat shows. ``answer`` is what they do about a prompt, ``mend`` what they do about
    an alert, ``err`` a mistake that can be made now; each is None where there is nothing to do. The company of a game
    adds what that game needs.
    """

    def __init__(self, mates: TableMates, started: Started) -> None:
        self.mates = mates
        self.started = started
        self.options: Options = started.options
        self.game: Game[Any, Any] = GAMES[started.game]
        self.zones: Mapping[str, Area] = self.game.plan(self.options).zones
        self._aside: dict[str, Place] = {}
        self._good: dict[str, Place] = {}

    @property
    def table(self) -> PhysicalTable:
        return self.mates.table

    @property
    def rng(self) -> random.Random:
        return self.mates.rng

    def begin(self) -> None:
        if self.table.game != self.started.game:
            self.table.bring_game(self.started.game)
        self.table.clear()

    def take_up(self, log: Log[Any, Any]) -> None:
        """The match was begun in an earlier run: the pieces are where its record has them, and are set aside."""
        self.begin()
        self.deal_as_recorded(log.state)
        self.set_aside()

    @abstractmethod
    def deal_as_recorded(self, state: Any) -> None:
        """Every piece goes to its pile, stock or hand, as far as the record knows; the rest is by chance."""
        ...

    def set_aside(self) -> None:
        self._aside = self._places()
        self.table.clear()

    def unpack(self) -> Script:
        """Put everything back to where it was when it was set aside."""
        self._place(self._aside, lying=True)
        yield REACH_S

    def resume(self) -> None:
        if self.table.game != self.started.game:
            self.table.bring_game(self.started.game)
        self.table.clear()
        self._place(self._aside, lying=False)

    def answer(self, screen: SeenScreen) -> Script | None:
        return None

    def mend(self, alert: Sentence) -> Script | None:
        """What the alert says; else everything back to where it was when the box was content, if anything was moved."""
        return self.obey(alert) or (self.restore() if self._find_moved() else None)

    def obey(self, advice: Sentence) -> Script | None:
        """The act that a sentence names: which piece goes where; None if it names none."""
        return None

    def err(self) -> Script | None:
        return None

    @staticmethod
    def list_seats(variant: str, area: Area) -> tuple[tuple[float, float], ...]:
        """Where the seats are on this table, in the order in which people sit down."""
        return ()

    @staticmethod
    def has_deck(deck: str) -> bool:
        """Does the game come with this deck, beside the one of its own name?"""
        return False

    def knows(self, topic: str) -> bool:
        """Is this a prompt of a match that is on?"""
        return False

    @abstractmethod
    def hear(self, entry: str) -> None:
        """A move was recorded; some of them change who plays where."""

    def may_undo(self, screen: SeenScreen) -> bool:
        """May the last move be taken back without more than the box tells?"""
        return False

    def may_leave(self, screen: SeenScreen) -> bool:
        return False

    def may_join(self, screen: SeenScreen) -> bool:
        return False

    def may_change_seats(self, screen: SeenScreen) -> bool:
        return False

    def may_adopt(self, screen: SeenScreen) -> bool:
        """Is there a mistake now after which the table can be taken as it is?"""
        return False

    def find_false_piece(self, advice: Sentence) -> str:
        """A piece that no player can have put there, so that the record is wrong; empty if there is none."""
        return ""

    def find_late_piece(self, advice: Sequence[Sentence]) -> str:
        """A piece that was recorded too early, as the screen says: before another one could be laid; else empty."""
        return ""

    def plan_entry(self) -> "PlannedEntry | None":
        """A move that can be entered by hand now."""
        return None

    def make_move(self, entry: str) -> Script:
        """Make the move with the pieces that was entered by hand."""
        return iter(())

    def disputes(self, screen: SeenScreen) -> bool:
        """Was the last move entered although it is not so?"""
        return False

    def find_owner(self, cards: Sequence[str]) -> int | None:
        """The player who has one of these cards in the pile or in the hand."""
        for id in cards:
            place = self.table.piece(id).place
            if isinstance(place, InHand | InPile):
                return place.player
        return None

    @abstractmethod
    def remove(self, zone: str, pieces: tuple[str, ...]) -> Script:
        """Take these pieces away from a place, as the box asks."""
        ...

    def clear_view(self) -> Script:
        """Take away what hides the table."""
        for name in list(self.table.arms):
            self.table.withdraw(name)
        for name in list(self.table.objects):
            self.table.remove_object(name)
        yield REACH_S

    def remember(self) -> None:
        """The box is content: this is how the table may be put back after a mistake."""
        self._good = self._places()

    def restore(self) -> Script:
        """Put every piece back to where it was when the box was content."""
        wrong = self._find_moved()
        spots = [place.spot for id in wrong if isinstance(place := self._good[id], OnTable)]
        yield from self.reach(*(spots[0] if spots else self.middle("table")))
        self._place({id: self._good[id] for id in wrong}, lying=True)
        yield from self.withdraw()

    def _find_moved(self) -> list[str]:
        """The pieces that are not where they were when the box was content."""
        now = self._places()
        return [id for id, place in self._good.items() if now.get(id) != place]

    def move(self, id: str, x: float, y: float, *, face_down: bool = False, under: str | None = None) -> Script:
        """A hand lays a piece here."""
        yield from self.reach(x, y)
        self.table.lay(id, x, y, face_down=face_down, under=under)
        yield from self.withdraw()

    def reach(self, x: float, y: float) -> Script:
        self.table.reach("hand", x, y)
        yield REACH_S

    def withdraw(self) -> Script:
        self.table.withdraw("hand")
        yield REACH_S

    def middle(self, zone: str) -> tuple[float, float]:
        area = self.zones.get(zone, self.table.area)
        return (area.left + area.right) / 2, (area.top + area.bottom) / 2

    def held(self, zone: str) -> list[str]:
        """The ids of the pieces in this place, from left to right."""
        lying = self.table.lying(self.zones[zone])
        at = {it.id: it.place for it in lying}
        return sorted(at, key=lambda id: place.x if isinstance(place := at[id], OnTable) else 0.0)

    def find(self, piece: str) -> str | None:
        """The id of a piece that the screen names: one on the table first, then one that is not."""
        some = [it for it in self.table.pieces() if it.name == piece or it.name.partition(".")[0] == piece]
        some.sort(key=lambda it: (not isinstance(it.place, OnTable), isinstance(it.place, InStock)))
        return some[0].id if some else None

    def _places(self) -> dict[str, Place]:
        return {it.id: it.place for it in self.table.pieces()}

    def _place(self, places: Mapping[str, Place], *, lying: bool) -> None:
        """Put pieces to these places, those on the table from the lowest to the highest or, else, into the box."""
        down = [(place.over, id, place) for id, place in places.items() if isinstance(place, OnTable)]
        for id, place in places.items():
            match place:
                case InHand(player):
                    self.table.take([id], player)
                case InPile(player):
                    self.table.win([id], player)
                case InStock(name):
                    self.table.put_back([id], name)
                case OnTable():
                    pass
        for _, id, place in sorted(down, key=lambda it: it[0]):
            if lying:
                self.table.lay(id, place.x, place.y, place.angle, face_down=place.face_down)
            else:
                self.table.put_back([id], "box")
