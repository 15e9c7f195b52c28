"""Every game and variant with two players and with the greatest number, as new games that people wish for."""

from collections.abc import Callable, Mapping
from functools import partial

from firmware.simulation.people.new_game_wish import NewGameWish
from firmware.simulation.people.screen_reading import Sentence

Rules = tuple[tuple[str, Sentence], ...]
ONE_ROUND: Rules = (("end_points", Sentence("end_rounds")), ("rounds", Sentence("rounds", {"n": "1"})))
TWO_ROUNDS: Rules = (("end_points", Sentence("end_rounds")), ("rounds", Sentence("rounds", {"n": "2"})))
FIVE_ROUNDS: Rules = (("end_points", Sentence("end_rounds")), ("rounds", Sentence("rounds", {"n": "5"})))
TO_TEN: Rules = (("count_from_to", Sentence("count_from_to", {"high": "10"})),)
FROM_TWO: Rules = (("count_from_to", Sentence("count_from_to", {"low": "2", "high": "10"})),)
"""Where a variant is usually for fewer or more players."""
NO_SEATS: Rules = (("seats_on", Sentence("seats_off")),)


def _new(game: str, players: int, variant: str = "", rules: Rules = ()) -> Callable[[], NewGameWish]:
    return partial(NewGameWish, game, players, variant=variant, rules=rules)


AGREEMENTS: Mapping[str, Callable[[], NewGameWish]] = {
    "base, 2": _new("nimmt", 2, "base", FIVE_ROUNDS),
    "base, 10": _new("nimmt", 10, "base", TWO_ROUNDS),
    "base, 2 without seats": _new("nimmt", 2, "base", (*ONE_ROUND, *NO_SEATS)),
    "base, 10 without seats": _new("nimmt", 10, "base", (*ONE_ROUND, *NO_SEATS)),
    "professional, 2": _new("nimmt", 2, "professional", FIVE_ROUNDS),
    "professional, 10": _new("nimmt", 10, "professional", (*ONE_ROUND, *TO_TEN)),
    "halves, 2": _new("nimmt", 2, "halves", FROM_TWO),
    "halves, 10": _new("nimmt", 10, "halves", TO_TEN),
    "anniversary, 2": _new("nimmt", 2, "anniversary"),
    "anniversary, 8": _new("nimmt", 8, "anniversary"),
    "The Game, 2": _new("thegame", 2),
    "The Game, 5": _new("thegame", 5),
    "The Game, 2 experts": _new("thegame", 2, "", (("level_standard", Sentence("level_expert")),)),
    "The Game, 5 with small hands": _new("thegame", 5, "", (("level_standard", Sentence("level_small_hand")),)),
    "SIX": _new("six", 2),
}
