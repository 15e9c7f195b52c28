"""The menu of a running game; nothing is lost without a question."""

import random
from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.games.nimmt.state import SpecialCards
from engine.log import Log
from engine.options import fill_options
from engine.table import Layout, Piece, Table
from engine.text import say
from firmware.box.alert_delays import ANSWER_SHOWN_S
from firmware.box.events import Pressed, Ticked, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.change_players import list_players
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing, play_from
from firmware.box.flows.rename_player import PlayerRenaming
from firmware.box.games import ui_of
from firmware.box.match_start import find_problem
from firmware.box.rematch import prepare_rematch
from firmware.journal.operation_types import EndGame, PauseGame, RenamePlayers, ResumeGame, Started, WriteEntries
from firmware.simulation.players import PLAYERS
from firmware.texts.move_texts import describe_move
from firmware.texts.render import render
from hw.button_presses import Button, Press, PressKind
from tests.support.nimmt import DEAL, begin, look
from vision.live.perception_events import FaultChanged, TableSeen

OK, MENU = Press(Button.OK, PressKind.SHORT), Press(Button.BACK, PressKind.LONG)
OVERRULE = "overrule row:1=10 row:2=20|25 row:3=30 row:4=40 seat:1=33"
NAMES = {1: "Ana", 2: "Ben", 3: "Clea"}


class Table4:
    """A person at the box, who gives only commands that are offered."""

    def __init__(self, log, **known):
        self.box = Box(Context(game=7, names=NAMES, **known), (Home(), play_from(log)))
        self.effects = []
        self.at = 0.0

    def take(self, item):
        self.at = item.at
        self.box, effects = step_box(self.box, item)
        self.effects += effects
        return self

    def see(self, table, at=None):
        return self.take(TableSeen(table, self.at + 1 if at is None else at)).take(Ticked(self.at + 9))

    def choose(self, *words):
        for word in words:
            if word == "menu":
                self.take(Pressed(MENU, self.at))
                continue
            assert word in self.offered, (word, self.offered)
            self.take(parse_told(word, "button", self.at))
        return self

    @property
    def view(self):
        return show_box(self.box)

    @property
    def offered(self):
        return [offer.move for offer in self.view.offers]

    @property
    def log(self):
        return next(flow.log for flow in self.box.flows if isinstance(flow, Playing))


def middle(name="nimmt", moves=40, seed=3, **options):
    log = Log(GAMES[name], options)
    players = PLAYERS[name](log.options, random.Random(seed))
    for _ in range(moves):
        move = players.next(log.state)
        if move is None:
            break
        log = log.add(move)
    return log


def fresh(players, **more):
    """A turn without a card on the table."""
    log = Log(GAMES["nimmt"], {"players": players})
    rows = ((10,), (20,), (30,), (40,), ())
    return Log(log.game, log.options, origin=replace(log.state, phase="choose", rows=rows, entered=4, **more))


# three entries, three questions, and the harmless answer first


@pytest.mark.parametrize("entry", ["game:pause", "game:give-up", "game:new"])
def test_a_game_is_not_put_away_by_accident(entry):
    at = Table4(begin(shown=(33, 25))).choose("menu", entry)
    assert at.view.offers[at.view.cursor].move == "back"
    at.take(Pressed(OK, at.at + 1))
    assert (at.effects, at.view.prompt.id) == ([], "lay_behind")


ENDINGS = [
    (Log(GAMES["thegame"], {}), "cannot 1"),
    (middle("six", 60), "draw"),
]


@pytest.mark.parametrize(("log", "move"), ENDINGS, ids=["cannot-play", "draw"])
def test_a_game_with_all_its_pieces_on_the_table_does_not_end_with_one_press(log, move):
    at = Table4(log).choose("menu", "game:by-hand", f"entry:ask {move}")
    assert (at.view.offers[at.view.cursor].move, at.effects) == ("back", [])
    at.choose(f"yes {move}")
    assert at.effects == [WriteEntries((move,), "button"), EndGame("finished")]


@pytest.mark.parametrize(("log", "move"), [*ENDINGS, (middle("thegame", 0, players=3), "leave 2")])
def test_typed_somewhere_it_is_asked_too_and_what_the_rules_refuse_is_refused_at_once(log, move):
    at = Table4(log).take(parse_told(move, "web", 1.0))
    assert (at.view.offers[at.view.cursor].move, at.view.offers[1].move, at.effects) == ("back", f"yes {move}", [])
    at.take(parse_told(move, "web", 2.0))
    assert at.effects == []  # said twice is no answer
    at.take(parse_told(f"yes {move}", "web", 3.0))
    assert at.effects[0] == WriteEntries((move,), "web")
    at = Table4(begin(shown=(33, 25))).take(parse_told(move, "web", 1.0))
    assert (at.effects, at.view.alert is not None) == ([], True)


