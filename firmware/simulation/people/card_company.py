"""People of a game with cards: they put each card that a sentence names to the place that it names."""

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Company, Script, TableMates
from firmware.simulation.people.screen_reading import Sentence
from firmware.simulation.table.piece_places import OnTable


class CardCompany(Company):
    """A game says how a card is put to a place, and how a place is rebuilt.

    ``record`` are the moves of the record, ``recorded`` is the table that follows from them: the page shows both.
    """

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self.record: list[str] = []
        self._log: Log[Any, Any] | None = Log(self.game, self.options)

    @property
    def recorded(self) -> Any | None:
        """The state of the game by the record; None if they did not see its beginning."""
        return self._log.state if self._log is not None else None

    def hear(self, entry: str) -> None:
        try:
            self._log = self._log.recall(self._log.parse(entry)) if self._log is not None else None
        except (BadNotation, Illegal):
            self._log = None
        verb, *words = entry.split()
        if verb == "amend":
            first, last = map(int, words[:2])
            self.record[first:last] = entry.split(" ; ")[1:]
        else:
            self.record.append(entry)

    def take_up(self, log: Log[Any, Any]) -> None:
        self._log, self.record = log, [str(move) for move in log.moves]
        super().take_up(log)

    def set_aside(self) -> None:
        """Cards that lie there and are not recorded go back to the hand first."""
        known = {card for move in self.record for card in re.findall(r"\d+", re.sub(r"\w+:\d+", "", move))}
        for it in self.table.lying():
            owner = self.find_layer(it.id)
            if it.id.isdigit() and it.id not in known and owner is not None:
                self.table.take([it.id], owner)
        super().set_aside()

    @abstractmethod
    def find_layer(self, card: str) -> int | None:
        """Who laid this card, as far as they know."""
        ...

    def obey(self, advice: Sentence) -> Script | None:
        """The act that a sentence names: which piece goes where; None if it names none."""
        args = advice.args
        match advice.topic:
            case "act_move":
                return self.put(args["target"], args["piece"])
            case "act_put" | "act_lay":
                return self._put_all(args["zone"], args["pieces"].split())
            case "act_take":
                return self.remove(args["zone"], tuple(args["pieces"].split()))
            case "act_swap":
                return self._swap(args)
            case "act_swap_zones":
                return self._swap_zones(args["source"], args["target"])
            case "act_behind":
                return self._reorder(args["zone"], args["piece"], args["after"])
            case "act_first":
                return self._reorder(args["zone"], args["piece"], "")
            case "act_under":
                return self._put_under(args["zone"], args["piece"], args["above"])
            case "act_turn_up":
                return self._turn_up(args["piece"])
            case _:
                return None

    @abstractmethod
    def put(self, zone: str, piece: str) -> Script:
        """Put this piece at a place, behind or on the cards of that place."""
        ...

    def _put_all(self, zone: str, pieces: Sequence[str]) -> Script:
        for piece in pieces:
            yield from self.put(zone, piece)

    def _swap(self, args: Mapping[str, str]) -> Script:
        yield from self.put(args["target"], args["piece"])
        yield from self.put(args["source"], args["partner"])

    def _swap_zones(self, source: str, target: str) -> Script:
        held, others = (tuple(self.held(zone)) for zone in (source, target))
        self.table.put_back((*held, *others), "box")
        yield from self.show(target, held)
        yield from self.show(source, others)

    def _reorder(self, zone: str, piece: str, after: str) -> Script:
        """Lay this piece behind another one of its place, or before all others."""
        held = [id for id in self.held(zone) if self.table.piece(id).name != piece]
        at = next((n for n, id in enumerate(held, 1) if self.table.piece(id).name == after), 0)
        return self.show(zone, (*held[:at], piece, *held[at:]))

    def _put_under(self, zone: str, piece: str, above: str) -> Script:
        """Lay this piece on a pile, and the card on it that belongs above it."""
        yield from self.put(zone, piece)
        yield from self.put(zone, above)

    def _turn_up(self, piece: str) -> Script:
        id = self.find(piece)
        place = self.table.piece(id).place if id is not None else None
        if id is not None and isinstance(place, OnTable) and place.face_down:
            self.table.turn_over(id)
        yield REACH_S

    @abstractmethod
    def show(self, zone: str, pieces: tuple[str, ...]) -> Script:
        """Put exactly these pieces to a place, as the box asks when a table is rebuilt."""
        ...
