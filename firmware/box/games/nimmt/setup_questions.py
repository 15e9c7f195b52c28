"""The variants of 6 nimmt!, the options each asks for, and the decks."""

from engine.games.nimmt.cards import COPIES_OF_A_SPECIAL, DECK, SPECIAL_KINDS
from engine.options import Options, Value
from engine.text import Text, say
from firmware.box.games.game_ui import Deck, GameVariant, SetupQuestion, sheets_of

VARIANTS = (
    GameVariant("base", say("variant_base"), Text("about_base"), {"variant": "base"}),
    GameVariant("professional", say("variant_professional"), Text("about_professional"), {"variant": "professional"}),
    GameVariant("halves", say("variant_halves"), Text("about_halves"), {"variant": "halves"}),
    GameVariant("anniversary", say("variant_anniversary"), Text("about_anniversary"), {"variant": "anniversary"}),
)
DECKS = (
    Deck("nimmt", say("deck_nimmt"), sheets_of(map(str, DECK))),
    Deck(
        "specials",
        say("deck_specials"),
        sheets_of((kind for kind in SPECIAL_KINDS for _ in range(COPIES_OF_A_SPECIAL)), 2 * COPIES_OF_A_SPECIAL),
        alike=True,
    ),
)
"""Copies of a special card are all the same to the rules, so their order does not matter."""
PROMPTS = {
    "end": say("ask_end"),
    "target": say("ask_target"),
    "cmp": say("ask_cmp"),
    "rounds": say("ask_rounds"),
    "first": say("ask_first"),
    "seats": say("ask_seats"),
    "allow_7_to_10": say("how_many_play"),
    "allow_any_count": say("how_many_play"),
}
HALF = 25
"""Cards of each half in a game of two (H-4)."""


def ask_options(given: Options) -> tuple[SetupQuestion, ...]:
    return tuple(SetupQuestion(name, PROMPTS[name]) for name in _names(given))


def _names(given: Options) -> tuple[str, ...]:
    ends = ("end", "rounds") if given.get("end") == "rounds" else ("end", "target", "cmp")
    match given.get("variant", "base"):
        case "anniversary":
            return ()
        case "halves":
            return ("allow_any_count", "seats")
        case "professional":
            return (*ends, "first", "allow_7_to_10", "seats")
        case _:
            return (*ends, "seats")


def notice(options: Options) -> Text | None:
    return say("halves_of_two", n=HALF) if options.get("variant") == "halves" and options["players"] == 2 else None


def describe(option: str, value: Value, options: Options) -> Text:
    match option, value:
        case "end", "rounds":
            return say("end_rounds")
        case "end", _:
            return say("end_points")
        case "target", int():
            return say("target_points", n=value)
        case "cmp", "gt":
            return say("ends_above", points=options["target"])
        case "cmp", _:
            return say("ends_at", points=options["target"])
        case "rounds", int():
            return say("rounds", n=value)
        case "first", int() if value:
            return say("starts_player", player=value)
        case "first", _:
            return say("starts_lot")
        case "seats", "off":
            return say("seats_off")
        case "seats", _:
            return say("seats_on")
        case "allow_7_to_10", int():
            return say("count_from_to", low=2, high=10 if value else 6)
        case _:
            return say("count_from_to", low=2 if value else 4, high=10 if value else 7)
