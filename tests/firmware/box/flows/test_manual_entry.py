"""Without a camera: whole matches of every game and variant are told with the buttons, by what is offered alone."""

import random

import pytest

from engine.games import GAMES
from engine.games.nimmt import moves as nimmt
from engine.games.nimmt.state import SpecialCards
from engine.games.six import moves as six
from engine.log import Log
from firmware.box.events import parse_told
from firmware.box.flow_context import Context
from firmware.box.flow_stack import Box, show_box, step_box
from firmware.box.flows.playing import play_from
from firmware.journal.operation_types import EndGame, WriteEntries
from firmware.simulation.players import PLAYERS
from tests.support import six as tiles
from tests.support.nimmt import begin, look
from vision.live.perception_events import TableSeen

MATCHES = {
    "base": ("nimmt", {"players": 2, "end": "rounds", "rounds": 2}),
    "ten-players": ("nimmt", {"players": 10, "end": "rounds", "rounds": 1}),
    "seats-off": ("nimmt", {"players": 4, "seats": "off", "end": "rounds", "rounds": 1}),
    "open-draft": ("nimmt", {"players": 2, "variant": "professional", "end": "rounds", "rounds": 1}),
    "two-halves": ("nimmt", {"players": 4, "variant": "halves"}),
    "specials": ("nimmt", {"players": 3, "variant": "anniversary"}),
    "piles": ("thegame", {"players": 3}),
    "tiles": ("six", {}),
}


FORM = "entry:form "


class Hands:
    """Somebody with four buttons and no camera."""

    def __init__(self, log):
        self.box = Box(Context(), (play_from(log),))
        self.effects = []
        self.tell("game:by-hand")

    @property
    def log(self):
        return self.box.flows[0].log

    def tell(self, words):
        self.box, effects = step_box(self.box, parse_told(words, "button", 0.0))
        self.effects += effects

    def offered(self):
        return [offer.move for offer in show_box(self.box).offers]

    def press(self, words):
        assert words in self.offered(), (words, self.offered())
        self.tell(words)

    def enter(self, line):
        """Choose what is needed for this entry, and nothing that is not offered."""
        before, offered = len(self.log.entries), self.offered()
        if f"entry:ask {line}" in offered:
            self.tell(f"entry:ask {line}")
            self.press(f"yes {line}")
        elif line in offered:
            self.tell(line)
        else:
            verbs = [words.removeprefix(FORM) for words in offered if words.startswith(FORM)]
            verb = max((verb for verb in verbs if f"{line} ".startswith(f"{verb} ")), key=len, default=None)
            assert verb, (line, offered)
            self.tell(f"{FORM}{verb}")
            rest = line[len(verb) :].split()
            while rest:
                rest = self._answer(rest)
        assert len(self.log.entries) == before + 1, (line, show_box(self.box).alert)

    def _answer(self, rest):
        """One answer; what is left to be answered."""
        offered = self.offered()
        if any(words.startswith("entry:word line:") for words in offered):
            self.press(f"entry:word line:{rest[1]}")
            self.press(f"entry:word {rest[0]} {rest[1]}")
            return rest[2:]
        if f"entry:word {rest[0]} {rest[-1]}" in offered:
            self.tell(f"entry:word {rest[0]} {rest[-1]}")
            return []
        if f"entry:word {rest[0]}" in offered:
            self.tell(f"entry:word {rest[0]}")
            return rest[1:]
        first, _, more = rest[0].partition(",")
        if f"entry:word {first}" not in offered:
            self.press(f"entry:tens {int(first) // 10}")
        self.press(f"entry:word {first}")
        return [more, *rest[1:]] if more else rest[1:]


def as_entered(move, state):
    """People name one cell of a group, whichever; nobody without a camera cares where on the table the board lies."""
    match move:
        case nimmt.Tidy() if state.phase in ("deal", "draft"):
            return nimmt.Sweep()
        case six.Slide():
            return None
        case six.Keep(q, r, keep_q, keep_r):
            board = state.game.board
            for group in state.game.lift((q, r)).stay:
                cells = sorted(board.cells(group))
                if (keep_q, keep_r) in cells:
                    return six.Keep(q, r, *cells[0])
        case six.Start():
            return six.Start(300, 225, 0, 380)
    return move


