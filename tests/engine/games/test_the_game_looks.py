"""The Game as the camera sees it: scripts of tables and the verdict on each."""

import time
from dataclasses import replace

import pytest

from engine.advice import Act
from engine.game import Illegal
from engine.games.the_game import TheGame
from engine.games.the_game.moves import Over
from engine.games.the_game.state import PILES
from engine.games.the_game.table_plan import plan
from engine.log import Adopt, Log
from engine.log_text import read_log, write_log
from engine.rebuild_guide import list_guide_lines
from engine.referee import Follows, Refused, Rewind, Unclear, Waiting, adopt_table, judge
from engine.table import Layout, Piece, Table

GAME = TheGame()
ZONES = plan(0, 0).zones


def look(up1="", up2="", down1="", down2="", hide=(), covers=()):
    """What shows on each pile; several pieces side by side as "37 40"; ``covers`` as "40 37", the upper one first."""
    seen = set()
    for name, shows in zip(PILES, (up1, up2, down1, down2), strict=True):
        area = ZONES[name]
        for n, piece in enumerate(str(shows).split()):
            seen.add(Piece(piece, area.left + 40 + 20 * n, (area.top + area.bottom) / 2))
    return Table(frozenset(seen), tuple(ZONES[name] for name in hide), frozenset(tuple(c.split()) for c in covers))


def begin(*moves, **options):
    log = Log(GAME, {"players": 2, **options})
    return log.add(*map(log.parse, moves))


def script(log, *steps):
    """Each step is an entered line, or a table with the expected moves, or with verdict, text and ruling."""
    for n, step in enumerate(steps):
        if isinstance(step, str):
            log = log.add(log.parse(step))
            continue
        table, expected = step
        verdict = judge(log, table)
        match verdict:
            case Follows(moves):
                assert tuple(map(str, moves)) == expected, (n, verdict)
                log = log.add(*moves)
            case Waiting(_, why):
                assert ("waiting", why and f"{why.text.id} {why.ruling}") == expected, (n, verdict)
            case Refused(_, _, why):
                assert ("refused", why and f"{why.text.id} {why.ruling}") == expected, (n, verdict)
            case _:
                pytest.fail(f"step {n}: {verdict}")
    return log


AIR = ("waiting", None)
ASKED = ("waiting", "show_card_under G-5")
TO_47 = ("play 47 up:1",)

