"""Commands have one notation, an answer counts only for the question it names, and the record tells who gave it."""

from itertools import product

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.text import say
from engine.view import Offer
from firmware.box import commands
from firmware.box.commands import (
    Agree,
    AskFirst,
    BeginMatch,
    ChooseDeck,
    ChooseGame,
    ChooseLanguage,
    ChooseOption,
    ChooseTens,
    ChooseWord,
    Confirm,
    EntryLine,
    LearnGame,
    MovePlayer,
    NameOwner,
    NamePlayer,
    OpenCheck,
    OpenForm,
    RemovePlayer,
    RenamePlayer,
    ResumeMatch,
    SetName,
    SetOption,
    SetPlayerCount,
    ShowPad,
    SpellLetter,
    TakeMovesBack,
    Verb,
    parse_command,
)
from firmware.box.effects import Effect, Invite, PowerOff
from firmware.box.events import PageStatus, Ticked, Told, parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box, step_box
from firmware.box.flows.deck_check import DeckCheck
from firmware.box.flows.home_menu import Home
from firmware.box.flows.playing import Playing, play_from
from firmware.box.old_commands import PHRASES, parse_old_command
from firmware.journal.operation_types import EndGame, PauseGame, Started, WriteEntries
from tests.support.nimmt import begin, look
from vision.live.perception_events import TableSeen

LOG = begin(((10,), (20,), (30,), (40,)), shown=(33, 25))
GONE = begin(((1, 2, 3), (20,), (30,), (40,)), shown=(33, 25))
WRONG = look(LOG, ((10, 25), (20,), (30,), (40,)), {1: 33})
VANISHED = look(GONE, ((50,), (20,), (30,), (40,)), {1: 33, 2: 25})
OVERRULE = "overrule row:1=10|25 row:2=20 row:3=30 row:4=40 seat:1=33"
KNOWN = Context(game=7, page=PageStatus("there"), names={1: "Ana", 2: "Ben"}, last=Started("nimmt", LOG.options))
BY = ("button", "web", "cli")


def at_table(log=LOG, table=WRONG) -> Box:
    box, _ = step_box(Box(KNOWN, (Home(), play_from(log))), TableSeen(table, 1.0))
    return step_box(box, Ticked(9.0))[0]


def at_first_round() -> Box:
    return Box(KNOWN, (Home(), play_from(Log(GAMES["nimmt"], {"players": 3}))))


def at_deck() -> Box:
    return Box(Context(area=(600, 450)), (Home(), DeckCheck("thegame", sheet=8)))


def tell(box: Box, *lines: str, by: str = "button") -> tuple[Box, tuple[Effect, ...]]:
    effects: tuple[Effect, ...] = ()
    for line in lines:
        box, done = step_box(box, parse_told(line, by, 10.0))
        effects += done
    return box, effects


# the notation

EVERY_KIND = [
    *Verb,
    EntryLine("lay 33 3"),
    BeginMatch("nimmt", (("players", "4"), ("spots", "1,3,5,6"), ("cmp", ""))),
    BeginMatch("six"),
    ResumeMatch(7),
    TakeMovesBack(4),
    TakeMovesBack(4, 9),
    AskFirst("cannot 1"),
    OpenCheck("piles"),
    ShowPad(2),
    ChooseGame("nimmt"),
    ChooseGame("nimmt", "halves"),
    LearnGame("six"),
    ChooseLanguage("pt-BR"),
    SetPlayerCount(5),
    ChooseOption("end"),
    SetOption("end", "rounds"),
    ChooseDeck("specials"),
    RenamePlayer(2),
    RemovePlayer(2),
    MovePlayer(2),
    NamePlayer(3, "Anna-Maria Magdalena"),
    SetName("Anna-Maria Magdalena"),
    SpellLetter("-"),
    OpenForm("reveal 0"),
    ChooseTens(0),
    ChooseWord("-3 0"),
    Confirm(Verb.PAUSE),
    Confirm(TakeMovesBack(4, 9)),
    Confirm(EntryLine("leave 2")),
    Agree("phones", 2),
    NameOwner("30|31", 2),
]


def test_every_kind_of_command_is_tried():
    assert {type(command) for command in EVERY_KIND} == set(commands.Command.__args__)


@pytest.mark.parametrize("command", EVERY_KIND, ids=str)
def test_a_command_is_read_back_from_its_line(command):
    assert parse_command(str(command)) == command


