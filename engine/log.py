"""The game log: the entries in order, and the states that follow from them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, cast

from engine.game import Game, Illegal, M, NewRule, S
from engine.name_value_pairs import format_pairs, parse_pairs
from engine.notation import BadNotation
from engine.options import Options, fill_options
from engine.table import Layout


@dataclass(frozen=True, slots=True)
class Adopt:
    """The table was declared right: these zones replace those of the log.

    ``pile:2=30,31`` names the owner of cards that disappeared. ``by_all`` marks an overrule: every player agreed (R-7).
    """

    zones: tuple[tuple[str, tuple[str, ...]], ...]
    by_all: bool = False

    def __str__(self) -> str:
        zones = format_pairs((zone, "|".join(held)) for zone, held in self.zones)
        return f"{'overrule' if self.by_all else 'adopt'} {zones}".rstrip()


@dataclass(frozen=True, slots=True)
class Amend(Generic[M]):
    """A correction or an undo: these moves replace moves ``first`` to ``last``."""

    first: int
    last: int
    moves: tuple[M | Adopt, ...] = ()

    def __post_init__(self) -> None:
        if any(isinstance(move, Amend) for move in self.moves):
            raise BadNotation(f"'{self}': an amendment holds moves, not amendments")

    def __str__(self) -> str:
        return " ; ".join((f"amend {self.first} {self.last}", *map(str, self.moves)))


class BrokenLog(Illegal):
    """Past moves are not legal any more: ``index`` is the first of them, ``misfits`` are all."""

    def __init__(self, misfits: tuple[tuple[int, Illegal], ...]) -> None:
        self.index, first = misfits[0]
        super().__init__(first.ruling, first.why, "misfit", move=self.index)
        self.text = first.text
        self.misfits = misfits


@dataclass(frozen=True, slots=True)
class Log(Generic[S, M]):
    """A game, its options and the accepted entries; immutable.

    ``moves`` are the entries after every amendment, ``states`` are the fold of the moves, one longer;
    ``origin`` replaces the first state when a game is resumed in the middle.
    """

    game: Game[S, M]
    options: Options
    entries: tuple[M | Adopt | Amend[M], ...] = ()
    origin: S | None = None
    moves: tuple[M | Adopt, ...] = field(default=(), init=False, compare=False, repr=False)
    states: tuple[S, ...] = field(default=(), init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        options = fill_options(self.game.options, self.options)
        first = self.origin if self.origin is not None else self.game.start(options)
        self._set("options", options)
        self._set("states", (first,))
        grown = self._grow(self.entries, stood=True)
        self._set("moves", grown[0])
        self._set("states", grown[1])

    @property
    def state(self) -> S:
        return self.states[-1]

    def add(self, *entries: M | Adopt | Amend[M]) -> "Log[S, M]":
        """The log with these entries appended; ``BrokenLog`` if one is not legal."""
        return self._lengthen(entries, stood=False)

    def recall(self, *entries: M | Adopt | Amend[M]) -> "Log[S, M]":
        """The log with these entries of a stored record, which an older version may have taken (``NewRule``)."""
        return self._lengthen(entries, stood=True)

    def _lengthen(self, entries: tuple[M | Adopt | Amend[M], ...], *, stood: bool) -> "Log[S, M]":
        moves, states = self._grow(entries, stood=stood)
        longer: Log[S, M] = object.__new__(Log)
        for name, value in (
            ("game", self.game),
            ("options", self.options),
            ("entries", self.entries + entries),
            ("origin", self.origin),
            ("moves", moves),
            ("states", states),
        ):
            longer._set(name, value)
        return longer

    def take_back(self, count: int) -> "Log[S, M]":
        """Undo the last moves; the entries remain in the log."""
        return self.add(Amend(max(0, len(self.moves) - count), len(self.moves)))

    def amend(self, first: int, last: int, *moves: M | Adopt) -> "Log[S, M]":
        """Replace ``moves[first:last]`` by these moves and check all later ones again."""
        return self.add(Amend(first, last, moves))

    def parse(self, line: str) -> M | Adopt | Amend[M]:
        """An entry from its notation."""
        return parse_entry(self.game.parse, line)

    def _grow(
        self, entries: tuple[M | Adopt | Amend[M], ...], *, stood: bool
    ) -> tuple[tuple[M | Adopt, ...], tuple[S, ...]]:
        moves, states = list(self.moves), list(self.states)
        for entry in entries:
            later: tuple[M | Adopt, ...] = ()
            if isinstance(entry, Amend):
                if not 0 <= entry.first <= entry.last <= len(moves):
                    raise BadNotation(f"'{entry}': the log has moves 0 to {len(moves)}")
                fresh, later = entry.moves, tuple(moves[entry.last :])
                del moves[entry.first :], states[entry.first + 1 :]
            else:
                fresh = (entry,)
            self._fold(moves, states, (*fresh, *later), len(moves) if stood else len(moves) + len(fresh))
        return tuple(moves), tuple(states)

    def _fold(self, moves: list[M | Adopt], states: list[S], more: tuple[M | Adopt, ...], stood_from: int) -> None:
        misfits: list[tuple[int, Illegal]] = []
        for move in more:
            index = len(moves)
            moves.append(move)
            try:
                states.append(self._after(states[-1], move))
            except Illegal as why:
                if isinstance(why, NewRule) and index >= stood_from:
                    states.append(cast(S, why.after))
                    continue
                states.append(states[-1])  # go on without it, to name every misfit at once
                misfits.append((index, why))
        if misfits:
            raise BrokenLog(tuple(misfits)) from misfits[0][1]

    def _after(self, state: S, move: M | Adopt) -> S:
        if isinstance(move, Adopt):
            return self.game.adopt(state, Layout(dict(move.zones)))
        return self.game.play(state, move)

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


def parse_entry(parse: Callable[[str], M], line: str) -> M | Adopt | Amend[M]:
    verb, _, rest = line.strip().partition(" ")
    if verb in ("adopt", "overrule"):
        return Adopt(tuple(_zone(line, word) for word in rest.split()), verb == "overrule")
    if verb != "amend":
        return parse(line)
    head, *moves = (part.strip() for part in rest.split(";"))
    try:
        first, last = map(int, head.split())
    except ValueError:
        raise BadNotation(f"'{line}': say 'amend <first> <last> ; <move> ; ...'") from None
    return Amend(first, last, tuple(parse_entry(parse, move) for move in moves))  # type: ignore[misc]


def _zone(line: str, word: str) -> tuple[str, tuple[str, ...]]:
    ((zone, held),) = parse_pairs([word])
    if not (zone and held and all(held.split("|"))) or ";" in word:
        raise BadNotation(f"'{line}': say 'adopt row:1=10|20 seat:2=33'")
    return zone, tuple(held.split("|"))