SCRIPTS = {
    "an empty pile shows its start card or nothing": (
        (look("1", "1", "100", "100"), ()),
        (look(), ()),
        (look("2", "1", "", "100"), ("play 2 up:1",)),
        (look("1", "1"), AIR),
    ),
    "a start card peeking out from under the pile": ((look("1 2"), ("play 2 up:1",)), (look("1 2"), ())),
    "a start card on the wrong pile": (
        (look("100"), ("refused", "start_card_astray G-10")),
        (look("", "", "1"), ("refused", "start_card_astray G-10")),
    ),
    "one card after the other": (
        (look("12"), ("play 12 up:1",)),
        (look("12", "", "90"), ("play 90 down:1",)),
        "done 1 2",
        (look("12", "", "90"), ()),
        (look("15", "", "90"), ("play 15 up:1",)),
    ),
    "two piles in one look": ((look("12", "", "90"), ("play 90 down:1", "play 12 up:1")),),
    "backwards trick": ((look("47"), TO_47), (look("37"), ("play 37 up:1",))),
    "a card laid while another is in the air": ((look("47"), TO_47), (look("", "", "50"), ("play 50 down:1",))),
    "a card that several unseen ones explain": (
        (look("47"), TO_47),
        (look("20"), ASKED),
        (look("36"), ("waiting", "show_card_under G-8")),
        (look("47", "", "65"), ("play 65 down:1",)),
        (look("47", "", "95"), ("waiting", "show_card_under G-6")),
        "bare 95 down:1",
        (look("47", "", "95"), ("refused", "take_back G-6")),
        (look("47", "", "65"), ()),
    ),
    "37 came unseen: shown": (
        (look("47"), TO_47),
        (look("40"), ASKED),
        (look("37"), ("play 37 up:1",)),
        (look("40"), ("play 40 up:1",)),
    ),
    "37 came unseen: said": (
        (look("47"), TO_47),
        (look("40"), ASKED),
        "under 37 40 up:1",
        (look("40"), ("play 40 up:1",)),
        (look("40"), ()),
    ),
    "nothing came unseen: denied": (
        (look("47"), TO_47),
        (look("40"), ASKED),
        "bare 40 up:1",
        (look("40"), ("refused", "take_back G-5")),
        (look("47"), ()),
        (look("40"), ("refused", "take_back G-5")),
        (look("50"), ("play 50 up:1",)),
        (look("45"), ASKED),
    ),
    "whether a card is wrong is asked before another one is refused, so that advice names both or one": (
        (look("47", "60"), ("play 47 up:1", "play 60 up:2")),
        (look("40", "100"), ASKED),
        "bare 40 up:1",
        (look("40", "100"), ("refused", "take_back G-5")),
        "bare 20 up:2",
        (look("40", "20"), ("refused", "take_back G-5")),
        "under 37 40 up:1",
        (look("40", "100"), ("refused", "start_card_astray G-10")),
    ),
    "a card that may stick out is asked about before another one is refused": (
        (look("47"), TO_47),
        (look("85", "", "3", "2"), ("play 3 down:1", "play 2 down:2", "play 85 up:1")),
        (look("85 60", "", "3", "99"), ("waiting", "which_on_top G-3")),
        "over 60 85 up:1",
        (look("85 60", "", "3", "99"), ("waiting", "which_on_top G-3")),
        "over 99 2 down:2",
        (look("85 60", "", "3", "99"), ("waiting", "show_card_under G-5")),
        "bare 60 up:1",
        (look("85 60", "", "3", "99"), ("refused", "take_back G-6")),
    ),
    "under a card with nothing under it the top does not stick out": (
        (look("47"), TO_47),
        (look("85"), ("play 85 up:1",)),
        (look("85 60", covers=("60 85",)), ("waiting", "show_card_under G-5")),
        "bare 60 up:1",
        (look("85 60"), ("refused", "take_back G-5")),
    ),
    "a second card of a number on its own pile": (
        (look("47"), TO_47),
        (look("85"), ("play 85 up:1",)),
        (look("47 85"), ()),
        (look("85 47 47"), ("refused", "already_laid G-10")),
        (look("85 85"), ("refused", "already_laid G-10")),
    ),
    "a start card on the cards of its own pile": (
        (look("47"), TO_47),
        (look("47 1"), ()),
        (look("47 1", covers=("47 1",)), ()),
        (look("47 1", covers=("1 47",)), ("refused", "start_card_astray G-10")),
    ),
    "a legal card beside a foul: nothing is taken": (
        (look("47"), TO_47),
        (look("100", "", "90"), ("refused", "start_card_astray G-10")),
        (look("20", "", "90"), ASKED),
        "bare 20 up:1",
        (look("20", "", "90"), ("refused", "take_back G-5")),
        (look("47", "", "90"), ("play 90 down:1",)),
    ),
    "an answer that is not the card": (
        (look("47"), TO_47),
        (look("40"), ASKED),
        (look("50"), ("play 50 up:1",)),
        (look("40"), ("play 40 up:1",)),
    ),
    "a top lifted to look under it": (
        (look("47"), TO_47),
        (look("50"), ("play 50 up:1",)),
        (look("47"), AIR),
        (look("50"), ()),
        (look(), AIR),
        (look("1"), AIR),
    ),
    "a card carried to another pile": (
        (look("47"), TO_47),
        (look("50"), ("play 50 up:1",)),
        (look("47", "50"), ("refused", "card_stays G-24")),
    ),
    "two tops exchanged": (
        (look("47", "60"), ("play 47 up:1", "play 60 up:2")),
        (look("60", "47"), ("refused", "card_stays G-24")),
    ),
    "a number twice on the table is a reading error": (
        (look("47"), TO_47),
        (look("47", "47"), ("refused", "already_laid G-10")),
    ),
    "a number that lies deeper in a pile": (
        (look("47"), TO_47),
        (look("50"), ("play 50 up:1",)),
        (look("50", "47"), ("refused", "already_laid G-10")),
    ),
    "no card of this game": (
        (look("104"), ("refused", "no_such_card G-10")),
        (look("red"), ("refused", "card_without_number G-10")),
        (look("back"), ("refused", "card_without_number G-10")),
    ),
    "two new cards side by side": ((look("47"), TO_47), (look("62 50"), ("play 50 up:1", "play 62 up:1"))),
    "an arm over a pile": (
        (look("47"), TO_47),
        (look("", hide=("up:1",)), ()),
        (look("", "", "90", hide=("up:1",)), ("play 90 down:1",)),
        (look("", "", "95", hide=("up:1",)), ("waiting", "show_card_under G-6")),
        (look("", "", "20", hide=("up:1",)), ("play 20 down:1",)),
        "bare 95 down:1",
        (look("", "", "95", hide=("up:1",)), ("refused", "take_back G-6")),
    ),
    "seen through glare": (
        (look("47", hide=("up:1",)), TO_47),
        (look("30", hide=("up:1",)), ()),
        (look("98", hide=("up:1",)), ("play 98 up:1",)),
        (look("99 96", hide=("up:1",)), ()),
        (look("99 96 1 47", hide=("up:1",)), ()),
    ),
    "a wrong card while another is in the air": (
        (look("47", "60"), ("play 47 up:1", "play 60 up:2")),
        "bare 20 up:1",
        (look("20", ""), ("waiting", "take_back G-5")),
    ),
    "cards counted at the end of the turn: shown": (
        (look("20"), ("play 20 up:1",)),
        (look("30"), ("play 30 up:1",)),
        "done 1 3",
        (look("30"), ()),
        (look("25"), ("under 25 30 up:1",)),
        (look("25"), AIR),
        (look("30"), ()),
        "done 1 3",
        (look("33"), ("play 33 up:1",)),
    ),
    "cards counted at the end of the turn: a trick lies under the top, as said": (
        (look("47"), TO_47),
        (look("58"), ("play 58 up:1",)),
        "done 1 3",
        "over 58 48 up:1",
        (look("48"), ("under 48 58 up:1",)),
        (look("58"), ()),
    ),
    "cards counted at the end of the turn: said": (
        (look("20"), ("play 20 up:1",)),
        (look("30"), ("play 30 up:1",)),
        "done 1 3",
        "under 25 30 up:1",
        (look("30"), ()),
        "done 1 3",
    ),
    "a sixth card under the hand's last is the next player's": (
        *((look(n), (f"play {n} up:1",)) for n in range(10, 17)),
        (look(20), ("play 20 up:1",)),
    ),
}


