"""Options: every option of every game accepts the values it offers and refuses all others by name."""

import pytest

from engine.games import GAMES
from engine.log import Log
from engine.options import BadOption, Option, fill_options, format_value, get_number, get_numbers, get_word

EVERY = [
    pytest.param(game, option, id=f"{game.name}-{option.name}") for game in GAMES.values() for option in game.options
]
ABSURD = [-1, 10**9, "two", "", None, 2.5, (), "²", "1_0", " 4", "9" * 40, True]


@pytest.mark.parametrize(("game", "option"), EVERY)
def test_the_default_is_one_of_its_values(game, option):
    assert option.check(option.default) == option.default
    assert fill_options(game.options, {})[option.name] == option.default


@pytest.mark.parametrize("value", ABSURD, ids=repr)
@pytest.mark.parametrize(("game", "option"), EVERY)
def test_an_absurd_value_is_refused_by_name(game, option, value):
    if option.many and value in ("", ()):
        assert option.check(value) == ()  # none named is a choice
        return
    with pytest.raises(BadOption) as bad:
        Log(game, {option.name: value})
    assert bad.value.name == option.name
    assert bad.value.text.get("option") == option.name


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_unknown_option_is_refused(game):
    with pytest.raises(BadOption) as bad:
        Log(game, {"moon": 1})
    assert (bad.value.name, bad.value.text.id) == ("moon", "option_unknown")


CHECKS = [
    (Option("players", 4, 2, 10), "6", 6),
    (Option("players", 4, 2, 10), 10, 10),
    (Option("cmp", "ge", words=("ge", "gt")), "gt", "gt"),
    (Option("notice", 3, 0, 9, words=("off",)), "off", "off"),
    (Option("notice", 3, 0, 9, words=("off",)), "9", 9),
    (Option("spots", (), 1, 10, many=True), "3,1", (3, 1)),
    (Option("spots", (), 1, 10, many=True), [3, 1], (3, 1)),
]


@pytest.mark.parametrize(("option", "given", "value"), CHECKS, ids=lambda c: getattr(c, "name", repr(c)))
def test_a_value_given_as_text_is_read(option, given, value):
    assert option.check(given) == value


FILLED = {"players": 4, "variant": "base", "spots": (1, 3), "none": ()}


def test_an_option_is_read_with_its_type():
    assert get_number(FILLED, "players") == 4
    assert get_word(FILLED, "variant") == "base"
    assert get_numbers(FILLED, "spots") == (1, 3)


@pytest.mark.parametrize(("get", "name"), [(get_number, "variant"), (get_word, "players"), (get_numbers, "variant")])
def test_a_value_of_another_type_is_a_programming_error(get, name):
    with pytest.raises(TypeError, match=name):
        get(FILLED, name)


@pytest.mark.parametrize(("name", "text"), [("players", "4"), ("variant", "base"), ("spots", "1,3"), ("none", "")])
def test_a_value_is_written_as_one_word(name, text):
    assert format_value(FILLED[name]) == text


@pytest.mark.parametrize(("game", "option"), EVERY)
def test_a_written_value_is_read_again(game, option):
    for value in (option.default, *option.words, *(() if option.words or option.many else (option.low, option.high))):
        assert option.check(format_value(value)) == value
