"""Situations at a table of 6 nimmt!, written from the rulebook alone: what the box may say of each, and that its advice
mends it. Zones hold pieces from left to right; ``hidden`` are zones under a hand.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.games.nimmt import Nimmt
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, Verdict, Waiting, judge
from engine.table import Layout

GAME = Nimmt()
Zones = dict[str, tuple[str, ...]]

DEAL = {"row:1": "10", "row:2": "30", "row:3": "50", "row:4": "70"}


@dataclass(frozen=True)
class Situation:
    """``lines`` is what the box knows; ``says`` how it answers: moves, or ``waits``, ``refused``, ``asks``."""

    lines: str
    lies: dict[str, str]
    says: str
    options: dict[str, Any] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    ruling: str = ""
    acts: int = 0
    """How many acts mend it, where it is wrong."""
    text: str = ""
    """The text of the rules that people read with it."""


def look(log: Log[Any, Any], zones: Zones, hidden: tuple[str, ...] = ()) -> Verdict[Any]:
    table = GAME.place(log.state, Layout(zones, frozenset(hidden)))
    unseen = table.unseen
    seen = frozenset(p for p in table.seen if not any(area.contains(p.x, p.y) for area in unseen))
    return judge(log, type(table)(seen, unseen))


def begin(situation: Situation) -> Log[Any, Any]:
    log: Log[Any, Any] = Log(GAME, {"players": 2, **situation.options})
    return log.add(*(log.parse(line) for line in situation.lines.split(" / ") if line))


def obey(zones: Zones, cure: tuple[Any, ...]) -> Zones:
    """The table after these acts."""
    held = {zone: list(pieces) for zone, pieces in zones.items()}
    for act in cure:
        if act.source == "strange":
            next(lying for lying in held.values() if act.piece in lying).remove(act.piece)
        elif act.source:
            held[act.source].remove(act.piece)
        if act.target:
            target = held.setdefault(act.target, [])
            target.insert(target.index(act.after) + 1 if act.after else 0, act.turned or act.piece)
    return {zone: tuple(pieces) for zone, pieces in held.items() if pieces}


SHOWN_1 = "deal 10,30,50,70 / reveal 1 44"
OFF = {"seats": "off"}
SHOWN = "deal 10,30,50,70 / reveal 1 44 / reveal 2 60"
SEATS = {"seat:1": "44", "seat:2": "60"}
FULL = (
    "deal 10,30,50,70 / reveal 1 11 / reveal 2 12 / lay 11 1 / lay 12 1"
    " / reveal 1 13 / reveal 2 14 / lay 13 1 / lay 14 1"
)
FIVE = {"row:1": "10 11 12 13 14", "row:2": "30", "row:3": "50", "row:4": "70"}
FULL_OFF = "deal 10,30,50,70 / " + " / ".join(f"reveal 0 {card} / lay {card} 1" for card in (11, 12, 13, 14))
OFF_4 = {**OFF, "players": 4}
SPREAD = " ".join(map(str, range(1, 25)))
DRAFT = {"variant": "professional"}
SPECIALS = {"variant": "anniversary"}
FIFTH = "deal 10,30,50,70 / reveal 1 44 / reveal 2 60 / mark fifth 5 / lay 44 5 / lay 60 3"
ROWS_5 = {"row:1": "10", "row:2": "30", "row:3": "50 60", "row:4": "70", "row:5": "44", "mark:5": "fifth"}

SITUATIONS = {
    "a-card-in-a-wrong-row-when-all-show-the-next-ones": Situation(
        SHOWN + " / lay 44 2", {**DEAL, "row:1": "10 60", "row:2": "30 44", "seat:1": "5", "seat:2": "90"}, "refused",
        ruling="R-4", text="stays_in_row",
    ),
    "a-row-taken-by-an-entered-card-begun-by-another": Situation(
        FULL_OFF + " / reveal 0 22 / take 1 / tidy row:1", {**DEAL, "row:1": "5 7"}, "waits", OFF_4, text="starts_row"
    ),
    "a-row-of-which-an-entered-card-takes-the-place-still-lies-there": Situation(
        FULL_OFF + " / reveal 0 22 / take 1", {**DEAL, "row:1": "10 11 12 13 14 22"}, "wrong", OFF_4
    ),
    "a-later-card-while-the-due-one-may-lie-under-a-hand": Situation(
        SHOWN, {**DEAL, "row:2": "", "row:3": "50 60"}, "waits", hidden=("row:2",), text="lay_behind"
    ),
    "a-later-card-while-the-due-one-may-have-taken-its-row-under-a-hand": Situation(
        FULL + " / reveal 1 15 / reveal 2 60", {**FIVE, "row:1": "", "row:3": "50 60"}, "waits", hidden=("row:1",),
        text="take_row",
    ),
    "a-later-card-while-the-low-one-may-have-taken-a-row-under-a-hand": Situation(
        "deal 10,30,50,70 / reveal 1 5 / reveal 2 60", {**DEAL, "row:4": "", "row:3": "50 60"}, "waits",
        hidden=("row:4",), text="low_card",
    ),
    "a-later-card-while-the-due-one-lies-at-its-seat": Situation(
        SHOWN, {**DEAL, "row:2": "", "row:3": "50 60", "seat:1": "44"}, "waits", hidden=("row:2",), text="laid_before"
    ),
    "a-second-card-at-a-seat-beside-a-card-just-shown": Situation(
        SHOWN_1, {**DEAL, "seat:1": "44 56", "seat:2": "60"}, "refused", ruling="N-6", acts=1, text="choice_stands"
    ),
    "a-second-card-at-a-seat-beside-a-card-laid-unseen": Situation(
        SHOWN_1, {**DEAL, "row:2": "30 40", "seat:1": "44 56"}, "refused", ruling="N-6", acts=1, text="choice_stands"
    ),
    "a-number-of-another-deck-at-a-seat-beside-a-card-just-shown": Situation(
        SHOWN_1, {**DEAL, "seat:1": "44", "seat:2": "30", "seat:3": "80"}, "refused", {"players": 3},
        ruling="N-8", acts=1
    ),
    "a-card-where-no-player-sits-beside-a-legal-card": Situation(
        SHOWN, {**DEAL, "row:2": "30 44", "seat:2": "60", "seat:5": "80"}, "refused", ruling="N-5", acts=1
    ),
    "a-card-shown-while-the-first-cards-of-the-rows-are-hidden": Situation(
        "", {"seat:1": "44", "seat:2": "back"}, "waits", hidden=("row:1", "row:2", "row:3", "row:4"), text="deal_rows"
    ),
    "a-card-shown-before-the-first-cards-of-the-rows": Situation(
        "", {"seat:1": "44"}, "refused", ruling="N-3", acts=1
    ),
    "a-foreign-number-beside-the-shown-card-with-replace": Situation(
        SHOWN + " / special 1 replace", {**DEAL, "seat:1": "44 105", "seat:2": "60", "special:1": "replace"},
        "refused", SPECIALS, ruling="N-8", acts=1,
    ),
    "replace-beside-a-card-that-may-be-the-new-one": Situation(
        SHOWN_1, {**DEAL, "seat:1": "44", "seat:2": "60", "special:2": "replace"}, "waits", SPECIALS,
        text="unless_it_brought",
    ),
    "a-shown-card-replaced-while-the-last-ones-are-shown": Situation(
        "deal 10,30,50,70 / reveal 1 18",
        {**DEAL, "seat:1": "91", "seat:2": "43", "seat:3": "97", "special:1": "replace"},
        "reveal 2 43 ; reveal 3 97 ; special 1 replace ; swap 91", {**SPECIALS, "players": 3},
    ),
    "replace-beside-the-lowest-card": Situation(
        SHOWN_1, {**DEAL, "seat:1": "44", "seat:2": "40", "special:2": "replace"}, "reveal 2 40 ; special 2 replace",
        SPECIALS,
    ),
    "replace-beside-a-card-that-was-seen-before": Situation(
        SHOWN, {**DEAL, **SEATS, "special:2": "replace"}, "refused", SPECIALS, ruling="A-8", acts=1
    ),
    "the-new-card-of-replace-beside-the-shown-one": Situation(
        SHOWN + " / special 1 replace", {**DEAL, "seat:1": "44 45", "seat:2": "60", "special:1": "replace"}, "waits",
        SPECIALS, text="replace_first",
    ),
    "the-new-card-of-replace-instead-of-the-shown-one": Situation(
        SHOWN + " / special 1 replace", {**DEAL, "seat:1": "45", "seat:2": "60", "special:1": "replace"}, "swap 45",
        SPECIALS,
    ),
    "a-number-of-another-deck-instead-of-the-shown-card-with-replace": Situation(
        SHOWN + " / special 1 replace", {**DEAL, "seat:1": "30", "seat:2": "60", "special:1": "replace"}, "wrong",
        SPECIALS, text="seen_before", acts=1,
    ),
    "rows-pushed-together": Situation(
        SHOWN, {"row:1": "10 30", "row:3": "50", "row:4": "70", **SEATS}, "refused", acts=1
    ),
    "two-rows-pushed-into-one-after-a-turn": Situation(
        SHOWN + " / lay 44 2 / lay 60 3", {"row:1": "10", "row:2": "30 44 50 60", "row:4": "70"}, "refused", acts=2
    ),
    "a-due-card-laid-face-down-in-its-row": Situation(
        SHOWN, {**DEAL, "row:2": "30 back", "seat:2": "60"}, "wrong", acts=1
    ),
    "a-row-card-turned-over": Situation(SHOWN, {**DEAL, "row:2": "back", **SEATS}, "wrong", acts=1),
    "a-row-taken-and-restarted-under-a-hand": Situation(
        FULL + " / reveal 1 22 / reveal 2 60", {**FIVE, "row:1": "", "seat:2": "60"}, "waits", hidden=("row:1",)
    ),
    "a-row-taken-and-restarted-and-the-hand-gone": Situation(
        FULL + " / reveal 1 22 / reveal 2 60", {**FIVE, "row:1": "22", "seat:2": "60"}, "take 1 ; tidy row:1 ; lay 22 1"
    ),
    "shown-cards-exchanged-between-seats": Situation(
        SHOWN, {**DEAL, "seat:1": "60", "seat:2": "44"}, "refused", ruling="N-6", acts=2
    ),
    "a-shown-card-under-the-card-of-another-player": Situation(
        SHOWN, {**DEAL, "seat:2": "44 60"}, "wrong", acts=1
    ),
    "the-card-of-a-leaver-stays-at-the-seat": Situation(
        "deal 10,30,50,70 / reveal 1 44 / leave 1 / reveal 2 60 / reveal 3 80",
        {**DEAL, "seat:1": "44", "seat:2": "60", "seat:3": "80"}, "", {"players": 3},
    ),
    "the-card-of-a-leaver-is-laid": Situation(
        "deal 10,30,50,70 / reveal 1 44 / leave 1 / reveal 2 60 / reveal 3 80",
        {**DEAL, "row:2": "30 44", "seat:2": "60", "seat:3": "80"}, "refused", {"players": 3}, acts=1,
    ),
    "a-whole-turn-under-hands": Situation(
        SHOWN, {"row:1": "10", "row:4": "70"}, "waits", hidden=("row:2", "row:3", "seat:1", "seat:2")
    ),
    "a-whole-turn-when-the-hands-are-gone": Situation(
        SHOWN, {**DEAL, "row:2": "30 44", "row:3": "50 60"}, "lay 44 2 ; lay 60 3"
    ),
    "a-number-of-another-deck-at-a-seat": Situation(
        "deal 10,30,50,70 / reveal 1 44", {**DEAL, "seat:1": "44", "seat:2": "30"}, "refused", ruling="N-8", acts=1
    ),
    "the-due-card-of-another-deck-in-its-row": Situation(
        SHOWN, {**DEAL, "row:2": "30 44", **SEATS}, "wrong", acts=1
    ),
    "a-number-of-another-deck-in-a-row": Situation(
        SHOWN, {**DEAL, "row:1": "10 30", **SEATS}, "refused", acts=1
    ),
    "the-ends-of-two-rows-exchanged": Situation(
        SHOWN + " / lay 44 2 / lay 60 3", {**DEAL, "row:2": "30 60", "row:3": "50 44"}, "refused", acts=2
    ),
    "a-laid-card-taken-back": Situation(SHOWN + " / lay 44 2", {**DEAL, "seat:2": "60"}, "waits", acts=1),
    "a-laid-card-back-at-its-seat": Situation(SHOWN + " / lay 44 2", {**DEAL, **SEATS}, "wrong", acts=1),
    "a-low-card-and-two-rows-gone": Situation(
        "deal 10,30,50,70 / reveal 1 5 / reveal 2 60",
        {"row:1": "5", "row:3": "50", "row:4": "70", "seat:2": "60"}, "told"
    ),
    "taken-cards-face-up-at-the-seat-of-the-taker": Situation(
        FULL + " / reveal 1 22 / reveal 2 60 / take 1",
        {**FIVE, "row:1": "22", "seat:1": "10", "seat:2": "60"}, "wrong", acts=1,
    ),
    "half-time-with-the-table-as-it-is": Situation(
        "deal 10,30,50,70", DEAL, "", {"variant": "halves", "players": 4}
    ),
    "a-number-above-the-deck-in-the-open-draft": Situation(
        "spread " + SPREAD.replace(" ", ","), {"spread": SPREAD + " 25"}, "refused", DRAFT, ruling="P-2", acts=1,
        text="not_in_spread",
    ),
    "a-picked-card-put-back-to-the-open-draft": Situation(
        "spread " + SPREAD.replace(" ", ",") + " / pick 0 3", {"spread": SPREAD}, "refused", DRAFT,
        ruling="P-4", acts=1,
    ),
    "a-picked-card-of-another-player": Situation(
        "spread " + ",".join(map(str, range(1, 25))) + " / "
        + " / ".join(f"pick 0 {card}" for card in range(5, 25)) + " / deal 1,2,3,4",
        {"row:1": "1", "row:2": "2", "row:3": "3", "row:4": "4", "seat:1": "6"}, "refused",
        {"variant": "professional"}, ruling="P-6", acts=1,
    ),
    "a-special-at-the-seat-of-the-wrong-card": Situation(
        SHOWN, {**DEAL, **SEATS, "special:2": "block"}, "refused", SPECIALS, ruling="A-8", acts=1
    ),
    "a-block-carried-to-the-seat-of-the-player-who-is-due": Situation(
        SHOWN + " / mark block 1 / lay 44 2", {**DEAL, "row:2": "30 44", "seat:2": "60", "special:2": "block"},
        "refused", SPECIALS, ruling="A-10", acts=1,
    ),
    "a-second-block-at-the-seat-of-the-player-who-is-due": Situation(
        SHOWN + " / mark block 1 / lay 44 2",
        {**DEAL, "row:2": "30 44", "mark:1": "block", "seat:2": "60", "special:2": "block"},
        "special 2 block", SPECIALS,
    ),
    "a-block-removed-by-a-take-and-one-at-the-seat-of-the-next-player": Situation(
        FULL.replace("lay 14 1", "mark block 2 / lay 14 1") + " / reveal 1 15 / reveal 2 60",
        {**FIVE, "row:1": "15", "mark:2": "block", "seat:2": "60"}, "take 1 ; tidy row:1 ; lay 15 1", SPECIALS,
    ),
    "a-third-block": Situation(
        SHOWN + " / mark block 1 / lay 44 2 / mark block 4 / lay 60 3 / reveal 1 45 / reveal 2 61",
        {**DEAL, "row:2": "30 44", "row:3": "50 60", "mark:1": "block", "mark:4": "block", "mark:2": "block",
         "seat:1": "45", "seat:2": "61"}, "refused", SPECIALS, ruling="A-53", acts=1,
    ),
    "the-marker-of-the-fifth-row-lifted-too-early": Situation(
        FIFTH, {**ROWS_5, "mark:5": ""}, "waits", SPECIALS, acts=1
    ),
    "one-of-five-rows-taken-while-the-marker-is-hidden": Situation(
        FIFTH + " / reveal 1 5 / reveal 2 80", {**ROWS_5, "row:2": "", "row:5": "", "mark:5": "", "seat:2": "80"},
        "waits", SPECIALS, hidden=("row:5",),
    ),
    "one-of-five-rows-taken-with-its-card": Situation(
        FIFTH + " / reveal 1 5 / reveal 2 80", {**ROWS_5, "row:2": "", "seat:2": "80"},
        "take 2 ; tidy row:2 ; tidy seat:1", SPECIALS,
    ),
    "a-low-card-begins-one-of-five-rows-again": Situation(
        FIFTH + " / reveal 1 5 / reveal 2 80", {**ROWS_5, "row:2": "5", "seat:2": "80"}, "wrong", SPECIALS, acts=1
    ),
    "a-take-at-7-at-a-row-of-another-card": Situation(
        SHOWN, {**DEAL, **SEATS, "mark:1": "seven"}, "refused", SPECIALS, ruling="A-32", acts=1
    ),
    "a-card-laid-behind-a-block": Situation(
        SHOWN + " / mark block 2", {**DEAL, "row:2": "30 44", "mark:2": "block", "seat:2": "60"}, "refused", SPECIALS,
        ruling="A-51", acts=1,
    ),
    "a-higher-card-laid-first-and-the-lower-under-a-hand": Situation(
        SHOWN, {**DEAL, "row:3": "50 60"}, "waits", hidden=("row:2", "seat:1")
    ),
    "seats-off-a-row-under-a-hand": Situation(
        "deal 10,30,50,70", {**DEAL, "row:2": "30 31 33", "row:4": ""}, "waits", {"seats": "off"}, hidden=("row:4",)
    ),
    "seats-off-three-cards-of-two-turns": Situation(
        "deal 10,30,50,70", {**DEAL, "row:2": "30 31 33", "row:4": "70 80"}, "asks", {"seats": "off"}
    ),
    "a-shown-card-laid-while-another-player-has-a-card-face-down": Situation(
        SHOWN_1 + " / choose 2", {**DEAL, "row:2": "30 44", "seat:2": "back"}, "refused", ruling="N-6", acts=1
    ),
    "a-shown-card-laid-while-another-player-may-have-shown-theirs": Situation(
        SHOWN_1, {**DEAL, "row:2": "30 44"}, "waits", text="unless_all_shown"
    ),
    "a-shown-card-in-the-wrong-row-while-another-player-has-a-card-face-down": Situation(
        SHOWN_1 + " / choose 2", {**DEAL, "row:3": "50 44", "seat:2": "back"}, "refused", ruling="N-6", acts=1
    ),
    "a-card-laid-unseen-and-the-next-one-chosen": Situation(
        SHOWN_1 + " / choose 2", {**DEAL, "row:2": "30 40", "seat:1": "44", "seat:2": "back"},
        "reveal 2 40 ; lay 40 2 ; choose 2",
    ),
    "a-card-laid-unseen-before-a-lower-one": Situation(
        SHOWN_1, {**DEAL, "row:3": "50 60", "seat:1": "44"}, "refused", ruling="N-7", acts=1
    ),
    "a-card-laid-while-two-others-have-cards-face-down": Situation(
        "deal 10,30,50,70 / choose 1 / choose 2 / choose 3",
        {**DEAL, "row:2": "30 44", "seat:1": "back", "seat:2": "back"}, "refused", {"players": 3}, ruling="N-6", acts=1,
    ),
    "a-special-while-another-player-has-a-card-face-down": Situation(
        SHOWN_1 + " / choose 2", {**DEAL, "seat:1": "44", "seat:2": "back", "special:1": "block"}, "refused", SPECIALS,
        ruling="A-8", acts=1,
    ),
    "a-special-while-another-player-may-have-shown-theirs": Situation(
        SHOWN_1, {**DEAL, "seat:1": "44", "special:1": "block"}, "waits", SPECIALS, text="unless_all_shown"
    ),
    "a-special-before-any-card-is-shown": Situation(
        "deal 10,30,50,70", {**DEAL, "mark:1": "block"}, "refused", SPECIALS, ruling="A-8", acts=1
    ),
    "a-special-of-another-game-alone": Situation(
        SHOWN_1, {**DEAL, "seat:1": "44", "mark:1": "block"}, "refused", ruling="A-1", acts=1
    ),
    "a-special-of-another-game-beside-a-legal-card": Situation(
        SHOWN, {**DEAL, "row:2": "30 44", "mark:1": "block", "seat:2": "60"}, "refused", ruling="A-1", acts=1
    ),
    "seats-off-a-special-of-another-game-beside-a-legal-card": Situation(
        "deal 10,30,50,70", {**DEAL, "row:2": "30 31", "mark:1": "block"}, "refused", OFF, ruling="A-1", acts=1
    ),
    "seats-off-a-special-of-another-game-beside-a-whole-turn": Situation(
        "deal 10,30,50,70", {**DEAL, "row:2": "30 31", "row:4": "70 80", "mark:1": "seven"}, "refused", OFF,
        ruling="A-1", acts=1,
    ),
    "a-number-of-another-deck-beside-a-card-laid-unseen": Situation(
        SHOWN_1, {**DEAL, "row:1": "10 105", "row:2": "30 40", "seat:1": "44"}, "refused", ruling="N-8", acts=1
    ),
    "a-number-that-lies-twice-before-all-have-shown": Situation(
        SHOWN_1, {**DEAL, "row:2": "30 10", "seat:1": "44"}, "refused", ruling="N-8", acts=1, text="seen_before"
    ),
    "a-number-that-lies-twice-while-its-other-row-is-hidden": Situation(
        SHOWN, {**DEAL, "row:1": "", "row:2": "30 10", **SEATS}, "wrong", hidden=("row:1",)
    ),
    "a-foreign-number-beside-a-card-that-may-be-legal": Situation(
        SHOWN_1, {**DEAL, "row:1": "10 105", "row:2": "30 44"}, "waits", text="unless_all_shown"
    ),
    "a-foreign-special-beside-a-card-that-may-be-legal": Situation(
        SHOWN_1, {**DEAL, "mark:1": "block", "row:2": "30 44"}, "waits", text="unless_all_shown"
    ),
    "the-next-card-laid-beside-five-and-a-sixth": Situation(
        FULL + " / reveal 1 15 / reveal 2 60",
        {**FIVE, "row:1": FIVE["row:1"] + " 15", "row:3": "50 60"}, "refused", acts=1, text="take_row",
    ),
    "the-next-card-laid-beside-five-and-a-sixth-and-all-have-chosen-again": Situation(
        FULL + " / reveal 1 15 / reveal 2 60",
        {**FIVE, "row:1": FIVE["row:1"] + " 15", "row:3": "50 60", "seat:1": "back", "seat:2": "back"},
        "refused", acts=1, text="take_row",
    ),
    "a-sixth-card-beside-five-and-a-card-face-down": Situation(
        FULL + " / reveal 1 15 / reveal 2 60",
        {**FIVE, "row:1": FIVE["row:1"] + " 15", "seat:1": "back", "seat:2": "60"}, "waits", text="take_row",
    ),
    "seats-off-a-row-lifted-before-its-card-is-laid": Situation(
        "deal 10,30,50,70", {**DEAL, "row:2": ""}, "waits", OFF, text="lay_taker"
    ),
    "seats-off-a-row-lifted-while-another-card-is-laid": Situation(
        "deal 10,30,50,70", {**DEAL, "row:2": "", "row:4": "70 80"}, "waits", OFF, text="lay_taker"
    ),
    "a-row-lifted-before-all-have-shown": Situation(
        SHOWN_1, {**DEAL, "row:2": "", "seat:1": "44"}, "waits", acts=1, text="no_take_now"
    ),
    "a-card-turned-down-in-its-row": Situation(
        SHOWN, {**DEAL, "row:4": "back", **SEATS}, "waits", acts=1, text="rows_face_up"
    ),
    "a-card-face-down-too-many-in-a-row": Situation(
        SHOWN, {**DEAL, "row:4": "70 back", **SEATS}, "refused", ruling="N-3", acts=1
    ),
    "three-shown-cards-exchanged-between-seats": Situation(
        SHOWN + " / reveal 3 80", {**DEAL, "seat:1": "60", "seat:2": "80", "seat:3": "44"}, "refused",
        {"players": 3}, ruling="N-6", acts=3,
    ),
    "two-shown-cards-turned-down-again": Situation(
        SHOWN, {**DEAL, "seat:1": "back", "seat:2": "back"}, "waits", acts=2, text="turn_up_again"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_box_says_nothing_wrong_and_its_advice_mends_the_table(name: str) -> None:
    situation = SITUATIONS[name]
    log = begin(situation)
    zones = {zone: tuple(held.split()) for zone, held in situation.lies.items() if held}
    verdict = look(log, zones, situation.hidden)
    match situation.says:
        case "waits":
            assert isinstance(verdict, Waiting) or verdict == Follows(()), verdict
        case "refused":
            assert isinstance(verdict, Refused), verdict
        case "wrong":
            assert isinstance(verdict, Refused | Waiting), verdict
        case "asks":
            assert isinstance(verdict, Unclear | Waiting), verdict
        case "told":
            assert isinstance(verdict, Follows), verdict
        case moves:
            assert isinstance(verdict, Follows), verdict
            assert " ; ".join(map(str, verdict.moves)) == moves
    if situation.ruling:
        assert isinstance(verdict, Refused)
        assert verdict.why is not None
        assert verdict.why.ruling == situation.ruling
    if situation.text:
        why = verdict.why if isinstance(verdict, Refused) else verdict.hint if isinstance(verdict, Waiting) else None
        assert why is not None
        assert why.text.id == situation.text
    if situation.acts:
        assert isinstance(verdict, Refused | Waiting)
        assert len(verdict.cure) == situation.acts, verdict
        after = look(log, obey(zones, verdict.cure))
        assert isinstance(after, Follows) or (isinstance(after, Waiting) and not after.cure), after