PUT_47_UNDER_50 = (Act("47", "up:2", "up:1"),)
ASTRAY = {
    "a lower card on another pile goes back under its top": (look("50", "47"), PUT_47_UNDER_50),
    "also where its pile has a new card": (look("63", "47"), PUT_47_UNDER_50),
    "a second card of the number is taken away": (look("50 47", "47"), (Act("47", "up:2", ""),)),
    "a lower card that lies on its top: the top goes on it": (
        look("47 50", covers=("47 50",)),
        (Act("50", "", "up:1", after="47"),),
    ),
}


@pytest.mark.parametrize(("table", "cure"), ASTRAY.values(), ids=ASTRAY)
def test_a_card_of_the_record_never_goes_to_a_hand(table, cure):
    """Each number is there once (G-1): only a second one in sight is from another deck."""
    verdict = judge(begin("play 47 up:1", "play 50 up:1"), table)
    assert verdict.cure == cure


def test_a_second_card_of_a_number_deep_in_the_pile_is_taken_away():
    deep = begin("play 5 up:1", "play 6 up:1", "done 1 2", "play 16 up:1", "play 25 up:1", "done 2 2")
    assert judge(deep, look("16 25 5", covers=("5 16", "5 25"))).cure == (Act("5", "up:1", ""),)


@pytest.mark.parametrize("steps", SCRIPTS.values(), ids=SCRIPTS)
def test_script(steps):
    script(begin(), *steps)


def with_hands(log, *hands):
    """The same game, but with hands of so many cards."""
    return replace(log, origin=replace(log.state, hands=hands), entries=())


@pytest.mark.parametrize(
    ("card", "in_hands", "expected"),
    [
        pytest.param("46", 2, ASKED, id="one unseen card, 36 or 37, would do"),
        pytest.param("46", 1, ("refused", "take_back G-5"), id="the last card lies on no unseen one"),
        pytest.param("36", 3, ("waiting", "show_card_under G-8"), id="two unseen cards, 37 and 46, would do"),
        pytest.param("36", 2, ("refused", "take_back G-8"), id="one unseen card would not do"),
        pytest.param("20", 4, ASKED, id="three unseen cards, 37, 27 and 17, would do"),
        pytest.param("20", 3, ("refused", "take_back G-5"), id="two would not do"),
    ],
)
def test_a_card_is_refused_at_once_only_if_no_unseen_cards_from_the_hands_explain_it(card, in_hands, expected):
    log = with_hands(begin("play 47 up:1", "play 60 up:2", "done 1 2"), in_hands - 1, 1)
    script(log, (look(card, "60"), expected))


