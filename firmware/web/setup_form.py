"""The set-up form of the page: games, variants, options, and the command that begins a match."""

import msgspec

from engine.games import GAMES
from engine.options import Options, Value, fill_options
from engine.text import Text, say
from firmware.box.flow_context import Context
from firmware.box.flows.game_setup_seats import plan_seats as seats_at
from firmware.box.games import ui_of
from firmware.box.games.game_ui import option_of
from firmware.box.match_start import begin_command
from firmware.texts.render import render


class Choosable(msgspec.Struct, frozen=True):
    value: str
    label: str


class Choice(msgspec.Struct, frozen=True):
    """One option. ``values`` are all there are; without any it is a whole number from ``low`` to ``high``.

    The value ``usual`` is the default and need not be sent; an empty default must not be sent.
    """

    name: str
    question: str
    usual: str
    low: int
    high: int
    values: list[Choosable]


class Variant(msgspec.Struct, frozen=True):
    """``words`` begin a match with the default options; ``NAME=VALUE`` behind them changes one."""

    name: str
    label: str
    about: str
    words: str
    choices: list[Choice]


class GameKind(msgspec.Struct, frozen=True):
    name: str
    title: str
    variants: list[Variant]


class SeatChoice(msgspec.Struct, frozen=True):
    """The middle of a seat, as shares of the width and height of the table."""

    seat: int
    x: float
    y: float


class Choices(msgspec.Struct, frozen=True):
    """``seats`` are for the option ``spots`` of a game with seats: the seats of the players in order, as 1,3,5.

    ``area`` is the measured table, ``people`` are all who ever played; only a paired phone gets them.
    """

    games: list[GameKind]
    seats: list[SeatChoice]
    languages: list[str]
    area: tuple[int, int] | None
    people: list[str]


def list_game_kinds(language: str) -> list[GameKind]:
    return [GameKind(game, render(say("game", game=game), language), _variants(game, language)) for game in GAMES]


def _variants(game: str, language: str) -> list[Variant]:
    ui = ui_of(game)
    if not ui.variants:
        label, about = render(say("game", game=game), language), render(ui.about, language)
        return [Variant("", label, about, str(begin_command(game, {})), _choices(game, {}, language))]
    return [
        Variant(
            variant.name,
            render(variant.label, language),
            render(variant.about, language),
            str(begin_command(game, variant.options)),
            _choices(game, variant.options, language),
        )
        for variant in ui.variants
    ]


def _choices(game: str, given: Options, language: str) -> list[Choice]:
    """The number of players, and every option that matters together with any other choice."""
    options = (option for option in GAMES[game].options if option.words)
    others = ({**given, option.name: word} for option in options if option.name not in given for word in option.words)
    asked = (question for some in (given, *others) for question in ui_of(game).setup_questions(some))
    prompts = {"players": say("how_many_play")} | {question.option: question.prompt for question in asked}
    return [_choice(game, given, name, prompt, language) for name, prompt in prompts.items()]


def _choice(game: str, given: Options, name: str, prompt: Text, language: str) -> Choice:
    full, ui = fill_options(GAMES[game].options, given), ui_of(game)
    option = option_of(game, name)
    lot = name == "first" and ui.draws_lot(full)  # without a choice the box draws lots
    if option.words:
        few: tuple[Value, ...] = option.words
    elif name == "first":
        few = (*((0,) if lot else ()), *range(option.low, option.high + 1))
    else:
        few = (0, 1) if (option.low, option.high) == (0, 1) else ()
    labels = [render(ui.describe_option(name, value, full), language) for value in few]
    values = [
        Choosable("" if (lot, value) == (True, 0) else str(value), label)
        for value, label in zip(few, labels, strict=True)
    ]
    usual = "" if lot else str(full[name])
    return Choice(name, render(prompt, language), usual, option.low, option.high, values)


def list_seat_choices(area: tuple[int, int] | None) -> list[SeatChoice]:
    """The seats of the first game that has seats, on this table or on its least one."""
    game = next((game for game in GAMES if ui_of(game).counts_by_cards), None)
    if game is None:
        return []
    plan = GAMES[game].plan({})
    width, height = area or (plan.width, plan.height)
    spots = seats_at(game, {}, Context(area=(width, height))) if area else plan.zones
    numbered = ((name.partition(":"), place) for name, place in spots.items())
    return [
        SeatChoice(
            int(number),
            round((place.left + place.right) / 2 / width, 3),
            round((place.top + place.bottom) / 2 / height, 3),
        )
        for (kind, _, number), place in numbered
        if kind == "seat"
    ]
