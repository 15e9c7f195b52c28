"""Each scenario, played through tables without pixels: what a person tries, and what the box says to it."""

from contextlib import closing

import pytest

from engine.table import Area
from engine.text import say
from firmware.app.restore import restore_session
from firmware.box.events import Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box, step_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing, play_from
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import Operation, Started, WriteEntries
from firmware.machine.state_folder import JOURNAL_FILE
from firmware.simulation.scenarios import BY_NAME, SCENARIOS, SPECIALS, TWO_GROUPS, lay_scenario
from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table.piece_places import InHand
from vision.live.perception_events import TableSeen

SIZE = Area(0, 0, 841, 594)
NAMES = {1: "Ana", 2: "Ben", 3: "Clea"}
PITCH_MM = 62.0


class PlayedScenario:
    """The box of a scenario, which sees the table at rest after each act."""

    def __init__(self, name: str) -> None:
        self.scenario = BY_NAME[name]
        self.table = PhysicalTable(self.scenario.game, SIZE, seed=1)
        self.log = lay_scenario(self.table, self.scenario)
        self.zones = self.log.game.plan(self.log.options).zones
        self.box = Box(Context(names=NAMES, area=(841, 594)), (Home(), play_from(self.log)))
        self.effects: list[object] = []
        self.at = 0.0
        self.look()

    def look(self, seconds: float = 4.0) -> None:
        for _ in range(round(seconds * 5)):
            self.at += 0.2
            for event in (TableSeen(self.table.true_table(), self.at), Ticked(self.at)):
                self._step(event)

    def _step(self, event) -> None:
        self.box, effects = step_box(self.box, event)
        self.effects += effects

    def choose(self, label: str) -> None:
        """Press the offer with this label."""
        words = next(offer.move for offer in self.view.offers if offer.label.id == label)
        self.at += 0.1
        self._step(parse_told(words, "button", self.at))
        self.look()

    @property
    def view(self):
        return show_box(self.box)

    @property
    def alert(self) -> str:
        return self.view.alert.id if self.view.alert else ""

    def total(self, player: int) -> int:
        return next(pad.total + pad.now for pad in self.view.pads if pad.player == player)

    def row(self, row: int) -> list[str]:
        lying = self.table.lying(self.zones[f"row:{row}"])
        return [it.id for it in sorted(lying, key=lambda it: it.place.x)]

    def lay_in_row(self, id: str, row: int, *, left: bool = False) -> None:
        """Behind the last piece of a row, or before its first one."""
        area, held = self.zones[f"row:{row}"], [id for id in self.row(row)]
        ends = [self.table.piece(id).place.x for id in held]
        x = area.left + 40 if not ends else ends[0] - PITCH_MM if left else ends[-1] + PITCH_MM
        self.table.lay(id, x, (area.top + area.bottom) / 2)
        self.look()

    def take_row(self, row: int) -> None:
        self.table.win(self.row(row), 1)

    def play_special(self, kind: str) -> None:
        seat = self.zones["seat:1"]
        x = (seat.left + seat.right) / 2 + 0.16 * (seat.right - seat.left)
        self.table.lay(f"{kind}.1", x, (seat.top + seat.bottom) / 2)
        self.look()


@pytest.mark.parametrize("name", BY_NAME)
def test_a_scenario_begins_as_its_record_says(name):
    played = PlayedScenario(name)
    assert played.effects == []
    assert played.alert in ("", "draws")
    assert played.box.flows[-1].log == played.log
    for player, cards in played.scenario.hands.items():
        assert set(cards) <= set(played.table.hand(player))


def test_every_scenario_is_in_the_menu_once():
    assert len(BY_NAME) == len(SCENARIOS) == 7


class TestTheWrongRow:
    def test_the_wrong_row_is_named_and_the_right_one_accepted(self):
        played = PlayedScenario("wrong-row")
        played.lay_in_row("44", 3)
        assert played.view.alert == say("belongs_in_row", card=44, row=2, behind=37)
        played.lay_in_row("44", 2)
        assert (played.alert, played.view.prompt) == ("", say("lay_behind", card=63, row=3, behind=58))


