"""The worked examples of the rules, each run through the engine by its game's translator."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.game import WHYS

RUNNERS = {
    "6nimmt": "tests.engine.vector_runs.nimmt",
    "six": "tests.engine.vector_runs.six",
    "thegame": "tests.engine.vector_runs.thegame",
}
NOTHING = object()

# game and action type: the keys a result may be asked for
KEYS = {
    "6nimmt": """
        audit_count: expected_total verdict
        audit_piles: extra missing verdict
        check_match: over scores winners
        check_round: round_over
        count_heads: heads
        count_specials_held: held
        deal_round_2_specials: available each special_deck special_discard
        draft_order: order
        end_round: discard marks next rows
        exchange: reshuffled special_deck special_discard specials_in_hand verdict why
        half_time: deal_each piles reshuffle rows verdict why
        heads_table: heads
        heads_totals: cards_by_heads total_heads
        next_first_drafter: first
        observe_place: expected_card expected_player expected_row expected_row_after verdict why
        pick: draft_over rows verdict why
        place: aside choices credit discard marks piles rows special_deck special_discard taken verdict why
        reveal: card missing order player verdict why
        score_round: round scores
        setup: cards_from cards_played cards_to dealt first_half hand rounds rows second_half set_aside special_deck
               specials turns undealt verdict why
        start_round: round rows turns verdict why
        turn: discard marks order piles rows special_deck special_discard taken verdict
    """,
    "six": """
        check_repetition: announce winner
        lift: groups verdict
        list_legal: cells
        move: eliminated left reason shape verdict why winner
        next_starter: starter
        pass: verdict why
        place: phase reason shape turn verdict why winner
        setup: adjacent hand on_table verdict
    """,
    "thegame": """
        declare_cannot_play: game_over left result verdict why
        derive_counts: deck hands total_played
        end_turn: deck draw hand_after min next_min verdict why
        grade: left result
        next_player: next
        play: played_this_turn top trick verdict why
        play_many: played tops verdict
        play_sequence: top verdict
        setup: deck hand min_cards piles verdict why
        verify_cannot_play: claim_true
    """,
}


def closed_list(game: str) -> dict[str, set[str]]:
    keys: dict[str, set[str]] = {}
    for word in KEYS[game].split():
        if word.endswith(":"):
            action = keys.setdefault(word[:-1], set())
        else:
            action.add(word)
    return keys


def read(folder: str) -> list[tuple[str, dict[str, Any]]]:
    files = sorted(Path(folder).glob("*.json"))
    assert files, f"no *.json in {folder}"
    return [(f"{file.stem}:{v['name']}", v) for file in files for v in json.loads(file.read_text(encoding="utf-8"))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vector" in metafunc.fixturenames:
        found = read(metafunc.config.getoption("--vectors"))
        metafunc.parametrize("vector", [v for _, v in found], ids=[name for name, _ in found])


def run(vector: dict[str, Any]) -> dict[str, Any]:
    game, action = vector["game"], vector["action"]["type"]
    if game not in RUNNERS:
        pytest.fail(f"no translator for the game '{game}'; there are {', '.join(RUNNERS)}")
    actions = import_module(RUNNERS[game]).RUN
    if action not in actions:
        pytest.fail(f"the translator of '{game}' knows no action '{action}'; it knows {', '.join(sorted(actions))}")
    plain: dict[str, Any] = json.loads(json.dumps(actions[action](vector)))  # tuples are lists, keys are words
    return plain


def test_example(vector):
    result = run(vector)
    found = {key: result.get(key, NOTHING) for key in vector["expect"]}
    lost = [key for key, value in found.items() if value is NOTHING]
    assert not lost, f"the result says nothing about {lost}, it has {sorted(result)}"
    assert found == vector["expect"]


def test_example_is_of_the_known_shape(vector):
    game, action, expect = vector["game"], vector["action"]["type"], vector["expect"]
    assert action in closed_list(game)
    assert set(expect) <= closed_list(game)[action]
    assert expect.get("why") is None or expect["why"] in WHYS


@pytest.mark.parametrize("game", KEYS)
def test_translator_knows_every_action(game):
    missing = closed_list(game).keys() - import_module(RUNNERS[game]).RUN.keys()
    assert not missing, f"the translator of '{game}' lacks {sorted(missing)}"


@pytest.mark.parametrize("game", KEYS)
def test_translator_answers_every_key(game):
    """Some example of each action has every key of the closed list in its result."""
    said: dict[str, set[str]] = {}
    for _, vector in read(str(Path(__file__).parent.parent / "vectors")):
        if vector["game"] == game:
            said.setdefault(vector["action"]["type"], set()).update(run(vector))
    silent = {action: sorted(keys - said[action]) for action, keys in closed_list(game).items() if action in said}
    assert not {action: keys for action, keys in silent.items() if keys}


def test_the_closed_list_of_reasons_is_that_of_the_examples():
    """Every reason has an example, and no example names another."""
    examples = read(str(Path(__file__).parent.parent / "vectors"))
    assert {why for _, vector in examples if (why := vector["expect"].get("why"))} == WHYS
