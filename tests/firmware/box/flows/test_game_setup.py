"""From power-on to the first card: presses, cards at seats, options, and what is refused before it begins."""

from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.options import fill_options
from engine.referee import Follows, Waiting, judge
from engine.table import BACK, Area, Piece, Table
from engine.text import say
from firmware.box.button_actions import OK_DELAY_S
from firmware.box.events import Pressed, Ticked, parse_told
from firmware.box.flow_context import Context, Stopped
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.game_setup import GameChoice, GameSetup
from firmware.box.flows.game_setup_options import list_options, values_menu
from firmware.box.flows.home_menu import Home
from firmware.box.games import ui_of
from firmware.box.match_start import start_match
from firmware.journal.operation_types import BeginGame, Started
from hw.button_presses import Button, Press, PressKind
from vision.live.perception_events import FaultChanged, TableSeen

DOWN, UP, OK = (Press(button, PressKind.SHORT) for button in (Button.DOWN, Button.UP, Button.OK))
WIDE = Context(area=(900, 600), decks=frozenset({"nimmt", "specials", "thegame"}))
PLAYERS = {"nimmt": 5, "thegame": 3, "six": 2}
VARIANTS = tuple(variant.name for variant in ui_of("nimmt").variants)
CHOICES = [("nimmt", variant) for variant in VARIANTS] + [
    ("thegame", ""),
    ("six", ""),
]


class Evening:
    """Somebody at the four buttons, who counts what he presses."""

    def __init__(self, known, *flows):
        self.box = Box(known, (Home(), *flows))
        self.at = known.now
        self.presses = 0
        self.done = []

    def do(self, item):
        self.box, effects = step_box(self.box, item)
        self.done += effects
        return self

    def press(self, press):
        self.at += 1.0
        self.presses += 1
        return self.do(Pressed(press, self.at))

    def choose(self, move):
        """By the shorter way round the list."""
        moves = [offer.move for offer in show_box(self.box).offers]
        at, count = moves.index(move), len(moves)
        for _ in range(min(at, count - at)):
            self.press(DOWN if at <= count - at else UP)
        return self.press(OK)

    def tell(self, *words):
        for word in words:
            self.at += 1.0
            self.do(parse_told(word, "web", self.at))
        return self

    def see(self, *seats, piece=BACK, hide=()):
        """Cards at these seats of the plan that the box looks at, or of the whole table."""
        zones = find_read_request(self.box).zones
        middle = {zone: ((a.left + a.right) / 2, (a.top + a.bottom) / 2) for zone, a in zones.items()}
        seen = frozenset(Piece(piece, *middle[f"seat:{seat}"]) for seat in seats)
        veils = tuple(Area(x - 5, y - 5, x + 5, y + 5) for x, y in (middle[f"seat:{seat}"] for seat in hide))
        self.at += 1.0
        return self.do(TableSeen(Table(seen, veils), self.at))

    @property
    def view(self):
        return show_box(self.box)

    @property
    def begun(self):
        return next(effect.started for effect in self.done if isinstance(effect, BeginGame))


def busy():
    """After some evenings: a game waits to go on, and others were played to their end."""
    log = Log(GAMES["thegame"], {"players": 2})
    return replace(
        WIDE, last=Started("thegame", log.options, {1: "Ana", 2: "Ben"}), stopped=(Stopped(7, {1: "Eli"}, log),)
    )


@pytest.mark.parametrize("known", [WIDE, replace(WIDE, decks=frozenset())], ids=["checked", "stickers-never-checked"])
@pytest.mark.parametrize(("game", "variant"), CHOICES, ids=[f"{g}-{v}".strip("-") for g, v in CHOICES])
def test_from_power_on_to_the_first_card_in_six_presses(known, game, variant):
    evening = to_the_start(Evening(known), game, variant)
    assert evening.presses <= 6
    assert evening.begun.options == {**fill_options(GAMES[game].options, {}), **evening.begun.options}
    assert (evening.begun.game, evening.begun.options.get("variant", "")) == (game, variant)


@pytest.mark.parametrize(
    ("game", "variant"), [("nimmt", "base"), ("thegame", ""), ("six", "")], ids=["nimmt", "thegame", "six"]
)
def test_six_presses_do_also_where_other_games_wait(game, variant):
    assert to_the_start(Evening(busy()), game, variant).presses <= 6


