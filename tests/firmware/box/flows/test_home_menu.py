"""Between games: what is offered, in which order, and what it does."""

import random
from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from firmware.box.effects import KeepLanguage, PowerOff, Restart
from firmware.box.events import Pressed, parse_told
from firmware.box.flow_context import Context, Stopped
from firmware.box.flow_stack import Box, find_read_request, show_box, step_box
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing, play_from
from firmware.box.rematch import prepare_rematch
from firmware.journal.operation_types import BeginGame, RenamePlayers, ResumeGame, Started
from firmware.simulation.players import PLAYERS
from firmware.texts.languages import ENDONYMS, available_languages
from firmware.texts.render import render
from hw.button_presses import Button, Press, PressKind
from vision.live.perception_events import TableSeen

OK, BACK = Press(Button.OK, PressKind.SHORT), Press(Button.BACK, PressKind.SHORT)
HERE = {"width": 900, "height": 600}
SIX = Log(GAMES["six"], HERE)
NIMMT = Log(GAMES["nimmt"], {"players": 3, **HERE})
LAST = Started("nimmt", NIMMT.options, {1: "Ana"})
KNOWN = Context(area=(900, 600))
STOPPED = (Stopped(9, {1: "Eli"}, NIMMT, paused=False), Stopped(7, {1: "Dov"}, SIX))


def run(known, *words):
    box, done = Box(known, (Home(),)), []
    for n, word in enumerate(words):
        box, effects = step_box(box, parse_told(word, "web", float(n)))
        done += effects
    return box, done


CAMERA, NEW, FIRST = "camera:set-up", "game:new", "game:first"
LANGUAGE = "box:language"
LAST_ENTRIES = ("box:about", "box:restart", "box:power-off")


@pytest.mark.parametrize(
    ("known", "offers"),
    [
        (Context(), (LANGUAGE, CAMERA, NEW, "deck:list", FIRST, *LAST_ENTRIES)),
        (KNOWN, (NEW, "deck:list", FIRST, CAMERA, LANGUAGE, *LAST_ENTRIES)),
        (replace(KNOWN, last=LAST),
         ("game:same-again", NEW, "deck:list", FIRST, "people:list", CAMERA, LANGUAGE, *LAST_ENTRIES)),
        (replace(KNOWN, last=LAST, stopped=STOPPED),
         ("game:resume 9", "game:same-again", NEW, "game:stopped", "deck:list", FIRST, "people:list", CAMERA,
          LANGUAGE, *LAST_ENTRIES)),
    ],
    ids=["fresh-from-the-box", "camera-set-up", "after-an-evening", "games-that-wait"],
)  # fmt: skip
def test_what_is_wanted_most_comes_first(known, offers):
    assert tuple(offer.move for offer in show_box(Box(known, (Home(),))).offers) == offers


@pytest.mark.parametrize(
    ("decks", "label"),
    [((), "same_again_unchecked"), (("thegame",), "same_again_unchecked"), (("nimmt",), "same_again")],
    ids=["never", "another-deck", "checked"],
)
@pytest.mark.parametrize("troubles", [(), (("power", say("power_weak")),)], ids=["", "in-trouble"])
def test_the_same_again_says_that_the_stickers_were_never_checked(decks, label, troubles):
    known = replace(KNOWN, last=LAST, decks=frozenset(decks), faults=troubles)
    assert show_box(Box(known, (Home(),))).offers[0].label.id == label


@pytest.mark.parametrize("known", [Context(), replace(KNOWN, last=LAST, stopped=STOPPED)], ids=["fresh", "busy"])
def test_everything_offered_leads_somewhere(known):
    for offer in show_box(Box(known, (Home(),))).offers:
        box, done = run(known, offer.move)
        assert done or len(box.flows) > 1, offer.move
        assert show_box(box).alert is None


def test_a_stopped_game_goes_on_where_it_was_with_its_people():
    box, done = run(replace(KNOWN, stopped=STOPPED), "game:resume 7")
    assert done == [ResumeGame(7)]
    assert isinstance(box.flows[-1], Playing)
    assert box.flows[-1].desk.log == SIX
    assert (box.known.names, box.known.last) == ({1: "Dov"}, Started("six", SIX.options, {1: "Dov"}))
    assert box.known.stopped == STOPPED[:1]
    assert find_read_request(box).game == "six"


