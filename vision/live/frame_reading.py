"""The reading of one frame: the work it costs depends on what has changed since the last."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from engine.table import Area, Piece, Table
from vision.calibration.calibration_from_markers import update_calibration
from vision.calibration.table_calibration import TableCalibration
from vision.changes import changed_areas, occlusion
from vision.changes.card_backs import SeatView
from vision.changes.cell_evidence import TableChange, measure_change
from vision.changes.light_fit import LightFit
from vision.changes.occlusion import CellBox, CompareTextures, Polygon
from vision.changes.texture import TextureShares, compare_textures
from vision.changes.top_view import (
    FINE_PER_CELL,
    EmptyView,
    Mask,
    TopView,
    project_empty_view,
    project_fine,
    project_top_view,
)
from vision.frame import Grey, Picture, shrink_frame
from vision.live.camera_sway import STILL, CameraSway, follow_sway
from vision.live.picture_notes import Note, measure_paper, note_brightness, note_light
from vision.live.search_plan import IN_GAME, SearchPlan
from vision.pieces import BACK
from vision.sticker_and_marker_sizes import MARKER_MM
from vision.tags.candidates import Box
from vision.tags.codebook import BOOK
from vision.tags.placement import (
    STICKER_RANGE_MM,
    PlacedTag,
    cover_doubtful,
    measure_stickers,
    outline_paper,
    outline_piece,
    place_tags,
)
from vision.tags.reader import ANY_SIZE, DecodedTag, Decoder, Leftover, Sizes, read_tags

FLAT_DEGREES, LEANING_DEGREES = 20.0, 30.0
"""A card that leans out of the table by more is in a hand. A tag may lean in either of two directions: one of them may
reach the second limit, because a bent or blurred card seems to lean by as much, if the other stays below the first."""
EVERYWHERE = Area(-1e6, -1e6, 1e6, 1e6)


@dataclass(frozen=True, slots=True, eq=False)
class ReadingSetup:
    """What is known about a table before the first frame is read."""

    plan: Mapping[str, Area] = field(default_factory=dict)
    sticker_mm: float | None = None
    marker_mm: float | None = MARKER_MM
    decoder: Decoder = "auto"
    empty: EmptyView | None = None
    search: SearchPlan = IN_GAME
    calibration: TableCalibration | None = None
    """From an earlier calibration; a camera that has moved since is noticed."""
    game: str | None = None
    """The game being played; pieces of another one are foreign objects. None: pieces of any game."""
    seats: SeatView | None = None
    """The empty seats of a game in which cards lie face down."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameReading:
    """What one frame shows. ``table`` holds only pieces that are in a zone and beyond doubt."""

    table: Table
    pieces: tuple[PlacedTag, ...]
    notes: tuple[Note, ...]
    calibration: TableCalibration | None
    small: Grey
    shape: tuple[int, int]
    moving: tuple[Area, ...] = ()
    """Where the picture changed since the last frame, in table mm."""
    sway: CameraSway = STILL
    """Of ``small``, and of the last frame that was compared with it."""
    pending: tuple[Box, ...] = ()
    """Where something changed and only what differs from the empty table was searched; the rest is searched once the
    picture is still."""
    view: TopView | None = None
    """The table from above, from which its occlusion is found."""
    light: LightFit | None = None
    """The light on the table relative to the empty one, from which the fit of the next frame starts."""
    shade: Mask | None = None
    """The cells that show the bare table in other light: no tile lies there."""

    @property
    def blind(self) -> bool:
        """Is the whole table unseen?"""
        return EVERYWHERE in self.table.unseen

    @property
    def error_mm(self) -> float | None:
        return None if self.calibration is None else self.calibration.error_mm


def view_empty_table(
    grey: Grey, calibration: TableCalibration, small: Grey | Picture | None = None, area: Area | None = None
) -> EmptyView:
    """The view of the empty table that later frames are compared with; in colour if ``small`` is."""
    shape = (grey.shape[0], grey.shape[1])
    small = shrink_frame(grey) if small is None else small
    return project_empty_view(small, calibration, shape, area, grey)


