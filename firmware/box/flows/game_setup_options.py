"""What a table may choose for each game, in words: which options count, their values, and how each one reads."""

from functools import lru_cache

from engine.games import GAMES
from engine.options import Option, Options, Value, fill, get_number
from engine.text import Text, say
from firmware.box.commands import ChooseOption, SetOption, SetPlayerCount
from firmware.box.menu import Menu, offer


def chosen(game: str, given: Options) -> tuple[str, ...]:
    """The options that make a difference to what was chosen so far; how many play is asked elsewhere."""
    match game, given.get("variant", "base"):
        case "nimmt", "anniversary":
            return ()
        case "nimmt", "halves":
            return ("allow_any_count", "seats")
        case "nimmt", variant:
            ends = ("end", "rounds") if given.get("end") == "rounds" else ("end", "target", "cmp")
            return (*ends, "first", "allow_7_to_10", "seats") if variant == "professional" else (*ends, "seats")
        case "thegame", _:
            return ("level", "first")
        case _:
            return ("first", "first_tile_restriction", "repetition_notice")


def rules_menu(game: str, given: Options) -> Menu:
    """Each option as it stands."""
    full = fill(GAMES[game].options, given)
    lot = game == "nimmt" and "first" not in given
    values = {name: 0 if name == "first" and lot else full[name] for name in chosen(game, given)}
    labels = ((name, reads(name, value, full)) for name, value in values.items())
    return Menu(say("choose_rule"), tuple(offer(label, ChooseOption(name)) for name, label in labels))


def values_menu(game: str, given: Options, name: str) -> Menu:
    """Every value of one option, what stands first; of numbers UP is one more."""
    full = fill(GAMES[game].options, given)
    option = _option(game, name)
    if option.words:
        values: tuple[Value, ...] = tuple(sorted(option.words, key=lambda word: word != full[name]))
    elif name == "first":
        players = get_number(full, "players")
        values = tuple(range(0 if game == "nimmt" else 1, players + 1))
    elif name == "repetition_notice":
        values = (3, 2, 0, *range(9, 3, -1))
    else:
        values = from_here(get_number(full, name), option.low, option.high)
    return Menu(question(name), tuple(offer(reads(name, value, full), SetOption(name, str(value))) for value in values))


def players_menu(game: str, count: int) -> Menu:
    option = _option(game, "players")
    numbers = from_here(count, option.low, option.high)
    return Menu(say("how_many_play"), tuple(offer(say("players", n=n), SetPlayerCount(n)) for n in numbers))


def set_to(game: str, given: Options, name: str, value: str) -> dict[str, Value]:
    """The options with this one; ``BadOption`` if it cannot be. The first picker 0 is the lot."""
    after = {**given}
    if name in ("players", "first"):  # who starts is one of those who play
        after.pop("first", None)
    if (name, value) != ("first", "0"):
        after[name] = _option(game, name).check(value)
    return after


@lru_cache(maxsize=8)
def from_here(now: int, low: int, high: int) -> tuple[int, ...]:
    """All numbers, beginning with this one: DOWN goes down from it and UP goes up."""
    return (*range(now, low - 1, -1), *range(high, now, -1))


def question(name: str) -> Text:
    match name:
        case "end":
            return say("ask_end")
        case "target":
            return say("ask_target")
        case "cmp":
            return say("ask_cmp")
        case "rounds":
            return say("ask_rounds")
        case "first":
            return say("ask_first")
        case "seats":
            return say("ask_seats")
        case "level":
            return say("ask_level")
        case "first_tile_restriction":
            return say("ask_first_tile")
        case "repetition_notice":
            return say("ask_repeats")
        case _:
            return say("how_many_play")


def reads(name: str, value: Value, full: Options) -> Text:
    """An option with its value as one line of a screen."""
    match name, value:
        case "end", "rounds":
            return say("end_rounds")
        case "end", _:
            return say("end_points")
        case "target", int():
            return say("target_points", n=value)
        case "cmp", "gt":
            return say("ends_above", points=full["target"])
        case "cmp", _:
            return say("ends_at", points=full["target"])
        case "rounds", int():
            return say("rounds", n=value)
        case "first", int() if value:
            return say("starts_player", player=value)
        case "first", int():
            return say("starts_lot")
        case "first", _:
            return say("starts_colour", colour=value)
        case "seats", "off":
            return say("seats_off")
        case "seats", _:
            return say("seats_on")
        case "level", "expert":
            return say("level_expert")
        case "level", "expert_small_hand":
            return say("level_small_hand")
        case "level", _:
            return say("level_standard")
        case "allow_7_to_10", int():
            return say("count_from_to", low=2, high=10 if value else 6)
        case "allow_any_count", int():
            return say("count_from_to", low=2 if value else 4, high=10 if value else 7)
        case "first_tile_restriction", int() if value:
            return say("first_tile_apart")
        case "first_tile_restriction", _:
            return say("first_tile_free")
        case "repetition_notice", int() if value:
            return say("repeats_told", times=value)
        case _:
            return say("repeats_untold")


def _option(game: str, name: str) -> Option:
    return next(option for option in GAMES[game].options if option.name == name)
