"""Simulated players of The Game: legal matches from the deal to the result, with hidden hands."""

import random

from engine.games.the_game import TheGame
from engine.games.the_game.match_end import is_over
from engine.games.the_game.moves import Bare, Cannot, Done, Leave, Move, Play, Resume, Under, Verify
from engine.games.the_game.reachable_minimum import Step, list_steps
from engine.games.the_game.rules import count_needed
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, PILES, State
from engine.options import Options, fill_options

DECLARED_MOVES: tuple[type[Move], ...] = (Under, Bare, Done, Cannot, Verify, Resume, Leave)

LEAVE_SHARE = 0.003
GIVE_UP_SHARE = 0.02
GO_ON_SHARE = 0.3


class Players:
    """They play the cards nearest to the tops of the piles, sometimes give up early, and sometimes one leaves."""

    def __init__(self, options: Options, rng: random.Random) -> None:
        state = TheGame().start(fill_options(TheGame.options, options))
        self.rng = rng
        self.deck = rng.sample(range(LOWEST_CARD, HIGHEST_CARD + 1), HIGHEST_CARD + 1 - LOWEST_CARD)
        self.hands = {player: self._draw(size) for player, size in enumerate(state.hands, 1)}

    def next(self, state: State) -> Move | None:
        self._follow(state)
        hand = self.hands[state.turn]
        if is_over(state):
            return self._after_end(state, hand)
        if len(state.playing) > 1 and self.rng.random() < LEAVE_SHARE:
            return Leave(self.rng.choice(state.playing))
        if count_needed(state) == 0 and (not hand or self.rng.random() >= GO_ON_SHARE):
            return Done(state.turn, state.laid)
        ways = list(list_steps(tuple(map(state.top, range(len(PILES)))), hand))
        if count_needed(state) and (not ways or self.rng.random() < GIVE_UP_SHARE):
            return Cannot(state.turn)
        if not ways:
            return Done(state.turn, state.laid)
        card, pile = min(ways, key=lambda way: self._cost(state, way))
        return Play(card, PILES[pile])

    def _after_end(self, state: State, hand: list[int]) -> Move | None:
        if not state.stopped or state.shown:
            early = any(offer.move == str(Resume()) for offer in TheGame().view(state).offers)
            return Resume() if early and self.rng.random() < GO_ON_SHARE else None
        return Verify(tuple(sorted(hand))) if hand else None

    def _cost(self, state: State, way: Step) -> float:
        card, pile = way
        climb = card - state.top(pile)
        return (climb if pile < 2 else -climb) * self.rng.uniform(0.5, 1.5)

    def _follow(self, state: State) -> None:
        """Bring the hands up to date: cards on piles leave them, and the player who ended a turn draws."""
        laid = {card for pile in state.piles for card in pile}
        for player, size in enumerate(state.hands, 1):
            hand = [card for card in self.hands[player] if card not in laid]
            self.hands[player] = hand + self._draw(size - len(hand))

    def _draw(self, cards: int) -> list[int]:
        return [self.deck.pop() for _ in range(cards)]