class TestALowCard:
    def test_it_takes_a_row_with_its_heads(self):
        played = PlayedScenario("low-card")
        assert played.view.prompt == say("low_card", card=7)
        played.take_row(1)
        played.lay_in_row("7", 1)
        assert (played.alert, played.total(1)) == ("", 3)
        assert played.view.prompt == say("lay_behind", card=45, row=2, behind=41)

    def test_it_does_not_start_a_row_beside_another_card(self):
        played = PlayedScenario("low-card")
        played.lay_in_row("7", 1)
        assert played.alert
        assert played.total(1) == 0


def fifth_row(played):
    played.lay_in_row("fifth.1", 5)
    played.lay_in_row("44", 5)


def insert(played):
    played.lay_in_row("44", 3, left=True)


def block(played):
    area = played.zones["row:1"]
    played.table.lay("block.1", area.right - 33, (area.top + area.bottom) / 2)
    played.look()
    played.take_row(2)
    played.lay_in_row("44", 2)


def replace(played):
    played.table.take(["44"], 1)
    played.lay_in_row("101", 4)


def move(played):
    played.lay_in_row("38", 1)
    played.lay_in_row("44", 2)


def negpos(played):
    played.take_row(2)
    played.lay_in_row("44", 2)


class TestAllSevenSpecials:
    @pytest.mark.parametrize(
        ("kind", "asked"),
        [
            ("fifth", "starts_fifth_row"),
            ("seven", "lay_behind"),
            ("insert", "insert_inside"),
            ("block", "block_first"),
            ("replace", "replace_first"),
            ("move", "move_first"),
            ("negpos", "take_row"),
        ],
    )
    def test_each_of_them_can_be_played_and_the_box_says_what_follows(self, kind, asked):
        played = PlayedScenario("seven-specials")
        assert played.view.prompt == say("take_row", row=2, n=7)
        played.play_special(kind)
        assert (played.alert, played.view.prompt.id) == ("", asked)
        assert any(
            isinstance(effect, WriteEntries) and f"special 1 {kind}" in effect.entries for effect in played.effects
        )

    @pytest.mark.parametrize(
        ("kind", "carry_out"),
        [
            pytest.param("fifth", fifth_row, id="fifth"),
            pytest.param("insert", insert, id="insert"),
            pytest.param("block", block, id="block"),
            pytest.param("replace", replace, id="replace"),
            pytest.param("move", move, id="move"),
        ],
    )
    def test_each_is_carried_out_and_the_next_card_is_due(self, kind, carry_out):
        played = PlayedScenario("seven-specials")
        played.play_special(kind)
        carry_out(played)
        if kind in ("insert", "replace", "move"):
            played.table.put_back([f"{kind}.1"], "discard")
            played.look()
        assert (played.alert, played.view.prompt.id, played.view.prompt.get("card")) == ("", "lay_behind", 62)

    def test_the_person_holds_one_of_each(self):
        played = PlayedScenario("seven-specials")
        assert [played.table.piece(id).place for id in SPECIALS] == [InHand(1)] * 7


class TestCannotPlay:
    def test_the_hand_is_asked_for_and_found_true(self):
        played = PlayedScenario("cannot-play")
        played.choose("cannot_play")
        played.choose("cannot_play")
        assert played.view.over
        shown = played.table.hand(1)
        assert len(shown) == 6
        tops = {"up:1": 92, "up:2": 91, "down:1": 9, "down:2": 11}
        cards = {int(card) for card in shown}
        assert not {card for card in cards if card > min(92, 91) or card < max(9, 11)}
        assert not cards & {tops["up:1"] - 10, tops["up:2"] - 10, tops["down:1"] + 10, tops["down:2"] + 10}

    def test_a_card_that_does_not_fit_is_refused(self):
        played = PlayedScenario("cannot-play")
        pile = played.zones["up:1"]
        played.table.lay("34", (pile.left + pile.right) / 2, (pile.top + pile.bottom) / 2)
        played.look()
        assert played.view.prompt == say("show_card_under", card=34, zone="up:1", maybe=())
        played.choose("nothing_under")
        played.look()
        assert played.view.alert == say("take_back", card=34, top=92, zone="up:1")
        assert "play 34 up:1" not in map(str, played.box.flows[-1].log.moves)


