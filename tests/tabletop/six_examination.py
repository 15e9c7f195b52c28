"""Whole games of SIX in front of the referee, with several tiles between looks, arms, pushes, splits and faults."""

import random
from collections import Counter

from tests.tabletop.docket import Docket
from tests.tabletop.six_handling import handle_tiles
from tests.tabletop.six_mending import examine_fault
from tests.tabletop.six_rules import COLOURS, BrokenRule, Cell, Match, around, find_groups, find_shape
from tests.tabletop.six_session import HEIGHT, WIDTH, TileSession
from tests.tabletop.six_situations import bring_about

FAULTY = 0.2
"""After so many of the looks something is done wrong."""
HANDLED = 0.2
"""After so many of the other looks hands do something with the tiles besides playing."""
SITUATED = 0.15
"""After so many of the rest something happens that no careful player does."""
VARIANTS = ("plain", "spaced")
MOST_PLIES = 24
"""So many moves of phase 2 are looked at; most games do not end by themselves."""


def play_round(seed: int, variant: str) -> tuple[Counter[str], list[str]]:
    rng = random.Random(f"six {variant} {seed}")
    docket, first = Docket("six", variant, seed), rng.choice(COLOURS)
    docket.count("rounds")
    options = {"first": first, "first_tile_restriction": int(variant == "spaced"), "width": WIDTH, "height": HEIGHT}
    session = TileSession(rng, docket, options, Match(first, variant == "spaced"))
    session.settle()
    while session.match.winner is None and session.match.phase == 1:
        lay_some(session, rng.choice((1, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8)))
    for _ in range(MOST_PLIES):
        if session.match.winner is not None:
            break
        move_some(session, rng.choice((1, 1, 1, 1, 1, 1, 2, 2, 3, 4)))
    return docket.counts, docket.failures


def lay_some(session: TileSession, count: int) -> None:
    """Phase 1: both players lay their tiles in turn before anyone looks."""
    match, rng = session.match, session.rng
    for _ in range(count):
        if match.winner is not None or match.phase == 2:
            break
        colour, cell = match.turn, pick_cell(session)
        match.lay(colour, cell)
        session.table.put(colour, cell)
        session.said.append(f"lay {colour} {cell[0]} {cell[1]}")
        if rng.random() < 0.08:
            session.table.reach_over(*session.table.frame.spot(cell))
    disturb(session)
    if not session.settle() or match.winner is not None:
        return
    if rng.random() < FAULTY:
        examine_fault(session)
    elif rng.random() < HANDLED:
        handle_tiles(session)
    elif rng.random() < SITUATED:
        bring_about(session)


def pick_cell(session: TileSession) -> Cell:
    """A legal cell, mostly one that does not win."""
    match, rng = session.match, session.rng
    cells = sorted(match.free_cells(match.tiles))
    careless = rng.random() < 0.1
    rng.shuffle(cells)
    for cell in cells:
        if not careless and find_shape(match.own(match.turn) | {cell}, cell):
            continue
        if session.rng.random() < 0.5 and sum(beside in match.tiles for beside in around(cell)) < 2:
            continue
        trial = match.copy()
        try:
            trial.lay(match.turn, cell)
        except BrokenRule:
            continue
        return cell
    return pick_cell(session)


def move_some(session: TileSession, count: int) -> None:
    """Phase 2: some moves before anyone looks; a split ends the look, and what is lost goes little by little."""
    match, rng = session.match, session.rng
    for ply in range(count):
        if match.winner is not None:
            break
        lifted, target, keep = pick_move(session)
        tie = len(match.staying(lifted)) > 1
        lost = match.copy().move(lifted, target, keep)
        tile = session.table.find(lifted)
        assert tile is not None, f"the tile of {lifted} is lost"
        session.table.tiles.remove(tile)
        if ply == 0 and rng.random() < 0.1:
            session.look_in_mid_air()
        early = bool(lost) and rng.random() < 0.3
        session.litter = set(lost)
        if early:
            session.clear(len(lost))
        session.table.put(tile.colour, target)
        match.move(lifted, target, keep)
        if tie:
            session.said.append(f"keep {lifted[0]} {lifted[1]} {keep[0]} {keep[1]}")
            session.tie = lifted, target, keep
        session.said.append(f"move {lifted[0]} {lifted[1]} {target[0]} {target[1]}")
        if lost:
            session.said.append("clear")
            break
    disturb(session)
    while session.settle() and session.litter:
        session.clear(rng.randint(1, len(session.litter)))
    session.tie = None
    if match.winner is None and rng.random() < FAULTY:
        examine_fault(session)
    elif match.winner is None and rng.random() < HANDLED:
        handle_tiles(session)
    elif match.winner is None and rng.random() < SITUATED:
        bring_about(session)


def pick_move(session: TileSession) -> tuple[Cell, Cell, Cell]:
    """A legal move; every second one splits the board if there is one that does."""
    match, rng = session.match, session.rng
    own = sorted(match.own(match.turn))
    if rng.random() < 0.5:
        splitting = [cell for cell in own if len(find_groups(match.tiles.keys() - {cell})) > 1]
        own = splitting or own
    lifted = rng.choice(own)
    stays = rng.choice(match.staying(lifted))
    cells = sorted(match.free_cells(stays) - {lifted})
    return lifted, rng.choice(cells), min(stays)


def disturb(session: TileSession) -> None:
    """At times an arm rests over the board, or the whole board is pushed and turned."""
    rng, table = session.rng, session.table
    if rng.random() < 0.1:
        table.reach_over(rng.uniform(WIDTH * 0.3, WIDTH * 0.7), rng.uniform(HEIGHT * 0.3, HEIGHT * 0.7))
    if rng.random() < 0.1:
        middle_x = sum(tile.x for tile in table.tiles) / len(table.tiles)
        middle_y = sum(tile.y for tile in table.tiles) / len(table.tiles)
        home_x, home_y = (WIDTH / 2 - middle_x) / 4, (HEIGHT / 2 - middle_y) / 4
        table.push(home_x + rng.gauss(0, 15), home_y + rng.gauss(0, 15), rng.choice((0.0, rng.gauss(0, 8))))
