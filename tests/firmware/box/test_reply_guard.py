"""What answers a question counts only where the question was asked, whoever says it; the record tells who did."""

from itertools import product

import pytest

from firmware.box.context import Context
from firmware.box.effects import Effect, Invite, PowerOff
from firmware.box.events import Answered, PageStatus, Ticked, Told
from firmware.box.flows.deck_check import DeckCheck
from firmware.box.flows.home import Home
from firmware.box.flows.playing import Playing, playing
from firmware.box.stack import Box, step, view
from firmware.journal.operations import EndGame, PauseGame, Started, WriteEntries
from tests.support.nimmt import begin, look
from vision.live.events import TableSeen

LOG = begin(((10,), (20,), (30,), (40,)), shown=(33, 25))
WRONG = look(LOG, ((10, 25), (20,), (30,), (40,)), {1: 33})
OVERRULE = "overrule row:1=10|25 row:2=20 row:3=30 row:4=40 seat:1=33"
KNOWN = Context(game=7, page=PageStatus("there"), names={1: "Ana", 2: "Ben"}, last=Started("nimmt", LOG.options))
BY = ("button", "web", "cli")
ANSWERS = {
    # words that say yes, how people come to say them, and what comes of it
    "all agree": (("we overrule", "agree", "agree"), WriteEntries),
    "picture agreed": (("phones look", "agree", "agree"), None),
    "paused": (("pause", "paused"), PauseGame),
    "other game": (("new game", "other game"), PauseGame),
    "given up": (("give up", "given up"), EndGame),
}
SPELLED = ("owned pile:2=20", "all own pile:2=20", OVERRULE, f"amend 3 3 ; {OVERRULE}", f"amend 1 2 ; {OVERRULE}")
"""What only ever follows from answers."""
ALONE = {
    # what anybody may say by himself, and what comes of it: questions and lists at most open
    **dict.fromkeys(("menu", "back", "pause", "give up", "new game", "we overrule", "phones look", "moves", "moves 1")),
    **dict.fromkeys(("pads", "people", "rename 1", "leaves 1", "seats 1", "aim", "by hand", "record is right")),
    "pair": Invite,
    **dict.fromkeys(("table is right", "lay 25 2", "amend 1 2"), WriteEntries),
}
NEVER = ("home", "again", "same again", "power off", "begin six", "agree", "next", "nonsense", "audit", "all is right")
"""What nobody offers while a round runs."""


def at_table(known: Context = KNOWN) -> Box:
    box, _ = step(Box(known, (Home(), playing(LOG))), TableSeen(WRONG, 1.0))
    return step(box, Ticked(9.0))[0]


def told(box: Box, *words: str, by: str) -> tuple[Box, tuple[Effect, ...]]:
    effects: tuple[Effect, ...] = ()
    for word in words:
        box, done = step(box, Told(word, by, 10.0))
        effects += done
    return box, effects


def refused(box: Box) -> str:
    """What is answered to words that are of no use."""
    game = next(flow for flow in box.flows if isinstance(flow, Playing))
    why = box.refused or game.desk.refused
    return why.id if why else ""


def changed(box: Box) -> tuple[object, ...]:
    """All that words could have done unasked."""
    return [flow.log for flow in box.flows if isinstance(flow, Playing)], box.known.picture, box.known.stopped


@pytest.mark.parametrize(("words", "by"), [*product((*ANSWERS, *SPELLED), BY)])
def test_the_answer_to_a_question_that_nobody_asked_is_refused(words, by):
    before = at_table()
    for item in (Told(words, by, 10.0), Answered(words, by, 10.0)):  # what comes from outside never is an answer
        box, effects = step(before, item)
        assert (refused(box), effects, changed(box)) == ("not_asked", (), changed(before))


@pytest.mark.parametrize(("words", "by"), [*product(NEVER, BY)])
def test_what_is_not_offered_now_is_refused(words, by):
    before = at_table()
    box, effects = told(before, words, by=by)
    assert (refused(box) != "", effects, changed(box)) == (True, (), changed(before))


@pytest.mark.parametrize(("words", "by"), [*product(ALONE, BY)])
def test_what_anybody_may_say_alone_is_taken_and_the_record_tells_who_said_it(words, by):
    before = at_table()
    box, effects = told(before, words, by=by)
    kind = ALONE[words]
    assert refused(box) == ""
    assert [type(effect) for effect in effects] == ([kind] if kind else [])
    assert {effect.told for effect in effects if isinstance(effect, WriteEntries)} <= {by}
    assert kind is not None or changed(box) == changed(before)


@pytest.mark.parametrize(("words", "by"), [*product(ANSWERS, BY)])
def test_asked_for_it_counts_and_the_record_tells_who_pressed(words, by):
    presses, kind = ANSWERS[words]
    box, effects = told(at_table(), *presses, by=by)
    by_phone = (words, by) == ("picture agreed", "web")
    assert [type(effect) for effect in effects] == ([kind] if kind else [])
    assert {effect.told for effect in effects if isinstance(effect, WriteEntries)} <= {by}
    assert box.known.picture == (7 if words == "picture agreed" and not by_phone else None)


def test_who_has_what_vanished_is_asked_of_everybody_who_overrules_too():
    log = begin(((1, 2, 3), (20,), (30,), (40,)), shown=(33, 25))
    gone = look(log, ((50,), (20,), (30,), (40,)), {1: 33, 2: 25})
    box, _ = step(Box(KNOWN, (Home(), playing(log))), TableSeen(gone, 1.0))
    box, effects = told(box, "we overrule", "agree", "agree", "owner 2", by="web")
    (written,) = effects
    assert written.entries[0].startswith("overrule ")
    assert "pile:2=1|2|3" in written.entries[0]
    assert written.told == "web"


def test_an_overrule_that_stands_may_stay_in_a_correction_of_what_was_before_it():
    box, _ = told(at_table(), "we overrule", "agree", "agree", by="button")
    count, entry = len(box.flows[1].log.moves), box.flows[1].log.moves[-1]
    after, effects = told(box, f"amend {count - 1} {count} ; {entry}", by="web")
    assert (refused(after), len(effects)) == ("", 1)


def test_what_the_rules_removed_is_packed_up_by_who_put_the_game_away():
    log = begin(((1, 2, 3, 4, 5), (20,), (30,), (40,)), shown=(6, 90))
    box = Box(KNOWN, (Home(), playing(log.add(log.parse("take 1")))))
    _, effects = told(box, "pause", "paused", by="web")
    assert effects == (WriteEntries(("tidy row:1",), "web"), PauseGame())


@pytest.mark.parametrize("by", BY)
def test_the_box_is_not_switched_off_by_one_word(by):
    box, effects = told(Box(Context(), (Home(),)), "power off", by=by)
    assert (view(box).alert.id, effects) == ("not_now", ())
    assert told(box, "power", "power off", by=by)[1] == (PowerOff(),)


@pytest.mark.parametrize("by", BY)
def test_no_sheet_of_a_deck_is_passed_over_by_one_word(by):
    box = Box(Context(area=(600, 450)), (Home(), DeckCheck("thegame", sheet=8)))
    after, _ = told(box, "skip now", by=by)
    assert after.flows == box.flows
    assert told(after, "skip", "skip now", by=by)[0].flows[-1].sheet == 9