@pytest.mark.parametrize(
    "line",
    ["", "yes", "game:fly", "game:resume", "game:resume x", "game:resume 1 2", "vote:agree all 1", "yes game:resume 1"],
)
def test_a_line_that_is_no_command_is_an_entry_which_the_game_refuses(line):
    assert parse_command(line) == EntryLine(line)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_entry_of_a_game_is_taken_for_a_command(game):
    for line in ("back", "menu", "yes", "yes leave 2", *Verb):
        with pytest.raises(ValueError, match="no such move"):
            Log(GAMES[game], {}).parse(line)


# answers

QUESTIONS = {
    # where a question is open, and its answer
    "pause": (at_table, ("game:pause",), "yes game:pause"),
    "give-up": (at_table, ("game:give-up",), "yes game:give-up"),
    "new-game": (at_table, ("game:new",), "yes game:new"),
    "take-back": (at_table, ("moves:take-back 2",), "yes moves:take-back 2 2"),
    "leave": (at_first_round, ("people:remove 2",), "yes leave 2"),
    "overrule-first": (at_table, ("table:overrule",), "vote:agree overrule 1"),
    "overrule-second": (at_table, ("table:overrule", "vote:agree overrule 1"), "vote:agree overrule 2"),
    "phones-first": (at_table, ("phone:show-table",), "vote:agree phones 1"),
    "phones-second": (at_table, ("phone:show-table", "vote:agree phones 1"), "vote:agree phones 2"),
    "owner": (lambda: at_table(GONE, VANISHED), ("table:is-right",), "owner:is 1|2|3 2"),
    "power-off": (lambda: Box(KNOWN, (Home(),)), ("box:power-off",), "yes box:power-off"),
    "skip-sheet": (at_deck, ("deck:skip-sheet",), "yes deck:skip-sheet"),
}
UNASKED = {
    "nothing": (at_table, ()),
    "menu": (at_table, ("menu",)),
    "moves": (at_table, ("game:moves",)),
    "pads": (at_table, ("game:pads",)),
    "people": (at_table, ("people:list",)),
    "rename": (at_table, ("people:rename 1",)),
    "camera": (at_table, ("camera:set-up",)),
    "by-hand": (at_table, ("game:by-hand",)),
    "rebuild": (at_table, ("table:rebuild",)),
    "about": (at_table, ("box:about",)),
    "home": (lambda: Box(KNOWN, (Home(),)), ()),
    "games": (lambda: Box(KNOWN, (Home(),)), ("game:new",)),
    "set-up": (lambda: Box(KNOWN, (Home(),)), ("game:new", "setup:game six")),
    "deck": (at_deck, ()),
}
"""Where none of these questions is open."""
EVERY_ANSWER = {*(answer for _, _, answer in QUESTIONS.values()), "vote:agree overrule", "yes cannot 1", "yes draw"}


def refused(box: Box) -> str:
    """The alert that answers a command."""
    desks = (flow.desk.refused for flow in box.flows if isinstance(flow, Playing))
    why = box.refused or next(desks, None)
    return why.id if why else ""


def changed(box: Box) -> tuple[object, ...]:
    """All that an answer could do."""
    decks = [(flow.sheet, flow.skipped) for flow in box.flows if isinstance(flow, DeckCheck)]
    return [flow.log for flow in box.flows if isinstance(flow, Playing)], box.known.picture, box.known.stopped, decks


@pytest.mark.parametrize(("place", "by"), [*product((*QUESTIONS, *UNASKED), BY)])
def test_an_answer_that_does_not_belong_to_the_open_question_is_refused(place, by):
    build, lines = (QUESTIONS[place] if place in QUESTIONS else UNASKED[place])[:2]
    own = QUESTIONS[place][2] if place in QUESTIONS else ""
    before, _ = tell(build(), *lines)
    for answer in EVERY_ANSWER - {own}:
        if own.startswith("owner:") and answer.startswith("owner:"):
            continue
        box, effects = tell(before, answer, by=by)
        assert (refused(box), effects, changed(box)) == ("not_asked", (), changed(before)), answer
        assert show_box(box).prompt == show_box(before).prompt or place == "by-hand", answer