@pytest.mark.parametrize(("name", "options"), MATCHES.values(), ids=list(MATCHES))
def test_a_whole_match_is_told_with_what_is_offered(name, options):
    log = Log(GAMES[name], options)
    players, hands = PLAYERS[name](log.options, random.Random(7)), Hands(log)
    players.games = 1
    told = 0
    while (move := players.next(log.state)) is not None:
        move = as_entered(move, log.state)
        if move is None:
            continue
        if str(move).startswith("leave"):  # not by hand, but in the menu for people
            hands.tell(str(move))
        else:
            hands.enter(str(move))
        log = log.add(move)
        told += 1
        assert hands.log.state == log.state
    assert show_box(hands.box).over
    writes = [effect for effect in hands.effects if isinstance(effect, WriteEntries)]
    assert [write.told for write in writes] == ["button"] * told


def test_a_step_back_undoes_one_choice_and_then_closes():
    hands = Hands(begin())
    hands.press("entry:form reveal 1")
    hands.press("entry:tens 3")
    asked = show_box(hands.box)
    hands.press("entry:word 33")
    hands.press("entry:form reveal 2")
    hands.press("entry:tens 3")
    hands.tell("back")
    assert "entry:tens 3" in hands.offered()
    hands.tell("back")
    assert "entry:form reveal 2" in hands.offered()
    hands.tell("back")
    assert hands.box.flows[0].hand is None
    assert (asked.prompt.id, hands.log.state.shown) == ("which_card", (33, None))


def test_what_cannot_be_is_answered_and_the_next_entry_clears_it():
    hands = Hands(begin(shown=(33, 25), variant="anniversary", specials=SpecialCards((3, 3), 22)))
    hands.enter("special 2 block")
    hands.press("entry:form mark block")
    hands.press("entry:word 5")
    assert show_box(hands.box).alert.id == "no_such_row"
    hands.enter("mark block 1")
    assert show_box(hands.box).alert is None


def test_no_number_is_taken_twice_for_one_row():
    hands = Hands(Log(GAMES["nimmt"], {"players": 2}))
    hands.press("entry:form deal")
    for words in ("entry:word 10", "entry:word 10", "entry:word 20", "entry:word 30"):
        hands.tell(words)
    assert str(show_box(hands.box).prompt) == "chosen_so_far cards=10,20,30"


def test_a_card_under_another_is_told_pile_first():
    log = Log(GAMES["thegame"], {"players": 2})
    log = log.add(*map(log.parse, ("play 12 up:1", "play 20 up:1")))
    hands = Hands(log)
    for words in ("entry:form under", "entry:word up:1", "entry:word 20", "entry:tens 1", "entry:word 15"):
        hands.press(words)
    assert hands.log.state.piles[0] == (12, 15, 20)


def test_the_hand_that_could_not_play_is_told_card_by_card():
    log = Log(GAMES["thegame"], {"players": 1})
    hands = Hands(log.add(log.parse("cannot 1")))
    hands.enter("verify 2,3,4,5,6,7,8,9")
    assert show_box(hands.box).alert.id == "stopped_early"
    hands.effects.clear()
    hands.press("resume")
    assert not show_box(hands.box).over
    assert [type(effect).__name__ for effect in hands.effects] == ["ResumeGame", "WriteEntries"]


def test_the_end_is_told_once():
    log = Log(GAMES["thegame"], {"players": 1})
    hands = Hands(log)
    hands.press("entry:ask cannot 1")
    hands.press("yes cannot 1")
    hands.tell("game:pads")
    hands.tell("back")
    assert hands.effects.count(EndGame("finished")) == 1


def test_the_camera_may_tell_first_what_was_being_entered():
    hands = Hands(begin())
    hands.press("entry:form reveal 1")
    hands.press("entry:tens 3")
    hands.tell("reveal 1 35")
    assert "entry:form reveal 1" not in hands.offered()
    assert "entry:form reveal 2" in hands.offered()


