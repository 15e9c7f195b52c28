"""Guides people to put the table together as the record has it: one line at a time, ticked off as cards are seen."""

from dataclasses import dataclass, replace
from typing import Any

from engine.log import Log
from engine.rebuild_guide import GuideLine, list_guide_lines
from engine.referee import Follows, judge
from engine.table import Table
from engine.text import say
from engine.view import View
from firmware.box.commands import Verb
from firmware.box.menu_and_confirmation import Confirmation, offer
from firmware.box.seat_names import name_seats
from firmware.box.secret_cards import hide_secret_cards
from firmware.texts.move_texts import describe_move

TIDYING_VERBS = frozenset({"tidy", "clear", "sweep", "slide"})
"""Moves that clear what had to leave the table anyway, or measure a board again: the table agrees with the record."""


@dataclass(frozen=True, slots=True)
class TableRebuild:
    """The last table, and the zones of lines that a person has confirmed: hidden zones are not ticked automatically."""

    table: Table | None = None
    told: frozenset[str] = frozenset()

    def view(self, log: Log[Any, Any]) -> View:
        """The first open line is the prompt; the bar shows the share of lines that are done."""
        lines = list_guide_lines(log, self.table)
        left = self.left(lines)
        texts = tuple(name_seats(line.next, log) for line in left)
        offers = (offer(say("guide_line"), Verb.LINE_IS_RIGHT), offer(say("guide_all"), Verb.ALL_IS_RIGHT))
        return View(
            texts[0] if texts else say("guide_look"),
            pads=log.game.view(log.state).pads,
            offers=offers if texts else offers[1:],
            lines=texts,
            bar=1 - len(left) / len(lines) if lines else None,
        )

    def line_is_right(self, log: Log[Any, Any]) -> "TableRebuild | None":
        """The rebuild with its first open line confirmed; None if that was the last one."""
        left = self.left(list_guide_lines(log, self.table))
        return None if len(left) < 2 else replace(self, told=self.told | {left[0].zone})

    def left(self, lines: tuple[GuideLine, ...]) -> tuple[GuideLine, ...]:
        return tuple(line for line in lines if not line.done and line.zone not in self.told)

    def ask_if_all_is_right(self, log: Log[Any, Any]) -> Confirmation | None:
        """Asks once more where the table as it is would be read as moves that the record does not have."""
        verdict = judge(log, self.table) if self.table else None
        if not isinstance(verdict, Follows) or not verdict.moves:
            return None
        after = log.add(*verdict.moves)
        moves = tuple(hide_secret_cards(describe_move(log.game.name, move), after) for move in verdict.moves)
        no = offer(say("rebuild"), Verb.BACK)
        return Confirmation(say("guide_sure"), Verb.ALL_IS_RIGHT, say("guide_all"), no=no, lines=moves)

    def agrees(self, log: Log[Any, Any]) -> bool:
        """Is everything in sight, and where the record has it?"""
        if self.table is None:
            return False
        left = self.left(list_guide_lines(log, self.table))
        if not left:
            return True
        hidden = {zone.partition(":")[0] for zone in log.game.arrange(log.state, self.table).hidden}
        if hidden & {line.zone.partition(":")[0].replace("board", "cell") for line in left}:
            return False
        verdict = judge(log, self.table)
        return isinstance(verdict, Follows) and all(str(move).split()[0] in TIDYING_VERBS for move in verdict.moves)
