"""What a change of the table suggests: the move of The Game that explains it."""

from collections.abc import Iterator

from engine.games.the_game.moves import Move, Play, Shift, Under
from engine.games.the_game.rules import may_lay
from engine.games.the_game.state import PILES, State
from engine.games.the_game.zones import CARD_NAMES, parse_number
from engine.table import Gap


def read(state: State, gap: Gap) -> Iterator[Move]:
    """One card that may be laid; if none may, all of them, to be refused."""
    wrong: list[Move] = []
    veiled: list[Move] = []
    for piece, zone in gap.extra:
        card, lost = parse_number(piece), gap.missing_in(zone)
        if lost:
            yield Under(card, parse_number(lost[0]), zone)
            return
        if may_lay(state, PILES.index(zone), card):
            yield Play(card, zone)
            return
        side = veiled if zone in gap.seen.hidden else wrong  # under a hand the top may be lifted
        side.append(Shift(card, zone) if _moved(state, gap, card) else Play(card, zone))
    yield from wrong or veiled


def _moved(state: State, gap: Gap, card: int) -> bool:
    """Is this the last card of another pile, and gone from there? Deeper ones, and one showing twice, are misread."""
    for name, pile in zip(PILES, state.piles, strict=True):
        if pile and pile[-1] == card:
            return name in gap.seen.hidden or gap.seen.zones.get(name, ())[-1:] != (CARD_NAMES[card],)
    return False
