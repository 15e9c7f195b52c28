"""Questions about what the camera cannot tell of a pile, with their answers as offers."""

from collections.abc import Iterator
from contextlib import suppress

from engine.game import Illegal
from engine.games.the_game import TheGame
from engine.games.the_game.moves import Beside, Move, Over, Play, Under
from engine.games.the_game.pile_orders import PileSight, find_difference, list_orders_with_unseen
from engine.games.the_game.state import PILES, State
from engine.table import Table
from engine.text import Text, say
from engine.view import Offer
from firmware.texts.move_texts import describe_move

MOST_UNSEEN_BY_SHOWN = 2
"""The most unseen cards beside a card that is shown and the one that lay on it: people lift several at once."""

Stories = tuple[tuple[Move, ...], ...]


def list_answers(state: State, asked: Text) -> tuple[Offer, ...]:
    card, top, zone, maybe = (asked.get(name) for name in ("card", "top", "zone", "maybe"))
    if asked.id == "which_on_top":
        one, other = int(str(card)), int(str(top))
        moves = (Over(upper, lower, str(zone)) for upper, lower in ((one, other), (other, one)))
        return tuple(Offer(describe_move("thegame", move), str(move)) for move in moves)
    if not isinstance(maybe, tuple):
        return ()
    under = (Offer(say("lies_under", card=number), f"under {number} {card} {zone}") for number in maybe)
    lifted = _list_lifted(state, int(str(card)), str(zone))
    return (*under, Offer(say("nothing_under"), f"bare {card} {zone}"), *lifted)


def _list_lifted(state: State, card: int, zone: str) -> Iterator[Offer]:
    """The top of this turn, if it was lifted to show this card, which had been laid unseen before it."""
    pile = PILES.index(zone)
    top = state.top(pile)
    with suppress(Illegal):
        if state.fresh[pile]:
            TheGame().play(state, Under(card, top, zone))
            yield Offer(describe_move("thegame", Over(top, card, zone)), str(Under(card, top, zone)))


def doubt_new_top(state: State, asked: Text, move: Move, table: Table) -> Beside | None:
    """A card that comes to sight when the one in question is gone may be new on the top. Or it was shown under that
    one, and the top was lifted before: then both lie under the top.
    """
    if not isinstance(move, Play) or move.pile != asked.get("zone"):
        return None
    pile, card = PILES.index(move.pile), int(str(asked.get("card")))
    top, in_sight = state.top(pile), {seen.piece for seen in table.seen}
    settled = state.is_laid(card) or card == move.card or any({*pair} == {move.card, top} for pair in state.said)
    if settled or not state.fresh[pile] or in_sight & {str(card), str(top)}:
        return None
    covers = frozenset([(card, move.card), (top, card)])
    sight = PileSight(pile, (move.card, card), frozenset([top]), covers, hidden=False)
    old, most = len(state.piles[pile]) - state.fresh[pile], min(MOST_UNSEEN_BY_SHOWN, state.hand - len(sight.fresh))
    orders = list_orders_with_unseen(state, sight, old, most) if most >= 0 else []
    return Beside(move.card, top, move.pile) if orders else None


def describe_stories(state: State, stories: Stories) -> tuple[Text, ...]:
    """Which of two cards lies on top; of more orders, each by its cards from the lowest to the top."""
    game = TheGame()
    states = [state] * len(stories)
    for n, story in enumerate(stories):
        for move in story:
            states[n] = game.play(states[n], move)
    pile = next(n for n in range(len(PILES)) if len({after.piles[n] for after in states}) > 1)
    orders = [after.piles[pile] for after in states]
    if len(orders) == 2:
        lower, upper = find_difference(*orders)
        moves = Over(upper, lower, PILES[pile]), Over(lower, upper, PILES[pile])
        names = (describe_move("thegame", move) for move in moves)
        return say("which_on_top", card=upper, top=lower, zone=PILES[pile]), *names
    differ = [at for at, cards in enumerate(zip(*orders, strict=True)) if len({*cards}) > 1]
    segments = (order[differ[0] : differ[-1] + 1] for order in orders)
    names = (say("as_is", value=" ".join(map(str, cards))) for cards in segments)
    return say("which_order"), *names