def test_a_card_that_lies_elsewhere_is_no_explanation():
    """40 on 47: 37 and 50 both lie in sight, so neither can be under it."""
    log = with_hands(begin("play 47 up:1", "play 37 up:2", "play 50 down:1", "done 1 3"), 1, 1)
    script(log, (look("40", "37", "50"), ("refused", "take_back G-5")))
    log = with_hands(begin("play 47 up:1", "play 50 down:1", "done 1 2"), 1, 2)
    script(log, (look("40", "37", "50"), ("refused", "take_back G-5")))


TURN_BEFORE = ("play 34 down:2", "play 16 down:1", "done 1 2")
LIFTED = [
    pytest.param(("play 6 down:2",), "22", 1, ("waiting", "which_on_top G-3"), id="22 under a 6 of this turn"),
    pytest.param(
        ("play 6 down:2", "done 2 2"), "43", 1, ("waiting", "which_on_top G-3"), id="43 on an unseen 44, one was said"
    ),
    pytest.param(("play 6 down:2", "over 6 22 down:2"), "22", 1, ("under 22 6 down:2",), id="as said"),
    pytest.param(("play 6 down:2", "over 22 6 down:2"), "22", 1, ("refused", "take_back G-6"), id="as denied"),
    pytest.param(("play 6 down:2",), "22", 0, ("refused", "take_back G-6"), id="no card is left that may be unseen"),
    pytest.param(("play 6 down:2",), "6 22", 1, ("refused", "take_back G-6"), id="6 is in sight under it"),
    pytest.param(("play 6 down:2",), "94", 1, ("refused", "take_back G-6"), id="94 fits nowhere under it"),
]


@pytest.mark.parametrize(("moves", "cards", "hand", "expected"), LIFTED)
def test_a_wrong_card_that_may_show_under_a_lifted_top_of_the_turn_is_asked_about(moves, cards, hand, expected):
    """16 lies elsewhere, so that no unseen card makes 22 right on 6."""
    log = with_hands(begin(*TURN_BEFORE, "play 6 down:2"), 1, hand)
    for move in moves[1:]:
        log = log.add(log.parse(move))
    covers = ("22 6",) if cards == "6 22" else ()
    script(log, (look("", "", "16", cards, covers=covers), expected))


def test_a_lifted_top_offers_the_rewind_and_does_not_take_it():
    verdict = judge(begin("play 12 up:1", "play 15 up:1"), look("12"))
    assert verdict == Waiting((("15", "up:1"),), None, Rewind(1, ()), (Act("15", "", "up:1", after="12"),))


SWAPPED = ((Over(58, 48, "up:1"),),)


def test_a_card_under_a_lifted_top_read_as_a_trick_is_corrected_by_an_answer():
    """47, 48, 58: 48 came unseen; 58 is lifted, and 48 looks like the trick on it."""
    log = script(begin("play 47 up:1", "play 58 up:1"), (look("48"), ("play 48 up:1",)))
    verdict = judge(log, look("58"))
    act = Act("48", "", "up:1", after="58")
    assert verdict == Waiting((("48", "up:1"),), None, Rewind(1, ()), (act,), stories=SWAPPED)
    log = script(log.add(*verdict.stories[0]), (look("58"), ()), "done 1 3")
    assert log.state.piles[0] == (47, 48, 58)


@pytest.mark.parametrize(
    ("moves", "shown", "stories"),
    [
        pytest.param(("play 47 up:1", "play 48 up:1", "play 58 up:1"), "48", True, id="ten on, as well as ten back"),
        pytest.param(("play 47 up:1", "play 58 up:1", "play 60 up:1"), "58", False, id="60 does not lie under 58"),
        pytest.param(("play 49 up:1", "play 58 up:1", "play 48 up:1"), "58", False, id="48 does not lie on 49"),
        pytest.param(("play 58 up:1", "done 1 2", "play 48 up:1"), "58", False, id="58 lay there before the turn"),
        pytest.param(("play 58 up:1", "play 48 up:1"), "", False, id="both are gone"),
    ],
)
def test_only_two_cards_of_the_turn_that_are_legal_either_way_may_have_been_confused(moves, shown, stories):
    log = begin("play 90 down:2", *moves)
    assert bool(judge(log, look(shown, "", "", "90")).stories) == stories


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param((), "follows", id="nobody counts: a trick"),
        pytest.param(("done 1 3", "under 50 58 up:1"), "asked", id="one was counted and found: perhaps one more"),
    ],
)
def test_a_trick_on_a_top_that_may_be_lifted_is_asked_about_once_more_cards_were_claimed(said, expected):
    log = begin("play 47 up:1", "play 58 up:1", *said)
    verdict = judge(log, look("48"))
    assert isinstance(verdict, Follows if expected == "follows" else Waiting | Unclear)