@pytest.mark.parametrize(
    "entry", ["yes game:pause", "yes game:give-up", "yes game:new", "game:leave", "game:play-again"]
)
def test_commands_that_end_a_game_are_not_in_its_menu(entry):
    """They answer questions or come after the end, so the cursor never points at them."""
    at = Table4(begin(shown=(33, 25)))
    assert entry not in at.offered
    assert entry not in at.choose("menu").offered


def test_a_paused_game_is_put_aside_at_once_and_then_says_what_to_keep_apart():
    at = Table4(begin(shown=(33, 25), piles=((1, 2), ()))).choose("menu", "game:pause", "yes game:pause")
    assert at.effects == [PauseGame()]
    assert [stopped.id for stopped in at.box.known.stopped] == [7]
    assert [str(line) for line in at.view.lines] == ["keep_both player=1 n=9 pile=2", "keep_hand player=2 n=9"]
    assert at.view.prompt == at.view.lines[0]
    assert at.choose("page:next").view.prompt == at.view.lines[1]
    assert at.choose("back").view.prompt.id in ("home", "home_no_camera")
    at.choose("game:resume 7")
    assert at.effects[1:] == [ResumeGame(7)]
    assert at.view.prompt.id == "guide_lay"
    log = begin(shown=(33, 25))
    at.see(look(log, DEAL, {1: 33, 2: 25}))
    assert at.view.prompt.id == "lay_behind"


def test_what_the_rules_removed_is_packed_up_with_the_rest():
    log = begin(((1, 2, 3, 4, 5), (20,), (30,), (40,)), shown=(6, 90))
    log = log.add(log.parse("take 1"))
    at = Table4(log).choose("menu", "game:pause", "yes game:pause")
    assert at.effects == [WriteEntries(("tidy row:1",), "button"), PauseGame()]
    assert "row:1" not in log.game.layout(at.box.known.stopped[0].log.state).zones


def test_to_give_up_ends_the_game_and_only_this_entry_does():
    at = Table4(begin(shown=(33, 25))).choose("menu", "game:give-up", "yes game:give-up")
    assert (at.effects, len(at.box.flows)) == ([EndGame("given up")], 1)


def test_another_game_leaves_this_one_to_be_resumed():
    at = Table4(begin(shown=(33, 25))).choose("menu", "game:new", "yes game:new")
    assert (at.effects, at.view.prompt.id) == ([PauseGame()], "keep_hand")
    assert len(at.box.known.stopped) == 1
    assert at.choose("page:next", "back").view.prompt.id == "which_game"


SPECIALS = {"keep_specials", "keep_special_deck"}
KEPT = [
    ("nimmt", 30, {"players": 3}, {"keep_hand", "keep_both", "keep_pile"}),
    ("nimmt", 25, {"players": 2, "variant": "professional"}, {"keep_hand"}),
    ("nimmt", 30, {"players": 4, "variant": "halves"}, {"keep_hand", "keep_both", "keep_stock"}),
    ("nimmt", 60, {"players": 3, "variant": "anniversary"}, {"keep_hand", "keep_both"} | SPECIALS),
    ("nimmt", 12, {"players": 3, "seats": "off"}, {"keep_hands", "keep_pile", "keep_hand", "keep_both"}),
    ("thegame", 30, {}, {"keep_hand", "keep_deck"}),
    ("six", 20, {}, {"keep_tiles"}),
    ("six", 60, {}, set()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "moves", "options", "kinds"), KEPT, ids=[f"{k[0]}-{k[2].get('variant', k[1])}" for k in KEPT]
)
def test_what_is_kept_apart_fits_every_game(name, moves, options, kinds):
    lines = ui_of(name).keep_apart(middle(name, moves, **options))
    assert {line.id for line in lines} <= kinds
    assert bool(lines) == bool(kinds)
    told = [render(line, names={n: "Maximilian" for n in range(11)}, strict=True) for line in lines]
    assert all(len(line) <= 42 for line in told), told


@pytest.mark.parametrize("moves", [0, 3, 10, 17, 40, 75, 110])
def test_hands_that_are_kept_apart_add_up(moves):
    log = middle(moves=moves, players=3)
    state = log.state
    lines = ui_of(log.game.name).keep_apart(log)
    kept = {line.get("player"): line.get("n") for line in lines if line.id in ("keep_hand", "keep_both")}
    if state.phase in ("choose", "lay"):
        out = state.entered - 4 + sum(map(bool, state.shown)) + len(state.chosen)
        assert sum(kept.values()) == 30 - out


# taking back


