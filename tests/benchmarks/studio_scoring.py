"""Compares what was told of a picture of the studio with its truth, and counts the good cases of each row."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import dist

import cv2
import numpy as np

from engine.axial import turn_cell
from tests.benchmarks.studio_cases import (
    Answer,
    Case,
    Map,
    ToldTag,
    ToldTile,
    TrueCard,
    TrueTile,
    cut_zone,
    draw_unseen,
    fit_lattice,
    list_flagged,
)
from tests.studio import ranges
from tests.studio.boards import Cell, find_cell_centre, list_free_cells
from tests.studio.scene import FIRST_CARD

REACH_OF_PITCH = 0.4
"""A told tile is a tile of the truth if their middles are nearer than this share of the pitch."""
REACH_OF_DOUBT_OF_PITCH = 0.5
"""A doubtful tile makes everything this near doubtful."""
REACH_OF_TAG_MODULES = 6.0
REACH_OF_BACK_MM = 20.0
WHOLE_BACK = 0.9
"""A face-down card with this share in view must be found."""
LEAST_ZONE_MM2 = 300
LEAST_CAUSE_MM2 = 20
CAUSE_RIM_MM = 5
"""What is this near to a zone is a cause for flagging it."""
BARE_RIM_MM = 15
FULL_CELL = 0.95
COVERING_MM2 = 100.0
"""A card that hides this much of another covers it, and must be told as such; below 10 mm2 it does not touch it."""
OBSTACLES = ("hand", "arm", "mug", "bowl", "phone")


@dataclass(frozen=True, slots=True)
class Mark:
    """``good`` of ``shown`` cases of a row are right."""

    row: str
    good: int
    shown: int


@dataclass(frozen=True, slots=True)
class TileMatch:
    """What was told of each tile of the truth, and which told tiles are none."""

    of_truth: tuple[tuple[TrueTile, ToldTile | None], ...]
    extra: tuple[ToldTile, ...]


def match_tiles(case: Case, answer: Answer) -> TileMatch:
    """The nearest pairs first; each tile once."""
    pairs = sorted(
        (distance, n, m)
        for n, tile in enumerate(case.tiles)
        for m, told in enumerate(answer.tiles)
        if (distance := _distance(case, tile, told)) < REACH_OF_PITCH
    )
    chosen: dict[int, int] = {}
    for _, n, m in pairs:
        if n not in chosen and m not in chosen.values():
            chosen[n] = m
    matched = tuple((tile, answer.tiles[chosen[n]] if n in chosen else None) for n, tile in enumerate(case.tiles))
    extra = tuple(told for m, told in enumerate(answer.tiles) if m not in chosen.values())
    return TileMatch(matched, extra)


def _distance(case: Case, tile: TrueTile, told: ToldTile) -> float:
    """In pitches."""
    if told.px is not None:
        return dist(told.px, tile.px) / tile.pitch_px
    return min(dist(told.mm, tile.seen), dist(told.mm, tile.mm)) / case.pitch_mm


def draw_doubt(case: Case, answer: Answer) -> Map:
    """The unseen places, and those around tiles that are told as doubtful."""
    plane = draw_unseen(case, answer).astype(np.uint8)
    reach = round(case.pitch_mm * REACH_OF_DOUBT_OF_PITCH)
    for tile in answer.tiles:
        if tile.doubtful:
            cv2.circle(plane, (int(tile.mm[0]), int(tile.mm[1])), reach, 1, -1)
    return plane.astype(np.bool_)


def is_in(plane: Map, *places: tuple[float, float]) -> bool:
    return any(0 <= y < plane.shape[0] and 0 <= x < plane.shape[1] and bool(plane[int(y), int(x)]) for x, y in places)


def is_right(tile: TrueTile, told: ToldTile | None) -> bool:
    """The colour and whether it is on the board; a doubtful tile is not told."""
    if told is None or told.doubtful or told.colour != tile.colour:
        return False
    return told.on_board is None or told.on_board == (tile.cell is not None)


def are_congruent(pairs: list[tuple[Cell, Cell]]) -> bool:
    """Do the cells agree up to a turn by sixths, a mirror and a shift?"""
    for mirrored in (False, True):
        for sixths in range(6):
            shifts = set()
            for (q, r), told in pairs:
                a, b = turn_cell((r, q) if mirrored else (q, r), sixths)
                shifts.add((told[0] - a, told[1] - b))
            if len(shifts) <= 1:
                return True
    return False


def is_exact(match: TileMatch) -> bool:
    """Every tile of the board, its colour and its neighbours, and nothing else on the board."""
    on_board = [(tile, told) for tile, told in match.of_truth if tile.cell is not None]
    if not all(is_right(tile, told) for tile, told in on_board):
        return False
    if any(told.on_board for tile, told in match.of_truth if tile.cell is None and told is not None):
        return False
    if any(not told.doubtful and told.on_board is not False for told in match.extra):
        return False
    return are_congruent([(tile.cell, told.cell) for tile, told in on_board if tile.cell and told and told.cell])


def find_silent(case: Case, match: TileMatch, doubt: Map) -> list[str]:
    """Each error of the board that is told as certain; an empty list is an honest board."""
    silent = []
    for tile, told in match.of_truth:
        if is_right(tile, told) or is_in(doubt, tile.seen, tile.mm):
            continue
        if tile.cell is not None:
            if told is None:
                silent.append(f"{tile.colour} tile {tile.cell} missing")
            elif told.colour != tile.colour:
                silent.append(f"{tile.colour} tile {tile.cell} told as {told.colour}")
            else:
                silent.append(f"{tile.colour} tile {tile.cell} told beside the board")
        elif told is not None and told.on_board:
            silent.append(f"{tile.colour} reserve tile told on the board")
    silent += [
        f"{told.colour} tile invented at {told.mm[0]:.0f}, {told.mm[1]:.0f} mm"
        for told in match.extra
        if told.on_board is not False and not told.doubtful and not is_in(doubt, told.mm)
    ]
    sure = [
        (tile.cell, told.cell)
        for tile, told in match.of_truth
        if tile.cell and told and told.cell and is_right(tile, told) and not is_in(doubt, tile.seen)
    ]
    return silent if are_congruent(sure) else [*silent, "cells do not agree"]


def score_board(case: Case, answer: Answer) -> Iterator[Mark]:
    """One picture of SIX. A board under a hand only has to be honest."""
    match = match_tiles(case, answer)
    doubt = draw_doubt(case, answer)
    yield Mark("silent boards", int(not find_silent(case, match, doubt)), 1)
    false = [told for told in match.extra if not told.doubtful]
    yield Mark("false tiles", int(not false), 1)
    if case.kind == "board-hand":
        return
    exact = is_exact(match)
    known = not any(tile.doubtful for tile in answer.tiles) and (
        answer.unseen_mm is None or not any(is_in(doubt, tile.seen) for tile in case.tiles if tile.cell is not None)
    )
    yield Mark("boards", int(exact and known), 1)
    yield Mark("boards, doubts aside", int(exact), 1)
    for row, on_board in (("board tiles", True), ("reserve tiles", False)):
        of_row = [(tile, told) for tile, told in match.of_truth if (tile.cell is not None) == on_board]
        if of_row:
            yield Mark(row, sum(is_right(tile, told) for tile, told in of_row), len(of_row))
    lattice = fit_lattice(case.tiles)
    if lattice is not None:
        free = [np.array([*find_cell_centre(cell), 1.0]) @ lattice for cell in list_free_cells(case.board)]
        inside = [(x, y) for x, y in free if 0 <= x < case.area[0] and 0 <= y < case.area[1]]
        yield Mark("empty neighbours", sum(not is_in(doubt, place) for place in inside), len(inside))


def score_sequence(before: Case, after: Case, answer: Answer) -> Iterator[Mark]:
    """After a hand has changed a tile: each place that changed is told right, or is doubtful."""
    match = match_tiles(after, answer)
    doubt = draw_doubt(after, answer)
    was, now = before.board, after.board
    changed = {cell for cell in was.keys() | now.keys() if was.get(cell) != now.get(cell)}
    good = True
    for tile, told in match.of_truth:
        if tile.cell in changed:
            good &= is_right(tile, told) or is_in(doubt, tile.seen, tile.mm)
    for tile in before.tiles:
        if tile.cell in changed and tile.cell not in now:
            left = any(_distance(before, tile, told) < REACH_OF_PITCH and not told.doubtful for told in match.extra)
            good &= not left or is_in(doubt, tile.seen, tile.mm)
    yield Mark("sequences", int(good), 1)


def find_tag(card: TrueCard, answer: Answer) -> ToldTag | None:
    reach = REACH_OF_TAG_MODULES * max(card.px_per_module, 1.0)
    near = (tag for tag in answer.tags if tag.payload == card.payload and dist(tag.px, card.tag_px) < reach)
    return next(near, None)


def is_told(card: TrueCard, answer: Answer) -> bool:
    if card.piece:
        return find_tag(card, answer) is not None
    return any(dist(back.mm, card.mm) < REACH_OF_BACK_MM for back in answer.backs)


def score_cards(case: Case, answer: Answer) -> Iterator[Mark]:
    """Tags, face-down cards, and hidden cards of one picture."""
    for card in case.cards:
        if card.piece and card.legible and card.px_per_module >= ranges.PX_PER_MODULE_WHOLE:
            row = name_tag_row(card.tag_visible)
            if row:
                yield Mark(row, int(is_told(card, answer)), 1)
    wrong = [tag for tag in answer.tags if not any(find_tag(card, answer) is tag for card in case.cards if card.piece)]
    yield Mark("misreads", int(not wrong), 1)
    zones = case.zones
    for card in case.cards:
        if not card.piece and card.zone.startswith("seat") and card.visible >= WHOLE_BACK:
            near = (back for back in answer.backs if dist(back.mm, card.mm) < REACH_OF_BACK_MM)
            yield Mark("backs", int(any(back.zone == card.zone for back in near)), 1)
    downs = [card for card in case.cards if not card.piece]
    yield Mark("false backs", int(all(_is_back(back.mm, downs) for back in answer.backs)), 1)
    flagged = list_flagged(case, answer)
    for card in case.cards:
        if card.zone in zones and card.zone_mm2 >= LEAST_ZONE_MM2 and not is_told(card, answer):
            yield Mark("hidden cards", int(card.zone in flagged), 1)
    yield from _score_covers(case, answer)


def _is_back(mm: tuple[float, float], cards: list[TrueCard]) -> bool:
    return any(dist(mm, card.mm) < REACH_OF_BACK_MM for card in cards)


def name_tag_row(visible: float) -> str:
    if visible >= 0.99:
        return "whole tags"
    if visible >= 0.75:
        return "tags 75 to 99"
    return "tags 50 to 75" if visible >= 0.5 else ""


def _score_covers(case: Case, answer: Answer) -> Iterator[Mark]:
    """Pairs of cards that were both read, the upper first."""
    read = {card.index: card for card in case.cards if card.piece and is_told(card, answer)}
    touching = {
        (read[over].piece, under.piece): mm2
        for under in read.values()
        for over, mm2 in under.covered_by.items()
        if over in read
    }
    pieces = {card.piece for card in read.values()}
    told = {pair for pair in answer.covers if set(pair) <= pieces}
    if told:
        yield Mark("covers told", len(told & touching.keys()), len(told))
    due = {pair for pair, mm2 in touching.items() if mm2 >= COVERING_MM2}
    if due:
        yield Mark("covers found", len(due & told), len(due))


def score_unseen(case: Case, answer: Answer) -> Iterator[Mark]:
    """Hands and things, flags without a cause, and bare cells, in the zones of any game."""
    zones, flagged = case.zones, list_flagged(case, answer)
    obstacles = {index: name for index, name in case.things.items() if name in OBSTACLES}
    for index in obstacles:
        for name, zone in zones.items():
            if int((cut_zone(case.owner, zone) == index).sum()) >= LEAST_ZONE_MM2:
                yield Mark("obstacle zones", int(name in flagged), 1)
    cause = _draw_causes(case, answer)
    for name, zone in zones.items():
        if int(cut_zone(cause, zone).sum()) < LEAST_CAUSE_MM2:
            yield Mark("flags", int(name not in flagged), 1)
    in_zone = np.zeros(case.owner.shape, np.bool_)
    for zone in zones.values():
        cut_zone(in_zone, zone)[:] = True
    has_places = answer.unseen_mm is not None or not answer.has_mat
    told = average_cells(draw_unseen(case, answer) & has_places) >= 0.5
    full = average_cells(np.isin(case.owner, list(obstacles)) & in_zone) >= FULL_CELL
    if full.any():
        yield Mark("obstacle cells", int((full & told).sum()), int(full.sum()))
    away = cv2.distanceTransform((case.owner < FIRST_CARD).astype(np.uint8), cv2.DIST_L2, 5) > BARE_RIM_MM
    bare = average_cells(away) >= 1.0
    if bare.any():
        yield Mark("bare cells", int((bare & ~told).sum()), int(bare.sum()))


def average_cells(plane: Map) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The share of each whole cell of 15 mm."""
    side = int(ranges.CELL_MM)
    rows, columns = plane.shape[0] // side, plane.shape[1] // side
    cut = plane[: rows * side, : columns * side].reshape(rows, side, columns, side)
    return np.asarray(cut.mean(axis=(1, 3)), np.float64)


