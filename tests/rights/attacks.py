"""Attacks by phones, each a script of HTTP acts with what must come back; an empty answer means: withstood."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import httpx

from tests.rights.examined_table import LATER_WORDS, LOW_CARD, NEXT_OWN, ExaminedTable, NotThere, shared_screen
from tests.rights.phone_client import HttpAnswer, PhoneClient
from tests.rights.running_box import READ_S
from tests.rights.sighted_table import SightedTable

CONFLICT = 409
RACES = 10
"""Two phones press at once so often: one order of the two is not both orders."""
SILENT_S = 6.0
"""The box stands still for so long; the phone gives up after half of it."""
MOST_TRIES = 40
STEP_S = 0.25
"""A picture or the next question may take some such steps to come."""
FIRST_YES = "vote:agree phones 1"
Script = Callable[[ExaminedTable], str]


@dataclass(frozen=True, slots=True)
class Attack:
    name: str
    run: Script
    start: Callable[[Path], ExaminedTable] = ExaminedTable


def _vote_for_all(phone: PhoneClient) -> list[str]:
    """One phone answers as long as the box asks for somebody; the answers after which the box asked for another."""
    counted: list[str] = []
    for _ in range(MOST_TRIES):
        votes = [words for words in phone.offers() if words.startswith("vote:agree")]
        if not votes or not phone.tell(votes[0]).is_accepted:
            break
        if votes[0] not in phone.offers():
            counted.append(votes[0])
        Event().wait(STEP_S)
    return counted


def overrule_alone(table: ExaminedTable) -> str:
    table.reach("question")
    table.guest.tell("we overrule")
    counted = _vote_for_all(table.guest)
    return f"a phone without a player answered for {len(counted)} players" if counted else ""


def believe_ok(table: ExaminedTable) -> str:
    """An answer that the box accepts must count: *ok* and nothing is worse than a refusal."""
    table.reach("round")
    table.box.find("phone:show-table")
    before = table.box.state()["prompt"]
    answer = table.guest.tell(FIRST_YES)
    Event().wait(STEP_S)
    if answer.is_accepted and table.box.state()["prompt"] == before:
        return "an answer came back as ok, and the box still asks for the same"
    return ""


def agree_for_all(table: ExaminedTable) -> str:
    table.reach("round")
    table.guest.tell("phone:show-table")
    counted = _vote_for_all(table.guest)
    shown = "; pictures of the round are on" if table.box.state()["picture"] else ""
    return f"a phone without a player answered for {len(counted)} players{shown}" if counted else ""


def look_after_pause(table: ExaminedTable) -> str:
    """Paused at the box: the round is unfinished, so that no phone gets a picture."""
    table.reach("paused")
    return "the camera shows the table of a paused round" if _gets_picture(table.guest) else ""


def _gets_picture(phone: PhoneClient) -> bool:
    for _ in range(MOST_TRIES):
        if phone.fetch("/camera.jpg").status == httpx.codes.OK:
            return True
        Event().wait(STEP_S)
    return False


def pause_and_look(table: ExaminedTable) -> str:
    table.reach("round")
    _tell_slowly(table, "game:pause", "yes game:pause", "back", "paused")
    if _gets_picture(table.guest):
        return "one phone paused the round and looked at the table"
    return "one phone paused the round" if table.box.state()["game"] is None else ""


def switch_off_in_round(table: ExaminedTable) -> str:
    table.reach("round")
    _tell_slowly(table, "box:power-off", "yes box:power-off", "power off")
    return "one phone switched the box off in a round" if table.box.has_ended() else ""


def switch_off_at_first_screen(table: ExaminedTable) -> str:
    table.reach("no game")
    _tell_slowly(table, "box:power-off", "yes box:power-off")
    return "one phone switched the box off" if table.box.has_ended() else ""


def answer_one_question_twice(table: ExaminedTable) -> str:
    for _ in range(RACES):
        table.reach("question", LOW_CARD)
        before = len(_moves(table))
        one, two = _at_once(lambda: table.guest.tell("take 1"), lambda: table.second.tell("take 2"))
        if len(_moves(table)) - before != 1 or (one.is_accepted and two.is_accepted):
            return f"two answers to one question: {len(_moves(table)) - before} entries"
        late = two if one.is_accepted else one
        if late.status != CONFLICT:
            return f"the later answer came back as {late.status} {late.text}, not as 409 with what is asked now"
    return ""


def vote_at_once(table: ExaminedTable) -> str:
    """Two phones press Yes in the same moment: one answer of one player, not of two."""
    for _ in range(RACES):
        table.reach("round")
        table.box.find("phone:show-table")
        both = _at_once(
            lambda: table.guest.tell("vote:agree phones 1"), lambda: table.second.tell("vote:agree phones 1")
        )
        asked = [offer for offer in table.box.offers() if offer.startswith("vote:agree")]
        if all(answer.is_accepted for answer in both) or (asked and asked[0].split()[-1] not in ("1", "2")):
            return f"both were accepted; the box asks {asked}"
    return ""


def go_back_against_end(table: ExaminedTable) -> str:
    """One phone says *Keep playing* while another ends the game: they cannot both be right."""
    both_heard = 0
    for _ in range(RACES):
        table.reach("round")
        table.box.find("game:give-up")
        back, end = _at_once(lambda: table.guest.tell("back"), lambda: table.second.tell("yes game:give-up"))
        both_heard += back.is_accepted and end.is_accepted
    ended = table.box.state()["game"] is None
    if both_heard:
        return f"{both_heard} of {RACES} times both heard ok"
    return "one phone ended the game" if ended else ""


def send_stale_answer(table: ExaminedTable) -> str:
    table.reach("round")
    version = table.box.state()["version"]
    table.say(NEXT_OWN)
    answer = table.guest.tell("reveal 1 50", version=version)
    if answer.status == CONFLICT and answer.body.get("state"):
        return ""
    return f"a command with the version before the last move came back as {answer.status} {answer.text}"


def send_twice(table: ExaminedTable) -> str:
    table.reach("round")
    before = len(_moves(table))
    answers = [table.guest.tell(NEXT_OWN, key="one-press") for _ in range(2)]
    added = len(_moves(table)) - before
    if added == 1 and all(answer.is_accepted for answer in answers):
        return ""
    return f"the same key twice: {added} entries, answers {[answer.status for answer in answers]}"


def give_up_waiting(table: ExaminedTable) -> str:
    """A command whose phone no longer waits must not happen when the box comes back."""
    table.reach("round")
    before = shared_screen(table.box.state()), len(_moves(table))
    os.kill(table.box.process_id, signal.SIGSTOP)
    try:
        table.guest.send("/api/tell", {"words": NEXT_OWN}, timeout_s=SILENT_S / 2)
        return "the box answered while it stood still"
    except httpx.TimeoutException:
        Event().wait(SILENT_S / 2)
    finally:
        os.kill(table.box.process_id, signal.SIGCONT)
    Event().wait(SILENT_S / 2)
    after = shared_screen(table.box.state()), len(_moves(table))
    return "" if after == before else "the command happened after its phone had given up"


def open_menu_for_all(table: ExaminedTable) -> str:
    changed = []
    for moment, words in (("round", "people:list"), ("round", "game:pads"), ("no game", "box:about")):
        table.reach(moment)
        before = shared_screen(table.box.state())
        table.guest.tell(words)
        if shared_screen(table.box.state()) != before:
            changed.append(words)
    return f"the shared screen shows what one phone opened: {', '.join(changed)}" if changed else ""


def say_nonsense(table: ExaminedTable) -> str:
    table.reach("round")
    before = table.box.state()["alert"]
    table.guest.tell("lay 99 2")
    table.watcher.tell("lay 99 2")
    after = table.box.state()["alert"]
    return "" if after == before else f"a refusal for one phone is an alert for all: {after['text']!r}"


def hide_who_told(table: ExaminedTable) -> str:
    table.reach("round")
    table.guest.tell(NEXT_OWN)
    moves = _moves(table)
    told = str(moves[-1]["told"])
    return "" if told not in ("web", "seen", "button") else f"the history says {told!r}: no phone and no person"


def claim_without_box(table: ExaminedTable) -> str:
    table.reach("round")
    words = LATER_WORDS["claim"].format(player=1)
    if not table.knows(words):
        raise NotThere("no document says how a phone becomes Ana")
    table.guest.tell(words)
    people = table.guest.state().get("me", {}).get("people")
    return f"the phone holds {people} before anybody pressed OK" if people else ""


def use_revoked_phone(table: ExaminedTable) -> str:
    table.reach("round")
    cookies = table.guest.cookies()
    table.guest.send("/api/unpair", {})
    old = PhoneClient(table.box.address)
    old.use_cookies(cookies)
    answer = old.tell(NEXT_OWN)
    if answer.status != httpx.codes.UNAUTHORIZED:
        return f"a forgotten phone got {answer.status} {answer.text}"
    if not table.knows(LATER_WORDS["revoke"]):
        raise NotThere("a phone can forget itself; nothing on the box revokes one")
    return ""


def keep_role_overnight(table: ExaminedTable) -> str:
    table.reach("round")
    if not table.knows(LATER_WORDS["claim"]):
        raise NotThere("there are no roles that could end")
    table.actor("player")
    table.box.find("box:power-off")
    table.box.has_ended()
    table.restart()
    return "the phone holds a player after the box was off" if table.guest.state().get("me", {}).get("people") else ""


def _tell_slowly(table: ExaminedTable, *words: str) -> None:
    """As a person does who reads each question before the answer."""
    for one in words:
        if table.box.is_alive():
            table.guest.tell(one)
            Event().wait(READ_S)


def _moves(table: ExaminedTable) -> list[dict[str, object]]:
    return list(table.watcher.fetch("/api/history").body.get("moves", []))


def _at_once(one: Callable[[], HttpAnswer], two: Callable[[], HttpAnswer]) -> tuple[HttpAnswer, HttpAnswer]:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(one), pool.submit(two)
        return first.result(), second.result()


def _cards(folder: Path) -> ExaminedTable:
    return SightedTable(folder, "nimmt")


ATTACKS = (
    Attack("one phone overrules for all", overrule_alone, _cards),
    Attack("one phone agrees for all", agree_for_all),
    Attack("an answer that is accepted and not counted", believe_ok),
    Attack("one phone pauses the round and looks at the table", pause_and_look, _cards),
    Attack("a phone looks at the table that the box has paused", look_after_pause, _cards),
    Attack("one phone switches the box off in a round", switch_off_in_round),
    Attack("one phone switches the box off at the first screen", switch_off_at_first_screen),
    Attack("two phones answer one question", answer_one_question_twice),
    Attack("two phones press Yes at once", vote_at_once),
    Attack("Keep playing against End the game", go_back_against_end),
    Attack("an answer to what is no longer asked", send_stale_answer),
    Attack("the same answer twice", send_twice),
    Attack("a word after its phone has given up", give_up_waiting),
    Attack("a claim without the OK of the box", claim_without_box),
    Attack("a phone that was forgotten or revoked", use_revoked_phone),
    Attack("a role after the evening", keep_role_overnight),
    Attack("a menu of one phone on every screen", open_menu_for_all),
    Attack("nonsense of one phone on every screen", say_nonsense),
    Attack("a move that nobody has told", hide_who_told),
)
