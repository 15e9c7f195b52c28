"""The pieces that people bring to the table where no match is played: cards at seats, and sheets of a deck check."""

from firmware.simulation.people.company import THINK_S, Script
from firmware.simulation.people.screen_reading import Sentence
from firmware.simulation.players.companies import COMPANIES
from firmware.simulation.table.physical_table import PhysicalTable


def show_seats(table: PhysicalTable, game: str, variant: str, count: int) -> Script:
    """Each player puts a card at a seat."""
    if table.game != game:
        table.bring_game(game)
    table.clear()
    seats = COMPANIES[game].list_seats(variant, table.area)
    ids = table.stock()[:count]
    for id, (x, y) in zip(ids, seats, strict=False):
        table.lay(id, x, y)
    yield THINK_S


def bring_deck(table: PhysicalTable, deck: str) -> None:
    """Bring the cards whose stickers are checked."""
    if deck in COMPANIES:
        table.bring_game(deck)
    elif table.game not in COMPANIES or "." not in "".join(it.id for it in table.pieces()):
        table.bring_game(next(game for game in COMPANIES if COMPANIES[game].has_deck(deck)))
    table.clear()


def lay_sheet(table: PhysicalTable, prompt: Sentence) -> Script:
    """The next cards of a deck in a row, in order."""
    table.clear()
    yield THINK_S
    first, last = (prompt.args.get(name, "") for name in ("first", "last"))
    if first:
        names = [str(card) for card in range(int(first), int(last) + 1)]
    else:
        kinds = dict.fromkeys(prompt.args.get(name, "") for name in ("kind", "other", "card"))
        names = [it.id for kind in kinds if kind for it in table.pieces() if it.id.partition(".")[0] == kind]
    for n, id in enumerate(names):
        table.lay(id, table.area.left + 32 + 57.5 * n, table.area.top + 150)
    yield THINK_S