def test_moves_are_taken_back_at_any_time_and_after_a_question():
    log = begin(shown=(33, 25)).add(GAMES["nimmt"].parse("lay 25 2"))
    at = Table4(log).choose("menu", "game:moves")
    assert [str(offer.label) for offer in at.view.offers[1:3]] == [
        "did.nimmt.lay card=25 row=2",
        "did.nimmt.reveal player=2 card=25",
    ]
    at.choose("moves:take-back 2")
    assert (str(at.view.prompt), at.view.offers[at.view.cursor].move) == ("sure_take_back n=2", "back")
    assert [str(line) for line in at.view.lines] == ["did.nimmt.reveal player=2 card=25", "did.nimmt.lay card=25 row=2"]
    at.choose("yes moves:take-back 2 3")
    assert at.log.state.shown == (33, None)
    assert at.effects == [WriteEntries(("amend 1 3",), "button")]


def test_the_game_may_go_on_while_the_undo_menu_is_open():
    log = begin(shown=(33, 25))
    at = Table4(log).see(look(log, DEAL, {1: 33, 2: 25})).choose("menu", "game:moves")
    first, second = look(log, ((10,), (20, 25), (30,), (40,)), {1: 33}), look(log, ((10,), (20, 25), (30, 33), (40,)))
    chosen = next(
        offer for offer in at.see(first).view.offers if str(offer.label) == str(describe_move("nimmt", log.moves[1]))
    )
    at.choose(chosen.move)
    assert (str(at.view.prompt), at.view.lines[0]) == ("sure_take_back n=2", chosen.label)
    yes = at.see(second).view.offers[1].move
    at.choose(yes)
    assert (str(at.view.prompt), at.view.lines[0]) == ("sure_take_back n=3", chosen.label)  # nobody was asked about all
    at.choose(at.view.offers[1].move)
    assert at.log.moves == log.moves[:1]


def test_secret_cards_are_hidden_in_the_undo_menu():
    rows, specials = ((1, 2, 3, 4, 7), (20,), (30,), (40,)), SpecialCards((3, 3), 22)
    log = begin(rows, shown=(8, 33), variant="anniversary", specials=specials)
    log = log.add(*map(log.parse, ("take 1", "tidy row:1", "lay 8 1", "special 2 replace", "swap 50", "lay 50 4")))
    labels = [str(offer.label) for offer in Table4(log).choose("menu", "game:moves").view.offers]
    assert "did.nimmt.reveal player=1 card=8" in labels
    assert "did.nimmt.reveal player=2 card=?" in labels


def test_a_card_that_is_due_is_named_in_the_undo_menu_and_nobody_is_called_player_0():
    log = Log(GAMES["nimmt"], {"players": 2, "seats": "off"})
    log = log.add(*map(log.parse, ("deal 10,20,30,40", "reveal 0 5")))
    labels = [render(offer.label, names=NAMES) for offer in Table4(log).choose("menu", "game:moves").view.offers]
    assert labels[1] == "Revealed: 5"


def test_picks_of_an_open_draft_are_not_listed():
    log = middle(moves=6, players=2, variant="professional")
    labels = [render(offer.label, names=NAMES) for offer in Table4(log).choose("menu", "game:moves").view.offers]
    assert not any(letter.isdigit() for label in labels for letter in label)


MORE = {
    "moves:take-back 0": "not_now",
    "moves:take-back 4": "not_now",
    "moves:take-back x": "log_line",
    "yes moves:take-back 0 3": "not_asked",
    "yes moves:take-back 4 3": "not_asked",
}


@pytest.mark.parametrize(("words", "refused"), MORE.items(), ids=list(MORE))
def test_more_moves_than_there_are_cannot_be_taken_back(words, refused):
    at = Table4(begin(shown=(33, 25, 50))).take(parse_told(words, "web", 1.0))
    assert (at.view.alert.id, at.effects) == (refused, [])


def test_a_card_taken_back_while_it_still_lies_there_is_not_seen_as_laid_again():
    log = begin(shown=(33, 25)).add(GAMES["nimmt"].parse("lay 25 2"))
    at = Table4(log).see(look(log, ((10,), (20, 25), (30,), (40,)), {1: 33}))
    at.choose("menu", "game:moves", "moves:take-back 3", "yes moves:take-back 3 3").see(
        look(log, ((10,), (20, 25), (30,), (40,)), {1: 33})
    )
    assert len(at.effects) == 1
    assert [str(line) for line in at.view.lines] == [
        "guide_away zone=row:2 pieces=25",
        "guide_lay zone=seat:2 pieces=25",
    ]
    at.see(look(log, DEAL, {1: 33, 2: 25})).see(look(log, ((10,), (20,), (30,), (40, 25)), {1: 33}))
    assert at.view.alert.id == "belongs_in_row"


def test_a_choice_taken_back_is_simply_asked_again():
    log = begin(shown=(5, 90)).add(GAMES["nimmt"].parse("take 2"))
    at = Table4(log).see(look(log, DEAL, {1: 5, 2: 90}))
    at.choose("menu", "game:moves", "moves:take-back 3", "yes moves:take-back 3 3")
    assert at.view.prompt.id == "low_card"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_move_of_every_game_has_a_text(game):
    log = middle(game, 150, **({"variant": "anniversary"} if game == "nimmt" else {}))
    told = [render(describe_move(game, move), names=NAMES, strict=True) for move in log.moves]
    assert max(map(len, told)) <= 20, max(told, key=len)


