"""The first evening of a box: camera, deck check, names and a first game, from the words of its screens.

The box is the real one; the table is simulated without pixels. At each screen a reader who sees only the words names
the next act, and the state of the box says which acts would have been right.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from engine.games.nimmt.due_action import find_due_action
from engine.table import Piece, Table
from engine.view import View
from firmware.box.effects import KeepEmpty
from firmware.box.events import BoxEvent, Pressed, Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, find_running_game, show_box, step_box
from firmware.box.flows.deck_check import list_decks
from firmware.box.flows.first_game import EXPLAINED_ROUNDS
from firmware.box.flows.home_menu import Home
from firmware.box.games import ui_of
from firmware.runtime.screen_text import render_screen
from firmware.simulation.table import SimTable, SimulatedAct
from hw.button_presses import Button, Press, PressKind
from tests.first_evening.reader import WISHES, Act, ScreenWords, TextReader
from vision.calibration.camera_check import CameraCheck
from vision.live.perception_events import CameraMeasured, TableSeen

GOOD_CAMERA = CameraCheck(
    *((), 0.9, 2.2, (900, 600)), nearer_cm=0, larger_mm=0, tilt=3.0, still=True, small=np.full((4, 4), 190, np.uint8)
)
PLAYERS = 3
PRESS_S, LOOK_S = 0.5, 1.0
"""Seconds between two presses, and between two tables seen."""
MOST_SCREENS = 2000
CARD_MM = (66, 97)
OK, DOWN, UP = (Press(button, PressKind.SHORT) for button in (Button.OK, Button.DOWN, Button.UP))
ASKED_IN_GAME = ("new_name", "sure_end")
"""Prompts above a game that a press of the reader answers; in the game itself simulated hands press."""
By = Literal["buttons", "phone"]


@dataclass(frozen=True, slots=True)
class Examined:
    """One screen, the act that the reader named, and the acts that were right."""

    prompt: str
    screen: ScreenWords
    named: Act
    right: frozenset[Act]

    @property
    def passed(self) -> bool:
        return self.named in self.right


@dataclass
class FirstEvening:
    """``presses`` are those of buttons, or taps on one phone; ``examined`` are all screens in their order."""

    game: str
    by: By
    box: Box = field(default_factory=lambda: Box(Context(), (Home(),)))
    at: float = 0.0
    presses: int = 0
    examined: list[Examined] = field(default_factory=list)
    _acts: Iterator[SimulatedAct] = field(default_factory=lambda: iter(()))
    _sim: SimTable | None = None

    def play(self) -> None:
        """Until three rounds were explained and the box explains no more, or the game is over."""
        reader = TextReader(WISHES[self.game])
        while not self._ended():
            assert len(self.examined) < MOST_SCREENS, "the evening does not end"
            view = show_box(self.box)
            said = render_screen(view, self.box.known.names)
            screen = ScreenWords(said.prompt, said.alert, said.lines, said.offers)
            right = frozenset(self._right(view, screen))
            assert right, f"nobody knows what is right here: {view.prompt}"
            one = Examined(view.prompt.id, screen, reader.next_act(screen), right)
            self.examined.append(one)
            self._carry_out(one.named if one.passed else min(right, key=str), view, screen)

    def _ended(self) -> bool:
        playing = find_running_game(self.box)
        if playing is None:
            return False
        over = show_box(self.box).over
        return over or ui_of(self.game).rounds_played(playing.log) > EXPLAINED_ROUNDS

    def _right(self, view: View, screen: ScreenWords) -> Iterator[Act]:
        """From ids, arguments and the state of the game, never from words."""

        def press(move: str) -> Act:
            return Act("press", (screen.offers[[offer.move for offer in view.offers].index(move)],))

        needed = [deck for deck in ui_of(self.game).needed_decks({}) if deck not in self.box.known.decks]
        match view.prompt.id:
            case "home_no_camera":
                yield press("camera:set-up" if self.box.known.language else "box:language")
            case "which_language":
                yield press("box:language-is en")
            case "home":
                yield press("deck:list" if needed else "game:first")
            case "aim_looking" | "aim_hold":
                yield Act("wait")
            case "aim_clear":
                yield press("camera:keep-empty-table")
            case "which_deck":
                yield press(f"deck:check {needed[0]}")
            case "deck_lay" | "deck_next":
                yield Act("lay-sheet", (str(view.prompt.get("first")), str(view.prompt.get("last"))))
            case "deck_right":
                yield press("back")
            case "first_game_which":
                yield press(f"setup:first-game {self.game}")
            case "lay_at_seats":
                yield Act("card-at-seats")
            case "players_at_seats" | "game_for":
                yield press("setup:start")
            case "take_cards_back":
                yield Act("take-back")
                yield press("setup:cards-are-back")
            case "act_move":  # a person has begun, and the box says how to go on
                yield Act("move", (str(view.prompt.get("piece")),))
            case "sure_end":  # the player has just said so
                yield press(view.offers[-1].move)
            case "new_name":
                taken = {f"name:set {name}" for name in self.box.known.names.values()}
                yield from (press(offer.move) for offer in view.offers if offer.move not in taken)
            case _:
                yield from self._right_in_game(view, press)

    def _right_in_game(self, view: View, press: Any) -> Iterator[Act]:
        playing = find_running_game(self.box)
        assert playing is not None
        state = playing.log.state
        match self.game:
            case "thegame":
                yield press(view.offers[0].move) if state.laid >= 2 or not state.deck else Act("lay-any")
            case "six":
                kind = "lay-tile" if state.game and any(state.game.hands) else "move-tile"
                yield Act(kind, (state.game.turn,)) if state.game else Act("start-pair")
            case _:
                yield from self._right_in_rows(state, press)

    def _right_in_rows(self, state: Any, press: Any) -> Iterator[Act]:
        due = find_due_action(state)
        names = self.box.known.names
        match state.phase:
            case "deal":
                yield Act("clear" if state.lying else "start-rows")
            case "over":
                yield press("next")
            case "choose":
                missing = [p for p in state.players() if p not in state.chosen and not state.shown[p - 1]]
                everybody = len(missing) == len(tuple(state.players()))
                if missing:
                    yield Act("choose", () if everybody else (", ".join(names.get(p, f"Player {p}") for p in missing),))
                else:
                    yield Act("reveal")
            case _ if due and due.take and due.row:
                yield Act("take", (str(due.row),))
            case _ if due and due.take:
                yield Act("take-any", (str(due.card),))
            case _ if due and state.slot.start:
                yield Act("lay-first", (str(due.row), str(due.card)))
            case _ if due:
                yield Act("lay", (str(due.card), str(due.row)))
            case _:
                return

    def _carry_out(self, act: Act, view: View, screen: ScreenWords) -> None:
        match act:
            case Act("press", (label,)) if find_running_game(self.box) is None or view.prompt.id in ASKED_IN_GAME:
                self._press(screen.offers.index(label), view)
            case Act("wait"):
                self._see(CameraMeasured(GOOD_CAMERA, self.at))
            case Act("lay-sheet", (first, _)):
                sheets = (sheet for deck in list_decks().values() for sheet in deck.sheets if sheet[0] == first)
                self._show(lay_in_rows(next(sheets)))
            case Act("card-at-seats"):
                zones = (find_read_request(self.box) or read_nothing()).zones
                areas = list(zones.values())[:PLAYERS]
                middles = [((a.left + a.right) / 2, (a.top + a.bottom) / 2) for a in areas]
                self._show(Table(frozenset(Piece(str(n), x, y) for n, (x, y) in enumerate(middles, 10))))
            case Act("take-back"):
                self._show(Table(frozenset()))
            case _:
                self._play_on(view)
        if view.prompt.id == "aim_clear":
            self._see(CameraMeasured(GOOD_CAMERA, self.at))

    def _press(self, offer: int, view: View) -> None:
        """With buttons the shortest way through the list, on a phone one tap."""
        if self.by == "phone":
            self.presses += 1
            self._see(parse_told(view.offers[offer].move, "web", self.at))
            return
        steps = (offer - view.cursor) % len(view.offers)
        back = len(view.offers) - steps
        for press in (*([DOWN] * steps if steps <= back else [UP] * back), OK):
            self.presses += 1
            self._see(Pressed(press, self.at))

    def _play_on(self, view: View) -> None:
        """The next act of simulated hands, or what they enter with a press, until the box shows something else."""
        playing = find_running_game(self.box)
        assert playing is not None
        if self._sim is None:
            self._sim = SimTable(playing.log, random.Random(2), mistake_share=0.0)
            self._acts = self._sim.acts()
        for act in self._acts:
            if act.entry:
                moves = [offer.move for offer in show_box(self.box).offers]
                self.presses += 1 + (moves.index(act.entry) if act.entry in moves and self.by == "buttons" else 0)
                self._see(parse_told(act.entry, "button" if self.by == "buttons" else "web", self.at))
            self._show(self._sim.true_table())
            if show_box(self.box).prompt != view.prompt:
                return

    def _show(self, table: Table) -> None:
        for _ in range(2):
            self._see(TableSeen(table, self.at))
        self._see(Ticked(self.at))

    def _see(self, event: BoxEvent) -> None:
        self.at += PRESS_S if isinstance(event, Pressed) else LOOK_S
        self.box, effects = step_box(self.box, replace(event, at=self.at))
        if KeepEmpty() in effects:
            self._see(CameraMeasured(GOOD_CAMERA, self.at, kept=True))


def read_nothing() -> Any:
    raise AssertionError("the box reads nothing here")


def lay_in_rows(cards: tuple[str, ...]) -> Table:
    """Cards side by side in two rows, as a deck check asks for them."""
    wide, high = CARD_MM
    places = ((60 + wide * (n % 5), 80 + high * (n // 5)) for n in range(len(cards)))
    return Table(frozenset(Piece(card, x, y) for card, (x, y) in zip(cards, places, strict=True)))