def sort_into_zones(reading: FrameReading, setup: ReadingSetup) -> FrameReading:
    """The same reading with its pieces in the zones of a plan that was not known when the frame was read."""
    tags = tuple(piece.tag for piece in reading.pieces)
    doubtful = {piece.tag for piece in reading.pieces if piece.doubtful}
    lying = place_tags(tags, reading.calibration, setup.plan, setup.sticker_mm)
    pieces = tuple(replace(piece, doubtful=piece.tag in doubtful) for piece in lying)
    seen = _select_in_play(pieces, reading.calibration, setup)
    return replace(reading, pieces=pieces, table=replace(reading.table, seen=seen))


def read_frame(
    grey: Grey,
    setup: ReadingSetup | None = None,
    before: FrameReading | None = None,
    small: Grey | None = None,
    small_colour: Callable[[], Picture] | None = None,
) -> FrameReading:
    """Read the table in a frame. ``before`` is the last reading, ``small`` the low-resolution stream, if any, and
    ``small_colour`` converts it to colour where something has changed.
    """
    setup = setup or ReadingSetup()
    small = shrink_frame(grey) if small is None else small
    shape = (grey.shape[0], grey.shape[1])
    if before is not None and before.shape != shape:
        before = None
    changed, sway = (None, STILL) if before is None else follow_sway(small, before.small, before.sway, shape)
    displaced = not changed and sway.displaced
    if displaced:
        changed = [(0, 0, shape[1], shape[0])]
    patient = before is not None and not changed
    if before is not None and patient and not before.pending and changed_areas.is_same_light(small, before.small):
        return _keep_reading(before, small, sway)
    lost = before is None or before.calibration is None
    calibration, notes = update_calibration(
        grey,
        setup.calibration if before is None or before.calibration is None else before.calibration,
        None if lost else changed,
        marker_mm=setup.marker_mm,
        sticker_mm=setup.sticker_mm,
    )
    # measured again, or found in its place by the markers
    if before is not None and (displaced or calibration is not before.calibration):
        sway = STILL
    now = None
    if calibration is not None:
        now = project_top_view(sway.undo(small if small_colour is None else small_colour()), calibration, shape)
    known = () if before is None else tuple(piece.tag for piece in before.pieces)
    sizes = None if calibration is None else _expect_sizes(calibration, setup, known)
    boxes = changed
    if before is not None and patient:
        boxes = list(before.pending)
    elif changed is not None:
        wide = 26 * max(sizes[1] if sizes else ANY_SIZE[1] / 2, 1.5)
        boxes = changed_areas.join_boxes([changed_areas.grow_box(box, wide, shape) for box in changed], shape)
    leftover: Leftover | None = None
    pending: tuple[Box, ...] = ()
    change = None
    if calibration is not None and now is not None and setup.empty is not None and not setup.search.outside:
        same = before is not None and changed_areas.is_same_light(small, before.small)
        change = measure_change(now, setup.empty, before=before.light if before is not None and same else None)
    covered_in: Leftover | None = None
    if calibration is not None and change is not None and (boxes or not patient):
        unexplained = partial(_find_unexplained, occlusion.find_occupied(change), calibration, setup, shape, boxes)
        if patient:
            covered_in = unexplained
        else:
            leftover = unexplained
            pending = (
                tuple(boxes or ())
                if before is None
                else tuple(changed_areas.join_boxes([*(boxes or ()), *before.pending], shape))
            )
            boxes = leftover(()) if boxes is None else boxes
    tags = read_tags(
        grey,
        known=known,
        boxes=boxes,
        px_module=sizes,
        decoder=setup.decoder,
        leftover=leftover,
        covered=setup.search.finders if setup.search.outside or covered_in else 0,
        covered_in=covered_in,
    )
    pieces, doubts = _place(tags, calibration, setup)
    paper = 0.0 if calibration is None else measure_paper(grey, calibration)
    notes += doubts + _note_strangers(pieces, calibration, setup) + note_brightness(small, paper)
    # where nothing can be measured nothing counts as seen
    blind = calibration is None or any(note.code in ("dark", "bright") for note in notes)
    table = Table(_select_in_play(pieces, calibration, setup), (EVERYWHERE,) if blind else ())
    found = FrameReading(table, pieces, tuple(notes), calibration, small, shape, sway=CameraSway(sway.total))
    moving = () if displaced else _to_areas(changed or [], calibration)  # the camera has moved, not the table
    found = replace(found, moving=moving, pending=pending, view=now)
    return found if blind else add_occlusion(found, setup, grey, change=change)