# people


def test_a_player_leaves_and_the_others_go_on():
    at = Table4(fresh(3)).choose("menu", "people:list", "people:choose-leaving", "people:remove 2")
    assert at.view.offers[at.view.cursor].move == "back"
    at.choose("yes leave 2")
    assert at.log.state.gone == {2}
    assert at.effects == [WriteEntries(("leave 2",), "button")]


def test_a_player_who_cannot_leave_now_is_refused_with_the_reason():
    at = Table4(begin(shown=(33, 25, 50))).choose(
        "menu", "people:list", "people:choose-leaving", "people:remove 2", "yes leave 2"
    )
    assert (at.effects, at.view.alert.id) == ([], "finish_first")


@pytest.mark.parametrize(
    ("log", "question"),
    [
        pytest.param(fresh(3), "sure_leave", id="two-go-on"),
        pytest.param(fresh(3, gone=frozenset({1})), "sure_leave_ends", id="one-is-left-of-three"),
        pytest.param(fresh(2), "sure_leave_ends", id="one-is-left-of-two"),
        pytest.param(begin(shown=(33, 25)), "sure_leave", id="not-while-his-card-waits"),
        pytest.param(Log(GAMES["thegame"], {"players": 2}), "sure_leave", id="the-game-goes-on-alone"),
        pytest.param(Log(GAMES["thegame"], {"players": 1}), "sure_leave_ends", id="the-game-with-nobody"),
    ],
)
def test_the_question_before_a_player_leaves_says_whether_the_match_ends(log, question):
    at = Table4(log).take(
        parse_told("people:remove 2" if len(list_players(log)) > 1 else "people:remove 1", "web", 1.0)
    )
    assert at.view.prompt.id == question


def test_a_player_cannot_leave_before_the_end_of_the_draft():
    at = Table4(Log(GAMES["nimmt"], {"players": 3, "variant": "professional"})).take(
        parse_told("people:remove 2", "web", 1.0)
    )
    at.choose("yes leave 2")
    assert (at.effects, str(at.view.alert)) == ([], "leave_after_draft player=2")


@pytest.mark.parametrize("told", [("choose 1",), ("reveal 1 33",)], ids=["face-down", "face-up"])
def test_a_player_with_a_card_at_the_seat_cannot_move(told):
    at = Table4(fresh(3)).take(parse_told(*told, "web", 1.0)).take(parse_told("sit 1 2", "web", 2.0))
    assert str(at.view.alert) == "seats_after_laying"


def test_where_a_small_table_has_no_seat_left_the_larger_one_is_named():
    state = fresh(6).state
    over = replace(state, phase="over", turns=10, pads=((1,),) * 6)
    at = Table4(Log(GAMES["nimmt"], {"players": 6}, origin=over)).choose("menu", "people:list", "people:join")
    assert str(at.view.alert) == "seats_all_taken width=700 height=460"


def test_a_player_joins_only_between_rounds():
    log = fresh(2)
    at = Table4(log).choose("menu", "people:list", "people:join")
    assert at.view.alert.id == "join_between_rounds"
    over = Log(log.game, log.options, origin=replace(log.state, phase="over", turns=10, pads=((12,), (3,))))
    at = Table4(over).choose("menu", "people:list", "people:join")
    assert at.offered == ["back", "join 3", "join 4", "join 5", "join 6"]
    at.choose("join 4")
    assert at.log.state.totals() == (12, 3, 12)
    assert str(at.view.prompt) == "new_name player=3"
    at.choose("name:set Red")
    assert at.box.known.names[3] == "Red"


def test_two_change_seats_with_three_choices():
    at = Table4(fresh(3)).choose("menu", "people:list", "people:choose-moving", "people:move 1")
    assert at.view.offers[0].label.id == "with_player"
    at.choose("sit 1 3")
    assert at.log.state.seats == (3, 2, 1)


def test_occupied_seats_are_offered_before_free_ones():
    at = Table4(Log(GAMES["nimmt"], {"players": 2, "spots": (2, 5)})).choose(
        "menu", "people:list", "people:choose-moving", "people:move 1"
    )
    assert at.offered == ["sit 1 5", "sit 1 1", "sit 1 3", "sit 1 4", "sit 1 6"]


def test_a_known_name_is_chosen_and_names_stay_unique():
    at = Table4(fresh(3), people=("Dov",)).choose("menu", "people:list", "people:choose-renamed", "people:rename 1")
    assert at.offered[:4] == ["name:set Ben", "name:set Clea", "name:set Dov", "name:set Red"]
    at.choose("name:set Ben")
    assert at.effects == [RenamePlayers({2: "Ana", 3: "Clea", 1: "Ben"})]
    assert at.box.known.names == {1: "Ben", 2: "Ana", 3: "Clea"}


