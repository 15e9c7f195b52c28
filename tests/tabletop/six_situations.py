"""What a hostile examiner adds to the play of SIX: hurried turns, hands over what leaves, and ends that nobody saw."""

from collections.abc import Callable

from engine.referee import Follows, Refused
from tests.tabletop.docket import ACCUSATION, WRONG_RECORD
from tests.tabletop.six_rules import Cell, Match, find_groups, find_shape, other
from tests.tabletop.six_session import TileSession

TRIES = 60
"""So many plays are thought of to find one that ends the game."""
HURRIED_PLIES = 3


def bring_about(session: TileSession) -> None:
    """One of these, on a table that agrees with the record; afterwards all must agree again."""
    session.docket.count("situations")
    session.rng.choice(SITUATIONS)(session)
    while session.settle() and session.litter:
        session.clear(session.rng.randint(1, len(session.litter)))
    session.tie = None


def lay_out_of_turn(session: TileSession) -> None:
    """Phase 1: the second player lays while the first one still thinks. Then the first lays, and all is legal (S-3)."""
    match, rng = session.match, session.rng
    if match.phase == 2 or len(match.tiles) < 4 or sum(match.stock.values()) < 2:
        return
    free = sorted(match.free_cells(match.tiles))
    cells = [cell for cell in free if not any(find_shape(match.own(c) | {cell}, cell) for c in ("red", "black"))]
    if len(cells) < 2:
        return
    early, late = rng.sample(cells, 2)
    turn = match.turn
    session.table.put(other(turn), early)
    _require_no_move(session, f"{other(turn)} has laid before {turn}")
    session.table.put(turn, late)
    _lay(session, turn, late)
    _lay(session, other(turn), early)


def lay_both_under_a_hand(session: TileSession) -> None:
    """Both players lay at once, and the arm of one of them rests over both tiles while a third one lies in sight."""
    match, rng = session.match, session.rng
    for _ in range(HURRIED_PLIES):
        cells = [c for c in sorted(match.free_cells(match.tiles)) if not find_shape(match.own(match.turn) | {c}, c)]
        if not cells or match.phase == 2 or len(match.tiles) < 4:
            return
        cell = rng.choice(cells)
        session.table.put(match.turn, cell)
        if rng.random() < 0.6:
            session.table.reach_over(*session.table.frame.spot(cell))
        _lay(session, match.turn, cell)
    _follow_without_accusing(session)


def clear_under_a_hand(session: TileSession) -> None:
    """Phase 2: the board falls apart, an arm rests over a part of what is lost, and some of it goes under the arm."""
    match, rng = session.match, session.rng
    splitting = [c for c in sorted(match.own(match.turn)) if len(find_groups(match.tiles.keys() - {c})) > 1]
    lifted = rng.choice(splitting) if match.phase == 2 and match.winner is None and splitting else None
    if lifted is None or len(match.staying(lifted)) > 1:
        return
    _move(session, lifted, rng.choice(sorted(match.free_cells(match.staying(lifted)[0]) - {lifted})))
    session.table.reach_over(*session.table.frame.spot(rng.choice(sorted(session.litter))))
    _follow_without_accusing(session)
    session.clear(rng.randint(1, len(session.litter)))
    _follow_without_accusing(session)


def move_before_clearing(session: TileSession) -> None:
    """Phase 2: the board falls apart, and the next player moves before the lost tiles are gone (S-14)."""
    match, rng = session.match, session.rng
    if match.phase == 1 or match.winner is not None:
        return
    for _ in range(2):
        own = sorted(match.own(match.turn))
        sure = [c for c in own if len(match.staying(c)) == 1 and match.free_cells(match.staying(c)[0]) - {c}]
        if match.winner is not None or not sure:
            break
        lifted = rng.choice(sure)
        taken = {session.table.frame.spot(cell) for cell in session.litter}
        free = sorted(match.free_cells(match.staying(lifted)[0]) - {lifted} - session.litter)
        if not free or session.table.find(lifted) is None or len(taken) > 8:
            break
        _move(session, lifted, rng.choice(free))
    if session.rng.random() < 0.5:
        session.clear(len(session.litter))