def test_the_table_of_a_game_that_waited_is_put_together_first():
    log = NIMMT.add(NIMMT.parse("deal 10,20,30,40"))
    box, _ = run(replace(KNOWN, stopped=(Stopped(3, {}, log),)), "game:resume 3")
    assert show_box(box).bar is not None
    assert "row:1" in str(show_box(box).lines)
    box, _ = step_box(box, TableSeen(log.game.place(log.state, log.game.layout(log.state)), 5.0))
    assert show_box(box).prompt.id == "choose_cards"


def ended_six(by_resume):
    """A game of SIX that player 1 has won, so that player 2 begins the next one."""
    for seed in range(99):
        log, players = SIX, PLAYERS["six"](SIX.options, random.Random(seed))
        while (move := players.next(log.state)) is not None and not log.game.view(log.state).over:
            log = log.add(move)
        if log.game.view(log.state).winners == (1,):
            break
    names = {1: "Ana", 2: "Ben"}
    known = replace(KNOWN, names=names, names_by_seat=names, last=Started("six", SIX.options, names))
    if by_resume:
        known = replace(known, names_by_seat={}, stopped=(Stopped(1, names, log),))
        return run(known, "game:resume 1", "table:all-is-right")[0]
    return Box(known, (Home(), play_from(log)))


@pytest.mark.parametrize("by_resume", [False, True], ids=["played-to-the-end", "after-the-power-went"])
def test_after_six_players_are_where_they_sat_before_it(by_resume):
    box = ended_six(by_resume)
    assert show_box(box).over
    for n, words in enumerate(("game:leave", "game:begin thegame players=2")):
        box, done = step_box(box, parse_told(words, "web", 50.0 + n))
    (begin,) = [effect for effect in done if isinstance(effect, BeginGame)]
    assert begin.started.names == {1: "Ana", 2: "Ben"}


def test_a_name_given_while_six_goes_round_is_kept_after_it():
    box = ended_six(False)
    for n, words in enumerate(
        ("game:leave", "game:same-again", "menu", "people:list", "people:rename 1", "name:set Eve")
    ):
        box, _ = step_box(box, parse_told(words, "web", 50.0 + n))
    assert box.known.names == {1: "Eve", 2: "Ana"}  # Ben has lost, so he begins
    assert box.known.names_by_seat == {1: "Ana", 2: "Eve"}


def test_after_a_match_the_same_again_is_begun_by_the_loser():
    log = SIX
    players = PLAYERS["six"](log.options, random.Random(2))
    while (move := players.next(log.state)) is not None:
        log = log.add(move)
    last = Started("six", SIX.options, {1: "Ana", 2: "Ben"})
    box = Box(replace(KNOWN, last=last, names=last.names), (Home(), play_from(log)))
    box, _ = step_box(box, parse_told("game:leave", "button", 1.0))
    assert box.flows == (Home(),)
    loser = {"red": 2, "black": 1}[log.state.game.end.winner]
    assert box.known.last == prepare_rematch(last, log)
    assert box.known.names[1] == last.names[loser]


def test_people_of_last_evening_get_other_names_before_the_next_game():
    _, done = run(
        replace(KNOWN, last=LAST, names={1: "Ana"}), "people:list", "people:rename 2", "name:set Ben", "game:same-again"
    )
    assert done[0].started.names == {1: "Ana", 2: "Ben"}
    assert len(done) == 1
    _, done = run(replace(KNOWN, last=LAST, names={1: "Ana"}, game=5), "people:rename 3", "name:set Clea")
    assert done == [RenamePlayers({1: "Ana", 3: "Clea"})]
    _, done = run(replace(KNOWN, last=LAST, names={1: "Ana"}, game=5), "people:name 3 Clea  Dee")
    assert done == [RenamePlayers({1: "Ana", 3: "Clea Dee"})]


@pytest.mark.parametrize(
    "words",
    ["people:rename", "people:rename 4", "people:name 1", "people:name 4 Dov", "people:name one Dov", "rename me"],
)
def test_only_players_of_the_last_match_can_be_renamed(words):
    assert run(replace(KNOWN, last=LAST), words)[0].flows == (Home(),)


def test_all_stopped_games_are_listed_the_newest_first():
    box, _ = run(replace(KNOWN, stopped=STOPPED[::-1]), "game:stopped")
    assert [offer.move for offer in show_box(box).offers] == ["game:resume 9", "game:resume 7"]
    box, effects = step_box(box, Pressed(OK, 5.0))
    assert effects == (ResumeGame(9),)


