"""People who play 6 nimmt! by the rules, with the hands of people: one small act after the other.

Each method yields after every act, with whether all is at rest: nothing in a hand, nothing half done.
"""

from collections.abc import Iterator
from random import Random

from tests.tabletop.nimmt_examiner import Examiner
from tests.tabletop.nimmt_felt import Thing

AT_REST, IN_HAND = True, False
Acts = Iterator[bool]


class People:
    """The players with their hands, and where they sit."""

    foreign: tuple[str, ...] = ("105", "0", "red", "block.2")
    """Pieces that this game does not have."""

    def __init__(self, examiner: Examiner, hands: dict[int, list[int]], seats: dict[int, int], rng: Random) -> None:
        self.examiner, self.hands, self.seats, self.rng = examiner, hands, seats, rng
        self.felt, self.truth = examiner.felt, examiner.truth
        self.early: dict[int, int] = {}
        """Player -> the card that lies face down for the next turn already."""

    def seat(self, player: int) -> str:
        return f"seat:{self.seats[player]}"

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def row_cards(self, row: int) -> list[Thing]:
        """The number cards that lie there, without specials."""
        return [thing for thing in self.felt.at(f"row:{row}") if "." not in thing.face]

    def due_now(self) -> int:
        """The card to be laid next, 0 while cards are still being chosen."""
        due = self.truth.due
        return due[1] if due and (not self.truth.seats or len(self.truth.told) == len(self.truth.players)) else 0

    def turn(self) -> Acts:
        """Choose, turn up, lay in order."""
        self.truth.begin_turn(self.early)
        plan = {p: self.early.pop(p, 0) or self.rng.choice(self.hands[p]) for p in self.truth.players}
        if self.truth.seats:
            yield from self.choose(plan)
            yield from self.turn_up(plan)
        else:
            for player, card in plan.items():
                self.truth.show(player, card)
        yield AT_REST
        if self.chance(0.95):  # else some cards are laid before anybody has seen them at their seats
            self.examiner.look(rest=True)
        while self.truth.due:
            player, card = self.truth.due
            yield from self.slot(player, card)
            self.hands[player].remove(self.truth.laid[player])
            yield AT_REST
            if self.truth.seats and self.chance(0.08) and self.truth.due:
                yield from self.choose_early(player)

    def choose(self, plan: dict[int, int]) -> Acts:
        for player in self.rng.sample(self.truth.players, len(self.truth.players)):
            if player in self.truth.chosen:
                continue
            if self.chance(0.1):  # face up at once
                self.felt.put(str(plan[player]), self.seat(player))
                self.truth.show(player, plan[player])
                yield AT_REST
                continue
            self._put_back(player, plan[player])
            yield AT_REST
            if not self.truth.told and self.chance(0.05):  # another one instead
                self.felt.lift(self.card_of(player))
                yield IN_HAND
                plan[player] = self.rng.choice(self.hands[player])
                self._put_back(player, plan[player])
                yield AT_REST

    def turn_up(self, plan: dict[int, int]) -> Acts:
        hidden = [p for p in self.truth.players if p not in self.truth.told]
        for player in self.rng.sample(hidden, len(hidden)):
            back = self.card_of(player)
            if self.chance(0.3):
                self.felt.lift(back)
                yield IN_HAND
                self.felt.put(str(plan[player]), self.seat(player))
            else:
                self.felt.turn(back)
            self.truth.show(player, plan[player])
            yield AT_REST

    def slot(self, player: int, card: int) -> Acts:
        choices = self.truth.rows.choices(card)
        if not choices:
            yield from self.bring(player, card, self.truth.rows.row_for(card))
            return
        row = self.rng.choice(choices)
        way = self.rng.random()
        if way < 0.25 and self._may_name(card):
            self._name(row)
            yield AT_REST
            yield from self._lift(row, self.row_cards(row))
            yield from self.bring(player, card, row)
        elif way < 0.5 and len(choices) == 1:  # the sixth card lies beside the five, and slides to the left
            if self.truth.seats:
                self._lift_from_seat(player)
            self.felt.put(str(card), f"row:{row}")
            yield IN_HAND
            for acts in self._lift(row, self.row_cards(row)[:-1]):
                if self.truth.taking:
                    self._lay(card, row)
                yield acts
        else:
            yield from self._lift(row, self.row_cards(row))
            yield from self.bring(player, card, row)

    def bring(self, player: int, card: int, row: int) -> Acts:
        """The card goes from the seat, or from the hand, to its row."""
        if self.truth.seats:
            self._lift_from_seat(player)
            if self.chance(0.3):
                yield IN_HAND
        self.felt.put(str(card), f"row:{row}")
        self._lay(card, row)

    def choose_early(self, player: int) -> Acts:
        """Somebody who has laid chooses for the next turn, while others still lay."""
        if not self.hands[player]:
            return
        self.early[player] = self.rng.choice(self.hands[player])
        self.felt.put("back", self.seat(player), under=str(self.early[player]))
        self.truth.chosen.add(player)
        yield AT_REST

    def _may_name(self, card: int) -> bool:
        """Is everything recorded up to this card, so that the box asks for its row?"""
        examiner = self.examiner
        offers = [offer.move for offer in examiner.game.view(examiner.log.state).offers]
        return examiner.known == len(examiner.truth.events) and any(offer.startswith("take") for offer in offers)

    def _name(self, row: int) -> None:
        self._take(row)
        self.examiner.tell_event(f"take {row}")

    def _lift(self, row: int, things: list[Thing]) -> Acts:
        """The cards of a row, at once or some by some. It is taken when the last one leaves the table."""
        for n, thing in enumerate(things, 1):
            self.felt.lift(thing)
            if n == len(things) and not self.truth.taking:
                self._take(row)
            if n == len(things) or self.chance(0.15):
                yield IN_HAND

    def _take(self, row: int) -> None:
        self.truth.take(row)

    def _lay(self, card: int, row: int) -> None:
        self.truth.lay(card, row)

    def _put_back(self, player: int, card: int) -> None:
        self.felt.put("back", self.seat(player), under=str(card))
        self.truth.chosen.add(player)

    def may_show_another(self, player: int) -> bool:
        """May this player lay a new card beside the shown one?"""
        return False

    def card_of(self, player: int) -> Thing:
        return next(t for t in self.felt.at(self.seat(player)) if "." not in t.face)

    def _lift_from_seat(self, player: int) -> None:
        self.felt.lift(self.card_of(player))
