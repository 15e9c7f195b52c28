"""The referee: reads the differences of a table as moves, and lets the rules accept or refuse them."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic

from engine.advice import Act, Reached, drop_acts, find_cure, obey_acts
from engine.game import Doubtful, Game, Illegal, M, S, Settled, Unfinished, play_moves
from engine.log import Adopt, Log
from engine.table import BACK, Gap, Layout, Placement, Table, find_gap

MOST_PLAYS = 48
"""The largest number of plays tried to explain one table; above it the table counts as a mess."""

MOST_ALIKE = 3
"""Up to so many acts with pieces that are alike, each is left out to try: of two tiles moved, one may lie right."""


@dataclass(frozen=True, slots=True)
class Follows(Generic[M]):
    """These moves are accepted; none means that the table agrees with the log."""

    moves: tuple[M, ...]


@dataclass(frozen=True, slots=True)
class Rewind(Generic[M]):
    """Undo this many moves, then play these. It is offered, never applied."""

    back: int
    moves: tuple[M, ...]


@dataclass(frozen=True, slots=True)
class Waiting(Generic[M]):
    """No piece is at a wrong place, but the move is not complete. ``hint`` is what the rules would answer.

    ``cure`` is what to do if the table stays like this; empty where the prompt of the game asks for it already.
    ``stories`` may have happened instead: a person can confirm one. ``before`` are legal moves on the table to which
    the ``hint`` is the answer; they are not accepted as long as it stands.
    """

    missing: tuple[Placement, ...]
    hint: Illegal | None = None
    rewind: Rewind[M] | None = None
    cure: tuple[Act, ...] = ()
    stories: tuple[tuple[M, ...], ...] = ()
    before: tuple[M, ...] = ()


@dataclass(frozen=True, slots=True)
class Unclear(Generic[M]):
    """Several explanations are legal and lead to different states: a person must choose."""

    stories: tuple[tuple[M, ...], ...]


@dataclass(frozen=True, slots=True)
class Refused(Generic[M]):
    """A piece is at a wrong place; nothing of this table is accepted. ``cure`` are the fewest acts that mend it: none
    where the table stands as it is (R-4).
    """

    wrong: tuple[Placement, ...]
    missing: tuple[Placement, ...]
    why: Illegal | None = None
    rewind: Rewind[M] | None = None
    cure: tuple[Act, ...] = ()


Verdict = Follows[M] | Waiting[M] | Unclear[M] | Refused[M]


@dataclass(frozen=True, slots=True)
class _End(Reached[S, M]):
    """The end of one explanation: no further move is possible, ``why`` is the refusal of the rules."""

    why: Illegal | None


@dataclass(frozen=True, slots=True)
class _Step(Generic[S, M]):
    """What the table suggests at one state: the moves that the rules accept with the states they lead to.

    ``doubtful`` are those that only a person can confirm, ``settled`` those that are certain although the rest waits,
    if there are any; ``plays`` is the number of moves tried, ``why`` the first refusal.
    """

    want: Layout
    left: Gap
    branches: tuple[tuple[S, tuple[M, ...]], ...]
    doubtful: tuple[tuple[M, ...], ...]
    settled: tuple[M, ...] | None
    plays: int
    why: Illegal | None


def judge(log: Log[S, M], table: Table, *, behind: int = 3, plays: int = MOST_PLAYS) -> Verdict[M]:
    """Compare a steady table with the log.

    The game suggests the next move from the difference, the rules accept or refuse it, and so on until nothing
    differs. The referee never invents a move and never undoes one by itself.
    """
    known: dict[S, _Step[S, M]] = {}
    ends, visited = _walk(log.game, log.state, log.game.arrange(log.state, table), plays, known)
    verdict = _weigh(log, table, ends, visited, known, behind, plays)
    if isinstance(verdict, Waiting):
        told = [(at, known[at.state]) for at in visited if at.state in known]
        certain = [(*at.moves, *step.settled) for at, step in told if step.settled is not None]
        if len(ends) == 1 and certain and certain[-1]:
            return Follows(certain[-1])
        stories = tuple((*at.moves, *story) for at, step in told for story in step.doubtful)
        return replace(verdict, stories=stories) if stories else verdict
    return verdict


def _weigh(
    log: Log[S, M],
    table: Table,
    ends: list[_End[S, M]],
    visited: list[Reached[S, M]],
    known: dict[S, _Step[S, M]],
    behind: int,
    plays: int,
) -> Verdict[M]:
    """What these explanations of the table amount to."""
    game, seen = log.game, visited[0].left.seen
    before = visited[0].left
    if not ends:
        if plays <= MOST_PLAYS:  # it may be legal, and no mess: there are only many moves to try
            return judge(log, table, behind=behind, plays=4 * plays)
        wrong, cure = _wrong(before), find_cure(game, visited)
        acts = cure.acts
        if not acts and not cure.goal.left:
            return Waiting(before.missing)
        if wrong and not before.veiled:
            return Refused(wrong, before.missing, cure=acts)
        return Waiting(before.missing, cure=acts)
    calm = {end.state: end for end in ends if not _wrong(end.left)}
    whole = {state: end.moves for state, end in calm.items() if not end.left}
    dark = any(end.left.veiled for end in ends)  # hidden pieces may decide between explanations
    if len(whole) == 1 and not (dark and len(calm) > 1):
        return Follows(next(iter(whole.values())))
    if len(whole) > 1 and not dark:
        return Unclear(tuple(whole.values()))
    if calm:
        end = next(iter(calm.values()))
        if len(calm) == 1 and end.moves and not end.left.extra:
            return Follows(end.moves)  # the rest is in the air
        end, rewind = replace(end, left=before), _rewind(log, table, behind, 0, seen, known)
        return _wait(end, rewind, () if _asks(end) else find_cure(game, visited).acts)
    end = ends[0]
    wrong = _wrong(end.left)
    certain = end.why is not None and end.why.sure and not end.left.seen.hidden
    # a missing piece may be what makes the rest right
    waits = _only_waits(end) or (end.left.has_pieces_in_the_air() and not certain)
    if waits and seen.hidden and isinstance(end.why, Unfinished):  # no cure is told
        return _wait(end, _rewind(log, table, behind, plays // 4 if end.why.late else 0, seen, known), ())
    cure = find_cure(game, visited)
    if not cure.acts and not cure.goal.left and not seen.hidden:
        return Follows(cure.goal.moves)  # what the rules ask for explains it, although not every piece was seen
    # where one act mends what the rules refuse, moves are undone only if the table then agrees as it is
    late = end.why.late if isinstance(end.why, Unfinished) else len(cure.acts) > 1
    rewind = _rewind(log, table, behind, plays // 4 if late else 0, seen, known)
    acts = cure.acts
    if waits or not acts:
        return _wait(end, rewind, acts)
    if end.why is not None and end.why.stands:
        if end.moves and len(ends) == 1:  # with several stories, the record must not choose one
            return Follows(end.moves)  # the table is adopted from the record, so what came before is recorded first
        found = str(end.why.text.get("card"))
        return Refused(tuple((piece, zone) for piece, zone in wrong if piece == found), (), end.why)
    if isinstance(end.why, Unfinished):  # what only waits may stay where it is once the rest is mended
        acts = drop_acts(acts, lambda rest: _is_mended(game, log.state, obey_acts(seen, rest), plays))
    elif len({act.piece for act in acts}) < len(acts) <= MOST_ALIKE and not seen.hidden:  # one may be right
        acts = drop_acts(acts, lambda rest: _are_enough(rest, cure.acts, game, log.state, seen, plays))
    if len(acts) < len(cure.acts):
        wrong = tuple(place for place in wrong if place in {(act.piece, act.source) for act in acts})
    return Refused(wrong, end.left.missing, end.why, rewind, acts)


def _only_waits(end: _End[S, M]) -> bool:
    why = end.why
    return isinstance(why, Unfinished) and not (why.lone and sum(piece != BACK for piece, _ in _wrong(end.left)) > 1)


def _is_mended(game: Game[S, M], state: S, seen: Layout, plays: int) -> bool:
    """Would nothing be refused if the table were like this?"""
    ends, _ = _walk(game, state, seen, plays, {})
    return any(not _wrong(end.left) for end in ends) or _only_waits(ends[0]) if ends else False


def _are_enough(
    acts: tuple[Act, ...], all_acts: tuple[Act, ...], game: Game[S, M], state: S, seen: Layout, plays: int
) -> bool:
    """Do these of all acts lead to a table with one story, and none to a place that another one would leave free?"""
    if {act.target for act in acts} & {act.source for act in all_acts if act not in acts}:
        return False
    ends, _ = _walk(game, state, obey_acts(seen, acts), plays, {})
    return len({end.state for end in ends if not end.left}) == 1


def _asks(end: _End[S, M]) -> bool:
    """Hidden pieces are not missed, and where the players only have more to do, the rules say what."""
    return bool(end.left.seen.hidden) or isinstance(end.why, Unfinished)


def _wait(end: _End[S, M], rewind: Rewind[M] | None, acts: tuple[Act, ...]) -> Waiting[M]:
    return Waiting(end.left.missing, end.why, rewind, () if _asks(end) else acts, before=end.moves)


def adopt_table(
    log: Log[S, M],
    table: Table,
    owners: tuple[tuple[str, tuple[str, ...]], ...] = (),
    *,
    by_all: bool = False,
) -> Log[S, M]:
    """Log the table as the truth. Raises ``Illegal`` if no state looks like it, so that it would be refused again.

    ``owners`` names the players who have the cards that disappeared, as ``(("pile:2", ("30", "31")),)``; hidden
    zones stay as recorded.
    """
    adopted = log.game.complete(log.states, Layout({**fill_hidden(log, table).zones, **dict(owners)}))
    after = log.add(Adopt(tuple(adopted.zones.items()), by_all))
    verdict = judge(after, table)
    if isinstance(verdict, Refused) and verdict.why is not None:
        raise verdict.why
    return after


def fill_hidden(log: Log[S, M], table: Table) -> Layout:
    """The table in the order of its zones, the hidden ones as recorded."""
    seen = log.game.arrange(log.state, table)
    want = log.game.layout(log.state)
    zones = {z: (want if z in seen.hidden else seen).zones.get(z, ()) for z in want.zones.keys() | seen.zones.keys()}
    return Layout({zone: held for zone, held in sorted(zones.items()) if held})


def _wrong(left: Gap) -> tuple[Placement, ...]:
    return tuple(p for p in left.extra if p[1] not in left.seen.hidden)


def _walk(
    game: Game[S, M], state: S, seen: Layout, plays: int, known: dict[S, _Step[S, M]]
) -> tuple[list[_End[S, M]], list[Reached[S, M]]]:
    """The ends of all explanations, none if there are too many plays; and all states on the way, the record first.

    ``known`` are the steps that were tried before with the same table; those that are tried now are added.
    """
    ends: list[_End[S, M]] = []
    visited: list[Reached[S, M]] = []
    been = {state}
    todo: list[tuple[S, tuple[M, ...]]] = [(state, ())]
    while todo:
        state, moves = todo.pop()
        step = known.get(state)
        if step is None:
            step = _try_step(game, state, seen, plays)
            if step.plays <= plays:  # otherwise it was broken off
                known[state] = step
        visited.append(Reached(moves, state, step.want, step.left))
        plays -= step.plays
        if plays < 0:
            return [], visited
        if not step.branches:
            ends.append(_End(moves, state, step.want, step.left, step.why))
        branches: list[tuple[S, tuple[M, ...]]] = []
        for after, story in step.branches:
            if after not in been:
                been.add(after)
                branches.append((after, (*moves, *story)))
        todo += reversed(branches)
    return ends, visited


def _try_step(game: Game[S, M], state: S, seen: Layout, most: int) -> _Step[S, M]:
    """Try what the table suggests at this state, until there are more than ``most`` plays."""
    want = game.layout(state)
    left = find_gap(want, seen)
    plays = 0
    firm: Illegal | None = None
    soft: Unfinished | None = None
    branches: list[tuple[S, tuple[M, ...]]] = []
    doubtful: list[tuple[M, ...]] = []
    settled: tuple[M, ...] | None = None
    for told in game.read(state, left) if left else ():
        if isinstance(told, Doubtful):
            doubtful.append(told.moves)
            continue
        if isinstance(told, Settled):
            with suppress(Illegal):
                play_moves(game, state, told.moves)
                settled = told.moves
            continue
        story = told if isinstance(told, tuple) else (told,)
        plays += len(story)
        if plays > most:
            break
        try:
            branches.append((play_moves(game, state, story), story))
        except Unfinished as unfinished:
            soft = soft or unfinished.drop_stack()
        except Illegal as refused:
            firm = firm or refused.drop_stack()
    return _Step(want, left, tuple(branches), tuple(doubtful), settled, plays, firm or soft)


def _rewind(
    log: Log[S, M], table: Table, behind: int, plays: int, now: Layout, known: dict[S, _Step[S, M]]
) -> Rewind[M] | None:
    """The fewest moves to undo so that the table is explained, and in one way only. ``known`` are steps tried with the
    layout ``now``.
    """
    for back in range(1, min(behind, len(log.moves)) + 1):
        base = log.states[-1 - back]
        seen = log.game.arrange(base, table)
        if not plays:
            if not find_gap(log.game.layout(base), seen):
                return Rewind(back, ())
            continue
        ends = _walk(log.game, base, seen, plays, known if seen == now else {})[0]
        if whole := {end.state: end.moves for end in ends if not end.left}:
            return Rewind(back, next(iter(whole.values()))) if len(whole) == 1 else None
    return None