@pytest.mark.parametrize(
    ("open_flows", "left"),
    [
        ((), ()),
        ((PlayerRenaming(2),), (PlayerRenaming(2),)),
        ((PlayerRenaming(2), PlayerRenaming(1)), (PlayerRenaming(2),)),
    ],
    ids=["in the game", "below the question of another name", "as the answer to the question of this name"],
)
def test_a_name_told_in_one_command_is_taken_wherever_the_box_is(open_flows, left):
    log = fresh(2)
    box = Box(Context(names={1: "Ana"}, game=5), (Home(), play_from(log), *open_flows))
    box, done = step_box(box, parse_told("people:name 1 Ben Bo", "web", 1.0))
    assert done == (RenamePlayers({1: "Ben Bo"}),)
    assert box.flows[2:] == left
    assert box.refused is None


def test_a_name_given_to_a_player_without_one_leaves_its_owner_without():
    log = fresh(2)
    box = Box(Context(names={1: "Ana"}), (Home(), play_from(log), PlayerRenaming(2)))
    box, _ = step_box(box, parse_told("name:set Ana", "button", 1.0))
    assert box.known.names == {2: "Ana"}


def test_a_name_is_spelled_with_the_buttons():
    at = Table4(fresh(3)).choose("menu", "people:list", "people:choose-renamed", "people:rename 3", "name:spell")
    at.choose("name:letter e", "name:letter v", "name:letter x", "name:erase", "name:letter a")
    assert str(at.view.prompt) == "spelling value=Eva"
    at.choose("name:done")
    assert at.box.known.names[3] == "Eva"
    assert "Eva" in at.box.known.people


@pytest.mark.parametrize(
    ("game", "entries"),
    [("six", {"people:choose-renamed"}), ("thegame", {"people:choose-renamed", "people:choose-leaving"})],
)
def test_only_what_the_game_allows_is_offered_for_people(game, entries):
    at = Table4(middle(game, 9)).choose("menu", "people:list")
    assert set(at.offered) == {"back", *entries}


# the table and the record


def gone():
    """The cards of row 1 vanished, and the table looks as if a player had taken them."""
    log = begin(((1, 2, 3), (20,), (30,), (40,)), shown=(33, 25))
    return log, look(log, ((50,), (20,), (30,), (40,)), {1: 33, 2: 25})


def test_adopting_the_table_asks_for_the_owner_of_vanished_cards():
    log, table = gone()
    at = Table4(log).see(table)
    at.choose("menu", "table:is-right")
    assert str(at.view.prompt) == "who_has_these cards=1,2,3"
    at.choose("owner:is 1|2|3 2")
    assert at.log.state.piles == ((), (1, 2, 3))
    assert at.effects[0].entries[0].startswith("adopt row:1=50")


def test_adopting_a_card_that_any_player_may_have_laid_asks_whose_it_is():
    log = begin(((10,), (20,), (30,), (40,)))
    at = Table4(log).see(look(log, ((10,), (20,), (30,), (40, 55)))).choose("menu", "table:is-right")
    assert (str(at.view.prompt), at.offered) == ("whose_card card=55", ["owner:is 55 1", "owner:is 55 2", "back"])
    assert at.choose("owner:is 55 1").log.state.laid_early == ((1, 55),)
    assert str(at.view.prompt) == "waiting_for players=2"


def test_a_top_that_is_gone_or_covered_is_not_forgotten_when_the_table_is_adopted():
    """17 may be in a hand, or lie under 16: then nobody has it, and it stays in the record."""
    log = Log(GAMES["thegame"], {"players": 3})
    log = log.add(*map(log.game.parse, ("play 7 up:1", "play 16 up:1", "play 17 up:1", "done 1 3")))
    table = log.game.place(log.state, Layout({"up:1": ("16",)}))
    at = Table4(log).see(table).choose("menu", "table:is-right")
    assert str(at.view.prompt) == "who_has_these cards=17"
    assert at.choose("back").log == log
    at = Table4(log).see(table).choose("menu", "table:is-right", "owner:is 17 2")
    assert (at.log.state.piles[0], at.log.state.hands) == ((7, 16), (6, 7, 6))


def test_a_pile_that_is_lifted_as_a_whole_is_in_nobodys_hand():
    log = Log(GAMES["thegame"], {"players": 3})
    log = log.add(*map(log.game.parse, ("play 7 up:1", "play 16 up:1", "done 1 2")))
    assert ui_of("thegame").unowned(log, log.game.place(log.state, Layout({}))) == ()


def test_cards_that_a_hand_may_hide_have_not_vanished():
    log, _ = gone()
    table = look(log, ((), (20,), (30, 25), (40,)), {1: 33}, hide=["row:1"])
    assert ui_of(log.game.name).unowned(log, table) == ()