def to_the_start(evening, game, variant):
    evening.choose("game:new").choose(f"setup:game {game}")
    if variant:
        evening.choose(f"setup:game nimmt {variant}").see(1, 2, 4, 5).choose("setup:start").see()
    else:
        evening.choose("setup:start")
    return evening


def test_the_last_game_once_more_is_one_press_with_the_same_people():
    evening = Evening(replace(busy(), stopped=())).press(OK)
    assert evening.begun == Started("thegame", evening.begun.options, {1: "Ana", 2: "Ben"})
    assert evening.begun.options["players"] == 2


@pytest.mark.parametrize("piece", [BACK, "33", "block.2"], ids=["face-down", "face-up", "a-special"])
def test_players_and_seats_come_from_the_cards(piece):
    evening = Evening(WIDE, GameSetup("nimmt")).see(1, 3, 5, 6, piece=piece)
    assert str(evening.view.prompt) == "players_at_seats n=4 seats=1,3,5,6"
    evening.press(OK).see()
    assert (evening.begun.options["players"], evening.begun.options["spots"]) == (4, (1, 3, 5, 6))


def test_the_seats_looked_at_are_those_of_the_game_that_then_begins():
    evening = Evening(WIDE, GameSetup("nimmt"))
    seats = find_read_request(evening.box).zones
    evening.see(2, 9).press(OK).see()
    zones = find_read_request(evening.box).zones
    assert seats == {zone: area for zone, area in zones.items() if zone.startswith("seat")}


def test_the_game_begins_when_the_cards_are_back_and_accuses_nobody():
    evening = Evening(WIDE, GameSetup("nimmt")).see(1, 2).press(OK)
    assert evening.view.prompt.id == "take_cards_back"
    evening.see(2).see(hide=[1])
    assert not evening.done
    evening.see(hide=[6])
    assert evening.begun.options["spots"] == (1, 2)
    evening.see().do(Ticked(evening.at + 60.0))
    assert (evening.view.prompt.id, evening.view.alert) == ("deal_rows", None)


def test_a_menu_left_open_does_not_hide_the_game_that_begins():
    evening = Evening(WIDE, GameSetup("nimmt")).see(1, 2).press(OK).tell("setup:rules").see()
    assert evening.view.prompt.id == "deal_rows"


def test_who_cannot_wait_for_the_camera_goes_on_by_hand():
    evening = Evening(WIDE, GameSetup("nimmt")).see(1, 2).press(OK).choose("setup:cards-are-back")
    assert evening.begun.options["spots"] == (1, 2)


def test_back_from_taking_the_cards_back_counts_again():
    evening = Evening(WIDE, GameSetup("nimmt")).see(1, 2).press(OK).tell("back").see(1, 2, 3)
    assert str(evening.view.prompt) == "players_at_seats n=3 seats=1,2,3"


def test_a_seat_under_a_hand_is_asked_about():
    evening = Evening(WIDE, GameSetup("nimmt")).see(1, 2, hide=[4])
    assert str(evening.view.alert) == "seat_unsure seat=4"
    assert evening.see(1, 2, 4, hide=[4]).view.alert is None
    assert evening.see(hide=[4]).view.alert is None  # nobody has laid a card yet


def test_ok_pressed_while_somebody_lays_his_card_starts_nothing():
    evening = Evening(WIDE, GameSetup("nimmt")).see(1, 2)
    evening.do(Pressed(OK, evening.at + OK_DELAY_S / 2))
    assert evening.view.prompt.id == "players_at_seats"


