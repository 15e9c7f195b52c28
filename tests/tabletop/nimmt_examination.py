"""Rounds of the base game, the open draft and the two halves, with seats and without."""

from collections import Counter
from random import Random

from engine.options import Options
from tests.tabletop.nimmt_examiner import Examiner, Stuck
from tests.tabletop.nimmt_faults import FAULTS
from tests.tabletop.nimmt_people import People
from tests.tabletop.nimmt_trials import try_often
from tests.tabletop.nimmt_truth import Truth

VARIANTS = ("base", "base off", "professional", "halves", "professional off", "halves off")

FAULT_SHARE = 0.04
"""Faults for each moment at rest."""


def play_round(seed: int, variant: str) -> tuple[Counter[str], list[str]]:
    """One round with everything that people do at a table, judged look by look."""
    rng = Random(f"{variant} {seed}")
    name, _, off = variant.partition(" ")
    players = rng.randint(2, 7)
    options: Options = {"variant": name, "players": players, "seats": "off" if off else "on"}
    examiner = Examiner(options, Truth(list(range(1, players + 1)), seats=not off), rng, f"{variant} {seed}")
    try:
        Round(examiner, options, rng).play()
    except Stuck:
        examiner.counts["given up"] += 1
    examiner.counts["rounds"] += 1
    return examiner.counts, examiner.failures


class Round:
    """One round: the deal, its turns, the scores."""

    def __init__(self, examiner: Examiner, options: Options, rng: Random) -> None:
        self.examiner, self.options, self.rng = examiner, options, rng

    def play(self) -> None:
        examiner, rng = self.examiner, self.rng
        deck = rng.sample(range(1, 105), 104)
        players = examiner.truth.players
        hands = {p: [deck.pop() for _ in range(10)] for p in players}
        people = People(examiner, hands, {p: p for p in players}, rng)
        self.deal([deck.pop() for _ in range(4)])
        for _ in range(10):
            self.watch(people)
            examiner.look(rest=True)
            self.answer_who()
        examiner.check_scores()

    def deal(self, cards: list[int]) -> None:
        examiner = self.examiner
        examiner.truth.deal(cards)
        for row in self.rng.sample(range(4), 4):
            examiner.felt.put(str(cards[row]), f"row:{row + 1}")
            if row == 2:
                examiner.look()
        examiner.look(rest=True)

    def watch(self, people: People) -> None:
        """Look now and then, also while hands are over the table."""
        felt, examiner = self.examiner.felt, self.examiner
        for rest in people.turn():
            draw = self.rng.random()
            if draw < 0.35:
                examiner.look(rest=rest)
            elif draw < 0.6:
                places = self.rng.choices(list(felt.zones), k=self.rng.choice((1, 1, 1, 2)))
                examiner.look(unseen=[felt.hand_over(place) for place in places])
            if self.rng.random() < 0.5:
                self.answer_who()
            if rest:
                try_often(people, FAULT_SHARE, FAULTS)

    def answer_who(self) -> None:
        """Seats off: the box asks who took a row."""
        examiner = self.examiner
        while any(o.move.startswith("who") for o in examiner.game.view(examiner.log.state).offers):
            told = sum(str(move).startswith("who") for move in examiner.log.moves[examiner.dealt :])
            examiner.tell(f"who {examiner.truth.takers[told]}")
