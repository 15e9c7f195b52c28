"""A fault is planted among the tiles, people obey what the box says, and the next look must be accepted."""

import re
from typing import Any

from engine.referee import Follows, Refused, Unclear, Waiting
from tests.tabletop.advice_text import find_unnamed_tile, is_side, tell
from tests.tabletop.docket import DEAD_END, MISLEADING, WRONG_RECORD
from tests.tabletop.six_faults import TileFault, plant
from tests.tabletop.six_record import lies_so, read_record
from tests.tabletop.six_session import TileSession
from tests.tabletop.six_table import Frame, Tile

STEP = re.compile(r"(?P<place>[^:]+): move (?:red|black) (?P<way>.+)")
MOVED = re.compile(r"Move the \w+ from (?P<source>.+) to (?P<target>.+)")
STRAIGHT_PITCHES = 0.25
"""A tile further from its place than this share of the distance of two tiles lies askew for everybody to see."""


def examine_fault(session: TileSession) -> None:
    """From a table that agrees with the record: plant a fault, and mend it as the box says."""
    fault = plant(session)
    if fault is None:
        return
    docket, log = session.docket, session.log
    docket.count("faults")
    table, verdict = session.judge()
    if getattr(verdict, "moves", ()) and all(str(move).startswith("slide") for move in verdict.moves):
        session.log = session.log.add(*verdict.moves)  # the board was measured again: nothing is said of a tile yet
        table, verdict = session.judge()
    cure = getattr(verdict, "cure", ())
    if isinstance(verdict, Follows):
        _weigh_silence(session, fault, verdict, table)
    elif isinstance(verdict, Unclear):
        docket.count("fault asked about")
    elif cure:
        if _obey(session, fault, verdict, table):
            docket.count("cure")
            _straighten(session)
            return
    elif isinstance(verdict, Refused) and (verdict.why is None or hasattr(verdict, "cure")):
        docket.fail(MISLEADING, session.log.moves, table, verdict, f"{fault.kind}: the refusal names no act")
    elif isinstance(verdict, Waiting) and verdict.hint is None:
        docket.count(f"nothing is said: {fault.kind}")
    session.log = log
    fault.restore()
    table, verdict = session.judge()
    if not isinstance(verdict, Follows) or not session.agrees(session.log.add(*verdict.moves)):
        docket.fail(DEAD_END, session.log.moves, table, verdict, f"{fault.kind}, and all is as before again")
    session.resync()


def _weigh_silence(session: TileSession, fault: TileFault, verdict: Any, table: Any) -> None:
    """The fault was taken for a legal play, or not noticed: is that because it looks like one?"""
    record = read_record(session.log.add(*verdict.moves).moves, session.start)
    if not session.lies_as(record):
        session.docket.fail(
            WRONG_RECORD, session.log.moves, table, verdict, f"{fault.kind}: refuse it or ask; {record.wrong}"
        )
    else:
        session.docket.count(f"cannot tell: {fault.kind}")


def _obey(session: TileSession, fault: TileFault, verdict: Any, table: Any) -> bool:
    """Carry out what the box says; False if that cures nothing, or with more acts than needed."""
    tiles = session.table.tiles
    told = tell(session.log, table, verdict)
    unnamed = find_unnamed_tile(told, verdict.cure) or _find_wrong_side(session, told, verdict.cure)
    saved = [(tile, tile.colour, tile.x, tile.y) for tile in tiles]
    wrong = carry_out(session, verdict.cure)
    _, after = session.judge()
    if not wrong and not isinstance(after, Follows):
        wrong = f"obeyed, and then {after}"
    elif len(verdict.cure) > fault.moves:
        wrong = f"{fault.moves} tiles are enough"
    elif not wrong and unnamed:
        wrong = f"{told!r} does not name {unnamed}"
    if not wrong:
        record = read_record(session.log.add(*after.moves).moves, session.start)
        if record.wrong or not lies_so(record, session.table):
            wrong = f"obeyed, and the record is not what lies there: {record.wrong or record.match.tiles}"
        elif session.agrees(session.log.add(*after.moves)):
            session.log = session.log.add(*after.moves)
            return True
        else:
            session.docket.count("cure that leads to a legal move")
    else:
        session.docket.fail(MISLEADING, session.log.moves, table, verdict, f"{fault.kind}: {wrong}")
    tiles[:] = [tile for tile, *_ in saved]
    for tile, colour, x, y in saved:
        tile.colour, tile.x, tile.y = colour, x, y
    return False