def test_nothing_is_adopted_while_vanished_cards_have_no_owner():
    log, table = gone()
    at = Table4(log).see(table).choose("menu", "table:is-right", "back")
    assert (at.effects, at.log) == ([], log)


def test_all_players_together_overrule_and_it_is_logged():
    log = begin(shown=(33, 25))
    at = Table4(log).see(look(log, ((10, 25), (20,), (30,), (40,)), {1: 33}))
    at.choose("menu", "table:overrule", "vote:agree overrule 1")
    assert not at.effects
    assert (at.view.turn, at.view.offers[at.view.cursor].move) == (2, "back")
    at.choose("vote:agree overrule 2")
    assert at.effects[0].entries[0].startswith("overrule ")
    assert at.log.moves[-1].by_all


def test_one_no_is_enough():
    log = begin(shown=(33, 25))
    at = Table4(log).see(look(log, ((10, 25), (20,), (30,), (40,)), {1: 33}))
    at.choose("menu", "table:overrule", "vote:agree overrule 1", "back")
    assert (at.effects, at.view.alert.id) == ([], "belongs_in_row")


def falling():
    """A card behind a higher one: no state looks like that."""
    log = begin(shown=(33, 25))
    return log, look(log, ((10,), (20,), (30, 25), (40,)), {1: 33})


def test_a_table_that_can_be_of_no_game_is_not_offered_as_right():
    log, table = falling()
    at = Table4(log).see(table)
    assert [offer.label.id for offer in at.view.offers[:2]] == ["record_is_right", "lies_there"]
    at.choose("menu")
    assert "table:rebuild" in at.offered
    assert not {"table:is-right", "table:overrule"} & set(at.offered)


def test_all_agree_and_hear_why_it_cannot_be_if_the_table_is_another_by_then():
    log, table = falling()
    at = (
        Table4(log)
        .see(look(log, ((10, 25), (20,), (30,), (40,)), {1: 33}))
        .choose("menu", "table:overrule", "vote:agree overrule 1")
    )
    at.see(table).choose("vote:agree overrule 2")
    assert (at.effects, str(at.view.alert)) == ([], "row_must_rise row=3")


ANSWERS = {
    # words that cannot be taken while a card lies behind a higher one, and what is said to them
    "table:is-right": "row_must_rise row=3",
    "lay 33 3": "laid_before first=25 card=33",
    OVERRULE: "not_asked",
}


@pytest.mark.parametrize("words", ANSWERS)
def test_a_refusal_is_shown_beside_a_foul(words):
    log, table = falling()
    at = Table4(log).see(table).take(parse_told(words, "web", 20.0))
    wrong = TableSeen(table, 20.0 + ANSWER_SHOWN_S * 0.9)
    assert (str(at.view.alert), at.view.ruling) == (ANSWERS[words], "")
    assert str(at.take(wrong).take(Ticked(wrong.at)).view.alert) == ANSWERS[words]
    assert at.take(replace(wrong, at=20.0 + ANSWER_SHOWN_S)).view.alert.id == "belongs_in_row"


def test_what_goes_wrong_after_an_answer_is_named_at_once():
    log, table = falling()
    at = Table4(log).take(parse_told("lay 33 3", "web", 20.0)).take(TableSeen(table, 20.2)).take(Ticked(20.4))
    assert (at.view.alert.id, at.view.ruling) == ("belongs_in_row", "N-9")


def test_where_table_and_record_agree_neither_is_offered_as_right():
    log = begin(shown=(33, 25))
    at = Table4(log).see(look(log, DEAL, {1: 33, 2: 25})).choose("menu")
    assert not {"table:is-right", "table:overrule"} & set(at.offered)


def test_each_of_both_is_one_press_while_something_lies_wrong():
    log = begin(shown=(33, 25))
    at = Table4(log).see(look(log, ((10, 25), (20,), (30,), (40,)), {1: 33}))
    assert [offer.label.id for offer in at.view.offers[:2]] == ["table_is_right", "record_is_right"]


def test_a_wholly_hidden_table_is_one_alert():
    log = begin(shown=(33, 25))
    zones = list(log.game.plan(log.options).zones)
    at = Table4(log).see(look(log, (), hide=zones))
    assert at.view.alert.id == "cannot_see_table"


@pytest.mark.parametrize("zone", ["seat:5", "row:5", "discard"])
def test_where_nothing_can_lie_anything_may_stand(zone):
    log = begin(shown=(33, 25), variant="anniversary", specials=SpecialCards((3, 3), 22))
    at = Table4(log).see(look(log, DEAL, {1: 33, 2: 25}, hide=[zone]))
    assert at.view.alert is None


def test_after_the_match_the_table_is_cleared_without_a_word():
    log = last_card().add(GAMES["nimmt"].parse("lay 33 3"))
    at = Table4(log)
    before = at.view
    at.see(look(log, ((77,),)))
    assert at.view == before