def test_what_was_chosen_of_an_entry_falls_when_it_can_no_longer_be():
    chain = {(q, 0): ("red", "black")[q % 2] for q in range(12)}
    hands = Hands(tiles.begin(chain))
    for words in ("entry:form move", "entry:word line:0", "entry:word 0 0"):
        hands.press(words)
    hands.tell("move 0 0 11 1")
    assert show_box(hands.box).prompt.id == "move_tile"
    assert "entry:form move" in hands.offered()


def asked_for_a_card():
    """Player 3 has shown a card unseen and lifted row 1 for it; player 1 has laid 48 since."""
    hands = Hands(begin(shown=(48, 41), players=3))
    hands.tell("back")
    table = look(hands.log, ((), (20,), (30,), (40, 48)), {2: 41})
    hands.box, _ = step_box(hands.box, TableSeen(table, 0.0))
    return hands


def test_a_card_that_was_not_seen_is_entered_from_the_question_which_then_closes():
    hands = asked_for_a_card()
    assert show_box(hands.box).prompt.id == "unless_all_shown"
    assert hands.offered()[0] == "entry:form reveal 3"
    for words in ("entry:form reveal 3", "entry:tens 0", "entry:word 5"):
        hands.press(words)
    assert hands.log.state.slot.card == 5
    assert hands.box.flows[0].hand is None
    assert [offer for offer in hands.offered() if offer.startswith(FORM)] == []


def test_a_question_for_a_card_is_left_with_back():
    hands = asked_for_a_card()
    hands.press("entry:form reveal 3")
    hands.press("entry:tens 0")
    hands.tell("back")
    hands.tell("back")
    assert hands.box.flows[0].hand is None
    assert show_box(hands.box).prompt.id == "unless_all_shown"


def test_a_question_that_the_camera_has_answered_closes():
    hands = asked_for_a_card()
    hands.press("entry:form reveal 3")
    hands.tell("reveal 3 5")
    assert show_box(hands.box).prompt.id != "which_card"
    assert [offer for offer in hands.offered() if offer.startswith(FORM)] == []


def test_a_form_that_the_game_has_not_now_is_refused():
    hands = asked_for_a_card()
    hands.tell("entry:form swap")
    assert hands.box.flows[0].hand is None
    assert show_box(hands.box).alert is not None


def test_the_new_card_of_a_replace_that_went_with_a_row_is_asked_for_by_its_number():
    rows = ((27,), (18,), (80, 90), (60, 61), (5,))
    marks = (*[frozenset()] * 4, frozenset({"fifth"}))
    log = begin(rows, shown=(3, 50), variant="anniversary", marks=marks, lying=(("fifth", "mark:5"),))
    hands = Hands(log.add(log.parse("special 1 replace")))
    hands.tell("back")
    table = look(hands.log, ((), *rows[1:]), {2: 50})
    hands.box, _ = step_box(hands.box, TableSeen(table, 0.0))
    assert str(show_box(hands.box).prompt) == "which_card_played player=1"
    for words in ("entry:form swap", "entry:tens 0", "entry:word 2"):
        hands.press(words)
    hands.box, _ = step_box(hands.box, TableSeen(table, 1.0))
    assert hands.log.state.piles[0] == (27, 2)


def test_the_card_that_went_with_one_of_five_rows_unseen_is_asked_for_by_its_number():
    rows = ((27,), (18,), (80, 90), (60, 61), (28,))
    marks = (*[frozenset()] * 4, frozenset({"fifth"}))
    lying = (("fifth", "mark:5"),)
    hands = Hands(begin(rows, shown=(62, 82), players=3, variant="anniversary", marks=marks, lying=lying))
    hands.tell("back")
    table = look(hands.log, ((), *rows[1:]), {1: 62, 2: 82})
    hands.box, _ = step_box(hands.box, TableSeen(table, 0.0))
    assert str(show_box(hands.box).prompt) == "which_card_played player=3"
    for words in ("entry:form reveal 3", "entry:tens 0", "entry:word 5"):
        hands.press(words)
    hands.box, _ = step_box(hands.box, TableSeen(table, 1.0))
    assert hands.log.state.piles[2] == (27, 5)
