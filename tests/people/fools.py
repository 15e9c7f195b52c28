"""Evenings with a fool who presses buttons and phones at random; afterwards people follow the screens to the end."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from firmware.box.events import BoxEvent, Pressed, parse_told
from firmware.journal.operation_types import EndGame
from firmware.simulation.people.screen_reading import read_texts
from hw.button_presses import Button, Press, PressKind
from tests.people.agreements import AGREEMENTS
from tests.people.evening import Evening
from tests.people.scores import find_wrong_scores
from tests.people.words_reader import read_words

FOOL_S = 60.0
"""Seconds for which the fool presses."""
PRESS_SHARE = 0.15
"""Share of the steps in which he does."""
MATCH_S = 2400.0
STUCK_S = 60.0
SETTLED_S = 5.0
"""Seconds for which a match must be over without anything to do about it."""
GIVEN_UP_BAR = 0.02
ENDING = ("box:restart", "box:power-off", "yes box:power-off")
"""What would end the evening: he is kept from that."""
PRESSES = (
    *[Press(Button.OK, PressKind.SHORT)] * 4,
    *[Press(Button.DOWN, PressKind.SHORT)] * 4,
    Press(Button.UP, PressKind.SHORT),
    Press(Button.BACK, PressKind.SHORT),
    Press(Button.BACK, PressKind.LONG),
)


@dataclass(slots=True)
class FoolsReport:
    """How the evenings ended: right, given up, wrong or stuck; and what happened in the last two."""

    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, result: str) -> None:
        end, _, why = result.partition(": ")
        self.ends[end] += 1
        if why:
            self.faults.append(result)

    @property
    def holds(self) -> bool:
        given_up = self.ends["given up"] <= max(1, GIVEN_UP_BAR * self.ends.total())
        return not self.ends["wrong"] and not self.ends["stuck"] and given_up


def play_with_a_fool(seed: int, *, frames: bool = False) -> str:
    """How the evening ended, with the reason behind a colon where it was wrong or stuck."""
    rng = random.Random(seed)
    small = [name for name in AGREEMENTS if name.endswith(("2", "SIX", "seats"))]
    name = "SIX" if frames else rng.choice(small)
    evening = Evening(seed, frames=frames, reader=read_words if seed % 2 else read_texts)
    evening.people.over_shown_s = float("inf")
    evening.people.wishes.append(AGREEMENTS[name]())
    evening.run(60, lambda: evening.people.company is not None)
    end = evening.now + FOOL_S
    while evening.now < end:
        evening.step(lambda it: _press(it, rng))
    changed, seen = evening.now, ""
    end = evening.now + MATCH_S
    since = None
    while evening.now < end:
        evening.step()
        view = evening.companion.view
        content = view.over and evening.people.is_idle and not evening.people.wishes
        since = (evening.now if since is None else since) if content else None
        if since is not None and evening.now - since > SETTLED_S:
            break
        now = f"{view.prompt} {view.alert} {view.cursor} {view.pads} {len(evening.happened)}"
        if now != seen:
            changed, seen = evening.now, now
        if evening.now - changed > STUCK_S:
            break
        given_up = any(isinstance(e, EndGame) and e.how == "given up" for h in evening.happened for e in h.effects)
        if given_up and evening.people.company is None:
            return "given up"
    view = evening.companion.view
    if not view.over:
        return f"stuck: {name}, seed {seed}, {evening.now:.0f} s: {view.prompt} | {view.alert}"
    wrong = find_wrong_scores(evening)
    return f"wrong: {name}, seed {seed}: {'; '.join(wrong)}" if wrong else "right"


def _press(evening: Evening, rng: random.Random) -> Iterator[BoxEvent]:
    if rng.random() >= PRESS_SHARE:
        return
    view = evening.companion.view
    offers = [offer.move for offer in view.offers if offer.move not in ENDING]
    pointed = view.offers[view.cursor].move if view.offers else ""
    press = rng.choice(PRESSES)
    if offers and rng.random() < 1 / 2:
        yield parse_told(rng.choice(offers), "web", evening.now)
    elif press.button is not Button.OK or pointed not in ENDING:
        yield Pressed(press, evening.now)
