"""What hands do with the piles of The Game without playing: nothing is recorded, and afterwards all agrees."""

from collections.abc import Callable

from engine.referee import Refused
from tests.tabletop.docket import ACCUSATION, WRONG_RECORD
from tests.tabletop.thegame_rules import PILES
from tests.tabletop.thegame_session import CardSession


def handle_piles(session: CardSession) -> None:
    """One of these, on a table that agrees with the record."""
    handling = session.rng.choice(HANDLINGS)
    session.docket.count("handled")
    handling(session)
    session.settle()


def put_pile_back_shifted(session: CardSession) -> None:
    pile = session.rng.choice(PILES)
    cards, session.table.piles[pile] = session.table.piles[pile], []
    _require_no_move(session, f"{pile} is in the air", accused=False)
    most = 4 if session.table.habits.below else 12
    right, down = session.rng.uniform(-12, 12), session.rng.uniform(-most, most)
    for card in cards:
        card.x, card.y = card.x + right, card.y + down
    session.table.piles[pile] = cards


def swap_piles_and_back(session: CardSession) -> None:
    one, two = session.rng.sample(PILES, 2)
    for _ in range(2):
        piles = session.table.piles
        (x, y), (far_x, far_y) = session.table.middle(one), session.table.middle(two)
        for pile, sign in ((one, 1), (two, -1)):
            for card in piles[pile]:
                card.x, card.y = card.x + sign * (far_x - x), card.y + sign * (far_y - y)
        piles[one], piles[two] = piles[two], piles[one]
        if session.top(one) != session.top(two) and session.record != session.truth:
            _require_no_move(session, f"{one} and {two} lie exchanged", accused=True)


def fan_pile(session: CardSession) -> None:
    """The upper cards are pushed down one after the other, so that several can be read."""
    pile = session.rng.choice(PILES)
    x, y = session.table.middle(pile)
    for at, card in enumerate(session.table.piles[pile][-4:]):
        card.x, card.y, card.angle = x - 30 + 20 * at, y, 0


def square_pile(session: CardSession) -> None:
    pile = session.rng.choice(PILES)
    x, y = session.table.middle(pile)
    for card in session.table.piles[pile]:
        card.x, card.y, card.angle = x, y, 0


def put_top_beside(session: CardSession) -> None:
    """The top lies beside the piles for a moment."""
    piles = [pile for pile in PILES if session.truth[pile]]
    if not piles:
        return
    pile = session.rng.choice(piles)
    card = session.table.piles[pile].pop()
    x, y, card.x, card.y = card.x, card.y, 545.0, 300.0
    session.table.beside.append(card)
    _require_no_move(session, f"the top of {pile} lies beside the piles", accused=True)
    session.table.beside.remove(card)
    card.x, card.y = x, y
    session.table.piles[pile].append(card)


def rest_arm(session: CardSession) -> None:
    """An arm rests over two piles, and moves on over two others."""
    for piles in (PILES[:2], PILES[2:]):
        for pile in piles:
            session.table.reach_over(pile)
        _require_no_move(session, f"an arm rests over {' and '.join(piles)}", accused=False)
        session.table.arms.clear()


HANDLINGS: tuple[Callable[[CardSession], None], ...] = (
    put_pile_back_shifted,
    swap_piles_and_back,
    fan_pile,
    square_pile,
    put_top_beside,
    rest_arm,
)


def _require_no_move(session: CardSession, what: str, *, accused: bool) -> None:
    """A look in between: nothing is recorded, and what is no fault is not refused."""
    table, verdict = session.judge()
    if getattr(verdict, "moves", ()):
        session.docket.fail(WRONG_RECORD, session.log.moves, table, verdict, f"{what}: nothing was laid")
    elif isinstance(verdict, Refused) and not accused:
        session.docket.fail(ACCUSATION, session.log.moves, table, verdict, f"{what}: that is legal")
