"""Rounds of the base game, the open draft and the two halves, with seats and without."""

from collections import Counter

from tests.tabletop.nimmt_match import Match, examine_match, list_variants

VARIANTS = list_variants(("base", "professional", "halves"))


def play_round(seed: int, variant: str) -> tuple[Counter[str], list[str]]:
    """A round or two with everything that people do at a table, judged look by look."""
    return examine_match(Match(seed, variant))
