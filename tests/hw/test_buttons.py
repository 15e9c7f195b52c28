"""Edges in, presses out: what a finger does and what it means, to the millisecond."""

import random

import pytest

from hw.buttons import Button, Edge, Hand, Kind, Press, feel

EVERY_LOOK = {"each 10 ms": 0.01, "each 60 ms": 0.06, "only when asked for": None}


def edges(script):
    """``ok 0 300`` is held from 0 to 300 ms; a button that is never let go has no end."""
    found = []
    for line in script:
        button, *times = line.split()
        found += [Edge(Button(button), n % 2 == 0, int(at) / 1000) for n, at in enumerate(times)]
    return sorted(found, key=lambda e: e.at)


def run(script, until=5.0, look=None):
    """Presses with their times in ms. Edges are handed over when they happen, time passes as ``look`` says."""
    hand, heard, rest, now = Hand(), [], edges(script), 0.0
    while now <= until:
        due = [e for e in rest if e.at <= now]
        rest = rest[len(due) :]
        hand, presses = feel(hand, now, due)
        heard += [(str(p.button), str(p.kind), round(now * 1000)) for p in presses]
        soon = hand.next() if look is None else now + look
        now = min([soon, *(e.at for e in rest[:1])])
    return heard


SHORTLY = [("ok", "short", 125)]
MEANINGS = {
    "a tap is short, 25 ms after it was let go": (["ok 0 100"], SHORTLY),
    "just under 600 ms is short": (["ok 0 599"], [("ok", "short", 624)]),
    "between short and long is neither": (["ok 0 600"], []),
    "until just before long is neither": (["back 0 799"], []),
    "long acts at 800 ms, while it is held": (["ok 0 2000"], [("ok", "long", 800)]),
    "long acts once": (["back 0"], [("back", "long", 800)]),
    "two taps are two": (["ok 0 100 200 300"], [("ok", "short", 125), ("ok", "short", 325)]),
    "up tapped": (["up 0 100"], [("up", "short", 125)]),
    "up held just under the first repeat": (["up 0 499"], [("up", "short", 524)]),
    "down held repeats, 8 a second, and letting go adds nothing": (
        ["down 0 900"],
        [("down", "repeat", 500), ("down", "repeat", 625), ("down", "repeat", 750), ("down", "repeat", 875)],
    ),
    "up is never long": (["up 0 550"], [("up", "repeat", 500)]),
    "two buttons at once are two taps": (["up 0 100", "ok 0 100"], [("up", "short", 125), ("ok", "short", 125)]),
    "bounce on both edges is one tap": (["ok 0 3 5 8 10 100 103 104 110 112"], [("ok", "short", 137)]),
    "a spark is nothing": (["ok 0 10"], []),
    "a spark while held changes nothing": (["ok 0 300 310 900"], [("ok", "long", 800)]),
    "a spark at the moment of long only delays it": (["ok 0 790 810 1500"], [("ok", "long", 810)]),
    "let go at the last moment is not long": (["ok 0 790"], []),
    "let go at the last moment, while another one moves": (["ok 0 790", "up 600 785"], [("up", "short", 810)]),
    "a spark at the moment of repeat only delays it": (["up 0 490 510 600"], [("up", "repeat", 510)]),
    "ok and back for 3 s restart, and nothing else": (["ok 0 4000", "back 200 4000"], [("ok", "restart", 3200)]),
    "ok and back let go before 3 s are nothing": (["ok 0 2900", "back 100 2900"], []),
    "a chord cancels the long press of its buttons": (["ok 0 2000", "back 700 900"], []),
    "what was long before is no reason against a chord": (
        ["ok 0", "back 1000"],
        [("ok", "long", 800), ("ok", "restart", 4000)],
    ),
    "let go at the last moment is no restart": (["ok 0", "back 0 2990"], []),
    "a chord begun again counts from its new start": (["ok 0", "back 0 2000 2100"], []),
    "up and down are no chord": (["ok 0 100", "up 0 100"], [("up", "short", 125), ("ok", "short", 125)]),
    "back may follow ok quickly": (["ok 0 100", "back 150 250"], [("ok", "short", 125), ("back", "short", 275)]),
}


@pytest.mark.parametrize(("script", "wanted"), MEANINGS.values(), ids=MEANINGS)
def test_what_a_finger_means(script, wanted):
    assert run(script) == wanted


@pytest.mark.parametrize("look", [0.01, 0.06], ids=["looked at each 10 ms", "looked at each 60 ms"])
@pytest.mark.parametrize(("script", "wanted"), MEANINGS.values(), ids=MEANINGS)
def test_it_means_the_same_however_often_one_looks(script, wanted, look):
    heard = run(script, look=look)
    assert sorted(h[:2] for h in heard) == sorted(w[:2] for w in wanted)
    assert all(
        was[2] <= at[2] <= was[2] + 1000 * look + 1 for at, was in zip(sorted(heard), sorted(wanted), strict=True)
    )


def test_a_release_without_a_press_is_nothing():
    hand, presses = feel(Hand(), 1.0, [Edge(Button.OK, False, 0.5)])
    assert (hand.next(), presses) == (float("inf"), ())


def test_edges_that_come_late_mean_what_their_times_say():
    hand, presses = feel(Hand(), 9.0, edges(["ok 0 100", "back 1000 2500", "up 3000 3700"]))
    assert [(str(p.button), str(p.kind)) for p in presses] == [
        ("ok", "short"),
        ("back", "long"),
        ("up", "repeat"),
    ]
    assert hand.next() == float("inf")


def test_after_a_pause_of_the_box_a_held_button_makes_one_step():
    hand, _ = feel(Hand(), 0.1, edges(["up 0"]))
    hand, presses = feel(hand, 10.0)
    assert presses == (Press(Button.UP, Kind.REPEAT),)
    assert hand.next() == pytest.approx(10.125)


def test_the_bar_fills_until_it_acts():
    hand, _ = feel(Hand(), 0.4, edges(["ok 0"]))
    assert hand.held(Button.OK, 0.4) == pytest.approx(0.4)
    assert hand.held(Button.BACK, 0.4) == 0
    hand, _ = feel(hand, 0.9)
    assert hand.held(Button.OK, 0.9) == 0


@pytest.mark.parametrize("seed", range(20))
def test_any_bouncing_ends_and_leaves_nothing_pressed(seed):
    dice = random.Random(seed)
    noise, at = [], 0.0
    for _ in range(200):
        at += dice.choice((0.001, 0.01, 0.02, 0.03, 0.2, 0.7, 1.0))
        noise.append(Edge(dice.choice(list(Button)), dice.random() < 0.5, at))
    noise += [Edge(button, False, at + 0.1) for button in Button]
    hand, presses = Hand(), []
    for edge in noise:
        hand, more = feel(hand, edge.at, [edge])
        presses += more
    hand, more = feel(hand, at + 1)
    assert hand.next() == float("inf")
    assert all(hand.held(button, at + 1) == 0 for button in Button)
    together, at_once = feel(Hand(), at + 1, noise)
    assert [*at_once] == [*presses, *more]
    assert together.next() == float("inf")