def _keep_reading(before: FrameReading, small: Grey, sway: CameraSway) -> FrameReading:
    """The same reading after a frame without a change; what comes to rest elsewhere is compared with from now on."""
    if sway.at_rest:
        return replace(before, moving=(), small=small, sway=CameraSway(sway.total))
    if before.moving or sway.since is not None or before.sway.since is not None:
        return replace(before, moving=(), sway=sway)
    return before


def _find_unexplained(
    taken: Mask,
    calibration: TableCalibration,
    setup: ReadingSetup,
    shape: tuple[int, int],
    boxes: list[Box] | None,
    tags: tuple[DecodedTag, ...],
) -> list[Box]:
    """Where the table is not bare and no card that was read explains it.

    A card within the outlines of those that were read is not found here; only a photo is searched for it.
    """
    outlines = [outline_piece(piece) for piece in place_tags(tags, calibration, {}, setup.sticker_mm)]
    explained = occlusion.fill_outlines(outlines, taken.shape)
    left = changed_areas.box_mask_parts(occlusion.subtract_explained(taken, explained), calibration, shape)
    return changed_areas.join_if_smaller(
        left if boxes is None else changed_areas.select_overlapping(left, boxes), shape
    )


def add_occlusion(
    reading: FrameReading,
    setup: ReadingSetup,
    grey: Grey | None = None,
    lying: Iterable[Polygon] = (),
    change: TableChange | None = None,
    *,
    thick: bool = False,
) -> FrameReading:
    """The reading with its unseen areas; ``lying`` are outlines, in mm, of pieces without a tag, which are ``thick``
    if they are tiles.

    ``grey`` is the frame itself: where something has changed its texture is compared with that of the empty table.
    ``change`` is the comparison with the empty table, if it has been made.
    """
    now = reading.view
    if reading.calibration is None or reading.blind or now is None:
        return reading
    ours = [piece for piece in reading.pieces if piece.mm is not None and _belongs(piece, setup)]
    # the paper of a marker reaches into the area and is the first to burn out
    others = list(lying)
    outlines = (
        [outline_piece(piece) for piece in ours]
        + others
        + [outline_paper(quad) for quad in reading.calibration.markers.values()]
    )
    notes, light = [note for note in reading.notes if note.code != "light"], reading.light
    shade = None
    if setup.empty is not None:
        explained = occlusion.fill_outlines(outlines, now.shape)
        change = change or measure_change(now, setup.empty, explained, light)
        still = reading.sway.total is None  # the texture of a swaying table does not lie where it was
        empty = setup.empty.resize(now.shape)
        textures = _compare_textures(grey if still else None, reading.calibration, empty)
        tiles = occlusion.fill_outlines(others, now.shape, 0.0) if thick else None
        found = occlusion.find_occlusion(now, empty, explained, change, textures, tiles)
        hidden, light, shade = occlusion.cover_mask(found.hidden), change.light, found.shade
        notes += note_light(found.gain, occlusion.measure_burnt(now))
    else:
        hidden = occlusion.cover_mask(occlusion.find_glare(now))
    table = replace(reading.table, unseen=(*hidden, *cover_doubtful(ours)))
    return replace(reading, table=table, notes=tuple(notes), light=light, shade=shade)


