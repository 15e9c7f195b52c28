"""Edges become presses with exact times in milliseconds: short, long, repeat, chord, power off, stuck."""

import random

import pytest

from hw.button_presses import (
    DEBOUNCE_S,
    POWER_HOLD_S,
    STUCK_AFTER_S,
    Button,
    ButtonsState,
    Edge,
    Holding,
    Press,
    PressKind,
    find_stuck_buttons,
    hold_progress,
    mute_held_buttons,
    process_edges,
)


def edges(script):
    """``ok 0 300`` is held from 0 to 300 ms; without an end time the button is never released."""
    found = []
    for line in script:
        button, *times = line.split()
        found += [Edge(Button(button), n % 2 == 0, int(at) / 1000) for n, at in enumerate(times)]
    return sorted(found, key=lambda e: e.at)


def run(script, until=5.0, look=None, power=False):
    """Presses with their times in ms. ``look`` is the polling interval; without it the state names the next check."""
    hand, heard, rest, now = ButtonsState(power=power), [], edges(script), 0.0
    while now <= until:
        due = [e for e in rest if e.at <= now]
        rest = rest[len(due) :]
        hand, presses = process_edges(hand, now, due)
        heard += [(str(p.button), str(p.kind), round(now * 1000)) for p in presses]
        soon = hand.next_check_at() if look is None else now + look
        now = min([soon, *(e.at for e in rest[:1])])
    return heard


SHORTLY = [("ok", "short", 125)]
SCRIPTS = {
    "a tap is short, 25 ms after its release": (["ok 0 100"], SHORTLY),
    "just under 600 ms is short": (["ok 0 599"], [("ok", "short", 624)]),
    "between short and long is neither": (["ok 0 600"], []),
    "just before long is neither": (["back 0 799"], []),
    "long acts at 800 ms, while it is held": (["ok 0 2000"], [("ok", "long", 800)]),
    "long acts once": (["ok 0"], [("ok", "long", 800)]),
    "back held for 3 s powers off": (["back 0"], [("back", "long", 800), ("back", "off", 3000)]),
    "back released before 3 s does not": (["back 0 2990"], [("back", "long", 800)]),
    "the power button held for 3 s powers off": (["power 0"], [("power", "off", 3000)]),
    "a tap of the power button is ignored": (["power 0 100", "power 500 3400"], []),
    "a release of the power button restarts its time": (["power 0 1000 1040"], [("power", "off", 4040)]),
    "two taps are two presses": (["ok 0 100 200 300"], [("ok", "short", 125), ("ok", "short", 325)]),
    "up tapped": (["up 0 100"], [("up", "short", 125)]),
    "up held just under the first repeat": (["up 0 499"], [("up", "short", 524)]),
    "down held repeats 8 times a second, and its release adds nothing": (
        ["down 0 900"],
        [("down", "repeat", 500), ("down", "repeat", 625), ("down", "repeat", 750), ("down", "repeat", 875)],
    ),
    "up is never long": (["up 0 550"], [("up", "repeat", 500)]),
    "two buttons at once are two taps": (["up 0 100", "ok 0 100"], [("up", "short", 125), ("ok", "short", 125)]),
    "bounce on both edges is one tap": (["ok 0 3 5 8 10 100 103 104 110 112"], [("ok", "short", 137)]),
    "5 ms of bounces on both edges are one tap": (["ok 0 5 5 100 105 105"], [("ok", "short", 130)]),
    "a glitch is ignored": (["ok 0 10"], []),
    "a glitch while held changes nothing": (["ok 0 300 310 900"], [("ok", "long", 800)]),
    "a glitch at the moment of long only delays it": (["ok 0 790 810 1500"], [("ok", "long", 810)]),
    "a release just before long is not long": (["ok 0 790"], []),
    "a release just before long, beside another button": (["ok 0 790", "up 600 785"], [("up", "short", 810)]),
    "a glitch at the moment of repeat only delays it": (["up 0 490 510 600"], [("up", "repeat", 510)]),
    "ok and back for 3 s restart, and nothing else": (["ok 0 4000", "back 200 4000"], [("ok", "restart", 3200)]),
    "ok and back released before 3 s are ignored": (["ok 0 2900", "back 100 2900"], []),
    "a chord cancels the long press of its buttons": (["ok 0 2000", "back 700 900"], []),
    "a chord follows an earlier long press": (
        ["ok 0", "back 1000"],
        [("ok", "long", 800), ("ok", "restart", 4000)],
    ),
    "a release just before 3 s is no restart": (["ok 0", "back 0 2990"], []),
    "a repeated chord counts from its new start": (["ok 0", "back 0 2000 2100"], []),
    "up and ok are no chord": (["ok 0 100", "up 0 100"], [("up", "short", 125), ("ok", "short", 125)]),
    "back may follow ok quickly": (["ok 0 100", "back 150 250"], [("ok", "short", 125), ("back", "short", 275)]),
}


