"""Connects the page with the simulated table: what the person does goes to it, what the page draws comes from it."""

import asyncio
import base64
import io
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from engine.table import BACK
from engine.text import Text, say
from firmware.box.events import Pressed
from firmware.runtime.clock import ScaledClock
from firmware.runtime.display_thread import ScreenFrame, draw_picture
from firmware.runtime.inbox import Inbox
from firmware.simulation.people.people import People
from firmware.simulation.scenarios import BY_NAME, Scenario
from firmware.simulation.table.physical_table import TILE_MM, ImpossibleAct, PhysicalTable
from firmware.simulation.table.piece_places import OnTable, PhysicalPiece
from firmware.simulation.table.shapes import outline_card, overlap
from firmware.simulation.table_pace import SPEEDS, TablePace
from firmware.texts.render import Names, render
from firmware.web import table_acts as act
from firmware.web.page_snapshot import Snapshot
from firmware.web.table_message import DrawnPiece, HeldPiece, NamedZone, TableMessage
from hw.button_presses import Button, Press, PressKind
from vision.pieces import PIECES, has_tiles
from vision.render import RenderCamera
from vision.render.projection import project_points

TILE_COLOURS = ("red", "black")
"""The colours of the tiles of players 1 and 2."""
YOU = "you"
"""The name of the arm and of the mug of the person."""
CORNERS_PER_FLATS = 2 / 3**0.5
"""Height of a tile that stands on a corner, by its width across its flats."""
KNOCK_MM = 14.0
AWAY_S = 20.0
"""Seconds without a window after which a simulated person plays on in place of the real one."""
SEAT_KINDS = ("seat:", "special:")
"""Zones that belong to a player; those of players who are not there need no name."""


