"""Reads the page of a terminal as a person would, and names every fact of the state that is not on it."""

import re
from collections.abc import Iterator
from typing import Any

State = dict[str, Any]
"""``/api/state``: what the page for phones gets, which shares no drawing with the terminal."""
HIDDEN = "▒▒▒"
TILE_SIGNS = {"red": "●", "black": "○"}
FRAME = re.compile("[│╭╮╰╯─]")


def missing_facts(state: State, page: str) -> list[str]:
    """What the state says and the page does not; empty if a reader of the page knows all of it."""
    return [fact for fact, shown in _facts(state, page) if not shown]


def _facts(state: State, page: str) -> Iterator[tuple[str, bool]]:
    said = " ".join(FRAME.sub(" ", page).split())
    yield "the prompt", state["prompt"] in said
    if state["alert"]:
        yield "the alert", state["alert"]["text"] in said
    if state["offers"]:
        chosen = " ".join(state["offers"][state["cursor"]]["label"].split())
        yield f"the offer {chosen}", f"▶ {chosen} OK" in said
    for pad in state["pads"]:
        line = rf"[▶* ]?{re.escape(pad['name'][:10])} +(?:-?\d+ +)*{pad['now']} +{pad['total'] + pad['now']} *$"
        yield f"the score of {pad['name']}", bool(re.search(line, page, re.MULTILINE))
        if pad["winner"]:
            yield f"{pad['name']} has won", bool(re.search(rf"\*{re.escape(pad['name'][:10])}", page))
    table = state["table"]
    match table and table["kind"]:
        case "rows":
            yield from _rows(state, page)
        case "piles":
            yield from _piles(state, page)
        case "tiles":
            yield from _tiles(state, page)
        case _:
            return


def _rows(state: State, page: str) -> Iterator[tuple[str, bool]]:
    lines = page.splitlines()
    for row in state["table"]["rows"]:
        text = next((line for line in lines if line.startswith(f"Row {row['row']} ")), "")
        numbers = re.findall(r"\d+", FRAME.sub(" ", text.removeprefix(f"Row {row['row']}")))
        cards = [card["piece"] for card in row["cards"]]
        yield f"row {row['row']}: {cards}", numbers[: len(cards)] == cards
        yield f"heads of row {row['row']}", bool(re.search(rf"\b{row['heads']} heads?\b", text))
    names = {person["player"]: person["name"] for person in state["people"]}
    for seat in state["table"]["seats"]:
        card = {None: "·", "back": HIDDEN}.get(seat["card"], seat["card"])
        yield f"the card of {names[seat['player']]}", bool(re.search(rf"{names[seat['player']]} {card}(?!\d)", page))


def _piles(state: State, page: str) -> Iterator[tuple[str, bool]]:
    for pile in state["table"]["piles"]:
        way, _, number = pile["name"].partition(":")
        line = rf"^{way.capitalize()} pile {number} +{pile['top']}(?!\d)"
        yield f"pile {pile['name']}", bool(re.search(line, page, re.MULTILINE))
    yield "the deck", bool(re.search(rf"Deck: {state['table']['deck']} cards?\b", page))
    names = {person["player"]: person["name"] for person in state["people"]}
    for hand in state["table"]["hands"]:
        yield f"the hand of {names[hand['player']]}", f"{names[hand['player']]} {HIDDEN} {hand['count']}" in page


def _tiles(state: State, page: str) -> Iterator[tuple[str, bool]]:
    """Each row of the board with its tiles in their order, and how far it is shifted."""
    board: dict[int, dict[int, str]] = {}
    for tile in state["table"]["tiles"]:
        board.setdefault(tile["r"], {})[2 * tile["q"] + tile["r"]] = TILE_SIGNS[tile["colour"]]
    left = min((at for row in board.values() for at in row), default=0)
    lines = page.splitlines()
    width = max((at for row in board.values() for at in row), default=0) - left + 1
    drawn = ["".join(row.get(at + left, " ") for at in range(width)) for _, row in sorted(board.items())]
    cut = [line.ljust(width)[:width] for line in lines]
    found = any(cut[n : n + len(drawn)] == drawn for n in range(len(lines)))
    yield f"the board {drawn}", found or bool(state["wrong"])
    for colour, count in state["table"]["left"].items():
        sign = TILE_SIGNS[colour]
        yield f"tiles left: {colour}", bool(re.search(rf"{sign} [^●○]*: {count}(?!\d)", page))
