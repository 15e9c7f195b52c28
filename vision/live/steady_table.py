"""Looks over time into the table as it lies: what moves, or lies under a hand, is unseen until it rests."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.table import Area, Piece, Table
from vision.live.steady_occlusion import is_same_occlusion

REST_S, DOUBTED_REST_S, FADED_S = 0.4, 0.8, 1.0
"""Seconds of rest before a zone counts, before a change counts that the caller doubts, and before something is
believed to be gone although nothing moved there."""
PENDING_READINGS = 2
"""So many looks after a place has come to rest what lies there may be read for the first time, and has lain there
all the same: while something moves elsewhere not everything is read."""
FORGET_S = 0.5
"""Seconds after which something seen in passing is forgotten."""
FLICKER_READINGS = 4
"""So many looks in a row may fail to read a piece beside which nothing has moved."""
SLACK_MM, SLACK_DEGREES = 5.0, 15.0
"""A piece within so many mm and degrees of where it was has not moved."""
HIDING_REACH_MM = 60.0
"""A missing piece so near (mm) to something hidden may lie under it."""
Doubt = Callable[[Table], Collection[str]]


@dataclass(frozen=True, slots=True)
class Track:
    """One piece in one place, over the looks that agree on it; ``held`` once it counts."""

    seen: Piece
    zone: str
    first: float
    last: float
    looks: int = 1
    missed: int = 0
    held: bool = False


@dataclass(frozen=True, slots=True)
class ZoneRest:
    """A zone's peace: nothing has moved ``since``, in so many looks. ``veils`` hide some of it."""

    since: float
    clear: float
    looks: int = 0
    settled: bool = False
    veils: tuple[Area, ...] = ()
    then: tuple[Area, ...] = ()
    """The veils of when it came to rest: something that creeps has moved in the end."""


@dataclass(frozen=True, slots=True)
class SteadyTable:
    """The table at rest after all looks so far."""

    plan: Mapping[str, Area]
    at: float = -math.inf
    tracks: tuple[Track, ...] = ()
    rests: Mapping[str, ZoneRest] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """What lies still, and everything else as unseen."""
        seen: set[Piece] = set()
        unseen = [area for zone, area in self.plan.items() if not self._settled(zone)]
        veils = {veil for rest in self.rests.values() if rest.settled for veil in rest.veils}
        for track in self.tracks:
            if track.held and self._settled(track.zone):
                if track.missed > 1 and _veiled(track, self.rests[track.zone]):
                    x, y = track.seen.x, track.seen.y
                    veils.add(Area(x - 1, y - 1, x + 1, y + 1))
                else:
                    seen.add(track.seen)
        return Table(frozenset(seen), (*unseen, *sorted(veils, key=_order)))

    def hidden(self) -> Mapping[str, float]:
        """The zones that cannot be vouched for in full, and for how many seconds already."""
        return {zone: self.at - rest.clear for zone, rest in self.rests.items() if not rest.settled or rest.veils}

    def _settled(self, zone: str) -> bool:
        return zone in self.rests and self.rests[zone].settled


def start_steady(plan: Mapping[str, Area]) -> SteadyTable:
    """Nothing has been looked at, so everything is unseen."""
    return SteadyTable(dict(plan))


def split_into_patches(area: Area, side: float = 80.0) -> dict[str, Area]:
    """A free area cut into zones of about ``side`` mm, so that a hand hides no more than it must."""
    cols = max(1, round((area.right - area.left) / side))
    rows = max(1, round((area.bottom - area.top) / side))
    xs = [area.left + (area.right - area.left) * col / cols for col in range(cols + 1)]
    ys = [area.top + (area.bottom - area.top) * row / rows for row in range(rows + 1)]
    return {
        f"patch:{col + 1},{row + 1}": Area(xs[col], ys[row], xs[col + 1], ys[row + 1])
        for row in range(rows)
        for col in range(cols)
    }


def advance(
    steady: SteadyTable,
    at: float,
    look: Table | None,
    moving: Collection[Area] = (),
    doubt: Doubt | None = None,
    *,
    again: bool = False,
) -> SteadyTable:
    """The table after one more look, taken at ``at`` seconds; looked at ``again`` the same picture may show more.

    A look that failed (None) or is not newer than the last changes nothing. ``moving`` is where the picture differs
    from the one before. ``doubt`` is shown the table as it would be, and names the zones whose change had better wait.
    """
    if look is None or at <= steady.at:
        return steady
    rests = {zone: _rested(steady, zone, at, look, moving, again=again) for zone in steady.plan}
    now = SteadyTable(steady.plan, at, _followed(steady, at, look, rests), rests)
    ready = [zone for zone in now.plan if _calm(now, zone) >= REST_S - 1e-6 and _agreed(now, zone)]
    news = [zone for zone in ready if _changes(now, zone)]
    if news and doubt is not None:
        doubted = doubt(_settle(now, ready).table)
        ready = [z for z in ready if z not in news or z not in doubted or _calm(now, z) >= DOUBTED_REST_S - 1e-6]
    return _settle(now, ready)


def _order(area: Area) -> tuple[float, float, float, float]:
    return area.left, area.top, area.right, area.bottom


