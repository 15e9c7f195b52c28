"""What can be chosen before a game, in words: a set-up form for a phone, and how to begin what was chosen."""

import msgspec

from engine.games import GAMES
from engine.options import Options, Value, fill
from engine.text import Text, say
from firmware.box.context import Context
from firmware.box.flows.game_setup import VARIANTS
from firmware.box.flows.game_setup_options import chosen, question, reads
from firmware.box.flows.game_setup_seats import seats as seats_at
from firmware.texts.render import render

USUAL = 6
ABOUT = {
    "base": "about_base",
    "professional": "about_professional",
    "halves": "about_halves",
    "anniversary": "about_anniversary",
    "thegame": "about_thegame",
    "six": "about_six",
}
"""What each is, for who does not know it."""


class Choosable(msgspec.Struct, frozen=True):
    value: str
    label: str


class Choice(msgspec.Struct, frozen=True):
    """``values`` are all there are; without any it is a whole number from ``low`` to ``high``.

    What is left as ``usual`` need not be said, and what is usually empty cannot be.
    """

    name: str
    question: str
    usual: str
    low: int
    high: int
    values: list[Choosable]


class Variant(msgspec.Struct, frozen=True):
    """``words`` begin it as it usually is; ``NAME=VALUE`` behind them says what is to be otherwise."""

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
    """Where a seat lies on the table, in parts of its width and height."""

    seat: int
    x: float
    y: float


class Choices(msgspec.Struct, frozen=True):
    """``seats`` are those of 6 nimmt!, for the option ``spots``: the players' seats in their order, as 1,3,5.

    ``area`` is the table as measured, ``people`` who ever played: only who is paired is told that.
    """

    games: list[GameKind]
    seats: list[SeatChoice]
    languages: list[str]
    area: tuple[int, int] | None
    people: list[str]


def games(language: str) -> list[GameKind]:
    return [GameKind(game, render(say("game", game=game), language), _variants(game, language)) for game in GAMES]


def _variants(game: str, language: str) -> list[Variant]:
    if game != "nimmt":
        label, about = render(say("game", game=game), language), render(Text(ABOUT[game]), language)
        return [Variant("", label, about, f"game:begin {game}", _choices(game, {}, language))]
    return [
        Variant(
            name,
            render(label, language),
            render(Text(ABOUT[name]), language),
            f"game:begin {game} variant={name}",
            _choices(game, {"variant": name}, language),
        )
        for name, label in VARIANTS.items()
    ]


def _choices(game: str, given: Options, language: str) -> list[Choice]:
    """How many play, and every option that may make a difference."""
    names = dict.fromkeys(("players", *chosen(game, given), *chosen(game, {**given, "end": "rounds"})))
    return [_choice(game, given, name, language) for name in names]


def _choice(game: str, given: Options, name: str, language: str) -> Choice:
    full = fill(GAMES[game].options, given)
    option = next(option for option in GAMES[game].options if option.name == name)
    lot = (game, name) == ("nimmt", "first")  # left out, there is a lot
    if option.words:
        few: tuple[Value, ...] = option.words
    elif name == "first":
        few = (*((0,) if lot else ()), *range(option.low, option.high + 1))
    else:
        few = (0, 1) if (option.low, option.high) == (0, 1) else ()
    values = [
        Choosable("" if (lot, value) == (True, 0) else str(value), render(reads(name, value, full), language))
        for value in few
    ]
    usual = "" if lot else str(full[name])
    return Choice(name, render(question(name), language), usual, option.low, option.high, values)


def seats(area: tuple[int, int] | None) -> list[SeatChoice]:
    """As many as this table has, or the usual one."""
    plan = GAMES["nimmt"].plan({"players": USUAL})
    width, height = area or (plan.width, plan.height)
    spots = seats_at({}, Context(area=(width, height))) if area else plan.zones
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
