"""People who play SIX in front of the box: they lay and move tiles, look at what it says, and answer truthfully."""

import math
import random
from dataclasses import dataclass, field
from typing import Any

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, judge
from engine.table import Table
from tests.tabletop.docket import ACCUSATION, DEAD_END, WRONG_RECORD, Docket
from tests.tabletop.six_record import TileRecord, lies_so, read_record
from tests.tabletop.six_rules import Cell, Match, other
from tests.tabletop.six_table import Frame, TileTable

PATIENCE = 10
"""So many looks after one act, each answered, and the box still does not agree: a dead end."""
BREACH = "cannot tell: three moves look like a tile of the player who is not next moved"
SHORTER = "cannot tell: fewer moves lead to the same tiles"
GAME = GAMES["six"]
WIDTH, HEIGHT = 1200, 900
"""The table in millimetres: a board of 42 tiles fits however it grows."""


@dataclass
class TileSession:
    rng: random.Random
    docket: Docket
    options: dict[str, Any]
    match: Match
    """The truth: what the people have played."""
    litter: set[Cell] = field(default_factory=set)
    """Cells of lost tiles that still lie there."""
    said: list[str] = field(default_factory=list)
    """What was played, as the box would write it."""
    tie: tuple[Cell, Cell, Cell] | None = None
    """The last move, if it needed a choice: lifted at, laid at, a cell of the group that stays."""

    def __post_init__(self) -> None:
        rng = self.rng
        self.start = self.match.copy()
        self.log: Log[Any, Any] = Log(GAME, self.options)
        frame = Frame(WIDTH / 2, HEIGHT / 2, rng.uniform(0, 360), rng.uniform(27, 44))
        self.table = TileTable(rng, frame, rng.choice((0.5, 1.0, 2.0)), WIDTH, HEIGHT)
        for cell, colour in self.match.tiles.items():
            self.table.put(colour, cell)

    @property
    def plies(self) -> int:
        return sum(line.startswith(("lay", "move")) for line in self.said)

    @property
    def record(self) -> TileRecord:
        return read_record(self.log.moves, self.start)

    def judge(self) -> tuple[Table, Any]:
        self.docket.count("looks")
        table = self.table.picture()
        return table, judge(self.log, table)

    def say(self, line: str) -> bool:
        """A person enters this; False if the box refuses it."""
        try:
            self.log = self.log.add(self.log.parse(line))
        except Illegal:
            return False
        return True

    def resync(self) -> None:
        """Go on from the truth, so that one failure is counted once."""
        self.table.arms.clear()
        frame = self.table.frame
        place = f"{round(frame.x)} {round(frame.y)} {round(frame.angle * 10) % 3600} {round(frame.pitch * 10)}"
        self.log = Log(GAME, self.options)
        for line in (f"start {place}", *self.said):
            if not self.say(line):
                raise AssertionError(f"the truth is refused: {line} after {self.log.moves}")
        for cell in self.litter:
            tile = self.table.find(cell)
            if tile is not None:
                self.table.tiles.remove(tile)
        self.litter.clear()

    def settle(self) -> bool:
        """All that was done is legal: look, and do what the box asks, until it agrees with what lies there."""
        table, verdict = self.judge()
        for _ in range(PATIENCE):
            if isinstance(verdict, Refused) and self.looks_like_a_breach():
                self.docket.count(BREACH)
                self.resync()
                return False
            if isinstance(verdict, Refused):
                self.docket.fail(ACCUSATION, self.log.moves, table, verdict, f"all was legal: {self.words()}")
                self.resync()
                return False
            if isinstance(verdict, Follows):
                if not all([self.say(str(move)) for move in verdict.moves]):
                    self.docket.fail(WRONG_RECORD, self.log.moves, table, verdict, "what is accepted is not legal")
                    self.resync()
                    return False
                if self.record.open and self.answer():
                    table, verdict = self.judge()
                    continue
                if not self.table.arms:
                    return self.compare(table, verdict)
                wrong = self.record.wrong
                if wrong:
                    self.docket.fail(WRONG_RECORD, self.log.moves, table, verdict, f"{wrong}; {self.words()}")
                    self.resync()
                    return False
                self.table.arms.clear()
            elif isinstance(verdict, Unclear):
                if self.is_shorter(verdict):
                    self.docket.count(SHORTER)
                    self.resync()
                    return False
                if not self.choose(verdict) and not self.clear(len(self.litter)):
                    break
            elif not (self.choose(verdict) or self.answer()):
                break
            table, verdict = self.judge()
        self.docket.fail(DEAD_END, self.log.moves, table, verdict, f"all was legal and is in sight: {self.words()}")
        self.resync()
        return False

    def looks_like_a_breach(self) -> bool:
        """S-11: has one tile moved beside the record, of the player who is not next? Three moves may look like that."""
        record, truth = self.record.match, self.match
        went, came = record.tiles.items() - truth.tiles.items(), truth.tiles.items() - record.tiles.items()
        colours = [colour for _, colour in (*went, *came)]
        return truth.phase == 2 and not self.litter and colours == [other(record.turn)] * 2

    def compare(self, table: Table, verdict: Any) -> bool:
        """With everything in sight: is the record what lies there, and is the right player next?"""
        record, truth = self.record, self.match
        same = record.match.tiles == truth.tiles or lies_so(record, self.table, self.litter)
        ended = truth.winner is not None  # then nobody is next (S-5, S-19): the winner decides who starts again (S-23)
        turn = record.match.winner == truth.winner and (ended or record.match.turn == truth.turn)
        if not record.wrong and same and turn and not record.open:
            view = GAME.view(self.log.state)
            if view.over == (truth.winner is not None):
                return True
            right = f"{truth.winner or 'no winner yet'} ({truth.why})"
        elif not record.wrong and same and not record.open and record.plies < self.plies and truth.phase == 2:
            self.docket.count(SHORTER)
            self.resync()
            return False
        else:
            right = f"{record.wrong} {self.words()}"
        self.docket.fail(WRONG_RECORD, self.log.moves, table, verdict, right)
        self.resync()
        return False

    def choose(self, verdict: Any) -> bool:
        """Answer a question, or take an offer, with the story that is true."""
        for log in (self.log.add(*story) for story in verdict.stories):
            record, truth = read_record(log.moves, self.start), self.match
            same = record.match.winner == truth.winner and (truth.winner or record.match.turn == truth.turn)
            if same and not record.wrong and lies_so(record, self.table, self.litter):
                self.log = log
                self.docket.count("asked")
                return True
        return False

    def is_shorter(self, verdict: Any) -> bool:
        """Does every story need fewer moves than were played, and lead to the same tiles?"""
        records = [read_record(self.log.add(*story).moves, self.start) for story in verdict.stories]
        return all(
            record.plies < self.plies and record.match.turn != self.match.turn and self.lies_as(record)
            for record in records
        )

    def lies_as(self, record: TileRecord) -> bool:
        """Is this record legal, and do the tiles lie so, besides those that it says must go?"""
        lost = self.litter | (self.match.tiles.keys() - record.match.tiles.keys())
        return not record.wrong and any(lies_so(record, self.table, litter) for litter in (self.litter, lost))

    def agrees(self, log: Log[Any, Any]) -> bool:
        """Does this record say what lies there, and who is next?"""
        record = read_record(log.moves, self.start)
        return self.lies_as(record) and record.match.turn == self.match.turn

    def answer(self) -> bool:
        """Do what the box waits for; False if there is nothing to do."""
        if self.table.arms:
            self.table.arms.clear()
            return True
        if self.tie is not None:
            lifted, _, keep = self.tie
            self.tie = None
            offers = [offer.move for offer in GAME.view(self.log.state).offers]
            if self.say(f"keep {lifted[0]} {lifted[1]} {keep[0]} {keep[1]}") or any(
                [self.say(move) for move in offers if move.startswith("lose") and self.goes(move)]
            ):
                self.docket.count("asked")
                return True
        if self.litter:
            self.clear(self.rng.randint((len(self.litter) + 1) // 2, len(self.litter)))
            return True
        return False

    def goes(self, line: str) -> bool:
        """Is the tile of this cell, as the record counts cells, one of those that leave?"""
        frame = self.record.frame or self.table.frame
        x, y = frame.spot((int(line.split()[1]), int(line.split()[2])))
        stays = (self.table.frame.spot(cell) for cell in self.match.tiles)
        return all(math.hypot(x - a, y - b) > self.table.frame.pitch / 2 for a, b in stays)

    def look_in_mid_air(self) -> None:
        """A look while a tile is in a hand: that commits nothing."""
        table, verdict = self.judge()
        if isinstance(verdict, Refused):
            self.docket.fail(ACCUSATION, self.log.moves, table, verdict, f"one tile is in a hand; {self.words()}")
        elif any(not str(move).startswith("slide") for move in getattr(verdict, "moves", ())):
            self.docket.fail(WRONG_RECORD, self.log.moves, table, verdict, f"one tile is in a hand; {self.words()}")

    def clear(self, count: int) -> bool:
        """Take so many lost tiles away; False if there are none."""
        for cell in sorted(self.litter)[:count]:
            tile = self.table.find(cell)
            if tile is not None:
                self.table.tiles.remove(tile)
            self.litter.remove(cell)
        return count > 0

    def words(self) -> str:
        tiles = " ".join(f"{colour[0].upper()}{q},{r}" for (q, r), colour in sorted(self.match.tiles.items()))
        return f"{' / '.join(self.said[-8:])} was played; {tiles}; {self.match.winner or self.match.turn + ' is next'}"
