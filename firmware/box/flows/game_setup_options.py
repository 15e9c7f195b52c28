"""What a table may choose for each game, in words: which options count, their values, and how each one reads."""

from functools import lru_cache

from engine.games import GAMES
from engine.options import Options, Value, fill_options, get_number
from engine.text import say
from firmware.box.commands import ChooseOption, SetOption, SetPlayerCount
from firmware.box.games import ui_of
from firmware.box.games.game_ui import option_of
from firmware.box.menu import Menu, offer


def chosen(game: str, given: Options) -> tuple[str, ...]:
    """The options that matter after what was chosen so far; the number of players is asked elsewhere."""
    return tuple(question.option for question in ui_of(game).setup_questions(given))


def rules_menu(game: str, given: Options) -> Menu:
    """Each option with its value."""
    full, ui = fill_options(GAMES[game].options, given), ui_of(game)
    lot = ui.draws_lot(full) and "first" not in given
    values = {name: 0 if name == "first" and lot else full[name] for name in chosen(game, given)}
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
        values = from_here(get_number(full, name), option.low, option.high)
    labels = ((value, ui.describe_option(name, value, full)) for value in values)
    return Menu(question.prompt, tuple(offer(label, SetOption(name, str(value))) for value, label in labels))


def players_menu(game: str, count: int) -> Menu:
    option = option_of(game, "players")
    numbers = from_here(count, option.low, option.high)
    return Menu(say("how_many_play"), tuple(offer(say("players", n=n), SetPlayerCount(n)) for n in numbers))


def set_to(game: str, given: Options, name: str, value: str) -> dict[str, Value]:
    """The options with this one; ``BadOption`` if it cannot be. The first picker 0 is the lot."""
    after = {**given}
    if name in ("players", "first"):  # who starts is one of those who play
        after.pop("first", None)
    if (name, value) != ("first", "0"):
        after[name] = option_of(game, name).check(value)
    return after


@lru_cache(maxsize=8)
def from_here(now: int, low: int, high: int) -> tuple[int, ...]:
    """All numbers, beginning with this one: DOWN goes down from it and UP goes up."""
    return (*range(now, low - 1, -1), *range(high, now, -1))