@pytest.mark.parametrize(("script", "wanted"), SCRIPTS.values(), ids=SCRIPTS)
def test_edges_become_the_expected_presses(script, wanted):
    assert run(script) == wanted


@pytest.mark.parametrize("look", [0.01, 0.06], ids=["polled every 10 ms", "polled every 60 ms"])
@pytest.mark.parametrize(("script", "wanted"), SCRIPTS.values(), ids=SCRIPTS)
def test_presses_do_not_depend_on_the_polling_interval(script, wanted, look):
    heard = run(script, look=look)
    assert sorted(h[:2] for h in heard) == sorted(w[:2] for w in wanted)
    assert all(
        was[2] <= at[2] <= was[2] + 1000 * look + 1 for at, was in zip(sorted(heard), sorted(wanted), strict=True)
    )


def test_a_release_without_a_press_is_ignored():
    hand, presses = process_edges(ButtonsState(), 1.0, [Edge(Button.OK, False, 0.5)])
    assert (hand.next_check_at(), presses) == (float("inf"), ())


def test_late_edges_are_judged_by_their_timestamps():
    hand, presses = process_edges(ButtonsState(), 9.0, edges(["ok 0 100", "back 1000 2500", "up 3000 3700"]))
    assert [(str(p.button), str(p.kind)) for p in presses] == [
        ("ok", "short"),
        ("back", "long"),
        ("up", "repeat"),
    ]
    assert hand.next_check_at() == float("inf")


def test_after_a_pause_a_held_button_repeats_once():
    hand, _ = process_edges(ButtonsState(), 0.1, edges(["up 0"]))
    hand, presses = process_edges(hand, 10.0)
    assert presses == (Press(Button.UP, PressKind.REPEAT),)
    assert hand.next_check_at() == pytest.approx(10.125)


def test_with_a_power_button_back_does_not_power_off():
    assert run(["back 0"], power=True) == [("back", "long", 800)]


HELD = {
    "a tap shows no bar": ("ok 0", 0.2, None),
    "halfway to long": ("ok 0", 0.4, Holding(PressKind.LONG, 0.5)),
    "after long": ("ok 0", 0.9, None),
    "back, halfway to power off": ("back 0", 1.5, Holding(PressKind.OFF, 0.5)),
    "released": ("back 0 1500", 1.51, None),
    "restart": ("ok 0;back 0", 1.5, Holding(PressKind.RESTART, 0.5)),
    "up shows no bar": ("up 0", 0.4, None),
    "the power button": ("power 0", 0.75, Holding(PressKind.OFF, 0.25)),
}


@pytest.mark.parametrize(("script", "now", "wanted"), HELD.values(), ids=HELD)
def test_the_hold_bar_fills_until_the_action_and_ends_on_release(script, now, wanted):
    hand = ButtonsState()
    for at in (0.0, 0.1, 0.85, now):  # polls before the last one
        if at <= now:
            hand, _ = process_edges(
                hand, at, [e for e in edges(script.split(";")) if at - 0.7 < e.at <= at and e.at >= 0]
            )
    found = hold_progress(hand, now)
    assert (found is None) == (wanted is None)
    if found is not None:
        assert (found.kind, found.part) == (wanted.kind, pytest.approx(wanted.part))