def test_a_seat_goes_by_its_player():
    log = Log(GAMES["nimmt"], {"players": 2, "spots": (4, 2)})
    at = Table4(log).see(look(log, (), hide=["seat:4"]))
    assert render(at.view.alert, names=NAMES) == "Can't see Ana's card: uncover it"


# piles, pads, hands, the end


def over_round():
    log = fresh(2, turns=10, piles=((3, 55), (7,)), pads=((8,), (1,)))
    return Log(log.game, log.options, origin=replace(log.state, phase="over"))


def spread(*cards):
    return Table(frozenset(Piece(str(card), 60.0 * n, 60.0) for n, card in enumerate(cards, 1)))


def test_every_pile_is_shown_to_the_camera_and_must_hold_what_was_taken():
    at = Table4(over_round()).choose("game:check piles")
    assert (find_read_request(at.box).game, list(find_read_request(at.box).zones)) == ("nimmt", ["table"])
    said = [str(at.view.prompt)]
    for cards in ((), (3, 10), (55, 10)):  # spread out as there is room, one part after the other
        said.append(str(at.see(spread(*cards)).view.prompt))
    said.append(str(at.choose("audit:next-pile").view.prompt))
    assert said == [
        "show_pile player=1 n=2",
        "show_pile player=1 n=2",
        "pile_lacks cards=55",
        "pile_right player=1 n=2 heads=8",
        "show_pile player=2 n=1",
    ]
    at.see(spread(7)).choose("audit:next-pile")
    assert (at.effects, at.view.prompt.id) == ([], "round_over")


def test_a_card_of_another_pile_is_named_with_its_owner():
    at = Table4(over_round()).choose("game:check piles").see(spread(3, 55, 7))
    assert (str(at.view.prompt), str(at.view.alert), at.view.ruling) == (
        "pile_too_many cards=7",
        "pile_of_other card=7 player=2",
        "R-6",
    )
    at.see(spread(3, 55))
    assert at.view.prompt.id == "pile_right"
    at.choose("audit:next-pile").see(spread(3, 55, 7)).see(spread(7))
    assert at.view.prompt.id == "pile_right"


def test_piles_stay_closed_while_the_round_runs():
    at = Table4(begin(shown=(33, 25), piles=((3, 55), ()))).choose("menu")
    assert "game:check piles" not in at.offered


def without_seats(*entries):
    log = fresh(3, turns=9, piles=((), (), ()))
    log = Log(
        log.game, {"players": 3, "seats": "off"}, origin=replace(log.state, rules=replace(log.state.rules, seats="off"))
    )
    return log.add(*map(log.parse, entries))


TAKEN = ("reveal 0 2", "take 1", "tidy row:1", "lay 2 1", "reveal 0 33", "lay 33 3", "who 1", "reveal 0 45", "lay 45 4")


def test_a_take_gets_another_player_and_the_later_moves_stay():
    at = Table4(without_seats(*TAKEN)).choose("menu", "game:check takes")
    assert [str(offer.label) for offer in at.view.offers] == ["go_on", "player_took player=1 n=3"]
    at.choose("game:check take-6")
    assert str(at.view.prompt) == "who_took n=3"
    assert [str(offer.label) for offer in at.view.offers[1:]] == [
        "player_took player=2 n=3",
        "player_took player=3 n=3",
    ]
    at.choose("amend 6 7 ; who 3")
    assert (at.view.prompt.id, [pad.rounds for pad in at.view.pads]) == (
        "round_over",
        [(0,), (0,), (3,)],
    )
    assert [str(move) for move in at.log.moves] == [*TAKEN[:6], "who 3", *TAKEN[7:]]


def test_back_leads_from_the_players_to_the_takes_and_from_these_to_the_game():
    at = Table4(without_seats(*TAKEN)).choose("menu", "game:check takes", "game:check take-6", "back")
    assert at.view.prompt.id == "which_take"
    assert at.choose("back").view.prompt.id == "round_over"
    assert at.effects == []


def test_no_take_can_be_corrected_before_its_player_was_named():
    at = Table4(without_seats(*TAKEN[:6])).choose("menu")
    assert "game:check takes" not in at.offered


def test_when_a_round_is_over_the_cards_are_gathered_in_any_order():
    log = over_round()
    at = Table4(log).see(look(log, ((), (20,), (), (40,)))).see(look(log, ((), (), (), (40,))))
    assert (at.view.prompt.id, at.view.alert, at.view.lines) == ("round_over", None, ())


def test_when_a_round_is_over_specials_are_gathered_too():
    log = begin(variant="anniversary", marks=(("block",), (), (), (), ()), lying=(("block", "mark:1"),))
    log = Log(log.game, log.options, origin=replace(log.state, phase="over", turns=10, pads=((1,), (1,))))
    at = Table4(log).see(look(log, ((), (), (), ())))
    assert (at.view.prompt.id, at.view.alert, at.view.lines) == ("round_over", None, ())