def test_an_answer_without_a_question_is_refused():
    log = begin("play 47 up:1")
    with pytest.raises(Illegal, match="nothing_asked"):
        log.add(log.parse("bare 60 up:1"))


def test_a_press_leaves_the_table_as_it_is():
    log = begin("play 47 up:1", "play 60 up:2")
    for line in ("bare 40 up:1", "done 1 3", "done 1 2", "leave 2"):
        assert GAME.layout(log.add(log.parse(line)).state) == GAME.layout(log.state)


def test_the_table_is_right():
    log = begin("play 20 up:1", "play 30 up:1")
    assert adopt_table(log, look("20")).state.piles[0] == (20,)
    odd = look("15", "", "90")
    right = adopt_table(log, odd)
    assert judge(right, odd) == Follows(())
    assert right.state.piles == ((20, 30, 15), (), (90,), ())
    hidden = adopt_table(log, look("", "", "90", hide=("up:1",)))
    assert hidden.state.piles == ((20, 30), (), (90,), ())
    with pytest.raises(Illegal) as twice:
        adopt_table(log, look("30", "30"))
    assert (twice.value.ruling, twice.value.why) == ("G-10", "duplicate_card")


def test_the_record_is_right():
    log = begin("play 20 up:1", "play 90 down:1")
    lines = {line.zone: line for line in list_guide_lines(log, look("20", "", "85"))}
    assert lines["up:1"].done
    assert (lines["down:1"].lay, lines["down:1"].away, lines["down:1"].done) == (("90",), ("85",), False)


def test_place_is_the_inverse_of_arrange():
    log = begin("play 20 up:1", "play 30 up:1", "play 90 down:2")
    for n, state in enumerate(log.states):
        layout = GAME.layout(state)
        assert GAME.arrange(state, GAME.place(state, layout)) == layout
        if n:
            assert GAME.arrange(log.states[n - 1], GAME.place(log.states[n - 1], layout)) == layout
    veiled = Layout(GAME.layout(log.state).zones, frozenset({"up:1"}))
    assert GAME.arrange(log.state, GAME.place(log.state, veiled)) == veiled


def test_a_log_reads_back():
    log = script(begin(players=3, level="expert"), *SCRIPTS["37 came unseen: said"])
    log = log.add(Adopt((("up:1", ("47", "37", "40", "60")),)))
    again = read_log(write_log(log), {"thegame": GAME})
    assert (again, again.state) == (log, log.state)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("nothing new", look("60", "", "9")),
        ("a card laid", look("77", "", "9")),
        ("two cards laid", look("77", "12", "9")),
        ("a question", look("55", "", "9")),
        ("a foul", look("4", "", "9")),
        ("a mess", look("4 71 red", "70 8 9", "99 1 100", "20 21 22")),
    ],
)
def test_judging_44_cards_in_a_pile_is_quick(name, table):
    log = Log(GAME, {"players": 5}, origin=full_pile())
    judge(log, table)
    best = min(_timed(log, table) for _ in range(30))
    assert best < (1000e-6 if name == "a mess" else 300e-6), f"{name}: {best * 1e6:.0f} us"


def full_pile():
    state = GAME.start(Log(GAME, {"players": 5}).options)
    for card in (*range(17, 61), *range(99, 61, -9)):
        pile = "up:1" if card < 61 else "down:1"
        if not state.is_laid(card):
            state = GAME.play(state, GAME.parse(f"play {card} {pile}"))
    return GAME.play(state, GAME.parse("play 9 down:1"))


def _timed(log, table):
    begun = time.perf_counter()
    judge(log, table)
    return time.perf_counter() - begun