def _rested(
    steady: SteadyTable, zone: str, at: float, look: Table, moving: Collection[Area], *, again: bool
) -> ZoneRest:
    """One more look at a zone: is it left alone?"""
    place = steady.plan[zone]
    veils = tuple(sorted((area for area in look.unseen if area.meets(place)), key=_order))
    before = steady.rests.get(zone)
    if before is None:
        return ZoneRest(at, at, looks=1, veils=veils, then=veils)
    clear = steady.at if before.settled and not before.veils else before.clear
    if any(area.meets(place) for area in moving) or not (again or is_same_occlusion(veils, before.then, place)):
        return ZoneRest(at, clear, veils=veils, then=veils)
    return replace(before, clear=clear, looks=before.looks + 1, veils=veils, then=veils if again else before.then)


def _followed(steady: SteadyTable, at: float, look: Table, rests: Mapping[str, ZoneRest]) -> tuple[Track, ...]:
    """Each piece seen prolongs its track or begins one; the others grow old."""
    left = sorted(look.seen, key=lambda seen: (seen.piece, seen.x, seen.y, seen.angle))
    tracks: list[Track] = []
    for track in sorted(steady.tracks, key=lambda t: not t.held):
        near = [seen for seen in left if _same(track.seen, seen)]
        if near:
            left.remove(min(near, key=lambda s: math.hypot(s.x - track.seen.x, s.y - track.seen.y)))
            tracks.append(replace(track, last=at, looks=track.looks + 1, missed=0))
        elif track.held or at - track.last < FORGET_S:
            tracks.append(replace(track, missed=track.missed + 1))
    for seen in left:
        zone = next((name for name, area in steady.plan.items() if area.holds(seen.x, seen.y)), None)
        if zone is not None:
            tracks.append(Track(seen, zone, at, at))
    return tuple(track for track in tracks if not _faded(track, rests[track.zone], at))


def _same(a: Piece, b: Piece) -> bool:
    if a.piece != b.piece or math.hypot(a.x - b.x, a.y - b.y) > SLACK_MM:
        return False
    whole = 60 if a.piece in ("red", "black") else 360  # a hexagon looks the same after a sixth of a turn
    return abs((a.angle - b.angle + whole / 2) % whole - whole / 2) <= SLACK_DEGREES


def _faded(track: Track, rest: ZoneRest, at: float) -> bool:
    """Gone although nothing moved there: believed only after long."""
    alone = track.held and rest.settled and not _veiled(track, rest)
    return alone and track.missed >= FLICKER_READINGS and at - track.last >= FADED_S


def _veiled(track: Track, rest: ZoneRest) -> bool:
    x, y = track.seen.x, track.seen.y
    return any(
        veil.left - HIDING_REACH_MM < x < veil.right + HIDING_REACH_MM
        and veil.top - HIDING_REACH_MM < y < veil.bottom + HIDING_REACH_MM
        for veil in rest.veils
    )


def _there(track: Track, rest: ZoneRest) -> bool:
    """Is it seen now, or was it since the zone came to rest and merely fails to be read?"""
    return not track.missed or (track.last > rest.since and track.missed < FLICKER_READINGS and track.looks > 1)


def _mine(now: SteadyTable, zone: str) -> Iterable[Track]:
    return (track for track in now.tracks if track.zone == zone)


def _agreed(now: SteadyTable, zone: str) -> bool:
    """Have two looks shown the same, of the zone and of every piece in it?"""
    fresh = (track for track in _mine(now, zone) if not track.held and not track.missed)
    return now.rests[zone].looks > 1 and all(track.looks > 1 for track in fresh)


def _calm(now: SteadyTable, zone: str) -> float:
    """Seconds for which the zone has been as it is."""
    rest = now.rests[zone]
    fresh = (
        track.first
        for track in _mine(now, zone)
        if not track.held and track.looks <= rest.looks - PENDING_READINGS and _there(track, rest)
    )
    return now.at - max(rest.since, max(fresh, default=-math.inf))


def _changes(now: SteadyTable, zone: str) -> bool:
    """Would settling the zone change what is held of it?"""
    rest = now.rests[zone]
    return any(
        not track.held if _there(track, rest) else track.held and not _kept(track, rest) for track in _mine(now, zone)
    )


def _kept(track: Track, rest: ZoneRest) -> bool:
    """Not to be seen, but nothing says that it is gone."""
    return rest.settled or _veiled(track, rest)


def _settle(now: SteadyTable, zones: Collection[str]) -> SteadyTable:
    """These zones as they show themselves; the others stay as they were."""
    tracks = []
    for track in now.tracks:
        rest = now.rests[track.zone]
        if track.zone in zones and _there(track, rest):
            tracks.append(replace(track, held=True))
        elif track.zone not in zones or not track.held or _kept(track, rest):
            tracks.append(track)
    rests = {zone: replace(rest, settled=rest.settled or zone in zones) for zone, rest in now.rests.items()}
    fresh = [t for t in now.tracks if not t.held and t.zone in zones and _there(t, now.rests[t.zone])]
    return replace(now, tracks=_without_shadows(tracks, fresh, rests), rests=rests)


def _without_shadows(tracks: list[Track], fresh: Iterable[Track], rests: Mapping[str, ZoneRest]) -> tuple[Track, ...]:
    """A piece that lies somewhere new no longer lies where it cannot be seen."""
    for new in fresh:
        old = [
            track
            for track in tracks
            if track.held
            and track.missed
            and track.seen.piece == new.seen.piece
            and not _veiled(track, rests[track.zone])
        ]
        if old:
            tracks.remove(min(old, key=lambda t: math.hypot(t.seen.x - new.seen.x, t.seen.y - new.seen.y)))
    return tuple(tracks)
