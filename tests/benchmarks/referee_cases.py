"""Full tables of every game on which one verdict is timed: everyday tables, any table, and a mess."""

import math
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.games import GAMES
from engine.log import Log
from engine.referee import judge
from engine.table import Area, Layout, Table
from firmware.simulation.players import PLAYERS
from tests.benchmarks.plain_deals import measure_slowdown

RefereeCase = tuple[str, str, Log[Any, Any], Table]
"""Title, key of its limit, log and table to be judged."""

OPTIONS: dict[str, dict[str, Any]] = {
    "nimmt": {"players": 10},
    "thegame": {"players": 4},
    "six": {},
}

LONG_MATCH = 3
"""A seed with which a match of SIX goes on for ten plies in phase 2."""

PASSES = 5
"""How many medians of each case are taken, with those of all others in between."""


def time_verdicts(quick: bool) -> Iterator[tuple[str, str, float]]:
    """Title, key of the limit and median microseconds of each case: the least of a few medians, because another program
    may delay one.
    """
    rng = random.Random(11)
    cases = list(list_cases())
    medians: list[list[float]] = [[] for _ in cases]
    slowdown = math.inf
    for _ in range(PASSES):
        for (_, _, log, table), found in zip(cases, medians, strict=True):
            slowdown = min(slowdown, measure_slowdown())
            spent = [time_verdict(rng, log, table) for _ in range(20 if quick else 100)]
            found.append(statistics.median(spent))
    for (name, kind, _, _), found in zip(cases, medians, strict=True):
        yield name, kind, min(found) / slowdown * 1e6


def time_verdict(rng: random.Random, log: Log[Any, Any], table: Table) -> float:
    """The processor time of one verdict in seconds, on a table that no cache holds."""
    fresh = tremble(rng, table)
    start = time.process_time()
    judge(log, fresh)
    return time.process_time() - start


def tremble(rng: random.Random, table: Table) -> Table:
    """The same table with new measuring errors, so that no cached verdict helps."""
    return replace(
        table, seen=frozenset(replace(s, x=s.x + rng.gauss(0, 0.2), y=s.y + rng.gauss(0, 0.2)) for s in table.seen)
    )


def list_cases() -> Iterator[RefereeCase]:
    for game, options in OPTIONS.items():
        history = list(_match(game, options))
        yield from _everyday(game, history)
        yield from _mess(game, history)
    yield from _long_pile()
    yield from _turn_in_one_look()
    yield from _pushed()
    yield from _several_tiles()


def _match(game: str, options: dict[str, Any], seed: int = 7) -> Iterator[Log[Any, Any]]:
    log: Log[Any, Any] = Log(GAMES[game], options)
    players = PLAYERS[game](log.options, random.Random(seed))
    yield log
    while (move := players.next(log.state)) is not None and len(log.moves) < 400:
        log = log.add(move)
        yield log


def _table(log: Log[Any, Any]) -> Table:
    return log.game.place(log.state, log.game.layout(log.state))


def _fullest(history: list[Log[Any, Any]]) -> int:
    """Index of the table with most pieces before the end."""
    return max(range(len(history) - 1), key=lambda n: (len(_table(history[n]).seen), n))


def _everyday(game: str, history: list[Log[Any, Any]]) -> Iterator[RefereeCase]:
    at = _fullest(history)
    log, table = history[at], _table(history[at])
    size = len(table.seen)
    yield f"{game}: nothing new, {size} pieces", "everyday", log, table
    air = replace(table, seen=frozenset(sorted(table.seen, key=str)[1:]))
    yield f"{game}: one piece in the air", "everyday", log, air
    worst = max(range(1, len(history)), key=lambda n: len(_table(history[n]).seen) * _changed(history, n))
    yield f"{game}: one more piece laid", "everyday", history[worst - 1], _table(history[worst])
    quarter = Area(0, 0, 300, 225)
    dark = Table(frozenset(s for s in table.seen if not quarter.contains(s.x, s.y)), (quarter,))
    yield f"{game}: a quarter of the table hidden", "any", log, dark


def _changed(history: list[Log[Any, Any]], n: int) -> bool:
    before, after = (history[i].game.layout(history[i].state).zones for i in (n - 1, n))
    return sum(before.get(z) != held for z, held in after.items()) == 1


def _mess(game: str, history: list[Log[Any, Any]]) -> Iterator[RefereeCase]:
    """Twelve pieces change places."""
    log = history[_fullest(history)]
    seen = sorted(_table(log).seen, key=str)
    rng = random.Random(5)
    some = rng.sample(range(len(seen)), min(12, len(seen)))
    moved = {i: replace(seen[j], piece=seen[i].piece) for i, j in zip(some, some[1:] + some[:1], strict=True)}
    yield f"{game}: a mess", "mess", log, Table(frozenset(moved.get(i, s) for i, s in enumerate(seen)))


def _long_pile() -> Iterator[RefereeCase]:
    """The Game with 44 cards on one pile."""
    game = GAMES["thegame"]
    log: Log[Any, Any] = Log(game, {"players": 4})
    for card in range(2, 90, 2):
        log = log.add(game.parse(f"play {card} up:1"))
    yield "thegame: nothing new, 44 cards in a pile", "everyday", log, _table(log)
    laid = Layout({"up:1": (*log.game.layout(log.state).zones["up:1"], "89"), "down:1": ("98",)})
    yield "thegame: two laid, 44 cards in a pile", "everyday", log, game.place(log.state, laid)


def _turn_in_one_look() -> Iterator[RefereeCase]:
    """A whole turn of six cards between two frames, one of which takes and restarts a row."""
    game = GAMES["nimmt"]
    log: Log[Any, Any] = Log(game, {"players": 6}).add(game.parse("deal 10,20,30,40"))
    for player, card in enumerate((33, 25, 7, 41, 26, 34), 1):
        log = log.add(game.parse(f"reveal {player} {card}"))
    rows = ((7,), (20, 25, 26), (30, 33, 34), (40, 41))
    end = Layout({f"row:{r}": tuple(map(str, row)) for r, row in enumerate(rows, 1)})
    yield "nimmt: a whole turn of six in one look, 8 moves", "any", log, game.place(log.state, end)
    wrong = Layout({**end.zones, "row:3": ("30", "26", "33", "34"), "row:2": ("20", "25")})
    yield "nimmt: the same with one card wrong, refused", "any", log, game.place(log.state, wrong)


def _pushed() -> Iterator[RefereeCase]:
    """A full board of SIX pushed as a whole, then turned as well."""
    history = list(_match("six", {}))
    log = history[_fullest(history)]
    table = _table(log)
    slid = Table(frozenset(replace(s, x=s.x + 61, y=s.y + 38) for s in table.seen))
    yield "six: the whole board pushed", "any", log, slid
    turned = Table(frozenset(replace(s, x=s.x * 0.766 - s.y * 0.643, y=s.x * 0.643 + s.y * 0.766) for s in table.seen))
    yield "six: the whole board turned by 40 degrees", "any", log, turned


def _several_tiles() -> Iterator[RefereeCase]:
    """SIX with several plies between two looks: eight tiles laid, and four or eight moved."""
    history = list(_match("six", {}, seed=LONG_MATCH))
    plies = [n for n, log in enumerate(history) if str(log.moves[-1:]).startswith(("(Lay", "(Move"))]
    for title, first, count in (("laid", 3, 8), ("laid", 28, 8), ("moved", 41, 4), ("moved", 41, 8)):
        before, after = history[plies[first] - 1], history[plies[first + count] - 1]
        yield f"six: {count} tiles {title} between two looks", "mess", before, _table(after)