def test_the_same_again_is_known_as_the_last_game_with_its_names():
    box, done = run(replace(KNOWN, last=LAST, names={1: "Ana"}), "game:same-again")
    began = Started("nimmt", {**NIMMT.options, "width": 900, "height": 600}, {1: "Ana"})
    assert done == [BeginGame(began)]
    assert (box.known.last, box.known.names) == (began, {1: "Ana"})


def test_the_same_again_on_a_table_that_is_too_small_says_so_and_begins_nothing():
    last = Started("nimmt", {"variant": "anniversary", "players": 4})
    box, done = run(replace(KNOWN, area=(700, 460), last=last), "game:same-again")
    assert not done
    assert show_box(box).prompt.id == "area_too_small"
    box, _ = step_box(box, Pressed(OK, 1.0))
    assert box.flows == (Home(),)


@pytest.mark.parametrize(
    ("words", "game", "players"),
    [("game:begin nimmt players=2 spots=1,4", "nimmt", 2), ("game:begin thegame level=expert", "thegame", 3)],
)
def test_a_game_can_be_begun_in_one_line(words, game, players):
    box, done = run(KNOWN, words)
    assert (done[0].started.game, done[0].started.options["players"]) == (game, players)
    assert isinstance(box.flows[-1], Playing)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("game:begin nimmt players=1", "option_range"),
        ("game:begin nimmt variant=halves players=3", "player_count"),
        ("game:begin six colour=red", "option_unknown"),
        ("game:begin thegame players=2 first=3", "option_range"),
    ],
)
def test_a_game_that_cannot_be_is_refused_in_words(words, said):
    box, done = run(KNOWN, words)
    assert (done, show_box(box).prompt.id) == ([], said)


@pytest.mark.parametrize(
    "words", ["", "fly", "resume", "game:resume 8", "resume x", "game:same-again", "game:stopped", "begin"]
)
def test_words_that_mean_nothing_here_are_answered(words):
    box, done = run(KNOWN, words)
    assert (done, box.flows, show_box(box).alert.id) == ([], (Home(),), "not_now")


@pytest.mark.parametrize(
    "open",
    [
        ("game:new", "setup:game nimmt"),
        ("game:new", "setup:game six", "setup:rules"),
        ("box:power-off",),
        ("deck:check nimmt", "deck:skip-sheet"),
        ("camera:set-up",),
    ],
)
def test_a_game_begun_from_afar_closes_whatever_is_open(open):
    box, done = run(KNOWN, *open, "game:begin six")
    assert [type(flow) for flow in box.flows] == [Home, Playing]
    assert len(done) == 1


def test_switching_off_is_asked_first_and_the_harmless_answer_stands_first():
    box, done = run(KNOWN, "box:power-off")
    assert not done
    assert step_box(box, Pressed(OK, 1.0))[0].flows == (Home(),)
    assert run(KNOWN, "box:power-off", "yes box:power-off")[1] == [PowerOff()]
    assert run(KNOWN, "box:restart")[1] == [Restart()]


def test_back_at_home_changes_nothing():
    box, effects = step_box(Box(KNOWN, (Home(),)), Pressed(BACK, 0.0))
    assert (box.flows, effects, show_box(box).alert) == ((Home(),), (), None)


def test_the_same_draft_again_has_a_new_lot():
    options = {"variant": "professional", "players": 4, "first": 3}
    last = Started("nimmt", options)
    firsts = {run(replace(KNOWN, last=last, now=n / 1000), "game:same-again")[1][0].started.options["first"]
              for n in range(40)}  # fmt: skip
    assert firsts == {1, 2, 3, 4}


@pytest.mark.parametrize("language", available_languages())
def test_a_language_is_found_by_its_own_name_and_kept(language):
    box, _ = run(Context(), "box:language")
    (offered,) = (o for o in show_box(box).offers if render(o.label, "ro") == ENDONYMS[language])
    box, effects = run(Context(), "box:language", offered.move)
    assert effects == [KeepLanguage(language)]
    assert box.known.language == language
    assert show_box(box).offers[0].move == CAMERA


def test_a_language_that_nobody_knows_is_refused():
    box, effects = run(Context(), "box:language-is tlh")
    assert effects == []
    assert show_box(box).alert == say("not_now")