def _compare_textures(grey: Grey | None, calibration: TableCalibration, empty: EmptyView) -> CompareTextures | None:
    fine = empty.fine
    if grey is None or fine is None:
        return None

    def compare(cells: CellBox) -> TextureShares:
        left, top, right, bottom = (FINE_PER_CELL * cell for cell in cells)
        return compare_textures(project_fine(grey, calibration, empty.view.shape, cells), fine[top:bottom, left:right])

    return compare


def _to_areas(boxes: list[Box], calibration: TableCalibration | None) -> tuple[Area, ...]:
    """Boxes of a picture as areas of the table, in mm."""
    if calibration is None:
        return ()
    found = []
    for left, top, right, bottom in boxes:
        mm = calibration.to_mm(np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64))
        (x0, y0), (x1, y1) = mm.min(0).tolist(), mm.max(0).tolist()
        found.append(Area(x0, y0, x1, y1))
    return tuple(found)


def _place(
    tags: tuple[DecodedTag, ...], calibration: TableCalibration | None, setup: ReadingSetup
) -> tuple[tuple[PlacedTag, ...], list[Note]]:
    notes: list[Note] = []
    flat = tags
    if calibration is not None and tags:
        leans = calibration.measure_tilts(np.array([tag.corners for tag in tags]))
        flat = tuple(
            tag
            for tag, (least, most) in zip(tags, leans, strict=True)
            if least <= FLAT_DEGREES or most <= LEANING_DEGREES
        )
    lying = place_tags(flat, calibration, setup.plan, setup.sticker_mm)
    held = len(tags) - len(flat)
    if held:
        notes.append(Note("held", f"{held} tag{'s' if held > 1 else ''} tilted, as in a hand: left out"))
    often = [piece.tag.payload for piece in lying]
    twice = {payload for payload in often if often.count(payload) > 1 and BOOK[payload].game != BACK.game}
    for payload in sorted(twice):
        text = f"{BOOK[payload].piece} ({payload}) is seen {often.count(payload)} times: none of them counts"
        notes.append(Note("seen-twice", text))
    return tuple(replace(piece, doubtful=piece.tag.payload in twice) for piece in lying), notes


def _select_in_play(
    pieces: tuple[PlacedTag, ...], calibration: TableCalibration | None, setup: ReadingSetup
) -> frozenset[Piece]:
    """Pieces in a zone, or in the area if there is no plan: a tag anywhere else is in a hand."""
    if calibration is None:
        return frozenset()
    area, seen = calibration.area, set()
    for piece in pieces:
        if piece.mm is None or piece.doubtful or not _belongs(piece, setup):
            continue
        if piece.zone is not None if setup.plan else area.contains(*piece.mm):
            seen.add(Piece(piece.piece, piece.mm[0], piece.mm[1], piece.angle or 0.0))
    return frozenset(seen)


def _belongs(piece: PlacedTag, setup: ReadingSetup) -> bool:
    return setup.game is None or BOOK[piece.tag.payload].game in (setup.game, BACK.game)


def _note_strangers(
    pieces: Iterable[PlacedTag], calibration: TableCalibration | None, setup: ReadingSetup
) -> list[Note]:
    """A note about cards of another game in the area; those in a hand or beside the table do not count."""
    if calibration is None:
        return []
    area = calibration.area
    others = [piece for piece in pieces if piece.mm and area.contains(*piece.mm) and not _belongs(piece, setup)]
    return [Note("other-game", f"{len(others)} tag{'s' * (len(others) > 1)} of another game")] if others else []


def _expect_sizes(calibration: TableCalibration, setup: ReadingSetup, known: tuple[DecodedTag, ...]) -> Sizes:
    """Pixels per module to expect: of a sticker of known size, or else of any size that can be printed."""
    if setup.sticker_mm is not None:
        least, most = calibration.px_module(setup.sticker_mm)
        return least * 0.93, most * 1.07
    if len(known) > 2:
        sizes = measure_stickers(calibration, known)
        return calibration.px_module(min(sizes))[0] * 0.93, calibration.px_module(max(sizes))[1] * 1.07
    return calibration.px_module(STICKER_RANGE_MM[0])[0] * 0.93, calibration.px_module(STICKER_RANGE_MM[1])[1] * 1.07