@pytest.mark.parametrize(("place", "by"), [*product(QUESTIONS, BY)])
def test_the_answer_to_the_open_question_is_taken(place, by):
    build, lines, answer = QUESTIONS[place]
    before, _ = tell(build(), *lines)
    assert answer in [offer.move for offer in show_box(before).offers]
    box, effects = tell(before, answer, by=by)
    assert refused(box) == ""
    if (place[:6], by) == ("phones", "web"):  # whether phones may see the table no phone can say
        assert (box.flows, effects) == (before.flows, ())
    else:
        assert box.flows != before.flows
        assert {effect.told for effect in effects if isinstance(effect, WriteEntries)} <= {by}


@pytest.mark.parametrize(("place", "by"), [*product(QUESTIONS, BY)])
def test_an_answer_given_twice_counts_once(place, by):
    build, lines, answer = QUESTIONS[place]
    once, _ = tell(build(), *lines, answer, by=by)
    if (place[:6], by) == ("phones", "web"):
        return
    twice, effects = tell(once, answer, by=by)
    assert (refused(twice), effects, changed(twice)) == ("not_asked", (), changed(once))


# what is told alone

ALONE = {
    # what one person may tell, and what comes of it: questions and lists at most open
    **dict.fromkeys(("menu", "back", "game:pause", "game:give-up", "game:new", "table:overrule", "phone:show-table")),
    **dict.fromkeys(("game:moves", "moves:take-back 1", "game:pads", "people:list", "people:rename 1")),
    **dict.fromkeys(("people:remove 1", "people:move 1", "camera:set-up", "game:by-hand", "table:rebuild")),
    "phone:pair": Invite,
    **dict.fromkeys(("table:is-right", "lay 25 2", "amend 1 2"), WriteEntries),
}
NEVER = (
    *("game:leave", "game:play-again", "game:same-again", "game:begin six", "game:resume 7", "box:restart"),
    *("page:next", "nonsense", "game:check piles", "table:all-is-right", "setup:start", "deck:skip-sheet", "game:fly"),
)
"""What is not offered while a round runs."""
SPELLED = (OVERRULE, f"amend 3 3 ; {OVERRULE}", f"amend 1 2 ; {OVERRULE}")
"""Entries that only follow from the agreement of all players."""


@pytest.mark.parametrize(("line", "by"), [*product(NEVER, BY)])
def test_a_command_that_is_not_offered_now_is_refused(line, by):
    before = at_table()
    box, effects = tell(before, line, by=by)
    assert (refused(box) in ("not_now", "log_line"), effects, changed(box)) == (True, (), changed(before))


@pytest.mark.parametrize(("line", "by"), [*product(SPELLED, BY)])
def test_an_entry_that_only_a_vote_may_make_is_refused(line, by):
    before = at_table()
    box, effects = tell(before, line, by=by)
    assert (refused(box), effects, changed(box)) == ("not_asked", (), changed(before))


@pytest.mark.parametrize(("line", "by"), [*product(ALONE, BY)])
def test_a_command_that_one_person_may_give_is_taken_and_the_record_names_its_source(line, by):
    before = at_table()
    box, effects = tell(before, line, by=by)
    kind = ALONE[line]
    assert refused(box) == ""
    assert [type(effect) for effect in effects] == ([kind] if kind else [])
    assert {effect.told for effect in effects if isinstance(effect, WriteEntries)} <= {by}
    assert kind is not None or changed(box) == changed(before)


EFFECTS = {"pause": PauseGame, "give-up": EndGame, "new-game": PauseGame, "overrule-second": WriteEntries}
EFFECTS |= {"take-back": WriteEntries, "power-off": PowerOff, "owner": WriteEntries, "leave": WriteEntries}


@pytest.mark.parametrize("place", QUESTIONS)
def test_the_effects_of_each_yes(place):
    build, lines, answer = QUESTIONS[place]
    box, effects = tell(build(), *lines, answer)
    assert [type(effect) for effect in effects] == ([EFFECTS[place]] if place in EFFECTS else [])
    assert box.known.picture == (7 if place == "phones-second" else None)


def test_players_who_overrule_name_the_owner_of_vanished_cards():
    _, effects = tell(
        at_table(GONE, VANISHED),
        "table:overrule",
        "vote:agree overrule 1",
        "vote:agree overrule 2",
        "owner:is 1|2|3 2",
        by="web",
    )
    (written,) = effects
    assert written.entries[0].startswith("overrule ")
    assert "pile:2=1|2|3" in written.entries[0]
    assert written.told == "web"


