"""A match of 6 nimmt! at a table: draft, deals, half-time, players who leave or join, and the looks in between."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from engine.options import Options
from engine.table import Area
from tests.tabletop.nimmt_examiner import Examiner, Stuck
from tests.tabletop.nimmt_faults import FAULTS, Fault
from tests.tabletop.nimmt_people import Acts, People
from tests.tabletop.nimmt_trials import try_often
from tests.tabletop.nimmt_truth import Truth

FAULT_SHARE = 0.04
"""Faults for each moment at rest."""
LEAVE_SHARE, JOIN_SHARE = 0.02, 0.3


class Match:
    """One match of one variant, up to two rounds."""

    faults: tuple[Fault, ...] = FAULTS

    def __init__(self, seed: int, variant: str) -> None:
        self.rng = rng = Random(f"{variant} {seed}")
        self.name, _, off = variant.partition(" ")
        self.count = rng.randint(*{"professional": (2, 6), "halves": (4, 7)}.get(self.name, (2, 10)))
        self.rounds = 1 if self.name == "halves" or rng.random() < 0.6 else 2
        self.first = rng.randint(1, self.count)
        spots = rng.sample(range(1, 11 if self.count > 6 or rng.random() < 0.3 else 7), self.count)
        options: Options = {
            "variant": self.name, "players": self.count, "seats": "off" if off else "on", "end": "rounds",
            "rounds": self.rounds, "first": self.first, "spots": () if off else tuple(spots),
        }  # fmt: skip
        truth = Truth(list(range(1, self.count + 1)), seats=not off)
        truth.highest = 10 * self.count + 4 if self.name == "professional" else 104
        self.examiner = Examiner(options, truth, rng, f"{variant} {seed}")
        self.people = People(self.examiner, {}, dict(enumerate(spots, 1)), rng)

    def play(self) -> None:
        for number in range(1, self.rounds + 1):
            self.examiner.counts["rounds"] += 1
            self.examiner.dealt = len(self.examiner.log.moves)
            if number > 1:
                self.clear_table()
            self.play_round(number)

    def play_round(self, number: int) -> None:
        examiner, truth, people = self.examiner, self.examiner.truth, self.people
        truth.drafted = {}
        deck = self.rng.sample(range(1, truth.highest + 1), truth.highest)
        if self.name == "professional":
            first = (self.first - 1 + number - 1) % self.count
            self.watch(self.draft(deck, first), faults=False)
        else:
            size = 100 // self.count // 2 if self.name == "halves" else 10
            people.hands = {p: [deck.pop() for _ in range(size)] for p in truth.players}
            self.watch(self.deal([deck.pop() for _ in range(4)]), faults=False)
        if not truth.seats:  # a low card laid at once cannot be told from a first card
            examiner.look(rest=True)
        self.play_turns()
        if self.name == "halves":
            size = 100 // self.count - size
            people.hands = {p: [deck.pop() for _ in range(size)] for p in truth.players}
            if self.rng.random() < 0.6:
                examiner.tell("hands")
            self.play_turns()
        examiner.check_scores()
        truth.end_round()

    def play_turns(self) -> None:
        truth = self.examiner.truth
        while any(self.people.hands[p] for p in truth.players):
            self.watch(self.people.turn())
            self.examiner.look(rest=True)
            self.answer_who()
            again = any(self.people.hands[p] for p in truth.players)
            if again and self.name == "base" and len(truth.players) > 2 and self.rng.random() < LEAVE_SHARE:
                self.leave(self.rng.choice(truth.players))

    def deal(self, cards: list[int]) -> Acts:
        """Four cards, each to its row, in any order."""
        self.examiner.truth.deal(cards)
        for row in self.rng.sample(range(4), 4):
            self.examiner.felt.put(str(cards[row]), f"row:{row + 1}")
            yield False
        yield True

    def draft(self, deck: list[int], first: int) -> Acts:
        """All cards lie open; one after the other picks (P-3, P-4). The last four start the rows."""
        examiner, felt = self.examiner, self.examiner.felt
        plan = examiner.game.plan(examiner.log.options)
        for card in deck:
            felt.put_anywhere(str(card), Area(0, 0, plan.width, plan.height))
        examiner.truth.deal([])
        yield True
        examiner.look()
        careful = self.rng.random() < 0.5
        hands: dict[int, list[int]] = {p: [] for p in examiner.truth.players}
        for n in range(10 * self.count):
            card = deck.pop()
            felt.lift(felt.require(str(card)))
            hands[(first + n) % self.count + 1].append(card)
            examiner.truth.picked.add(card)
            if len(deck) == 4:
                examiner.truth.deal([])
                self.find_rows_in_spread()
            if careful:
                examiner.look()
            elif self.rng.random() < 0.1:
                yield False
        self.people.hands = hands
        examiner.truth.drafted = {p: set(cards) for p, cards in hands.items()} if careful else {}
        examiner.look()
        if not examiner.truth.rows.cards:
            for thing in list(felt.things):
                felt.lift(thing)
            yield False
            yield from self.deal(deck)
        yield True

    def find_rows_in_spread(self) -> None:
        """The last four may lie one in each row by chance: nobody need move them then, and nobody can tell."""
        felt, lying = self.examiner.felt, {}
        for thing in felt.things:
            zone = next((z for z, area in felt.zones.items() if area.contains(thing.x, thing.y)), "")
            lying[zone] = thing
        if sorted(lying) == [f"row:{r}" for r in range(1, 5)]:
            for zone, thing in lying.items():
                thing.zone = zone
            self.examiner.truth.deal([int(lying[zone].face) for zone in sorted(lying)])

    def clear_table(self) -> None:
        """N-28: the scores are confirmed, and all cards go."""
        examiner, felt = self.examiner, self.examiner.felt
        if self.name == "base" and self.rng.random() < JOIN_SHARE:
            self.join()
        examiner.tell("next")
        while felt.things:
            for thing in self.rng.sample(felt.things, min(len(felt.things), self.rng.randint(1, 9))):
                felt.lift(thing)
            if self.rng.random() < 0.7:
                examiner.look()
        felt.off = []
        examiner.look(rest=True)

    def leave(self, player: int) -> None:
        """N-29: the hand goes aside, and the card that lay for the next turn."""
        if self.people.early.pop(player, 0):
            for thing in self.examiner.felt.at(self.people.seat(player)):
                self.examiner.felt.lift(thing)
        self.examiner.truth.leave(player)
        self.examiner.tell_event(f"leave {player}")

    def join(self) -> None:
        """N-30: with the highest total at the table."""
        truth, people = self.examiner.truth, self.people
        taken = [people.seats[p] for p in truth.players]
        free = [int(z[5:]) for z in self.examiner.felt.zones if z.startswith("seat") and int(z[5:]) not in taken]
        if not free or len(people.seats) > 9:
            return
        new, seat = len(people.seats) + 1, self.rng.choice(free)
        self.examiner.tell(f"join {seat}")
        truth.before[new] = max(truth.total(p) for p in truth.players)
        truth.players.append(new)
        people.seats[new] = seat

    def watch(self, acts: Acts, *, faults: bool = True) -> None:
        """Look now and then, also while hands are over the table."""
        felt, examiner, rng = self.examiner.felt, self.examiner, self.rng
        for rest in acts:
            draw = rng.random()
            if draw < 0.35:
                examiner.look(rest=rest)
            elif draw < 0.6:
                places = rng.choices(list(felt.zones), k=rng.choice((1, 1, 1, 2)))
                examiner.look(unseen=[felt.hand_over(place) for place in places])
            if rng.random() < 0.5:
                self.answer_who()
            if rest and rng.random() < 0.05:
                felt.straighten(f"row:{rng.randint(1, 4)}")
            if rest and faults and any(self.people.hands[p] for p in examiner.truth.players):
                try_often(self.people, FAULT_SHARE, self.faults)

    def answer_who(self) -> None:
        """Seats off: the box asks who took a row."""
        examiner = self.examiner
        while any(o.move.startswith("who") for o in examiner.game.view(examiner.log.state).offers):
            told = sum(str(move).startswith("who") for move in examiner.log.moves[examiner.dealt :])
            examiner.tell(f"who {examiner.truth.takers[told]}")


def list_variants(names: Sequence[str]) -> tuple[str, ...]:
    return (*names, *(f"{name} off" for name in names))


def examine_match(match: Match) -> tuple[Counter[str], list[str]]:
    """What was counted when the match was played to its end, or until it could not go on; and each failure."""
    try:
        match.play()
    except Stuck:
        match.examiner.counts["given up"] += 1
    return match.examiner.counts, match.examiner.failures