def run_dark(script, until=6.0):
    """Run a script on a dark screen: buttons down when it wakes are muted, later presses count."""
    hand, heard, rest, now, dark = ButtonsState(), [], edges(script), 0.0, True
    while now <= until:
        due = [e for e in rest if e.at <= now]
        rest = rest[len(due) :]
        hand, presses = process_edges(hand, now, due)
        if dark and (presses or hand.any_down):
            hand, presses, dark, woke = mute_held_buttons(hand), (), False, now
        heard += [(str(p.button), str(p.kind)) for p in presses]
        now = min([hand.next_check_at(), *(e.at for e in rest[:1])])
    return heard, round(woke * 1000)


WAKING = {
    "a tap wakes and does nothing else": (["ok 0 100"], [], 25),
    "a long press wakes and does nothing else": (["back 0 4000"], [], 25),
    "a repeating press wakes and does nothing else": (["down 0 3000"], [], 25),
    "the next tap counts": (["ok 0 100 300 400"], [("ok", "short")], 25),
    "another button counts while the first is still down": (["ok 0 1000", "up 200 300"], [("up", "short")], 25),
    "a restart is still a restart": (["ok 0 4000", "back 100 4000"], [("ok", "restart")], 25),
    "a bounce does not wake twice": (["ok 0 5 10 100 105 110"], [], 35),
    "a glitch does not wake": (["ok 0 5", "up 1000 1100"], [], 1025),
}


@pytest.mark.parametrize(("script", "wanted", "when"), WAKING.values(), ids=WAKING)
def test_a_press_that_wakes_the_screen_does_nothing_else(script, wanted, when):
    assert run_dark(script) == (wanted, when)


def test_a_stuck_button_stops_repeating_and_is_named():
    heard = run(["down 0"], until=60.0)
    assert {kind for _, kind, _ in heard} == {"repeat"}
    assert heard[-1][2] <= 1000 * STUCK_AFTER_S
    hand, _ = process_edges(ButtonsState(), STUCK_AFTER_S + 1, edges(["down 0"]))
    assert find_stuck_buttons(hand, STUCK_AFTER_S + 1) == (Button.DOWN,)
    assert find_stuck_buttons(hand, STUCK_AFTER_S - 1) == ()


def test_a_stuck_button_is_excluded_from_chords_and_the_others_work():
    script = ["ok 0", "back 30000 33500", "up 40000 40100"]
    heard = run(script, until=60.0)
    assert [(button, kind) for button, kind, _ in heard] == [
        ("ok", "long"),
        ("back", "long"),
        ("back", "off"),
        ("up", "short"),
    ]


def test_a_released_stuck_button_works_again():
    heard = run(["ok 0 30000 31000 31100"], until=40.0)
    assert [(button, kind) for button, kind, _ in heard] == [("ok", "long"), ("ok", "short")]


@pytest.mark.parametrize("seed", range(20))
def test_random_bouncing_leaves_no_button_pressed(seed):
    dice = random.Random(seed)
    noise, at = [], 0.0
    for _ in range(200):
        at += dice.choice((0.001, 0.01, 0.02, 0.03, 0.2, 0.7, 1.0))
        noise.append(Edge(dice.choice(list(Button)), dice.random() < 0.5, at))
    noise += [Edge(button, False, at + 0.1) for button in Button]
    hand, presses = ButtonsState(), []
    for edge in noise:
        hand, more = process_edges(hand, edge.at, [edge])
        presses += more
    hand, more = process_edges(hand, at + 1)
    assert hand.next_check_at() == float("inf")
    assert not hand.any_down
    assert hold_progress(hand, at + 1) is None
    together, at_once = process_edges(ButtonsState(), at + 1, noise)
    assert [*at_once] == [*presses, *more]
    assert together.next_check_at() == float("inf")


STEP = 5
"""Milliseconds: all bounces, pauses and limits are multiples of it."""