def test_an_overrule_that_stands_may_stay_in_a_correction_of_what_was_before_it():
    box, _ = tell(at_table(), "table:overrule", "vote:agree overrule 1", "vote:agree overrule 2")
    count, entry = len(box.flows[1].log.moves), box.flows[1].log.moves[-1]
    after, effects = tell(box, f"amend {count - 1} {count} ; {entry}", by="web")
    assert (refused(after), len(effects)) == ("", 1)


def test_moves_that_were_made_since_the_question_are_asked_about_once_more():
    log = begin(shown=(33, 25))
    box, _ = tell(Box(KNOWN, (Home(), play_from(log))), "moves:take-back 2", "lay 25 2")
    assert show_box(box).prompt == say("sure_take_back", n=1)
    box, effects = tell(box, "yes moves:take-back 2 2")
    assert (show_box(box).prompt, effects) == (say("sure_take_back", n=2), ())


def test_a_pause_records_that_removed_cards_are_gone():
    log = begin(((1, 2, 3, 4, 5), (20,), (30,), (40,)), shown=(6, 90))
    box = Box(KNOWN, (Home(), play_from(log.add(log.parse("take 1")))))
    _, effects = tell(box, "game:pause", "yes game:pause", by="web")
    assert effects == (WriteEntries(("tidy row:1",), "web"), PauseGame())


# the phrases of version 0.1.0

ON_SCREEN = {
    # phrases that meant what the screen offered
    "next": (Verb.NEXT_PAGE, EntryLine("next")),
    "agree": (Agree("phones", 2), EntryLine("agree")),
    "owner 2": (NameOwner("30|31", 2), EntryLine("owner 2")),
    "cannot 1": (Confirm(EntryLine("cannot 1")), EntryLine("cannot 1")),
}
OLD = {
    "begin nimmt players=3 spots=1,3,4": BeginMatch("nimmt", (("players", "3"), ("spots", "1,3,4"))),
    "deck specials": ChooseDeck("specials"),
    "form pick 0": OpenForm("pick 0"),
    "game nimmt": ChooseGame("nimmt"),
    "game nimmt base": ChooseGame("nimmt", "base"),
    "leaves 1": RemovePlayer(1),
    "letter -": SpellLetter("-"),
    "moves 19": TakeMovesBack(19),
    "moves 3 to 19": Confirm(TakeMovesBack(3, 19)),
    "name Anna-Maria Magdalena": SetName("Anna-Maria Magdalena"),
    "option end": ChooseOption("end"),
    "owned pile:1=3|4 pile:2=5": NameOwner("3|4", 1),
    "pad 2": ShowPad(2),
    "players 3": SetPlayerCount(3),
    "rename 2": RenamePlayer(2),
    "resume 3": ResumeMatch(3),
    "seats 1": MovePlayer(1),
    "set -3 0": ChooseWord("-3 0"),
    "set 62": ChooseWord("62"),
    "set allow_7_to_10 1": SetOption("allow_7_to_10", "1"),
    "set end rounds": SetOption("end", "rounds"),
    "set line:0": ChooseWord("line:0"),
    "sure cannot 1": AskFirst("cannot 1"),
    "tens 6": ChooseTens(6),
    "lay 33 3": EntryLine("lay 33 3"),
    "resume": EntryLine("resume"),
    "menu": Verb.MENU,
    "game:pause": Verb.PAUSE,
}


@pytest.mark.parametrize(("phrase", "command"), [*PHRASES.items(), *OLD.items()])
def test_a_phrase_of_version_0_1_0_is_still_understood(phrase, command):
    assert parse_old_command(phrase) == command


@pytest.mark.parametrize("phrase", ON_SCREEN)
def test_a_phrase_with_several_meanings_means_what_the_screen_offers(phrase):
    offered, otherwise = ON_SCREEN[phrase]
    assert parse_old_command(phrase, (Offer(say("go_on"), str(offered)),)) == offered
    assert parse_old_command(phrase) == otherwise


def test_a_phrase_is_no_command_any_more():
    assert {type(parse_command(phrase)) for phrase in PHRASES} == {EntryLine}
    assert Told(parse_command("all agree"), "web", 1.0).command == EntryLine("all agree")