@pytest.mark.parametrize(
    ("game", "given", "known", "seats", "alert"),
    [
        ("nimmt", {}, WIDE, (1,), "player_count low=2 high=10"),
        ("nimmt", {"variant": "halves"}, WIDE, (1, 2, 3), "player_count low=4 high=7"),
        ("nimmt", {"variant": "professional"}, WIDE, range(1, 8), "player_count low=2 high=6"),
        ("nimmt", {"players": 7}, replace(WIDE, area=(600, 420)), (),
         "area_too_small option=area width=600 height=420 least_width=700 least_height=460"),
        ("nimmt", {"variant": "anniversary"}, replace(WIDE, area=(700, 460)), (),
         "area_too_small option=area width=700 height=460 least_width=841 least_height=594"),
        ("six", {}, replace(WIDE, area=(500, 400)), (),
         "area_too_small option=area width=500 height=400 least_width=600 least_height=450"),
    ],
    ids=["alone", "halves-of-three", "draft-of-seven", "seven-on-a-small-table", "specials", "six"],
)  # fmt: skip
def test_what_cannot_be_played_is_said_before_it_starts(game, given, known, seats, alert):
    evening = Evening(known, GameSetup(game, given))
    if seats:
        evening.see(*seats)
    assert str(evening.view.alert) == alert
    assert evening.view.ruling == {"halves": "H-4", "professional": "P-1"}.get(given.get("variant"), "")
    assert "setup:start" not in [offer.move for offer in evening.view.offers]
    assert evening.tell("setup:start").view.prompt.id != "take_cards_back"
    assert not evening.done


@pytest.mark.parametrize("area", [(592, 419), (695, 455), (838, 590)], ids=["A2", "700x460", "A1"])
def test_a_table_measured_a_little_short_is_as_large_as_it_was_meant(area):
    known = replace(WIDE, area=area)
    assert start_match("nimmt", {"players": 4}, known).options["width"] >= area[0]
    assert (len(find_read_request(Evening(known, GameSetup("nimmt")).box).zones) == 10) == (area[0] > 600)


def test_without_a_camera_people_are_counted_by_hand():
    evening = Evening(Context(), GameChoice()).tell("setup:game nimmt base")
    assert find_read_request(evening.box) is None
    assert str(evening.view.prompt) == "game_for n=4 game=nimmt"
    evening.choose("setup:players").press(UP).press(OK).choose("setup:start")
    assert (evening.begun.options["players"], evening.begun.options["spots"]) == (5, ())


def test_a_broken_camera_stops_no_game():
    evening = (
        Evening(WIDE, GameSetup("nimmt")).choose("setup:players").choose("setup:player-count 6").choose("setup:start")
    )
    assert evening.begun.options["players"] == 6


def test_counted_by_hand_by_mistake_the_cards_count_again():
    evening = Evening(WIDE, GameSetup("nimmt")).tell("setup:player-count 6", "setup:players-by-cards")
    assert find_read_request(evening.box) is not None


@pytest.mark.parametrize("players", range(2, 11))
def test_seats_off_asks_how_many(players):
    evening = Evening(WIDE, GameSetup("nimmt")).tell(
        "setup:set seats off", f"setup:player-count {players}", "setup:start"
    )
    assert (evening.begun.options["players"], evening.begun.options["seats"]) == (players, "off")


def test_as_many_play_as_last_evening():
    evening = Evening(busy(), GameSetup("thegame"))
    assert str(evening.view.prompt) == "game_for n=2 game=thegame"
    assert str(Evening(replace(WIDE, last=Started("nimmt", {"players": 8})), GameSetup("thegame")).view.prompt) == (
        "game_for n=5 game=thegame"
    )


