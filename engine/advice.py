"""Advice: the fewest acts of a hand that lead from the table as it is to one that the referee accepts."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Generic

from engine.game import Doubtful, Game, Illegal, M, S, Settled, play_moves
from engine.table import BACK, Gap, Layout, Placement, find_gap

MOST_STATES = 12
"""The number of states whose layout is compared with the table: a turn of ten cards, one of which lies wrong."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a hand does: ``piece`` goes from ``source`` to ``target``.

    Without a source it is not on the table, without a target it goes back to the hand or off the table. ``after`` is
    the piece in the target zone that it goes behind, if there is one; ``turned`` is the face that shows afterwards, if
    it is turned over as well.
    """

    piece: str
    source: str
    target: str
    after: str = ""
    turned: str = ""


@dataclass(frozen=True, slots=True)
class Reached(Generic[S, M]):
    """A state to which legal moves lead from the record, its layout, and how the table differs from it."""

    moves: tuple[M, ...]
    state: S
    want: Layout
    left: Gap

    @classmethod
    def by(cls, game: Game[S, M], moves: tuple[M, ...], state: S, seen: Layout) -> "Reached[S, M]":
        want = game.layout(state)
        return cls(moves, state, want, find_gap(want, seen))


@dataclass(frozen=True, slots=True)
class Cure(Generic[S, M]):
    """The fewest acts, and the state of which the table then is the layout."""

    acts: tuple[Act, ...]
    goal: Reached[S, M]


def find_cure(game: Game[S, M], visited: Sequence[Reached[S, M]]) -> Cure[S, M]:
    """Compare the table with the record, with legal moves that explain part of it, and with what the rules ask for.

    ``visited`` are states reached by moves that the table suggests, the record first. Of equally short cures one
    that undoes as little as possible is chosen.
    """
    been = {reached.state for reached in visited}
    tried = {reached.moves for reached in visited}
    read = been.copy()  # what the table suggests there has been tried
    todo: list[tuple[int, int, int, Reached[S, M]]] = []
    for number, reached in enumerate(visited):
        heappush(todo, (_count(reached), -len(reached.moves), number, reached))
    wrong = visited[0].left.extra
    best: Cure[S, M] | None = None
    best_rank: tuple[int, ...] = ()
    for _ in range(MOST_STATES):
        if not todo or (best and len(best.acts) <= 1 and todo[0][0] > len(best.acts)):
            break
        *_, reached = heappop(todo)
        for moves, state, asked in _go_on(game, reached, tried, suggested=reached.state not in read):
            if state not in been:
                been.add(state)
                fresh = Reached.by(game, moves, state, reached.left.seen)
                # what the rules ask for may be what makes the rest right
                heappush(todo, (_count(fresh) - asked, -len(moves), len(been), fresh))
                if _count(fresh) < _count(reached) and set(fresh.left.missing) <= set(reached.left.missing):
                    break  # it explains more, and no less
        else:
            if best and _count_misplaced(reached) > best_rank[0]:
                continue  # it takes more acts
            acts = _list_missed_acts(game, reached, visited[0])
            rank = _rank(acts, reached, wrong)
            if best is None or rank < best_rank:
                best, best_rank = Cure(acts, reached), rank
    if best is None:  # each state explained more than the one before
        reached = todo[0][-1]
        best = Cure(_list_missed_acts(game, reached, visited[0]), reached)
    return best


def _list_missed_acts(game: Game[S, M], reached: Reached[S, M], record: Reached[S, M]) -> tuple[Act, ...]:
    """The acts that lead to this state, but for pieces of the record that may just as well stay lifted."""
    acts = list_acts(reached.left, reached.want, record.left)
    if not acts:
        return acts
    lifted = game.removable(reached.state, reached.left)
    firm = {(act.source, act.target) for act in acts if (act.piece, act.target) not in lifted}
    spared = {act for act in acts if (act.piece, act.target) in lifted and _may_stay_lifted(act, record, firm)}
    if not spared:
        return acts
    apart = {(act.piece, act.target) for act in spared}
    kept = (act for act in acts if act not in spared)
    return tuple(replace(act, after="") if (act.after, act.target) in apart else act for act in kept)


def _may_stay_lifted(act: Act, record: Reached[S, M], firm: Iterable[tuple[str, str]]) -> bool:
    """``firm`` are the sources and targets of the other acts."""
    # where a piece that belongs elsewhere lies in place of others, they were lifted for it
    instead = act.piece != BACK and any(source == act.target and target for source, target in firm)
    return not act.source and _was_there(record, act) and not instead


def _was_there(record: Reached[S, M], act: Act) -> bool:
    """Has this piece lain there? What the rules ask for is not lifted before it is laid."""
    return act.piece in record.want.zones.get(act.target, ()) or act.target not in record.want.zones


def _rank(acts: tuple[Act, ...], goal: Reached[S, M], wrong: Container[Placement]) -> tuple[int, int, int, int]:
    """Fewer acts are better, and none takes away what lies right; then such as leave that alone (R-4); then such as
    leave a piece among its like, in a row or at a seat; then getting on. What comes back to one zone is one act.
    """
    moved_right = [act for act in acts if act.source and (act.piece, act.source) not in wrong]
    astray = sum(act.source.partition(":")[0] != act.target.partition(":")[0] for act in acts)
    taken = sum(not act.target for act in moved_right)
    count = len({act if act.source else act.target for act in acts})
    return taken * MOST_STATES + count, len(moved_right), astray, -len(goal.moves)


def _count(reached: Reached[S, M]) -> int:
    """About as many acts as lead there; exact but for cards out of order."""
    return max(len(reached.left.extra), len(reached.left.missing))


def _count_misplaced(reached: Reached[S, M]) -> int:
    """The pieces in sight that this state does not have where they are: each of them needs an act."""
    seen, wanted = reached.left.seen, reached.want.zones
    extra = {(piece, zone) for piece, zone in reached.left.extra if zone != "anchor" and zone not in seen.hidden}
    return sum(piece in seen.zones.get(zone, ()) and piece not in wanted.get(zone, ()) for piece, zone in extra)


def _go_on(
    game: Game[S, M], reached: Reached[S, M], tried: Container[tuple[M, ...]], *, suggested: bool
) -> Iterator[tuple[tuple[M, ...], S, bool]]:
    """The state after what the rules ask for, and those after each move that the table suggests, unless ``tried``."""
    left = reached.left
    ways = [(game.due(reached.state, left), True)] if left else []
    for told in game.read(reached.state, left) if left and suggested else ():
        if not isinstance(told, Doubtful | Settled):
            ways.append((told if isinstance(told, tuple) else (told,), False))
    for moves, asked in ways:
        story = (*reached.moves, *moves)
        if story in tried:
            continue
        try:
            state = play_moves(game, reached.state, moves)
        except Illegal:
            continue
        yield story, state, asked


def list_acts(left: Gap, want: Layout, record: Gap | None = None) -> tuple[Act, ...]:
    """The fewest acts that change the table into the layout wanted: first away, then from place to place.

    What a hidden zone should hold counts as lying there, and what it holds too many is not judged. As long as any zone
    is hidden, nothing is missed. A card is turned up where the ``record`` has it, and no other face-down card.
    """
    seen, lain = left.seen, (record or left).missing
    extra: list[Placement] = []
    turned: set[Placement] = set()
    lacking: list[tuple[str, str, str]] = []
    for zone in sorted({zone for _, zone in left.missing + left.extra} - {"anchor"}):
        got, wanted = seen.zones.get(zone, ()), want.zones.get(zone, ())
        out, into = _differ(got, wanted)
        extra += [(got[at], zone) for at in out]
        turned |= {
            (wanted[j], zone)
            for i in out
            for j in into
            if got[i] == BACK and (i == j or got[i - 1 : i] == wanted[j - 1 : j]) and (wanted[j], zone) in lain
        }
        known = {got[at] for at in out}
        lacking += [
            (wanted[at], zone, wanted[at - 1] if at else "")
            for at in into
            if zone not in seen.hidden or wanted[at] in known
        ]
    moved = _match(extra, lacking, turned)
    away = (Act(piece, zone, "") for piece, zone in extra if zone not in seen.hidden)
    missed = () if seen.hidden else lacking
    put = (Act(piece, "", zone, after) for piece, zone, after in missed)
    return (*away, *_sort((*moved, *put)))


def obey_acts(seen: Layout, acts: Iterable[Act]) -> Layout:
    """The layout after these acts. A card that comes to a face-down one covers it."""
    zones = {zone: list(held) for zone, held in seen.zones.items()}
    for act in acts:
        if act.source:
            zones[act.source].remove(act.piece)
        if act.target:
            held = [piece for piece in zones.get(act.target, ()) if piece != BACK]
            held.insert(held.index(act.after) + 1 if act.after in held else 0, act.turned or act.piece)
            zones[act.target] = held
    return replace(seen, zones={zone: tuple(held) for zone, held in zones.items() if held})


def drop_acts(acts: tuple[Act, ...], is_enough: Callable[[tuple[Act, ...]], bool]) -> tuple[Act, ...]:
    """Leave out each act that moves a piece and without which the others are enough."""
    for act in acts:
        rest = tuple(other for other in acts if other is not act)
        if act.source and is_enough(rest):
            acts = rest
    return acts


def _sort(acts: Sequence[Act]) -> Iterator[Act]:
    """The acts in an order in which each piece that another one goes behind is there first."""
    waiting = list(acts)
    coming = [(act.turned or act.piece, act.target) for act in acts]
    while waiting:
        at = next((at for at, act in enumerate(waiting) if (act.after, act.target) not in coming), 0)
        del coming[at]
        yield waiting.pop(at)


def _match(extra: list[Placement], lacking: list[tuple[str, str, str]], turned: Container[Placement]) -> list[Act]:
    """Each piece too many goes to where it is lacking; those without such a place, or without a piece, remain."""
    moved: list[Act] = []
    there = {piece for piece, _ in extra}
    for apart in (False, True):  # within its zone before to another one
        for piece, zone, after in [lack for lack in lacking if lack[0] in there]:
            source = next((z for p, z in extra if p == piece and (apart or z == zone)), None)
            if source is not None:
                extra.remove((piece, source))
                lacking.remove((piece, zone, after))
                moved.append(Act(piece, source, zone, after))
    for piece, zone, after in tuple(lacking) if BACK in there else ():
        if (BACK, zone) in extra and (piece, zone) in turned:
            extra.remove((BACK, zone))
            lacking.remove((piece, zone, after))
            moved.append(Act(BACK, zone, zone, after, turned=piece))
    return moved


def _differ(got: Sequence[str], wanted: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places in ``got`` and in ``wanted`` beside their longest common part."""
    lie, should = set(got), set(wanted)
    if len(lie) == len(got) and [p for p in got if p in should] == [p for p in wanted if p in lie]:  # in order
        return [i for i, p in enumerate(got) if p not in should], [j for j, p in enumerate(wanted) if p not in lie]
    low = 0
    while low < min(len(got), len(wanted)) and got[low] == wanted[low]:
        low += 1
    rows, columns = len(got) - low, len(wanted) - low
    common = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            alike = got[low + i] == wanted[low + j]
            common[i][j] = common[i + 1][j + 1] + 1 if alike else max(common[i + 1][j], common[i][j + 1])
    out, into, i, j = [], [], 0, 0
    while i < rows or j < columns:
        if i < rows and j < columns and got[low + i] == wanted[low + j]:
            i, j = i + 1, j + 1
        elif j == columns or (i < rows and common[i + 1][j] >= common[i][j + 1]):
            out.append(low + i)
            i += 1
        else:
            into.append(low + j)
            j += 1
    return out, into