@pytest.mark.parametrize(
    ("shows", "carried"),
    [
        pytest.param("70", ["70"], id="the tops"),
        pytest.param("80 70", ["80", "70"], id="with each card in sight under a top"),
    ],
)
def test_two_piles_that_changed_places_change_back(shows, carried):
    log = begin("play 90 down:1", "play 80 down:1", "play 70 down:1", "play 60 down:2")
    verdict = judge(log, look(down1="60", down2=shows))
    assert {(act.piece, act.source, act.target) for act in verdict.cure} == {
        *((card, "down:2", "down:1") for card in carried),
        ("60", "down:1", "down:2"),
    }


@pytest.mark.parametrize(
    ("shows", "missed"),
    [
        pytest.param("60", ["70", "80"], id="all that lay on the card in sight"),
        pytest.param("70", ["80"], id="the top"),
        pytest.param("1", ["80"], id="of a pile lifted from its start card, the top"),
        pytest.param("", ["80"], id="of a whole pile in a hand, the top"),
    ],
)
def test_cards_that_are_gone_are_asked_back(shows, missed):
    log = begin("play 60 up:2", "play 70 up:2", "play 80 up:2")
    verdict = judge(log, look(up2=shows))
    assert isinstance(verdict, Waiting)
    assert [(act.piece, act.source, act.target) for act in verdict.cure] == [(card, "", "up:2") for card in missed]


def test_a_start_card_comes_along_with_the_pile_that_changed_places():
    log = begin("play 90 down:1", "play 80 down:1", "play 7 up:1")
    verdict = judge(log, look(up1="100 80", down1="7"))
    assert {(act.piece, act.source, act.target) for act in verdict.cure} == {
        ("7", "down:1", "up:1"),
        ("80", "up:1", "down:1"),
    }


@pytest.mark.parametrize("shows", ["100", "90 100"])
@pytest.mark.parametrize(("beside", "act"), [(2, Act("100", "down:1", "")), (1, Act("80", "", "down:1"))])
def test_a_third_start_card_on_a_pile_is_from_another_deck(shows, beside, act):
    table = look(down1=shows)
    apart = {Piece("100", 515.0, 60.0 + 100 * n) for n in range(beside)}
    verdict = judge(begin("play 90 down:1", "play 80 down:1"), replace(table, seen=table.seen | apart))
    assert [replace(found, after="") for found in verdict.cure] == [act]


def test_of_two_start_cards_on_a_pile_one_is_from_another_deck():
    verdict = judge(begin("play 90 down:1"), look("1", "1", "100 90 100", "100"))
    assert verdict.cure == (Act("100", "down:1", ""),)


def test_the_start_card_of_an_empty_pile_stays_when_a_third_one_lies_on_another_pile():
    assert judge(begin("play 90 down:2"), look("100", "", "100", "100 90")).wrong == (("100", "up:1"),)


@pytest.mark.parametrize(
    ("arrangement", "along", "across"),
    [pytest.param("beside", "x", "y", id="side by side"), pytest.param("below", "y", "x", id="one under another")],
)
def test_the_piles_are_where_the_start_cards_lie(arrangement, along, across):
    """From the left, or from the top: up 1, up 2, down 1, down 2. A start card beside its pile is no play."""
    log = Log(GAME, {"players": 2, "start_cards": arrangement, "width": 700, "height": 500})
    zones = log.game.plan(log.options).zones
    assert list(zones) == ["up:1", "up:2", "down:1", "down:2"]
    middles = [((at.left + at.right) / 2, (at.top + at.bottom) / 2) for at in zones.values()]
    spots = [dict(zip("xy", middle, strict=True)) for middle in middles]
    assert [spot[along] for spot in spots] == sorted({spot[along] for spot in spots})
    assert len({spot[across] for spot in spots}) == 1
    starts = {
        Piece(card, at.left + 35, at.top + 50)
        for card, at in zip(("1", "1", "100", "100"), zones.values(), strict=True)
    }
    laid = {Piece(card, x, y) for card, (x, y) in zip(("12", "20", "95", "80"), middles, strict=True)}
    assert judge(log, Table(frozenset(starts))) == Follows(())
    verdict = judge(log, Table(frozenset(starts | laid)))
    assert {str(move) for move in verdict.moves} == {"play 12 up:1", "play 20 up:2", "play 95 down:1", "play 80 down:2"}


def test_a_start_card_from_another_deck_is_not_adopted():
    """The record has no place for it, so the same table would be refused again."""
    log = begin("play 98 down:1")
    table = look(up1="1 1 1", down1="98")
    assert isinstance(judge(log, table), Refused)
    with pytest.raises(Illegal, match="start_card_astray"):
        adopt_table(log, table, by_all=True)