def every_option():
    """Each option with each value that its menu offers, numbers at both ends."""
    for game, given in (
        ("nimmt", {}),
        ("nimmt", {"end": "rounds"}),
        ("nimmt", {"variant": "professional"}),
        ("nimmt", {"variant": "halves"}),
        ("thegame", {}),
        ("six", {}),
    ):
        for name in list_options(game, given):
            offers = values_menu(game, given, name).entries
            for offer in {offers[0], offers[1], offers[-1], offers[len(offers) // 2]}:
                yield game, given, name, offer.move.split()[2]


@pytest.mark.parametrize(("game", "given", "name", "value"), sorted(every_option(), key=str), ids=str)
def test_every_option_can_be_reached_with_buttons(game, given, name, value):
    evening = Evening(Context(now=0.5), GameSetup(game, given | {"players": PLAYERS[game]}))
    evening.choose("setup:rules").choose(f"setup:option {name}")
    evening.choose(f"setup:set {name} {value}").choose("setup:start")
    if (name, value) == ("first", "0"):
        assert 1 <= evening.begun.options["first"] <= 5
    else:
        assert str(evening.begun.options[name]) == value


def test_every_option_of_every_game_is_offered_somewhere():
    offered = {(game, name) for game, _, name, _ in every_option()} | {("nimmt", "variant")}
    by_itself = {"players", "width", "height", "spots"}
    known = {(game.name, option.name) for game in GAMES.values() for option in game.options}
    assert {(game, name) for game, name in known - offered if name not in by_itself} == {("nimmt", "first")} - offered


def test_of_numbers_up_is_one_more():
    evening = Evening(WIDE, GameSetup("nimmt")).tell("setup:option target").press(UP).press(OK)
    assert evening.box.flows[-1].given["target"] == 67


@pytest.mark.parametrize(
    "words",
    [
        "fly",
        "entry:word target",
        "setup:option level",
        "setup:set level expert",
        "setup:cards-are-back",
        "setup:game chess",
        "setup:player-count many",
        "game:begin chess",
    ],
)
def test_words_that_mean_nothing_here_are_for_somebody_else(words):
    evening = Evening(WIDE, GameSetup("nimmt")).tell(words)
    assert evening.view.alert.id == "not_now"
    assert not evening.done


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("setup:set target 0", "option_range"),
        ("setup:set cmp eq", "option_words"),
        ("setup:player-count 11", "option_range"),
    ],
)
def test_a_value_that_cannot_be_is_answered_and_changes_nothing(words, said):
    evening = Evening(WIDE, GameSetup("nimmt")).tell(words)
    assert evening.view.prompt.id == said
    assert evening.press(OK).box.flows[-1] == GameSetup("nimmt")


def test_an_unchecked_deck_is_said_and_can_be_checked_there():
    evening = Evening(replace(WIDE, decks=frozenset({"nimmt"})), GameSetup("nimmt", {"variant": "anniversary"}))
    assert evening.view.alert.id == "deck_unchecked"
    evening.choose("setup:check-deck")
    assert evening.box.flows[-1].deck == "specials"
    assert evening.tell("back").view.prompt.id == "lay_at_seats"
    assert Evening(Context(), GameSetup("six")).view.alert is None


def test_two_players_of_two_halves_are_told_how_many_cards_they_will_hold():
    evening = Evening(WIDE, GameSetup("nimmt", {"variant": "halves", "allow_any_count": 1})).see(1, 2)
    assert str(evening.view.alert) == "halves_of_two n=25"
    assert evening.press(OK).see().begun.options["players"] == 2


def test_a_camera_that_fails_is_said_before_a_deck_that_was_never_checked():
    evening = Evening(replace(WIDE, decks=frozenset()), GameSetup("nimmt"))
    evening.do(FaultChanged("camera", say("camera_gone"), 1.0))
    assert evening.view.alert == say("camera_gone")


@pytest.mark.parametrize(
    ("game", "decks", "label"),
    [
        pytest.param("thegame", set(), "start_unchecked", id="never-checked"),
        pytest.param("thegame", {"thegame"}, "start", id="checked"),
        pytest.param("six", set(), "start", id="tiles-have-no-stickers"),
    ],
)
def test_whatever_ails_the_box_the_start_says_that_the_stickers_were_never_checked(game, decks, label):
    evening = Evening(replace(WIDE, decks=frozenset(decks)), GameSetup(game))
    evening.do(FaultChanged("camera", say("camera_gone"), 1.0))
    assert (evening.view.offers[0].label.id, evening.view.offers[0].move) == (label, "setup:start")


def test_who_starts_is_asked_anew_when_fewer_play():
    evening = Evening(WIDE, GameSetup("thegame")).tell("setup:set first 3", "setup:player-count 2", "setup:start")
    assert (evening.begun.options["first"], evening.begun.options["players"]) == (1, 2)


def test_back_leads_from_step_to_step_to_where_it_began():
    evening = Evening(WIDE).tell("game:new", "setup:game nimmt", "setup:game nimmt halves", "back", "back")
    assert evening.box.flows == (Home(),)


@pytest.mark.parametrize("game", ["nimmt", "thegame", "six"])
def test_what_lies_on_the_table_when_a_game_begins_is_no_fault(game):
    log = start_match(game, {}, WIDE)
    assert isinstance(judge(log, Table(frozenset())), Follows | Waiting)