def test_pads_are_shown_round_by_round():
    at = Table4(over_round()).choose("menu", "game:pads")
    assert [str(line) for line in at.view.lines] == [
        "pad_rounds player=1 rounds=8 total=8",
        "pad_rounds player=2 rounds=1 total=1",
    ]
    assert at.choose("pads:show 2").view.prompt == at.view.lines[1]


def test_a_hand_that_could_not_play_is_shown_to_the_camera():
    log = Log(GAMES["thegame"], {"players": 1})
    at = Table4(log.add(*map(log.parse, ("play 50 up:1", "cannot 1")))).choose("game:check hand")
    at.see(spread(2, 3, 4, 100, 50))
    assert (str(at.view.prompt), at.offered) == ("hand_there cards=2,3,4", ["back"])
    at.see(spread(2, 3, 4, 5, 6, 7, 8, 50, 1)).choose("verify 2,3,4,5,6,7,8")
    assert at.view.alert.id == "stopped_early"


def last_card():
    log = fresh(2, turns=9, pads=((70,), (3,)))
    return log.add(*map(log.parse, ("reveal 1 33", "reveal 2 25", "lay 25 2")))


@pytest.mark.parametrize("by", ["seen", "button"])
def test_the_end_of_a_match_is_written_once(by):
    log = last_card()
    at = Table4(log)
    table = look(log, ((10,), (20, 25), (30, 33), (40,)))
    if by == "seen":
        at.see(table)
    else:
        at.choose("lay 33 3")
    at.see(table).see(look(log, ()))
    assert at.effects == [WriteEntries(("lay 33 3",), by), EndGame("finished")]
    assert (at.view.over, at.view.winners) == (True, (2,))


def test_a_last_move_taken_back_opens_the_game_again():
    at = Table4(last_card()).choose("lay 33 3", "menu", "game:moves", "moves:take-back 4", "yes moves:take-back 4 4")
    kinds = [type(effect).__name__ for effect in at.effects]
    assert kinds == ["WriteEntries", "EndGame", "ResumeGame", "WriteEntries"]
    at.choose("lay 33 3")
    assert at.effects[-1] == EndGame("finished")


def test_after_the_match_it_is_played_again_or_finished():
    log = last_card()
    at = Table4(log, last=Started("nimmt", log.options, NAMES)).choose("lay 33 3")
    assert at.offered == ["game:pads", "game:play-again", "game:leave"]
    home = at.choose("game:leave").box
    assert len(home.flows) == 1


def test_the_same_again_begins_at_once():
    log = last_card()
    at = Table4(log, last=Started("nimmt", log.options, NAMES)).choose("lay 33 3", "game:play-again")
    assert type(at.effects[-1]).__name__ == "BeginGame"
    assert at.log.state.pads == ((), ())


@pytest.mark.parametrize(
    ("options", "left", "players"),
    [
        pytest.param({"players": 2}, 1, 2, id="one of two"),
        pytest.param({"players": 3, "seats": "off"}, 1, 2, id="one of three, without seats"),
        pytest.param({"players": 3}, 2, 3, id="two of three"),
        pytest.param({"players": 4, "variant": "halves"}, 1, 4, id="one of the four that two halves need"),
    ],
)
def test_where_too_few_stay_for_a_game_all_who_began_play_again(options, left, players):
    log = Log(GAMES["nimmt"], fill_options(GAMES["nimmt"].options, options))
    leavers = range(options["players"], options["players"] - left, -1)
    over = log.add(*(log.game.parse(f"leave {player}") for player in leavers))
    began = Started("nimmt", log.options, dict(enumerate(("Ana", "Ben", "Cleo", "Dov")[: options["players"]], 1)))
    again = prepare_rematch(began, over)
    assert (again.options["players"], len(again.names)) == (players, players)
    assert find_problem(again.game, again.options, Context()) is None


def test_in_six_the_loser_starts_the_next_game_of_the_same_match():
    log = middle("six", 400)
    at = Table4(log).take(Ticked(1.0))
    assert at.view.over
    at.choose("rematch")
    assert [type(effect).__name__ for effect in at.effects] == ["EndGame", "ResumeGame", "WriteEntries"]
    assert not at.view.over


def test_by_hand_is_offered_as_soon_as_the_camera_is_in_trouble():
    at = Table4(begin(shown=(33, 25)))
    assert "game:by-hand" not in at.offered
    at.take(FaultChanged("camera", say("camera_gone"), 1.0))
    at.choose("game:by-hand")
    assert "lay 25 2" in at.offered


def test_a_game_not_yet_begun_keeps_nothing_apart():
    assert ui_of("six").keep_apart(Log(GAMES["six"], {})) == ()
