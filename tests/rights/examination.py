"""Each cell of the table of rights tried on a running box: what the table promises against what happens."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

import httpx

from tests.rights.examined_table import LATER_WORDS, ExaminedTable, MomentNotReached, NotThere, observe, shared_screen
from tests.rights.phone_client import PhoneClient
from tests.rights.rights_table import RightsCell
from tests.rights.running_box import NotOffered
from tests.rights.ways import WAYS, ActWay, Attempt


class Standing(StrEnum):
    HOLDS = "holds"
    BROKEN = "broken"
    NOT_THERE = "not there"
    """The program has no such role or no such act yet."""
    NOT_SHOWN = "not shown"
    """A refusal that proves nothing: no role could do the act, or the moment was not reached."""


@dataclass(frozen=True, slots=True)
class Finding:
    cell: RightsCell
    standing: Standing
    why: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What an attempt did: at once, after a confirmation, or not; and whether the answer said why not."""

    at_once: bool
    confirmed: bool = False
    refused: bool = False


def judge_attempt(right: str, seen: Seen) -> tuple[Standing, str]:
    match right:
        case "yes" | "asked" if seen.at_once:
            return Standing.HOLDS, ""
        case "yes" | "asked":
            return Standing.BROKEN, "it did not happen"
        case "no" if seen.at_once:
            return Standing.BROKEN, "it happened"
        case "no" if not seen.refused:
            return Standing.BROKEN, "it did not happen, and no answer says why"
        case "no":
            return Standing.HOLDS, ""
        case _ if seen.at_once:
            return Standing.BROKEN, f"it happened without {right}"
        case _ if not seen.confirmed:
            return Standing.BROKEN, f"{right} could not confirm it"
        case _:
            return Standing.HOLDS, ""


def doubt_refusals(findings: Sequence[Finding], is_possible: bool) -> list[Finding]:
    """A refusal holds only where another role could do the same act at the same moment."""
    if is_possible:
        return list(findings)
    return [
        Finding(one.cell, Standing.NOT_SHOWN, "no role could do it then")
        if one.standing is Standing.HOLDS and one.cell.right == "no"
        else one
        for one in findings
    ]


class Examiner:
    def __init__(self, table: ExaminedTable, heard: Callable[[Finding], None]) -> None:
        self.table = table
        self._heard = heard
        self._fresh: tuple[object, ...] = ()
        self._screen: object = None

    def examine(self, cells: Sequence[RightsCell]) -> Iterator[Finding]:
        for (act, moment), group in groupby(cells, key=lambda cell: (cell.act, cell.moment)):
            yield from self._examine_act(act, moment, list(group))

    def _examine_act(self, act: str, moment: str, cells: Sequence[RightsCell]) -> Iterator[Finding]:
        findings: list[Finding] = []
        is_possible = False
        for cell in cells:
            happened, finding = self._examine_cell(WAYS[act], cell)
            is_possible |= happened
            findings.append(finding)
        for finding in doubt_refusals(findings, is_possible or act.startswith(ALWAYS_SHOWN)):
            self._heard(finding)
            yield finding

    def _examine_cell(self, way: ActWay, cell: RightsCell) -> tuple[bool, Finding]:
        try:
            self._find_actor(cell.role)
            self._reach(way, cell.moment)
            phone = self._find_actor(cell.role)
            attempt = way.do(self.table, cell.role, phone)
            at_once = attempt.has_happened()
            confirmed = not at_once and cell.right not in ("yes", "no") and self._confirm(cell.right, attempt)
            refused = any(not answer.is_accepted and answer.says_why for answer in attempt.answers)
            standing, why = judge_attempt(cell.right, Seen(at_once, confirmed, refused or phone is None))
            return at_once or confirmed, Finding(cell, standing, why)
        except NotThere as reason:
            return False, Finding(cell, Standing.NOT_THERE, str(reason))
        except NotOffered as reason:
            if cell.right == "no":
                return False, Finding(cell, Standing.HOLDS)
            return False, Finding(cell, Standing.NOT_THERE, f"the box does not offer {reason}")
        except (MomentNotReached, httpx.TransportError, AssertionError) as reason:
            self._fresh = ()
            return False, Finding(cell, Standing.NOT_SHOWN, f"{type(reason).__name__}: {str(reason)[:120]}")

    def _find_actor(self, role: str) -> PhoneClient | None:
        return None if role == "box" else self.table.actor(role)

    def _reach(self, way: ActWay, moment: str) -> None:
        """A moment that nothing has changed is used again."""
        wanted = (moment, way.moves, way.begin, way.prepare)
        if not self.table.box.is_alive():
            self._fresh = ()
        if self._fresh:
            self.table.pair_phones()
        if way.prepare or wanted != self._fresh or self._screen != self._look():
            self._fresh = ()
            self.table.reach(moment, way.moves, way.begin)
            if way.prepare:
                way.prepare(self.table)
            self._fresh, self._screen = wanted, self._look()

    def _look(self) -> object:
        seen = observe(self.table)
        return seen and (shared_screen(seen["state"]), seen["state"]["people"], len(seen["history"]))

    def _confirm(self, right: str, attempt: Attempt) -> bool:
        """Let a second name, the box or all confirm; whether it happened then, and not before."""
        match right:
            case "box" | "host":
                try:
                    self.table.choose_first_confirmation()
                except NotOffered:
                    return False
            case "second":
                return self._confirm_by(self.table.second) and attempt.has_happened()
            case _:
                while votes := [words for words in self.table.box.offers() if words.startswith("vote:agree")]:
                    if attempt.has_happened():
                        return False
                    self.table.box.choose(votes[0])
        return attempt.has_happened()

    def _confirm_by(self, phone: PhoneClient) -> bool:
        offered = [words for words in phone.offers() if words.startswith(LATER_WORDS["confirm"])]
        return bool(offered) and phone.tell(offered[0]).is_accepted


ALWAYS_SHOWN = ("pair with a wrong code", "see a ", "forget ")
"""Acts that no preparation makes possible: their refusal stands for itself."""
