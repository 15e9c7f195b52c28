"""What the scores must be, counted from the real piles, hands and board, not from anything that the box knows."""

from collections.abc import Iterator

from firmware.simulation.players.nimmt_company import NimmtCompany
from firmware.simulation.players.six_company import SixCompany
from firmware.simulation.players.the_game_company import TheGameCompany
from tests.people.evening import Evening

SEVEN, FIVE, THREE, TWO = 7, 5, 3, 2


def count_heads(card: int) -> int:
    """The bull heads that are printed on a card, by the rulebook."""
    if card == 55:
        return SEVEN
    if card % 11 == 0:
        return FIVE
    if card % 10 == 0:
        return THREE
    return TWO if card % 5 == 0 else 1


def find_wrong_scores(evening: Evening) -> list[str]:
    """Scores on the screen that differ from what lies in the piles."""
    return list(_compare(evening))


def _compare(evening: Evening) -> Iterator[str]:
    company, view, table = evening.people.company, evening.companion.view, evening.table
    if isinstance(company, NimmtCompany):
        done = view.prompt.id in ("round_over", "match_over")
        for pad in view.pads:
            heads = sum(count_heads(int(card)) for card in table.pile(pad.player) if card.isdigit())
            heads -= company.credit.get(pad.player, 0)
            shown = pad.rounds[-1] if done and pad.rounds else pad.now
            if not pad.gone and shown != heads:
                yield f"player {pad.player}: {shown} on the screen, {heads} in the pile"
            if pad.total != company.started_with.get(pad.player, 0) + sum(pad.rounds):
                yield f"player {pad.player}: {pad.rounds} make {pad.total}"
    elif isinstance(company, TheGameCompany):
        (pad,) = view.pads
        if pad.total != company.left():
            yield f"{pad.total} cards left on the screen, {company.left()} in hands and deck"
    elif isinstance(company, SixCompany) and view.over:
        tiles = company.board()
        won = [pad.player for pad in view.pads if pad.rounds and pad.rounds[-1]]
        lines = {colour for colour in ("red", "black") if _has_shape(tiles, colour)}
        if len(won) != len(lines):
            yield f"won by {won}, shapes of {sorted(lines)} on the table"


def _has_shape(tiles: dict[tuple[int, int], str], colour: str) -> bool:
    """Are six tiles of the colour in a line, a circle or a triangle?"""
    own = {cell for cell, id in tiles.items() if id.startswith(colour)}
    line = [(n, 0) for n in range(6)]
    circle = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    triangle = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)]
    for shape in (line, circle, triangle):
        cells = shape
        for _ in range(6):
            cells = [(-r, q + r) for q, r in cells]
            for base in own:
                if all((base[0] + q - cells[0][0], base[1] + r - cells[0][1]) in own for q, r in cells):
                    return True
    return False


def is_settled(evening: Evening) -> bool:
    """Is a round or match over, every question answered, and no pile spread on the table?"""
    view, people = evening.companion.view, evening.people
    calm = people.is_idle and not people.wishes and view.alert is None and bool(view.pads)
    asking = any(offer.label.id == "player_took" for offer in view.offers)
    return calm and not asking and (view.over or view.prompt.id == "round_over")
