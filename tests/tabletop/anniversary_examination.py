"""Rounds of the anniversary game: both rounds of a match, with all specials."""

from collections import Counter
from random import Random

from engine.options import Options
from tests.tabletop.anniversary_faults import SPECIAL_FAULTS
from tests.tabletop.anniversary_people import SpecialPeople
from tests.tabletop.anniversary_truth import TURNS, SpecialTruth
from tests.tabletop.nimmt_examiner import Examiner
from tests.tabletop.nimmt_faults import FAULTS
from tests.tabletop.nimmt_match import Match, examine_match

VARIANTS = ("anniversary",)


class SpecialMatch(Match):
    """Two rounds of twelve turns."""

    faults = (*FAULTS, *SPECIAL_FAULTS)

    def __init__(self, seed: int, variant: str) -> None:
        self.rng = rng = Random(f"{variant} {seed}")
        self.name, self.rounds = variant, 2
        players = rng.randint(2, 8)
        spots = rng.sample(range(1, 9), players)
        options: Options = {"variant": variant, "players": players, "spots": tuple(spots)}
        truth = SpecialTruth(list(range(1, players + 1)))
        self.examiner = Examiner(options, truth, rng, f"{variant} {seed}")
        self.people: SpecialPeople = SpecialPeople(self.examiner, dict(enumerate(spots, 1)), rng)

    def play_round(self, number: int) -> None:
        people, examiner = self.people, self.examiner
        deck = self.rng.sample(range(1, 105), 104)
        people.hands = {p: [deck.pop() for _ in range(TURNS)] for p in examiner.truth.players}
        people.deal_specials()
        self.watch(self.deal([deck.pop() for _ in range(4)]), faults=False)
        self.play_turns()
        examiner.check_scores()
        examiner.truth.end_round()

    def clear_table(self) -> None:
        """A-7: the specials at rows go to the discard."""
        marks = [t.face for t in self.examiner.felt.things if "." in t.face and t.zone.startswith("row")]
        self.people.discard += marks
        self.people.truth.spent += Counter(mark.partition(".")[0] for mark in marks)
        super().clear_table()


def play_round(seed: int, variant: str) -> tuple[Counter[str], list[str]]:
    """Both rounds of a match, judged look by look."""
    return examine_match(SpecialMatch(seed, variant))
