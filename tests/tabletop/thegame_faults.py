"""What people do wrong with the cards of The Game, each with the fewest pieces that put it right again."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.tabletop.thegame_rules import PILES, fits
from tests.tabletop.thegame_session import CardSession
from tests.tabletop.thegame_table import Card


@dataclass(slots=True)
class Fault:
    """``moves`` pieces put it right, as ``restore`` does; ``heaps`` are piles that a hand carries as a whole."""

    kind: str
    moves: int
    restore: Callable[[], object]
    heaps: frozenset[str] = frozenset()
    held: tuple[Card, ...] = ()
    """A whole pile that is in a hand."""
    pushed: str = ""
    card: int = 0
    """The pile under the top of which this card was pushed."""


def plant(session: CardSession, hand: set[int]) -> Fault | None:
    """Do something wrong, or nothing where this fault is not possible now."""
    return session.rng.choice(FAULTS)(session, hand)


def lay_wrong_card(session: CardSession, hand: set[int]) -> Fault | None:
    """A card of the hand where it does not fit (G-5, G-6, G-8)."""
    wrong = [(card, pile) for card in sorted(hand) for pile in PILES if not fits(card, session.top(pile), pile)]
    if not wrong:
        return None
    card, pile = session.rng.choice(wrong)
    return _lay(session, f"{card} on {pile}", str(card), pile)


def lay_two_wrong_cards(session: CardSession, hand: set[int]) -> Fault | None:
    one = lay_wrong_card(session, hand)
    if one is None:
        return None
    used, pile = one.kind.split()[0], one.kind.split()[-1]
    wrong = [
        (card, other)
        for card in sorted(hand - {int(used)})
        for other in PILES
        if other != pile and not fits(card, session.top(other), other)
    ]
    if not wrong:
        return one
    card, other = session.rng.choice(wrong)
    two = _lay(session, f"{one.kind} and {card} on {other}", str(card), other)
    return Fault(two.kind, 2, lambda: (one.restore(), two.restore()))


def lay_card_again(session: CardSession, hand: set[int]) -> Fault | None:
    """The same number from another deck (G-10)."""
    laid = [card for cards in session.truth.values() for card in cards]
    if not laid:
        return None
    card, pile = session.rng.choice(laid), session.rng.choice(PILES)
    return _lay(session, f"another {card} on {pile}", str(card), pile)


def lay_foreign_card(session: CardSession, hand: set[int]) -> Fault | None:
    """A card that no deck of The Game has (G-10)."""
    name, pile = session.rng.choice(("103", "104", "block", "seven", "1", "100")), session.rng.choice(PILES)
    if session.table.piles[pile] and session.table.piles[pile][-1].name == name:
        return None  # a start card in its own place
    return _lay(session, f"a foreign {name} on {pile}", name, pile)


def slide_card_under(session: CardSession, hand: set[int]) -> Fault | None:
    """A card of the hand goes under the top of a pile, from which it sticks out (G-3, G-7)."""
    pile = _pick_pile(session)
    if pile is None or not hand:
        return None
    cards, top = session.table.piles[pile], session.table.piles[pile][-1]
    card = Card(str(session.rng.choice(sorted(hand))), top.x - 30, top.y + (0 if session.table.habits.below else 28))
    cards.insert(len(cards) - 1, card)
    kind = f"{card.name} under the top of {pile}"
    return Fault(kind, 1, lambda: session.table.piles[pile].remove(card), pushed=pile, card=int(card.name))


def take_card_back(session: CardSession, hand: set[int]) -> Fault | None:
    """A legal card, once let go, stays (G-24)."""
    pile = _pick_pile(session)
    if pile is None:
        return None
    card = session.table.piles[pile].pop()
    return Fault(f"{card.name} taken back from {pile}", 1, lambda: session.table.piles[pile].append(card))


def replace_card(session: CardSession, hand: set[int]) -> Fault | None:
    """The top goes back to the hand, and another card is laid in its stead."""
    taken = take_card_back(session, hand)
    if taken is None or not hand:
        return taken
    pile, card = taken.kind.split()[-1], session.rng.choice(sorted(hand))
    laid = _lay(session, f"{taken.kind}, {card} laid instead", str(card), pile)
    return Fault(laid.kind, 2, lambda: (laid.restore(), taken.restore()))


def carry_card(session: CardSession, hand: set[int]) -> Fault | None:
    """The top of one pile is moved to another one."""
    pile = _pick_pile(session)
    if pile is None:
        return None
    other = session.rng.choice([name for name in PILES if name != pile])
    card = session.table.piles[pile].pop()
    laid = session.table.lay(card.name, other)

    def restore() -> None:
        session.table.piles[other].remove(laid)
        session.table.piles[pile].append(card)

    return Fault(f"{card.name} carried from {pile} to {other}", 1, restore)


def carry_lower_card(session: CardSession, hand: set[int]) -> Fault | None:
    """A card of the record is left on a wrong pile, as when piles are exchanged and only the tops change back."""
    deep = [pile for pile in PILES if len(session.truth[pile]) > 1]
    if not deep:
        return None
    pile = session.rng.choice(deep)
    other = session.rng.choice([name for name in PILES if name != pile])
    cards = session.table.piles[pile]
    at = session.rng.randrange(len(cards) - len(session.truth[pile]), len(cards) - 1)
    card = cards.pop(at)
    laid = session.table.lay(card.name, other)

    def restore() -> None:
        session.table.piles[other].remove(laid)
        session.table.piles[pile].insert(at, card)

    return Fault(f"{card.name} carried from under the top of {pile} to {other}", 1, restore)


def exchange_tops(session: CardSession, hand: set[int]) -> Fault | None:
    """The two highest cards of a pile are put back in the wrong order."""
    deep = [pile for pile in PILES if len(session.truth[pile]) > 1]
    if not deep:
        return None
    pile = session.rng.choice(deep)

    def exchange() -> None:
        session.table.piles[pile][-2:] = session.table.piles[pile][:-3:-1]

    exchange()
    lower, upper = session.truth[pile][-2:]
    return Fault(f"{upper} on {lower} on {pile}, the wrong way round", 1, exchange)


def turn_card_over(session: CardSession, hand: set[int]) -> Fault | None:
    pile = _pick_pile(session)
    if pile is None:
        return None
    card = session.table.piles[pile][-1]
    name, card.name = card.name, "back"

    def restore() -> None:
        card.name = name

    return Fault(f"{name} on {pile} turned face down", 1, restore)


def lift_pile(session: CardSession, hand: set[int]) -> Fault | None:
    """The whole pile is taken away."""
    pile = _pick_pile(session)
    if pile is None:
        return None
    cards, session.table.piles[pile] = session.table.piles[pile], []

    def restore() -> None:
        session.table.piles[pile] = cards

    return Fault(f"{pile} lifted away", 1, restore, frozenset({pile}), tuple(cards))


def exchange_piles(session: CardSession, hand: set[int]) -> Fault | None:
    """Two piles change places."""
    one, two = session.rng.sample(PILES, 2)
    if not (session.truth[one] and session.truth[two]):
        return None

    def exchange() -> None:
        piles = session.table.piles
        (x, y), (far_x, far_y) = session.table.middle(one), session.table.middle(two)
        for pile, sign in ((one, 1), (two, -1)):
            for card in piles[pile]:
                card.x, card.y = card.x + sign * (far_x - x), card.y + sign * (far_y - y)
        piles[one], piles[two] = piles[two], piles[one]

    exchange()
    return Fault(f"{one} and {two} exchanged", 2, exchange, frozenset({one, two}))


FAULTS = (
    lay_wrong_card,
    lay_wrong_card,
    lay_two_wrong_cards,
    lay_card_again,
    lay_foreign_card,
    slide_card_under,
    take_card_back,
    replace_card,
    carry_card,
    carry_lower_card,
    exchange_tops,
    turn_card_over,
    lift_pile,
    exchange_piles,
)


def _lay(session: CardSession, kind: str, name: str, pile: str) -> Fault:
    card: Card = session.table.lay(name, pile)
    return Fault(kind, 1, lambda: session.table.piles[pile].remove(card))


def _pick_pile(session: CardSession) -> str | None:
    piles = [pile for pile in PILES if session.truth[pile]]
    return session.rng.choice(piles) if piles else None
