"""The table at rest from readings over time: what moves or is hidden counts as unseen until it has rested."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.table import Area, Cover, Piece, Table
from vision.live.same_occlusion import is_same_occlusion

REST_S, DOUBTED_REST_S, FADED_S = 0.4, 0.8, 1.0
"""Seconds of rest before a zone counts, before a change counts that the caller doubts, and before a piece is believed
to be gone although nothing moved there."""
PENDING_READINGS = 2
"""A piece may be read for the first time this many readings after its place came to rest, and has been there all the
time: while something moves elsewhere not everything is read."""
FORGET_S = 0.5
"""Seconds after which a piece that was seen in passing is forgotten."""
FLICKER_READINGS = 4
"""This many readings in a row may miss a piece beside which nothing has moved."""
SLACK_MM, SLACK_DEGREES = 5.0, 15.0
"""A piece within these limits of where it was has not moved."""
HIDING_REACH_MM = 60.0
"""A missing piece this near to something hidden may lie under it."""
Doubt = Callable[[Table], Collection[str]]
"""Takes the table as it would be reported, and returns the zones whose change has to rest for longer."""
SEARCH_S = 0.3
"""A change in a zone that has yet to be searched for hidden cards counts later by this much at most."""


@dataclass(frozen=True, slots=True)
class Track:
    """One piece in one place, over the readings that agree on it; ``held`` once it counts.

    ``seen`` is where it was when its zone came to rest, ``latest`` where the last reading shows it.
    """

    seen: Piece
    latest: Piece
    zone: str
    first: float
    last: float
    readings: int = 1
    missed: int = 0
    held: bool = False


@dataclass(frozen=True, slots=True)
class ZoneRest:
    """How long a zone has rested: nothing has moved ``since``, in this many ``readings``.

    It was last seen as a whole at ``clear``; ``hidden`` are the areas that hide some of it now.
    """

    since: float
    clear: float
    readings: int = 0
    settled: bool = False
    hidden: tuple[Area, ...] = ()
    hidden_at_rest: tuple[Area, ...] = ()
    """What was hidden when it came to rest: compared with that, something that creeps has moved in the end."""


@dataclass(frozen=True, slots=True)
class SteadyTable:
    """The table at rest after all readings so far."""

    plan: Mapping[str, Area]
    at: float = -math.inf
    tracks: tuple[Track, ...] = ()
    rests: Mapping[str, ZoneRest] = field(default_factory=dict)
    covers: frozenset[Cover] = frozenset()
    """What the last reading showed of pieces that lie on one another."""

    @property
    def table(self) -> Table:
        """The pieces at rest; everything else is unseen."""
        seen: set[Piece] = set()
        unseen = [area for zone, area in self.plan.items() if not self._is_settled(zone)]
        hidden = {area for rest in self.rests.values() if rest.settled for area in rest.hidden}
        for track in self.tracks:
            if not self._is_settled(track.zone):
                continue
            rest = self.rests[track.zone]
            veiled = track.missed > 1 and (_is_hidden(track, rest.hidden) or _is_hidden(track, rest.hidden_at_rest))
            # a piece that has appeared in a zone at rest is no more certain to be there than not to be
            if veiled if track.held else not track.missed:
                x, y = track.seen.x, track.seen.y
                hidden.add(Area(x - 1, y - 1, x + 1, y + 1))
            elif track.held:
                seen.add(track.seen)
        names = {piece.piece for piece in seen}
        covers = frozenset(pair for pair in self.covers if names.issuperset(pair))
        return Table(frozenset(seen), (*unseen, *sorted(hidden, key=_sort_key)), covers)

    def measure_hidden(self) -> Mapping[str, float]:
        """The zones that are not seen as a whole, and for how many seconds already."""
        return {zone: self.at - rest.clear for zone, rest in self.rests.items() if not rest.settled or rest.hidden}

    def _is_settled(self, zone: str) -> bool:
        return zone in self.rests and self.rests[zone].settled


def start_steady(plan: Mapping[str, Area]) -> SteadyTable:
    """Nothing has been read yet, so everything is unseen."""
    return SteadyTable(dict(plan))


def split_into_patches(area: Area, side: float = 80.0) -> dict[str, Area]:
    """A free area cut into zones of about ``side`` mm, so that a hand hides only the part below it."""
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
    table: Table | None,
    moving: Collection[Area] = (),
    doubt: Doubt | None = None,
    *,
    searched: Collection[str] = (),
    waiting: Collection[str] = (),
) -> SteadyTable:
    """The table at rest after one more reading, taken at ``at`` seconds.

    A failed reading (None) and one not newer than the last change nothing. ``moving`` is where the picture differs from
    the one before. ``searched`` are zones of which this reading may show more although nothing has changed there, as
    they have been searched further, ``waiting`` those that will be. ``doubt`` is asked about the table as it would be.
    """
    if table is None or at <= steady.at:
        return steady
    rests = {zone: _update_rest(steady, zone, at, table, moving, searched=zone in searched) for zone in steady.plan}
    now = SteadyTable(steady.plan, at, _update_tracks(steady, at, table, rests), rests, table.covers)
    ready = [
        zone
        for zone in now.plan
        if _rest_seconds(now, zone) >= REST_S + SEARCH_S * (zone in waiting) - 1e-6 and _is_confirmed(now, zone)
    ]
    news = [zone for zone in ready if _would_change(now, zone)]
    if news and doubt is not None:
        doubted = doubt(_settle(now, ready).table)
        ready = [
            z for z in ready if z not in news or z not in doubted or _rest_seconds(now, z) >= DOUBTED_REST_S - 1e-6
        ]
    return _settle(now, ready)


def _sort_key(area: Area) -> tuple[float, float, float, float]:
    return area.left, area.top, area.right, area.bottom


def _update_rest(
    steady: SteadyTable, zone: str, at: float, table: Table, moving: Collection[Area], *, searched: bool
) -> ZoneRest:
    """The rest of a zone after one more reading."""
    place = steady.plan[zone]
    hidden = tuple(sorted((area for area in table.unseen if area.overlaps(place)), key=_sort_key))
    before = steady.rests.get(zone)
    if before is None:
        return ZoneRest(at, at, readings=1, hidden=hidden, hidden_at_rest=hidden)
    clear = steady.at if before.settled and not before.hidden else before.clear
    if any(area.overlaps(place) for area in moving) or not (
        searched or is_same_occlusion(hidden, before.hidden_at_rest, place)
    ):
        return ZoneRest(at, clear, hidden=hidden, hidden_at_rest=hidden)
    at_rest = hidden if searched else before.hidden_at_rest
    return replace(before, clear=clear, readings=before.readings + 1, hidden=hidden, hidden_at_rest=at_rest)


def _update_tracks(steady: SteadyTable, at: float, table: Table, rests: Mapping[str, ZoneRest]) -> tuple[Track, ...]:
    """Each piece seen prolongs its track or begins one; the other tracks miss one reading more."""
    left = sorted(table.seen, key=lambda seen: (seen.piece, seen.x, seen.y, seen.angle))
    tracks: list[Track] = []
    for track in sorted(steady.tracks, key=lambda t: not t.held):
        near = [seen for seen in left if _is_same(track.seen, seen)]
        if near:
            latest = min(near, key=lambda s: math.hypot(s.x - track.seen.x, s.y - track.seen.y))
            left.remove(latest)
            tracks.append(replace(track, latest=latest, last=at, readings=track.readings + 1, missed=0))
        elif track.held or at - track.last < FORGET_S:
            tracks.append(replace(track, missed=track.missed + 1))
    for seen in left:
        zone = next((name for name, area in steady.plan.items() if area.contains(seen.x, seen.y)), None)
        if zone is not None:
            tracks.append(Track(seen, seen, zone, at, at))
    return tuple(track for track in tracks if not _has_faded(track, rests[track.zone], at))


def _is_same(a: Piece, b: Piece) -> bool:
    if a.piece != b.piece or math.hypot(a.x - b.x, a.y - b.y) > SLACK_MM:
        return False
    whole = 60 if a.piece in ("red", "black") else 360  # a hexagon looks the same after a sixth of a turn
    return abs((a.angle - b.angle + whole / 2) % whole - whole / 2) <= SLACK_DEGREES


def _has_faded(track: Track, rest: ZoneRest, at: float) -> bool:
    """Gone although nothing moved there: believed only after ``FADED_S``."""
    alone = track.held and rest.settled and not _is_hidden(track, rest.hidden)
    return alone and track.missed >= FLICKER_READINGS and at - track.last >= FADED_S


def _is_hidden(track: Track, hidden: Iterable[Area]) -> bool:
    x, y = track.seen.x, track.seen.y
    return any(
        area.left - HIDING_REACH_MM < x < area.right + HIDING_REACH_MM
        and area.top - HIDING_REACH_MM < y < area.bottom + HIDING_REACH_MM
        for area in hidden
    )


def _is_there(track: Track, rest: ZoneRest) -> bool:
    """Is it seen now, or was it seen since the zone came to rest and only missed by the last readings?"""
    return not track.missed or (track.last > rest.since and track.missed < FLICKER_READINGS and track.readings > 1)


def _tracks_in(now: SteadyTable, zone: str) -> Iterable[Track]:
    return (track for track in now.tracks if track.zone == zone)


def _is_confirmed(now: SteadyTable, zone: str) -> bool:
    """Have two readings shown the same of the zone and of every piece in it?"""
    fresh = (track for track in _tracks_in(now, zone) if not track.held and not track.missed)
    return now.rests[zone].readings > 1 and all(track.readings > 1 for track in fresh)


def _rest_seconds(now: SteadyTable, zone: str) -> float:
    """Seconds for which the zone has been as it is."""
    rest = now.rests[zone]
    fresh = (
        track.first
        for track in _tracks_in(now, zone)
        if not track.held and track.readings <= rest.readings - PENDING_READINGS and _is_there(track, rest)
    )
    return now.at - max(rest.since, max(fresh, default=-math.inf))


def _would_change(now: SteadyTable, zone: str) -> bool:
    """Would settling the zone change the pieces held in it?"""
    rest = now.rests[zone]
    return any(
        not track.held if _is_there(track, rest) else track.held and not _is_kept(track, rest)
        for track in _tracks_in(now, zone)
    )


def _is_kept(track: Track, rest: ZoneRest) -> bool:
    """A held piece that is not seen, without a sign that it is gone."""
    return rest.settled or _is_hidden(track, rest.hidden)


def _settle(now: SteadyTable, zones: Collection[str]) -> SteadyTable:
    """Take over what these zones show; the others stay as they were."""
    tracks = []
    for track in now.tracks:
        rest = now.rests[track.zone]
        if track.zone in zones and _is_there(track, rest):
            # a hand may have nudged it
            tracks.append(replace(track, held=True, seen=track.seen if rest.settled else track.latest))
        elif track.zone not in zones or not track.held or _is_kept(track, rest):
            tracks.append(track)
    rests = {zone: replace(rest, settled=rest.settled or zone in zones) for zone, rest in now.rests.items()}
    fresh = [t for t in now.tracks if not t.held and t.zone in zones and _is_there(t, now.rests[t.zone])]
    return replace(now, tracks=_without_old_places(tracks, fresh, rests), rests=rests)


def _without_old_places(
    tracks: list[Track], fresh: Iterable[Track], rests: Mapping[str, ZoneRest]
) -> tuple[Track, ...]:
    """A piece that was read at a new place is no longer held at one where it is missed."""
    for new in fresh:
        old = [
            track
            for track in tracks
            if track.held
            and track.missed
            and track.seen.piece == new.seen.piece
            and not _is_hidden(track, rests[track.zone].hidden)
        ]
        if old:
            tracks.remove(min(old, key=lambda t: math.hypot(t.seen.x - new.seen.x, t.seen.y - new.seen.y)))
    return tuple(tracks)