class TestASplit:
    def find_tile(self, played, q, r):
        """The tile in this cell: the board lies straight, 38.6 mm from tile to tile."""
        x, y = 420 + 38.6 * (q + r / 2), 297 + 38.6 * r * 3**0.5 / 2
        return min(played.table.lying(), key=lambda it: abs(it.place.x - x) + abs(it.place.y - y)), (x, y)

    def test_the_smaller_group_leaves_and_the_other_player_is_next(self):
        played = PlayedScenario("split")
        assert played.view.prompt == say("move_tile", player=1, colour="red")
        assert len(played.table.lying()) == TWO_GROUPS.count("lay") + 2
        bridge, _ = self.find_tile(played, 2, 0)
        assert bridge.name == "red"
        played.table.take([bridge.id], 1)
        played.look()
        _, spot = self.find_tile(played, -6, 2)
        played.table.lay(bridge.id, *spot)
        played.look()
        assert played.alert == ""
        lost = [it.id for it in played.table.lying() if it.place.x > 480]
        assert len(lost) == 12
        played.table.put_back(lost, "box")
        played.look()
        assert played.view.prompt == say("move_tile", player=2, colour="black")

    def test_a_tile_of_the_other_colour_is_refused(self):
        played = PlayedScenario("split")
        other, _ = self.find_tile(played, 6, -2)
        assert other.name == "black"
        _, spot = self.find_tile(played, -6, 2)
        played.table.lay(other.id, *spot)
        played.look()
        assert played.alert


class TestTheLampGoesOn:
    @pytest.mark.parametrize("light", ["warm", "dim"])
    def test_the_game_goes_on_in_another_light(self, light):
        played = PlayedScenario("lamp")
        played.table.set_lamp(light)
        played.look()
        assert played.alert == ""
        played.lay_in_row("44", 2)
        assert played.view.prompt == say("lay_behind", card=63, row=3, behind=58)

    def test_in_the_dark_nothing_is_said_of_cards_and_nothing_is_lost(self):
        played = PlayedScenario("lamp")
        played.table.set_lamp("off")
        played.lay_in_row("44", 3)
        assert played.effects == []
        assert played.alert not in ("belongs_in_row", "act_move")
        played.table.set_lamp("daylight")
        played.lay_in_row("44", 2)
        assert played.view.prompt == say("lay_behind", card=63, row=3, behind=58)


class TestThePowerCut:
    def test_the_journal_holds_every_card_and_the_game_goes_on(self, tmp_path):
        played = PlayedScenario("power-cut")
        seat = played.zones["seat:1"]
        with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
            game = journal.begin(Started("nimmt", played.log.options, NAMES), 1.0)
            journal.apply(WriteEntries(tuple(map(str, played.log.moves)), "seen"), game, 1.0)
            played.table.lay(played.table.hand(1)[0], (seat.left + seat.right) / 2, (seat.top + seat.bottom) / 2)
            played.look()
            for effect in played.effects:
                if isinstance(effect, Operation):
                    journal.apply(effect, game, 2.0)
        before = played.box.flows[-1]
        assert played.effects
        with closing(open_journal(tmp_path / JOURNAL_FILE)) as journal:
            known, told = restore_session(journal, 3.0)
        assert told == ()
        played.box = Box(Context(names=known.names, last=known.last, stopped=known.stopped, area=(841, 594)), (Home(),))
        assert played.view.offers[0].label.id.startswith("resume")
        played._step(parse_told(played.view.offers[0].move, "button", played.at))
        played.look()
        after = played.box.flows[-1]
        assert isinstance(after, Playing)
        assert after.log.moves == before.log.moves
        assert (played.alert, after.guide) == ("", None)
