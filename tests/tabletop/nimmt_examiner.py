"""Gives every look to the referee, answers its questions truthfully, and counts where it differs from the truth."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

from engine.errors import InputError
from engine.games.nimmt import Nimmt
from engine.log import Log
from engine.options import Options
from engine.referee import Follows, Refused, Unclear, Verdict, Waiting, judge
from engine.table import Area, Table
from tests.tabletop.nimmt_advice import in_words, list_alternatives
from tests.tabletop.nimmt_felt import Felt
from tests.tabletop.nimmt_rules import Breach
from tests.tabletop.nimmt_truth import Truth

UNORDERED = ("choose", "reveal", "tidy", "deal", "sweep", "spread", "pick", "hands")
"""Recorded moves that are checked against the table of the moment instead of against the order of events."""


class Stuck(Exception):
    """The game cannot go on with this record: the round is given up."""


class Examiner:
    """The record of one match beside the truth."""

    def __init__(self, options: Options, truth: Truth, rng: Random, name: str) -> None:
        self.game = Nimmt()
        self.log: Log[Any, Any] = Log(self.game, options)
        self.truth, self.rng, self.name = truth, rng, name
        self.felt = Felt(self.game.plan(self.log.options).zones, rng)
        self.known = 0
        """How many events of the truth the record has."""
        self.past = truth
        """The truth when the record was complete last."""
        self.entered: set[int] = set()
        """The cards of a turn in which the owner of one had to be entered."""
        self.past_marks: set[tuple[str, str]] = set()
        """What lay where then, and has not been seen gone since."""
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.dealt = 0
        """The number of moves before this round."""
        self.before: Verdict[Any] = Follows(())

    def look(self, *, unseen: Iterable[Area] = (), rest: bool = False, legal: bool = True) -> Verdict[Any]:
        """``rest``: everything is in sight and every hand has gone. ``legal``: there is no fault."""
        unseen = tuple(unseen)
        verdict = self.judge(self.felt.look(unseen))
        match verdict:
            case Follows(moves) if moves and legal:
                self._record(verdict, moves)
            case Unclear(stories) if legal:
                self._answer(verdict, stories)
            case Waiting() if legal and self._answer_new_special(verdict):
                return self.look(unseen=unseen, rest=rest)
            case Refused() if legal:
                self.fail("accusation", verdict, "all that lies here was laid legally")
                raise Stuck
        if rest and legal:
            self._require_everything(verdict)
            self._check_offers()
        if legal and self.known == len(self.truth.events):
            self._remember()
        if not unseen:
            self.past_marks &= self._list_placements()
        self.before = verdict
        return verdict

    def judge(self, table: Table) -> Verdict[Any]:
        self.counts["looks"] += 1
        return judge(self.log, table)

    def tell(self, *lines: str) -> None:
        """Somebody enters this at the box."""
        for line in lines:
            try:
                self.log = self.log.add(self.log.parse(line))
            except InputError as refused:
                self.fail("dead end", None, f"'{line}' is true and was refused: {refused}")
                raise Stuck from refused

    def tell_event(self, line: str) -> None:
        """Somebody enters what has happened, and is an event of the truth."""
        self.tell(line)
        self.known += 1
        if self.known == len(self.truth.events):
            self._remember()

    def _remember(self) -> None:
        """The record has everything, also which specials lie at rows."""
        self.past = self.truth.copy()
        self.past_marks |= self._list_placements()

    def _list_placements(self) -> set[tuple[str, str]]:
        """What lies in each zone; the copies of a special are alike."""
        return {(thing.face.partition(".")[0], thing.zone) for thing in self.felt.things}

    def fits(self, moves: Iterable[Any]) -> bool:
        """Has all this happened, in this order?"""
        return self._count_known(moves) >= 0

    def _count_known(self, moves: Iterable[Any]) -> int:
        """How many events are known with these moves, -1 if they have not happened.

        A special may go straight to its row: then it is not recorded at the seat.
        """
        known, events = self.known, self.truth.events
        for move in map(str, moves):
            if move.startswith("mark") and events[known : known + 1] and events[known].startswith("special"):
                known += events[known].endswith(move.split()[1])
            if move.startswith(UNORDERED):
                if not self._has_happened(move):
                    return -1
            elif events[known : known + 1] == [move]:
                known += 1
            else:
                return -1
        return known

    def could_be_legal(self, moves: Iterable[Any]) -> bool:
        """Would these moves be legal, by the oracle, after what the record has?"""
        try:
            world = self._find_world()
            for move in map(str, moves):
                if not move.startswith(("tidy", "choose", "hands")):
                    world.follow(move)
        except Breach:
            return False
        return True

    def _find_world(self) -> Truth:
        """What has happened as far as the record has it."""
        world = self.truth.copy()
        if self.known < len(self.truth.events):
            world = self.past.copy()
            if not world.shown and len(world.told) == len(world.players):
                world.begin_turn()
            for player, card in self.truth.told.items() if world.seats else ():
                world.follow(f"reveal {player} {card}")
            for event in self.truth.events[len(world.events) : self.known]:
                if not event.startswith(("exchange", "leave")):
                    world.follow(event)
        if not world.seats:
            world.hide_hands()
        return world

    def accept(self, moves: Iterable[Any]) -> None:
        moves = tuple(moves)
        self.log = self.log.add(*moves)
        self.known = self._count_known(moves)

    def fail(self, kind: str, verdict: Verdict[Any] | None, right: str) -> None:
        self.counts[kind] += 1
        told = " ; ".join(str(entry) for entry in self.log.entries)
        self.failures.append(
            f"{kind} · {self.name} · {self.felt.in_words()} · {in_words(verdict)} · {right} · truth: "
            f"{' ; '.join(self.truth.events[-4:])} shown {self.truth.shown} · log: {told}"
        )

    def check_scores(self) -> None:
        """The pads of the record at a moment when it has everything."""
        for pad in self.log.game.view(self.log.state).pads:
            if (pad.total + pad.now, pad.cards) != (
                total := self.truth.total(pad.player),
                len(self.truth.piles[pad.player]),
            ):
                self.fail("wrong record", None, f"player {pad.player} has {total}: {self.truth.piles}, recorded {pad}")
                raise Stuck

    def _record(self, verdict: Verdict[Any], moves: tuple[Any, ...]) -> None:
        missing = self.truth.events[self.known :]
        if self.fits(moves):
            self.accept(moves)
        elif self._is_gone(missing) and self.could_be_legal(moves):
            self.counts["cannot tell: a card laid and taken unseen, seats off"] += 1
            self._tell_by_hand(missing)
        elif self._replaces_mark(missing) and self.could_be_legal(moves):
            raise Stuck
        elif self._has_lost_special(missing) and self.could_be_legal(moves):
            self.counts["cannot tell: a special gone before its card was known"] += 1
            raise Stuck
        else:
            self.fail("wrong record", verdict, "this has not happened")
            raise Stuck

    def _answer(self, verdict: Verdict[Any], stories: tuple[tuple[Any, ...], ...]) -> None:
        true = [story for story in stories if self.fits(story)]
        self.counts["asked"] += 1
        if len(names := list_alternatives(self.log, self.felt.look(), verdict)) < len(stories):
            self.fail("misleading advice", verdict, f"the question does not tell its alternatives apart: {names}")
        if not true:
            self.fail("dead end", verdict, "none of the answers is true")
            raise Stuck
        self.accept(true[0])

    def _answer_new_special(self, verdict: Waiting[Any]) -> bool:
        """Does the box ask whether a special is a new one, and is it? The button says that the old one went."""
        asked = verdict.hint.text if verdict.hint else None
        if asked is None or asked.id != "new_special":
            return False
        self.counts["asked"] += 1
        row = asked.get("row")
        if f"mark {asked.get('kind')} {row}" not in self.truth.events[self.known :]:
            return False
        self.tell(f"tidy mark:{row}")
        return True

    def _require_everything(self, verdict: Verdict[Any]) -> None:
        """At rest and in full sight the record has everything, or people enter what the table cannot show any more."""
        missing = self.truth.events[self.known :]
        if self.truth.rows.cards and not any(str(move).startswith("deal") for move in self.log.moves[self.dealt :]):
            self.fail("dead end", verdict, "the first cards of the rows are not recorded")
            raise Stuck
        if missing and self.tell_unseen():
            self.look(rest=True)
        elif missing and self._is_gone(missing):
            self._tell_by_hand(missing)
        elif self._replaces_mark(missing):
            raise Stuck
        elif missing or not (isinstance(verdict, Follows | Unclear) or self._is_round_over()):
            self.fail("dead end", verdict, f"not recorded: {' ; '.join(missing)}")
            raise Stuck

    def _is_round_over(self) -> bool:
        """Then people clear the table in any order."""
        view = self.game.view(self.log.state)
        return view.over or any(offer.move == "next" for offer in view.offers)

    def tell_unseen(self) -> bool:
        """Somebody enters whose the cards are that nobody saw at a seat. Were there any?"""
        unseen = self._list_unseen()
        if unseen:
            self.counts["told by hand: a card laid before it was seen at its seat"] += 1
            self.tell(*unseen)
            self.entered = set(self.truth.told.values())
        return bool(unseen)

    def _list_unseen(self) -> list[str]:
        """Cards that were shown and laid between two looks, so that nobody can know whose they were."""
        told = [f"reveal {p} {card}" for p, card in self.truth.told.items() if card not in self.truth.shown.values()]
        return [line for line in told if self.truth.seats and not self._is_recorded(line)]

    def _tell_by_hand(self, missing: list[str]) -> None:
        self.counts["told by hand: a card laid and taken unseen"] += 1
        if any(offer.move == "hands" for offer in self.game.view(self.log.state).offers):
            self.tell("hands")
        for n, event in enumerate(missing):
            card = next((int(later.split()[1]) for later in missing[n:] if later.startswith("lay")), 0)
            if not card:  # still in a hand
                break
            player = next(p for p, shown in self.truth.told.items() if shown == card) if self.truth.seats else 0
            if not self._is_recorded(f"reveal {player} {card}"):
                self.tell(f"reveal {player} {card}")
            self.tell(event)
            if event.startswith("take"):
                self.tell(event.replace("take ", "tidy row:"))
            self.known += 1

    def _check_offers(self) -> None:
        """What is offered can be chosen (each offer is a button)."""
        for offer in self.game.view(self.log.state).offers:
            try:
                self.log.add(self.log.parse(offer.move))
            except InputError as refused:
                self.fail("misleading advice", None, f"'{offer.move}' is offered and refused: {refused}")

    def _is_gone(self, events: list[str]) -> bool:
        """Was a card laid and taken again, so that no camera can have seen it lie?"""
        cards = [event.split()[1] for event in events if event.startswith("lay")]
        return any(self.felt.find(card) is None for card in cards) and not self.truth.seats

    def _has_lost_special(self, missing: list[str]) -> bool:
        """Was a special played in a turn of which a card had to be entered, and is it gone from the table now?"""
        entered = self.entered & set(self.truth.told.values())
        kinds = [event.split()[2] for event in missing if event.startswith("special")]
        lying = {kind for kind, zone in self._list_placements() if zone.startswith(("row", "seat"))}
        return bool(entered) and not lying.issuperset(kinds)

    def _replaces_mark(self, missing: list[str]) -> bool:
        """Does a special lie where one of its kind lay before, which a take has removed? Copies are alike."""
        marks = [event.split()[1:] for event in missing if event.startswith("mark")]
        replaced = any((kind, f"row:{row}") in self.past_marks for kind, row in marks)
        if replaced:
            self.counts["cannot tell: a special in the place of one of its kind"] += 1
        return replaced

    def _is_recorded(self, move: str) -> bool:
        return move in [str(entry) for entry in self.log.moves[self.dealt :]]

    def _has_happened(self, move: str) -> bool:
        verb, *words = move.split()
        match verb:
            case "choose":
                return int(words[0]) in self.truth.chosen | self.truth.told.keys()
            case "reveal":
                player, card = map(int, words)
                return self.truth.told.get(player) == card if player else card in self.truth.told.values()
            case "deal":
                return [int(c) for c in words[0].split(",")] == self.truth.first
            case "pick":
                return self.truth.picked.issuperset(map(int, words[1].split(",")))
        return True
