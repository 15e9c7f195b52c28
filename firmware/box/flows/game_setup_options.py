"""Menus for the options of a game: which options matter, their values, and the number of players."""

from functools import lru_cache

from engine.games import GAMES
from engine.options import Options, Value, fill_options, get_number
from engine.text import say
from firmware.box.commands import ChooseOption, SetOption, SetPlayerCount
from firmware.box.games import ui_of
from firmware.box.games.game_ui import option_of
from firmware.box.menu_and_confirmation import Menu, offer


def list_options(game: str, given: Options) -> tuple[str, ...]:
    """The options that matter after what was chosen so far; the number of players is asked elsewhere."""
    return tuple(question.option for question in ui_of(game).setup_questions(given))


def rules_menu(game: str, given: Options) -> Menu:
    """Each option with its value."""
    full, ui = fill_options(GAMES[game].options, given), ui_of(game)
    lot = ui.draws_lot(full) and "first" not in given
    values = {name: 0 if name == "first" and lot else full[name] for name in list_options(game, given)}
    labels = ((name, ui.describe_option(name, value, full)) for name, value in values.items())
    return Menu(say("choose_rule"), tuple(offer(label, ChooseOption(name)) for name, label in labels))


def values_menu(game: str, given: Options, name: str) -> Menu:
    """Every value of one option, the current one first; of numbers UP is one more."""
    full, ui = fill_options(GAMES[game].options, given), ui_of(game)
    option = option_of(game, name)
    question = next(question for question in ui.setup_questions(given) if question.option == name)
    if question.values:
        values = question.values
    elif option.words:
        values = tuple(sorted(option.words, key=lambda word: word != full[name]))
    elif name == "first":
        values = tuple(range(0 if ui.draws_lot(full) else 1, get_number(full, "players") + 1))
    else:
        values = values_from(get_number(full, name), option.low, option.high)
    labels = ((value, ui.describe_option(name, value, full)) for value in values)
    return Menu(question.prompt, tuple(offer(label, SetOption(name, str(value))) for value, label in labels))


def players_menu(game: str, count: int) -> Menu:
    option = option_of(game, "players")
    numbers = values_from(count, option.low, option.high)
    return Menu(say("how_many_play"), tuple(offer(say("players", n=n), SetPlayerCount(n)) for n in numbers))


def set_option(game: str, given: Options, name: str, value: str) -> dict[str, Value]:
    """The options with this value; ``BadOption`` if it is none. ``first`` 0 leaves the choice to the lot."""
    after = {**given}
    if name in ("players", "first"):  # the number of players limits who may start
        after.pop("first", None)
    if (name, value) != ("first", "0"):
        after[name] = option_of(game, name).check(value)
    return after


@lru_cache(maxsize=8)
def values_from(now: int, low: int, high: int) -> tuple[int, ...]:
    """All numbers from ``low`` to ``high``, the current one first, so that DOWN lowers it and UP raises it."""
    return (*range(now, low - 1, -1), *range(high, now, -1))
