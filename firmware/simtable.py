"""The simulated table: players who lay, err and mend, drawn as a camera over a real table would see them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from engine.games.nimmt.cards import kind_of
from engine.log import Log
from engine.referee import Refused, judge
from engine.table import BACK, Area, Layout, Seen
from firmware.players import PLAYERS, SAID
from vision.codebook import CODES, Code
from vision.render import Arm, Camera, Card, Light, Marker, Scene, Sensor, Tile

RIM = 50.0
"""Millimetres around the area that the camera sees as well: the markers stand there."""
REACHES, RESTS = 0.6, 1.6
"""Seconds that an arm is over the table for one act, and until the next one."""


@dataclass(frozen=True, slots=True)
class Act:
    """For ``seconds`` the table looks like this; ``told`` is what somebody says with a button when it begins."""

    scene: Scene
    seconds: float
    told: str = ""
    wrong: bool = False


class SimTable:
    """A whole match as acts. ``truth`` is what really happened, for whoever wants to compare."""

    def __init__(
        self, log: Log[Any, Any], rng: random.Random, *, px_module: float = 2.2, mistakes: float = 0.03
    ) -> None:
        self.truth = log
        self._game = log.game
        self._rng = rng
        self._mistakes = mistakes
        self._players = PLAYERS[log.game.name](log.options, rng)
        plan = log.game.plan(log.options)
        self.area = Area(0.0, 0.0, plan.width, plan.height)
        wide = Area(-RIM, -RIM, plan.width + RIM, plan.height + RIM)
        camera = Camera.over(wide, px_module * 25 / 18, distance=820.0, tilt=4.0, barrel=0.004)
        middle = 20.0
        corners = ((-middle, -middle), (plan.width + middle, -middle), (plan.width + middle, plan.height + middle),
                   (-middle, plan.height + middle))  # fmt: skip
        markers = tuple(Marker(name, x, y) for name, (x, y) in enumerate(corners))
        self.empty = Scene(camera, "wood", 3, markers=markers, light=Light(), sensor=Sensor(blur=0.6), seed=1)
        self._lies: dict[tuple[str, str], tuple[float, float, float]] = {}

    def acts(self) -> Iterator[Act]:
        """What happens at the table, until the match is over."""
        yield Act(self.empty, RESTS)
        while (move := self._players.next(self.truth.state)) is not None:
            known = self.truth
            before = self._game.layout(known.state)
            self.truth = self.truth.add(move)
            after = self._game.layout(self.truth.state)
            if isinstance(move, SAID[self._game.name]):
                yield Act(self._scene(after), RESTS, told=str(move))
                continue
            if after.zones == before.zones:
                continue
            wrong = self._wrongly(known, before, after) if self._rng.random() < self._mistakes else None
            if wrong is not None:
                yield Act(self._scene(before, self._arm(wrong, before)), REACHES)
                yield Act(self._scene(wrong), 2.5 * RESTS, wrong=True)
            yield Act(self._scene(before, self._arm(after, before)), REACHES)
            yield Act(self._scene(after), RESTS)

    def _scene(self, layout: Layout, arm: Arm | None = None) -> Scene:
        """The table with this on it; a piece that has not changed its zone has not moved."""
        table = self._game.place(self.truth.state, layout)
        _, _, tenths, pitch_tenths = map(int, layout.zones.get("anchor", ("0,0,0,380",))[0].split(","))
        flats, pitch = tenths / 10, pitch_tenths / 10
        cards, tiles = [], []
        copies: dict[str, int] = {}
        for seen in sorted(table.seen, key=lambda s: (s.x, s.y, s.piece)):
            x, y, angle = self._nudged(seen)
            if seen.piece in ("red", "black"):
                colour: Literal["red", "black"] = "red" if seen.piece == "red" else "black"
                tiles.append(Tile(colour, x, y, flats + angle, size=pitch))
                continue
            copies[seen.piece] = copies.get(seen.piece, 0) + 1
            cards.append(_card(self._game.name, seen.piece, copies[seen.piece], x, y, angle))
        arms = () if arm is None else (arm,)
        seed = self._rng.randrange(1 << 30)
        return replace(self.empty, cards=tuple(cards), tiles=tuple(tiles), arms=arms, seed=seed)

    def _nudged(self, seen: Seen) -> tuple[float, float, float]:
        """Nobody lays a card straight, but where it lies it stays."""
        where = (seen.piece, f"{seen.x:.0f},{seen.y:.0f}")
        if where not in self._lies:
            loose = 0.5 if seen.piece in ("red", "black") else 1.5
            self._lies[where] = (self._rng.gauss(0, loose), self._rng.gauss(0, loose), self._rng.gauss(0, loose))
        dx, dy, angle = self._lies[where]
        return seen.x + dx, seen.y + dy, seen.angle + angle

    def _arm(self, to: Layout, other: Layout) -> Arm:
        """Somebody reaches for the place where the two layouts differ."""
        spots = self._game.place(self.truth.state, to).seen ^ self._game.place(self.truth.state, other).seen
        seen = min(spots, key=lambda s: (s.piece, s.x), default=Seen("", self.area.right / 2, self.area.bottom / 2))
        side = self._rng.choice(((seen.x, self.area.bottom + 300), (seen.x + 80, self.area.top - 300)))
        return Arm(side, (seen.x, seen.y))

    def _wrongly(self, log: Log[Any, Any], before: Layout, after: Layout) -> Layout | None:
        """The new piece in another zone of the same kind, where no rule allows it."""
        fresh = [(p, z) for z, held in after.zones.items() for p in held if p not in before.zones.get(z, ())]
        if len(fresh) != 1 or fresh[0][1].partition(":")[0] not in ("row", "up", "down"):
            return None
        piece, zone = fresh[0]
        others = [z for z in before.zones if z != zone and z.partition(":")[0] == zone.partition(":")[0]]
        if not others:
            return None
        zones = {z: tuple(p for p in held if (p, z) != (piece, zone)) for z, held in after.zones.items()}
        there = self._rng.choice(others)
        zones[there] = (*zones.get(there, ()), piece)
        wrong = Layout({z: held for z, held in zones.items() if held})
        verdict = judge(log, self._game.place(log.state, wrong))
        return wrong if isinstance(verdict, Refused) else None  # elsewhere it may be right


def _card(game: str, piece: str, copy: int, x: float, y: float, angle: float) -> Card:
    if piece == BACK:
        return Card(game, piece, x, y, angle, face_down=True)
    name = f"{kind_of(piece)}.{copy}" if kind_of(piece) else piece
    return Card(game, name, x, y, angle, payload=_code(game, name, copy).payload)


def _code(game: str, piece: str, copy: int) -> Code:
    """Start cards exist twice, with a code each."""
    found = [code for code in CODES if (code.game, code.piece) == (game, piece)]
    return found[(copy - 1) % len(found)]
