"""Where the cells are in millimetres, measured from the tiles themselves."""

import cmath
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.axial import NEIGHBOURS, SIXTH_TURN, Cell, find_cell, find_centre, turn_cell
from engine.games.six.state import Anchor

TILES_TRIED = 12
"""Tiles that are laid on each tile of their colour to find the places of the others."""
MOST_PUSHES = 8
"""Pushes of a few known tiles that are compared where new tiles hide which of them lie there."""
Spotted = tuple[str, complex]
"""A tile's colour and its centre."""


@dataclass(frozen=True, slots=True)
class LatticeFrame:
    """Cell (0, 0) lies at ``base``, cell (1, 0) at ``base + side``."""

    side: complex
    base: complex

    def at(self, cell: Cell) -> complex:
        return self.side * find_centre(cell) + self.base

    def snap(self, z: complex) -> tuple[Cell, float]:
        """The nearest cell and how far off it, in pitches."""
        u = (z - self.base) / self.side
        cell = find_cell(u)
        return cell, abs(u - find_centre(cell))

    @property
    def anchor(self) -> Anchor:
        angle = round(math.degrees(cmath.phase(self.side)) * 10) % 3600
        return round(self.base.real), round(self.base.imag), angle, round(abs(self.side) * 10)


@lru_cache(maxsize=256)
def frame_of(anchor: Anchor) -> LatticeFrame:
    x, y, angle, pitch = anchor
    return LatticeFrame(cmath.rect(pitch / 10, math.radians(angle / 10)), complex(x, y))


def find_clusters(tiles: list[Spotted], pitch: float) -> list[dict[int, Cell]]:
    """Tiles that lie side by side, numbered as they came, each with its cell counted from the first of its cluster.

    Counting from neighbour to neighbour, a wrong pitch or angle does not add up over the table.
    """
    near: list[list[tuple[int, complex]]] = [[] for _ in tiles]
    order = sorted(range(len(tiles)), key=lambda n: tiles[n][1].real)
    least, most = 0.75 * pitch, 1.32 * pitch
    for n, i in enumerate(order):
        z = tiles[i][1]
        for j in order[n + 1 :]:
            step = tiles[j][1] - z
            if step.real > most:
                break
            if least < abs(step) < most:
                near[i].append((j, step))
                near[j].append((i, -step))
    found: list[dict[int, Cell]] = []
    seen: set[int] = set()
    for start in order:
        if start in seen:
            continue
        seen.add(start)
        cells: dict[int, Cell] = {start: (0, 0)}
        todo = [(start, 1 + 0j)]
        while todo:
            i, way = todo.pop()
            q, r = cells[i]
            for j, step in near[i]:
                if j in seen:
                    continue
                if len(cells) == 1:
                    way = step / abs(step)
                sixth = round(cmath.phase(step / way) / (math.pi / 3)) % 6
                dq, dr = NEIGHBOURS[sixth]
                seen.add(j)
                cells[j] = q + dq, r + dr
                todo.append((j, step / abs(step) / SIXTH_TURN**sixth))
        found.append(cells)
    return found


def fit_frame(pairs: Iterable[tuple[Cell, complex]]) -> LatticeFrame | None:
    """The lattice that lies closest to these cells and centres."""
    flat = [(find_centre(cell), z) for cell, z in pairs]
    n = len(flat)
    if n < 2:
        return None
    mid = sum(u for u, _ in flat) / n
    centre = sum(z for _, z in flat) / n
    wide = sum(abs(u - mid) ** 2 for u, _ in flat)
    if not wide:
        return None
    side = sum(((u - mid).conjugate() * (z - centre) for u, z in flat), 0j) / wide
    return LatticeFrame(side, centre - side * mid) if side else None


def match_cluster(
    cluster: Mapping[int, Cell], tiles: list[Spotted], known: Mapping[Cell, str], old: LatticeFrame
) -> list[LatticeFrame]:
    """The frames in which most tiles of the cluster keep their cell, with the smallest turn if several do; the one with
    the smallest push first.
    """
    raw = fit_frame((cell, tiles[n][1]) for n, cell in cluster.items())
    if raw is None:
        return []
    start = cmath.phase(raw.side / old.side) / (math.pi / 3)  # the turn between the raw cells and the old ones
    kin: dict[str, list[Cell]] = {}
    for cell, colour in known.items():
        kin.setdefault(colour, []).append(cell)
    flat = {colour: {q * 1000 + r for q, r in cells} for colour, cells in kin.items()}
    few = [(colour, q * 1000 + r) for (q, r), colour in known.items()][:TILES_TRIED]
    best, best_turn, pushes = 0, 0, list[tuple[float, Cell]]()
    most = min(len(cluster), len(known))
    agree = 2 if most > 5 else 1
    middle = sum(tiles[n][1] for n in cluster) / len(cluster)
    for turn in sorted(range(6), key=lambda turn: abs(math.remainder(start - turn, 6))):  # the smallest turn first
        cells = [(tiles[n][0], *turn_cell(cell, turn)) for n, cell in cluster.items()]
        numbers: dict[str, set[int]] = {}
        for colour, q, r in cells:
            numbers.setdefault(colour, set()).add(q * 1000 + r)
        tried: Counter[int] = Counter()
        if len(cells) > len(known):  # at least some of these tiles of the record lie in the cluster
            for colour, there in few:
                tried.update(there - number for number in numbers.get(colour, ()))
        else:
            for colour, q, r in cells[:TILES_TRIED]:  # at least some of these tiles stayed where they were
                tried.update(there - (q * 1000 + r) for there in flat.get(colour, ()))
        centre = sum(find_centre((q, r)) for _, q, r in cells) / len(cells)
        for shift in (shift for shift, votes in tried.most_common(8 if most > 8 else 40) if votes >= agree):
            hits = sum(
                len(flat[colour] & {n + shift for n in own}) for colour, own in numbers.items() if colour in flat
            )
            if hits > best or (hits == best and turn == best_turn):
                dq = (shift + 500) // 1000
                cell = dq, shift - dq * 1000
                far = abs(middle - old.side * (centre + find_centre(cell)) - old.base)
                pushes = [*(pushes if hits == best else ()), (far, cell)]
                best, best_turn = hits, turn
        if best == most:
            break
    if best < 2:
        return []
    found = []
    for _, (q, r) in sorted(pushes)[:MOST_PUSHES]:
        turned = ((turn_cell(cell, best_turn), tiles[n][1]) for n, cell in cluster.items())
        found.append(fit_frame(((a + q, b + r), z) for (a, b), z in turned))
    return [frame for frame in found if frame]