def end_unseen(session: TileSession) -> None:
    """Both players are quick, and the game is over when somebody looks (S-5, S-19)."""
    match, rng = session.match, session.rng
    for _ in range(TRIES):
        trial, plays = match.copy(), []
        gone: set[Cell] = set()  # tiles that are lost and may still lie there
        for _ in range(rng.randint(1, HURRIED_PLIES)):
            play = _think_of(session, trial, gone)
            if play is None or trial.winner is not None:
                break
            gone |= _play(trial, play)
            plays.append(play)
        if trial.winner is None:
            continue
        for play in plays:
            if len(play) == 1:
                session.table.put(match.turn, play[0])
                _lay(session, match.turn, play[0])
            else:
                _move(session, *play)
                if rng.random() < 0.5:
                    session.clear(len(session.litter))
        return


def drop_beside_its_place(session: TileSession) -> None:
    """A tile is lifted to look at it and set down half a place off, and then where it was."""
    tile = session.table.find(session.rng.choice(sorted(session.match.tiles)))
    if tile is None:
        return
    x, y = tile.x, tile.y
    tile.x += session.rng.choice((-0.5, 0.5)) * session.table.frame.pitch
    _require_no_move(session, "a tile was set down off its place")
    tile.x, tile.y = x, y


def change_places_unseen(session: TileSession) -> None:
    """Two tiles of a colour change places: nothing differs."""
    own = sorted(session.match.own(session.rng.choice(("red", "black"))))
    if len(own) > 1:
        one, two = (session.table.find(cell) for cell in session.rng.sample(own, 2))
        if one is not None and two is not None:
            one.x, one.y, two.x, two.y = two.x, two.y, one.x, one.y
            _require_no_move(session, "two tiles of a colour changed places")


SITUATIONS: tuple[Callable[[TileSession], None], ...] = (
    lay_out_of_turn,
    lay_both_under_a_hand,
    clear_under_a_hand,
    move_before_clearing,
    end_unseen,
    drop_beside_its_place,
    change_places_unseen,
)


def _lay(session: TileSession, colour: str, cell: Cell) -> None:
    session.match.lay(colour, cell)
    session.said.append(f"lay {colour} {cell[0]} {cell[1]}")


def _move(session: TileSession, lifted: Cell, target: Cell) -> None:
    """A move without a tie, on the table and in the truth."""
    match = session.match
    tile = session.table.find(lifted)
    assert tile is not None, f"the tile of {lifted} is lost"
    session.table.tiles.remove(tile)
    session.table.put(tile.colour, target)
    lost = match.move(lifted, target)
    session.litter |= lost
    session.said.append(f"move {lifted[0]} {lifted[1]} {target[0]} {target[1]}")
    if lost:
        session.said.append("clear")


def _think_of(session: TileSession, match: Match, gone: set[Cell]) -> tuple[Cell, ...] | None:
    """A play, rather one that wins or that cuts many tiles off."""
    rng = session.rng
    if match.phase == 1:
        cells = sorted(match.free_cells(match.tiles))
        wins = [cell for cell in cells if find_shape(match.own(match.turn) | {cell}, cell)]
        return (rng.choice(wins or cells),) if len(match.tiles) > 3 else None
    own = [cell for cell in sorted(match.own(match.turn)) if len(match.staying(cell)) == 1]
    if not own:
        return None
    lifted = min(rng.sample(own, min(5, len(own))), key=lambda cell: len(match.staying(cell)[0]))
    cells = sorted(match.free_cells(match.staying(lifted)[0]) - {lifted} - gone)
    rest = match.own(match.turn) & match.staying(lifted)[0]
    wins = [cell for cell in cells if find_shape(rest | {cell}, cell)]
    return (lifted, rng.choice(wins or cells)) if cells else None


def _play(match: Match, play: tuple[Cell, ...]) -> set[Cell]:
    """Also returns the cells of the tiles that are lost."""
    if len(play) == 1:
        match.lay(match.turn, play[0])
        return set()
    return set(match.move(*play))


def _follow_without_accusing(session: TileSession) -> None:
    """A look in between: what is accepted is recorded, and nobody is accused."""
    table, verdict = session.judge()
    if isinstance(verdict, Refused):
        session.docket.fail(ACCUSATION, session.log.moves, table, verdict, f"all was legal: {session.words()}")
    elif isinstance(verdict, Follows):
        session.log = session.log.add(*verdict.moves)


def _require_no_move(session: TileSession, what: str) -> None:
    table, verdict = session.judge()
    if any(not str(move).startswith("slide") for move in getattr(verdict, "moves", ())):
        session.docket.fail(WRONG_RECORD, session.log.moves, table, verdict, f"{what}: nothing was laid")