class SimulatedPlace(Protocol):
    """The simulated table as the page needs it: pieces, time, those who play beside the person, and scenarios."""

    table: PhysicalTable
    pace: TablePace
    people: People
    scenario: Scenario | None

    def begin_scenario(self, scenario: Scenario) -> None:
        """Set this scenario up; the box starts again for it."""
        ...

    def cut_power(self) -> None:
        """The box loses its power, and gets it back."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedSeat:
    """The seat of the person at the simulated table: the ``player`` whose hand they hold."""

    place: SimulatedPlace
    player: int = 1

    @property
    def table(self) -> PhysicalTable:
        return self.place.table

    @property
    def pace(self) -> TablePace:
        return self.place.pace

    def sit_down(self) -> None:
        """The person plays from now on."""
        self.place.people.leave_to_human(frozenset({self.player}))

    def stand_up(self) -> None:
        """The person is gone: a simulated one plays on."""
        self.place.people.leave_to_human(frozenset())

    def list_hand(self) -> tuple[str, ...]:
        """The pieces that the person can lay: cards in the hand, or the tiles of a colour."""
        table = self.table
        if not has_tiles(table.game):
            return tuple(sorted(table.hand(self.player), key=_hand_order))
        return (*table.hand(self.player), *table.stock(TILE_COLOURS[self.player - 1]))


class TableLink:
    """``show_screen`` is called by the thread of a screen, all else by that of the page."""

    def __init__(
        self, seat: SimulatedSeat, inbox: Inbox, clock: ScaledClock, language: str, *, away_s: float = AWAY_S
    ) -> None:
        self._seat = seat
        self._inbox = inbox
        self._clock = clock
        self._language = language
        self._screen: ScreenFrame | None = None
        self._screen_picture: tuple[ScreenFrame | None, str] = (None, "")
        self._windows = 0
        self._away_s = away_s
        self._knocks = random.Random(seat.player)

    def show_screen(self, shown: ScreenFrame) -> None:
        if shown != self._screen:
            self._screen = shown

    def state_key(self) -> tuple[object, ...]:
        """Differs as soon as the page would draw something else."""
        pace = self._seat.pace
        place = self._seat.place
        return place.table.version, id(self._screen), pace.paused, pace.speed, place.people.mistakes, place.scenario

    def sit_down(self) -> None:
        """A window is open, so a person sits here."""
        self._windows += 1
        self._seat.sit_down()

    def stand_up(self) -> None:
        """A window was closed, perhaps only to be loaded again: if none is opened for a while, the person is gone."""
        self._windows -= 1
        asyncio.get_running_loop().call_later(self._away_s, self._leave_if_away)

    def _leave_if_away(self) -> None:
        if not self._windows:
            self._seat.stand_up()

    def do(self, done: act.AnyTableAct) -> Text | None:
        """Carry out what the person does; the reason if hands cannot do this."""
        try:
            self._do(done)
        except ImpossibleAct:
            return say("sim_impossible")
        return None

    def _do(self, done: act.AnyTableAct) -> None:
        table, player = self._seat.table, self._seat.player
        match done:
            case act.LiftPiece(name):
                table.take([name], player)
            case act.PutPiece(name, x, y, angle, face_down, under):
                below = self._find_lowest_touched(name, x, y, angle) if under else None
                table.lay(name, x, y, angle, face_down=face_down, under=below)
            case act.TurnPiece(name):
                table.turn_over(name)
            case act.KeepPieces(names):
                table.take(names, player)
            case act.TakePieces(names):
                table.win(names, player)
            case act.MoveArm(None):
                table.withdraw(YOU)
            case act.MoveArm((x, y)):
                table.reach(YOU, x, y)
            case act.MoveMug(None):
                table.remove_object(YOU)
            case act.MoveMug((x, y)):
                table.put_object(YOU, "mug", x, y)
            case act.KnockCamera():
                dx, dy = (self._knocks.choice((-1, 1)) * self._knocks.uniform(KNOCK_MM / 2, KNOCK_MM) for _ in "xy")
                table.knock_camera(dx, dy, self._knocks.uniform(-1, 1))
            case act.SetLamp(light):
                table.set_lamp(light)
            case act.DrawPieces(count):
                self._draw_cards(count)
            case act.SetPace(pace):
                self._set_pace(pace)
            case act.SetMistakes("now"):
                self._seat.place.people.err_now()
            case act.SetMistakes("none" | "some" | "many" as often):
                self._seat.place.people.mistakes = often
            case act.BeginScenario(name):
                if name not in BY_NAME:
                    raise ImpossibleAct(f"There is no scenario {name!r}.")
                self._seat.place.begin_scenario(BY_NAME[name])
            case act.CutPower():
                self._seat.place.cut_power()
            case act.PressButton(button, long):
                press = Press(Button(button), PressKind.LONG if long else PressKind.SHORT)
                self._inbox.put(Pressed(press, self._clock()))

    def _draw_cards(self, count: int) -> None:
        """Draw cards from the top of the deck."""
        deck = self._seat.table.stock()
        if count > len(deck):
            raise ImpossibleAct("There are not so many cards in the deck.")
        self._seat.table.take(deck[-count:], self._seat.player)

    def _set_pace(self, wanted: str) -> None:
        pace = self._seat.pace
        match wanted:
            case "pause":
                pace.pause()
            case "step":
                pace.step()
            case "slow" | "real" | "fast" as speed:
                pace.set_speed(speed)
                pace.go_on()

    def _find_lowest_touched(self, name: str, x: float, y: float, angle: float) -> str | None:
        """The lowest piece that a card here would touch."""
        table = self._seat.table
        mine = outline_card(table.game, x, y, angle)
        return next(
            (
                it.id
                for it in table.lying()
                if it.id != name
                and isinstance(it.place, OnTable)
                and overlap(mine, outline_card(table.game, *it.place.spot, it.place.angle))
            ),
            None,
        )

    def message(self, shown: Snapshot, language: str) -> TableMessage:
        """The table now, with its texts in a language."""
        table, player = self._seat.table, self._seat.player
        place, scenario = self._seat.place, self._seat.place.scenario
        eye = table.empty_scene().camera
        arm, mug = table.arms.get(YOU), table.objects.get(YOU)
        tiles = has_tiles(table.game)
        size = (TILE_MM, TILE_MM * CORNERS_PER_FLATS) if tiles else PIECES[table.game].size
        return TableMessage(
            version=table.version,
            game=table.game,
            tiles=tiles,
            pitch=table.tile_pitch,
            area=(table.area.right, table.area.bottom),
            to_picture=map_to_picture(eye),
            ratio=eye.width / eye.height,
            size=size,
            zones=_name_zones(shown, language),
            pieces=[_draw(it, it.place, language) for it in table.lying() if isinstance(it.place, OnTable)],
            hand=[_hold(table.piece(id), language) for id in self._seat.list_hand()],
            you=render(say("sim_you", player=player), language, shown.names) if shown.names else "",
            taken=len(table.pile(player)),
            mug=(mug.x, mug.y) if mug else None,
            arm=arm.hand if arm else None,
            lamp=table.lamp,
            pace=self._name_pace(),
            mistakes=place.people.mistakes,
            deck=len(table.stock()) if PIECES[table.game].stacked else 0,
            scenario=scenario.name if scenario else "",
            advice=render(scenario.advice, language) if scenario and _is_untried(scenario, shown) else "",
            screen=self._draw_screen(),
        )

    def _draw_screen(self) -> str:
        """The small screen as a ``data`` address of a PNG; each frame is drawn once, for the windows that watch."""
        shown = self._screen
        if shown is not None and self._screen_picture[0] is not shown:
            file = io.BytesIO()
            draw_picture(shown, self._language).save(file, "PNG")
            self._screen_picture = (shown, "data:image/png;base64," + base64.b64encode(file.getvalue()).decode())
        return self._screen_picture[1]

    def _name_pace(self) -> str:
        pace = self._seat.pace
        return "pause" if pace.paused else next((name for name, speed in SPEEDS.items() if speed == pace.speed), "")


def map_to_picture(eye: RenderCamera) -> tuple[float, ...]:
    """Nine numbers that map millimetres to shares of the picture, without the small bend of the lens."""
    middle, reach = np.array([eye.x, eye.y]), 200.0
    corners = middle + reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    seen = project_points(eye, np.column_stack([corners, np.zeros(4)])) / [eye.width, eye.height]
    found = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    return tuple(float(number) for number in found.ravel())


def _is_untried(scenario: Scenario, shown: Snapshot) -> bool:
    """Is the advice of a scenario still to be followed? That of a power cut stands: it adds no entry."""
    moves = len(shown.log.moves) if shown.log else 0
    return scenario.effect == "power" or moves <= len(scenario.moves)


def _hand_order(id: str) -> tuple[bool, int, str]:
    """Numbers in order, then the rest by name."""
    number = id.partition(" ")[0]
    return (not number.isdigit(), int(number) if number.isdigit() else 0, id)


def _draw(it: PhysicalPiece, at: OnTable, language: str) -> DrawnPiece:
    name = BACK if at.face_down else it.name
    return DrawnPiece(it.id, _label(name, language), name, at.x, at.y, at.angle, at.face_down, at.over)


def _hold(it: PhysicalPiece, language: str) -> HeldPiece:
    return HeldPiece(it.id, _label(it.name, language), it.name)


@lru_cache(maxsize=1024)
def _label(name: str, language: str) -> str:
    return render(say("sim_piece", piece=name), language)


def _name_zones(shown: Snapshot, language: str) -> list[NamedZone]:
    """The places of the game that the box plays."""
    if shown.log is None:
        return []
    zones, names = shown.log.game.plan(shown.log.options).zones, shown.names
    return [
        NamedZone(zone, _zone_label(zone, language, names), area.left, area.top, area.right, area.bottom)
        for zone, area in zones.items()
        if not zone.startswith(SEAT_KINDS) or int(zone.partition(":")[2]) in names
    ]


def _zone_label(zone: str, language: str, names: Names) -> str:
    return render(say("sim_zone", zone=zone), language, names)
