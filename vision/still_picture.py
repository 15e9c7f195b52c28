"""Reads one still picture of a table: pieces with their zones, tiles, what is hidden, and notes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.games import GAMES
from engine.options import BadOption
from engine.table import Area, Piece, find_hidden_zones
from vision.calibration.calibration_from_markers import update_calibration
from vision.calibration.table_calibration import TableCalibration
from vision.changes.card_backs import SeatView, bound_seats, find_backs, view_seats
from vision.changes.occlusion import Polygon
from vision.frame import Grey, shrink_frame, to_grey
from vision.live.back_tracker import outline_back, place_back
from vision.live.frame_reading import (
    FrameReading,
    ReadingSetup,
    add_occlusion,
    read_frame,
    sort_into_zones,
    view_empty_table,
)
from vision.live.hidden_cards import HiddenCardTracker
from vision.live.likeness_check import count_alike, outline_shown
from vision.live.picture_notes import Note
from vision.live.search_plan import IN_PHOTO
from vision.pieces import BACK, PIECES, has_tiles
from vision.tags.codebook import BOOK
from vision.tags.placement import outline_piece
from vision.tiles.finder import FoundTiles, cover_cut_off, find_tiles, outline_tile

Picture = NDArray[np.uint8]
MEASURED_SHARE = 0.01
"""By how much an area may measure less than a game or its seats need: overexposed markers look smaller, and the area
with them."""
FIELD_NAMES = ("top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right")
LARGEST_AREA = {"width": 1200, "height": 900}
"""An area in mm that has every zone of any game."""


def find_zones(game: str | None, width: float, height: float) -> tuple[Mapping[str, Area], list[Note]]:
    """The zones of a game on an area of this size; without a game the area itself."""
    whole = {"table": Area(0.0, 0.0, width, height)}
    if game is None:
        return whole, []
    zones, larger = _plan_zones(game, width, height), 1 + MEASURED_SHARE
    more = _plan_zones(game, width * larger, height * larger)
    if isinstance(more, BadOption):
        return whole, [Note("area", f"{more}: the zones of this game are not known here")]
    if not isinstance(zones, BadOption) and len(zones) >= len(more):
        return zones, []
    text = f"the area measures {width:.0f} x {height:.0f} mm, a little less than {_describe(zones)}: zones are smaller"
    return {name: _shrink(zone, larger) for name, zone in more.items()}, [Note("area", text)]


def _describe(zones: Mapping[str, Area] | BadOption) -> str:
    return "this game needs" if isinstance(zones, BadOption) else "more seats need"


def _plan_zones(game: str, width: float, height: float) -> Mapping[str, Area] | BadOption:
    """The zones of a game, or why this size has none."""
    try:
        return GAMES[game].plan({"width": round(width), "height": round(height)}).zones
    except BadOption as error:
        return error


def _shrink(zone: Area, times: float) -> Area:
    return Area(zone.left / times, zone.top / times, zone.right / times, zone.bottom / times)


def split_fields(width: float, height: float) -> Mapping[str, Area]:
    """The area in nine fields, for a picture without zones."""
    return {
        name: Area(width * (n % 3) / 3, height * (n // 3) / 3, width * (n % 3 + 1) / 3, height * (n // 3 + 1) / 3)
        for n, name in enumerate(FIELD_NAMES)
    }


@dataclass(frozen=True, slots=True, eq=False)
class PhotoReading:
    """What one picture shows; ``unseen`` are the zones that are not seen as a whole."""

    frame_reading: FrameReading
    grey: Grey
    tiles: FoundTiles
    unseen: tuple[str, ...]
    backs: tuple[tuple[str, Piece], ...] = ()
    """Face-down cards at seats, each with its zone."""


def use_empty(setup: ReadingSetup, bare: Picture, game: str | None) -> tuple[ReadingSetup, Picture | None]:
    """The set-up with the picture of the empty table in it; the picture itself only if reading still needs it.

    Memory is short: the caller drops the picture before it decodes the next one.
    """
    setup = _use_empty_markers(setup, bare)
    if setup.empty is not None and setup.calibration is not None:
        setup = replace(setup, seats=_view_seats(bare, setup.calibration, game))
    return setup, bare if has_tiles(game) or setup.empty is None else None


def read_picture(picture: Picture, game: str | None, bare: Picture | None, setup: ReadingSetup) -> PhotoReading:
    """Read one picture; ``setup`` and ``bare`` are what ``use_empty`` returned where there is an empty table."""
    notes: list[Note] = []
    grey = to_grey(picture)
    if bare is not None and setup.empty is None:
        setup, notes = _use_own_markers(setup, bare, grey)
    small_colour = partial(shrink_frame, picture) if picture.ndim == 3 else None
    setup = replace(setup, search=IN_PHOTO)
    seen = read_frame(grey, setup, small_colour=small_colour)
    if seen.calibration is not None:
        plan, more = find_zones(game, seen.calibration.area.right, seen.calibration.area.bottom)
        setup, notes = replace(setup, plan=plan), notes + more
        seen = sort_into_zones(seen, setup)
    tiles = FoundTiles(())
    if has_tiles(game):
        tiles = _find_tiles(picture, bare, seen, setup)
        notes += [Note("tiles", text) for text in tiles.notes]
        rings = [outline_tile(tile, tiles.size) for tile in tiles.tiles if tile.mm]
        seen = add_occlusion(seen, setup, grey, rings, thick=True)
        cut_off = cover_cut_off(tiles, (*seen.table.unseen, *tiles.unsure))
        tiles = replace(tiles, unsure=(*tiles.unsure, *cut_off))
        seen = replace(seen, table=replace(seen.table, unseen=(*seen.table.unseen, *tiles.unsure)))
    backs = _find_backs(picture, seen, setup, game)
    if backs:
        size = PIECES[game or BACK.game].size
        seen = add_occlusion(seen, setup, grey, [outline_back(back, size) for back in backs.values()])
    if not has_tiles(game):
        seen = _find_hidden_cards(picture, grey, seen, setup, game, backs.values())
    games = [BOOK[piece.tag.payload].game for piece in seen.pieces]
    others = sum(other not in (game, BACK.game) for other in games) if game else 0
    if others:
        notes.append(Note("other-game", f"{others} tag{'s' * (others > 1)} of another game"))
    shown = outline_shown(seen)
    shown += [outline_tile(tile, tiles.size) for tile in tiles.tiles if tile.mm]
    shown += [outline_back(back, PIECES[game or BACK.game].size) for back in backs.values()]
    seen = replace(seen, notes=(*seen.notes, *notes, *_note_likeness(seen, setup, grey, shown)))
    return PhotoReading(seen, grey, tiles, _find_unseen(seen, setup, game), tuple(sorted(backs.items())))


def _note_likeness(seen: FrameReading, setup: ReadingSetup, grey: Grey, shown: list[Polygon]) -> list[Note]:
    """A note if pieces like those that were found could lie on this table unnoticed."""
    alike = count_alike(seen, setup, grey, shown)
    if not alike:
        return []
    text = f"the table looks like {alike} of the {len(shown)} pieces on it: a covered one may go unnoticed"
    return [Note("alike", f"{text}; lay a cloth of another colour")]


def _use_empty_markers(setup: ReadingSetup, bare: Picture) -> ReadingSetup:
    """The set-up with the empty table in it, calibrated by its own markers."""
    grey = to_grey(bare)
    calibration, _ = update_calibration(grey, marker_mm=setup.marker_mm)
    if calibration is None:
        return setup
    return replace(setup, empty=view_empty_table(grey, calibration, shrink_frame(bare)), calibration=calibration)


def _use_own_markers(setup: ReadingSetup, bare: Picture, grey: Grey) -> tuple[ReadingSetup, list[Note]]:
    """The set-up with an empty table that shows no markers, calibrated by the other picture if it has the same size."""
    calibration = update_calibration(grey, marker_mm=setup.marker_mm)[0] if bare.shape[:2] == grey.shape else None
    if calibration is None:
        return setup, [Note("empty", "the picture of the empty table shows no markers: not used")]
    return replace(setup, empty=view_empty_table(to_grey(bare), calibration, shrink_frame(bare))), []


def _find_tiles(picture: Picture, bare: Picture | None, seen: FrameReading, setup: ReadingSetup) -> FoundTiles:
    if seen.calibration is None:
        return find_tiles(picture, bare)
    tagged = [
        (piece.piece, *piece.mm)
        for piece in seen.pieces
        if piece.mm is not None and has_tiles(BOOK[piece.tag.payload].game)
    ]
    # the empty table was calibrated by its own markers: the camera may have moved since
    scale = None if setup.calibration is None else setup.calibration.homography
    return find_tiles(
        picture,
        bare,
        to_mm=seen.calibration.homography,
        area=seen.calibration.area,
        tagged=tagged,
        empty_to_mm=scale,
        shade=seen.shade,
    )


def _list_seats(plan: Mapping[str, Area], game: str | None) -> Mapping[str, Area]:
    """The seats at which the cards of a game may lie face down."""
    if game not in PIECES or PIECES[game].stacked:
        return {}
    return {zone: area for zone, area in plan.items() if zone.startswith("seat:")}


def _view_seats(bare: Picture, calibration: TableCalibration, game: str | None) -> SeatView | None:
    """The empty seats of a game."""
    plan, _ = find_zones(game, calibration.area.right, calibration.area.bottom)
    seats = _list_seats(plan, game)
    return view_seats(bare, calibration, bound_seats(seats.values(), calibration.area)) if seats else None


def _find_backs(picture: Picture, seen: FrameReading, setup: ReadingSetup, game: str | None) -> Mapping[str, Piece]:
    """The face-down cards at the seats of a game, by their zones."""
    seats = _list_seats(setup.plan, game)
    if game is None or setup.seats is None or seen.calibration is None or seen.blind or not seats:
        return {}
    read = [np.array(outline_piece(piece)) for piece in seen.pieces if piece.mm is not None]
    return find_backs(picture, setup.seats, seen.calibration, seats, PIECES[game].size, read)


def _find_hidden_cards(
    picture: Picture, grey: Grey, seen: FrameReading, setup: ReadingSetup, game: str | None, backs: Iterable[Piece]
) -> FrameReading:
    """The reading with the places where a card must be that was not read, and with the pairs of overlapping cards."""
    if seen.calibration is None:
        return seen
    size = PIECES[game or BACK.game].size
    tracker = HiddenCardTracker({"table": seen.calibration.area}, setup.search, setup.empty)
    found = tracker.update(grey, seen, lambda: picture, [place_back(back, size) for back in backs])
    table = replace(seen.table, unseen=(*seen.table.unseen, *found.unseen), covers=found.covers)
    return replace(seen, table=table)


def _find_unseen(seen: FrameReading, setup: ReadingSetup, game: str | None) -> tuple[str, ...]:
    """The zones, or fields of the area, that are not seen as a whole: all, if it is not known where they are."""
    if seen.calibration is None:
        zones = {} if game is None else GAMES[game].plan(LARGEST_AREA).zones
        return tuple(sorted(FIELD_NAMES if set(zones) <= {"table"} else zones))
    area = seen.calibration.area
    plan = split_fields(area.right, area.bottom) if set(setup.plan) <= {"table"} else setup.plan
    return tuple(sorted(find_hidden_zones(plan, seen.table.unseen)))