def _draw_causes(case: Case, answer: Answer) -> Map:
    """Things, cards that were not told, tiles that were not told right, and a rim around them."""
    match = match_tiles(case, answer)
    cause = np.isin(case.owner, [*case.things, *(card.index for card in case.cards if not is_told(card, answer))])
    plane = cause.astype(np.uint8)
    wrong = [tile.seen for tile, told in match.of_truth if not is_right(tile, told)]
    for x, y in [*wrong, *(told.mm for told in match.extra)]:
        cv2.circle(plane, (int(x), int(y)), round(case.pitch_mm / 2), 1, -1)
    side = 2 * CAUSE_RIM_MM + 1
    return np.asarray(cv2.dilate(plane, np.ones((side, side), np.uint8)), np.bool_)


def score_picture(case: Case, answer: Answer) -> Iterator[Mark]:
    if case.game == "six":
        yield from score_board(case, answer)
        yield Mark("misreads", int(not answer.tags), 1)
    else:
        yield from score_cards(case, answer)
    yield from score_unseen(case, answer)


def list_right(case: Case, answer: Answer) -> frozenset[str]:
    """Everything that was told and is true."""
    tiles = {
        f"{tile.colour} tile at {tile.mm}" for tile, told in match_tiles(case, answer).of_truth if is_right(tile, told)
    }
    cards = {f"{card.payload or 'back'} at {card.mm}" for card in case.cards if is_told(card, answer)}
    return frozenset(tiles | cards)


def count_invented(case: Case, answer: Answer) -> int:
    """Tiles, backs and tags that are not on the table, or not in this colour."""
    match = match_tiles(case, answer)
    tiles = sum(not told.doubtful for told in match.extra)
    tiles += sum(told is not None and not told.doubtful and told.colour != tile.colour for tile, told in match.of_truth)
    downs = [card for card in case.cards if not card.piece]
    backs = sum(not _is_back(back.mm, downs) for back in answer.backs)
    found = [find_tag(card, answer) for card in case.cards if card.piece]
    return tiles + backs + sum(not any(tag is one for one in found) for tag in answer.tags)


def score_relit(case: Case, before: Answer, after: Answer) -> Iterator[Mark]:
    """The same table in other light than when it was empty: nothing is invented, and what was told is told again."""
    yield Mark("relit: invented", int(not count_invented(case, after)), 1)
    right = list_right(case, before)
    if right:
        yield Mark("relit: still told", len(right & list_right(case, after)), len(right))