def reference_presses(script, until):
    """Reference model of the rules: every contact is polled each 5 ms."""
    heard, down, quiet, seen = [], {}, {}, {}
    chord, gone = None, set()
    flips = {button: set(times) for button, times in script.items() if times}
    for at in range(0, until + 1, STEP):
        for button in flips:
            raw = seen.get(button, False)
            settled = at - quiet.get(button, -9999) >= 1000 * DEBOUNCE_S
            since = down.get(button)
            if settled and raw and since is None:
                down[button] = quiet[button]
                if button in (Button.OK, Button.BACK) and Button.OK in down and Button.BACK in down:
                    chord = quiet[button]
                    gone |= {Button.OK, Button.BACK}
            elif settled and not raw and since is not None:
                del down[button]
                held = quiet[button] - since
                acted = button in gone
                gone.discard(button)
                if button in (Button.OK, Button.BACK):
                    chord = None
                if button in (Button.UP, Button.DOWN):
                    if held < 500 or not acted:
                        heard.append((at, button, PressKind.SHORT))
                elif button != Button.POWER and held < 600 and not acted:
                    heard.append((at, button, PressKind.SHORT))
        for button, since in down.items():
            if not seen[button]:
                continue
            held = at - since
            if button in (Button.UP, Button.DOWN):
                if held >= 500 and (held - 500) % 125 == 0:
                    heard.append((at, button, PressKind.REPEAT))
                    gone.add(button)
            elif button == Button.POWER:
                if held == 1000 * POWER_HOLD_S:
                    heard.append((at, button, PressKind.OFF))
            elif chord is None and button not in gone and held == 800:
                heard.append((at, button, PressKind.LONG))
                gone.add(button)
        if chord is not None and seen[Button.OK] and seen[Button.BACK] and at - chord == 3000:
            heard.append((at, Button.OK, PressKind.RESTART))
            chord = None
        for button in flips:  # due presses come before the edges of the same moment
            if at in flips[button]:
                seen[button], quiet[button] = not seen.get(button, False), at
    return heard


def random_script(dice):
    """Some seconds of random presses with bounces."""
    script = {button: [] for button in Button}
    for button in dice.sample(list(Button), dice.randint(1, 4)):
        at = dice.randrange(0, 400, STEP)
        for _ in range(dice.randint(1, 3)):
            script[button] += [at + bounce for bounce in dice.choice(((0,), (0, 5, 10), (0, 5, 10, 15, 20)))]
            at += dice.choice((60, 110, 330, 555, 710, 960, 1410, 2330, 3210))
            script[button] += [at + bounce for bounce in dice.choice(((0,), (0, 5, 10), (0, 10, 15)))]
            at += dice.choice((55, 120, 405, 1015))
    return script


@pytest.mark.parametrize("block", range(4))
def test_1000_random_traces_match_the_reference_model(block):
    for seed in range(250 * block, 250 * block + 250):
        script = random_script(random.Random(seed))
        until = max(map(max, filter(None, script.values()))) + 3050
        trace = [
            Edge(button, n % 2 == 0, at / 1000)
            for button, times in script.items()
            for n, at in enumerate(sorted(times))
        ]
        hand, heard, rest, now = ButtonsState(power=True), [], sorted(trace, key=lambda e: e.at), 0.0
        while now <= until / 1000:
            due = [e for e in rest if e.at <= now + 1e-9]
            rest = rest[len(due) :]
            hand, presses = process_edges(hand, now, due)
            heard += [(round(now * 1000), p.button, p.kind) for p in presses]
            now = min([hand.next_check_at(), *(e.at for e in rest[:1])])
        assert sorted(heard) == sorted(reference_presses(script, until)), seed


@pytest.mark.parametrize("look", [0.01, 0.06])
def test_a_bouncing_press_is_reported_within_100_ms(look):
    for seed in range(100):
        dice = random.Random(seed)
        bounces = [dice.randrange(0, 5) for _ in range(dice.randrange(0, 7, 2))]
        up = [200 + at for at in sorted(bounces)]
        heard = run([f"ok 0 {' '.join(map(str, [200, *up]))}"], until=1.0, look=look)
        assert [h[:2] for h in heard] == [("ok", "short")]
        assert heard[0][2] - max([200, *up]) < 100