def _straighten(session: TileSession) -> None:
    """S-3: a second tile that lies just off its place was not told of; people see it and put it right."""
    table = session.table
    for cell in session.match.tiles:
        tile, (x, y) = table.find(cell), table.frame.spot(cell)
        if tile is not None and tile.distance(x, y) > STRAIGHT_PITCHES * table.frame.pitch:
            tile.x, tile.y = x, y


def carry_out(session: TileSession, acts: Any) -> str:
    """First everything is picked up, then everything is put down; what is wrong with an act, or ""."""
    table, frame = session.table, session.record.frame or session.table.frame
    carried: list[tuple[Any, Tile]] = []
    for act in acts:
        if act.source.startswith("cell:"):
            x, y = frame.spot(_cell(act.source))
            near = [t for t in table.tiles if t.colour == act.piece and t.distance(x, y) < 0.75 * frame.pitch]
            if not near:
                return f"there is no {act.piece} tile at {act.source}"
            tile = min(near, key=lambda t: t.distance(x, y))
            table.tiles.remove(tile)
        elif act.source:
            tile = max((t for t in table.tiles if t.colour == act.piece), key=lambda t: _slant(frame, t))
            table.tiles.remove(tile)
        else:
            tile = Tile(act.piece, 0, 0, 0)
        carried.append((act, tile))
    for act, tile in carried:
        if act.target:
            tile.x, tile.y = frame.spot(_cell(act.target))
            table.tiles.append(tile)
    return ""


def _find_wrong_side(session: TileSession, told: str, acts: Any) -> str:
    """A place of an act that lies elsewhere than the sentence says, "" if there is none."""
    frame = session.record.frame or session.table.frame
    board = [(tile.x, tile.y) for tile in session.table.tiles]
    for sentence, act in zip(told.split(" / "), acts, strict=False):
        zones = [zone for zone in (act.source, act.target) if zone]
        if step := STEP.fullmatch(sentence):
            places = [step["place"].lower()] * 2
            if not _is_direction(step["way"], *(frame.spot(_cell(zone)) for zone in zones)):
                return f"{zones} as {step['way']}"
        elif moved := MOVED.fullmatch(sentence):
            places = [moved["source"], moved["target"]]
        else:
            places = sentence.partition(":")[2].split(",")
        for words, zone in zip(places, zones, strict=False):
            if zone.startswith("cell:") and not is_side(words, *frame.spot(_cell(zone)), board):
                return f"{zone} as{words}"
    return ""


def _is_direction(words: str, source: tuple[float, float], target: tuple[float, float]) -> bool:
    """Do these words name the direction from the one place to the other? A direction that is not named is less."""
    right, down = target[0] - source[0], target[1] - source[1]
    shares = {"up": -down, "down": down, "left": -right, "right": right}
    named = [share for word, share in shares.items() if re.search(rf"\b{word}\b", words)]
    return (
        bool(named)
        and all(share > 0.35 * max(abs(right), abs(down)) for share in named)
        and len(named) <= 2
        and (len(named) == 2 or max(abs(right), abs(down)) == named[0])
    )


def _slant(frame: Frame, tile: Tile) -> float:
    """How far a tile lies from every place of the lattice, in millimetres."""
    cells = ((q, r) for q in range(-25, 26) for r in range(-25, 26))
    return min(tile.distance(*frame.spot(cell)) for cell in cells)


def _cell(zone: str) -> tuple[int, int]:
    q, r = zone.removeprefix("cell:").split(",")
    return int(q), int(r)
