"""Simulated players of 6 nimmt!: hidden hands, random but legal play, every special card now and then."""

import random
from collections.abc import Iterator

from engine.game import Illegal
from engine.games.nimmt import moves as m
from engine.games.nimmt.cards import SPECIAL_KINDS
from engine.games.nimmt.draft import find_drafter
from engine.games.nimmt.due_action import find_due_action, list_forced_moves
from engine.games.nimmt.special_markers import is_in_force
from engine.games.nimmt.specials import list_cancellations, play_special
from engine.games.nimmt.state import ROWS, Slot, State
from engine.options import Options

DECLARED_MOVES = m.DECLARED_MOVES


class Players:
    """Plays a random legal match; holds the hidden hands and the cards that were chosen but not shown."""

    def __init__(self, options: Options, rng: random.Random, *, specials: float = 0.3, backs: float = 0.5) -> None:
        self._rng = rng
        self._specials = specials
        self._backs = backs
        self._round = 0
        self._hands: dict[int, list[int]] = {}
        self._starts: list[int] = []
        self._chosen: dict[int, int] = {}
        self._plan: list[m.Move] = []

    @property
    def hands(self) -> dict[int, tuple[int, ...]]:
        """The cards of each player, including a chosen card."""
        chosen = {player: (card,) for player, card in self._chosen.items()}
        return {player: (*held, *chosen.get(player, ())) for player, held in self._hands.items()}

    def next(self, state: State) -> m.Move | None:
        """The next move of any player, or None when the match is over."""
        while self._plan:
            return self._plan.pop(0)
        if tidy := self._tidy(state):
            return tidy
        if state.owed and not (state.slot and state.slot.restarts):
            card = self._rng.choice(state.owed)
            return m.Negpos(card, self._rng.choice(list_cancellations(state, card)))
        if state.unowned and state.phase == "choose" and self._rng.random() < 0.5:
            return m.Who(self._rng.choice(state.players()))
        match state.phase:
            case "draft":
                return self._draft(state)
            case "deal":
                self._deal(state)
                return m.Deal(tuple(self._starts))
            case "choose":
                return self._choose(state)
            case "lay" if state.slot:
                return self._lay(state, state.slot)
            case "half":
                self._deal_second_half(state)
                return m.Hands()
            case "over":
                return m.Who(self._rng.choice(state.players())) if state.unowned else m.Next()
            case _:
                return None

    def _tidy(self, state: State) -> m.Move | None:
        """Clear away spent specials and taken cards, at the latest between two turns."""
        zones = sorted({zone for piece, zone in state.lying if not is_in_force(state, piece, zone)})
        cards = [zone for zone in zones if zone.startswith(("row", "seat"))]
        slot = state.slot
        plain = state.phase == "lay" and not (slot and slot.special)
        if (slot and slot.restarts) or cards or (plain and self._rng.random() < 0.5):
            zones = cards  # taken cards are removed at once; a spent special may stay for a while
        return m.Tidy(zones[0]) if zones else None

    def _draft(self, state: State) -> m.Move:
        if not state.spread:
            self._hands = {player: [] for player in state.players()}
            return m.Spread(tuple(state.deck))
        order = state.players()
        player = order[find_drafter(len(order), state.rules.first, state.round, state.picked) - 1]
        card = self._rng.choice(state.spread)
        self._hands[player].append(card)
        return m.Pick(0, (card,))

    def _deal(self, state: State) -> None:
        if state.rules.variant == "professional":
            self._starts = self._rng.sample(state.spread, 4)
            return
        deck = self._rng.sample(state.deck, len(state.deck))
        self._starts = [deck.pop() for _ in range(4)]
        self._hands = {p: [deck.pop() for _ in range(state.rules.hand)] for p in state.players()}
        self._rest = deck

    def _deal_second_half(self, state: State) -> None:
        self._hands = {p: [self._rest.pop() for _ in range(state.rules.halves[1])] for p in state.players()}

    def _choose(self, state: State) -> m.Move:
        for player in () if state.laid else state.players():
            if player not in self._chosen and not state.shown[player - 1]:
                hand = self._hands[player]
                self._chosen[player] = hand.pop(self._rng.randrange(len(hand)))
        if state.rules.seats == "off":
            player, card = min(self._chosen.items(), key=lambda item: item[1])
            self._chosen.pop(player)
            return m.Reveal(0, card)
        waiting = [p for p in self._chosen if not state.shown[p - 1]]
        down = [p for p in waiting if p not in state.chosen]
        if down and not any(state.shown) and self._rng.random() < self._backs:
            return m.Choose(self._rng.choice(down))
        player = self._rng.choice(waiting)
        return m.Reveal(player, self._chosen.pop(player))

    def _lay(self, state: State, slot: Slot) -> m.Move:
        if slot.restarts:
            return m.Lay(slot.card, slot.restarts)
        if slot.special:
            return self._carry_out(state, slot)
        if slot.player and state.rules.anniversary and self._rng.random() < self._specials:
            for kind in self._rng.sample(SPECIAL_KINDS, len(SPECIAL_KINDS)):
                try:
                    play_special(state, slot.player, kind)
                except Illegal:
                    continue
                return m.Special(slot.player, kind)
        return self._plainly(state)

    def _plainly(self, state: State) -> m.Move:
        moves = list_forced_moves(state)
        if moves:
            self._plan = list(moves[1:])
            return moves[0]
        due = find_due_action(state)
        assert due is not None
        return m.Take(self._rng.choice(due.choices))

    def _carry_out(self, state: State, slot: Slot) -> m.Move:
        if slot.used or slot.special == "negpos":
            return self._plainly(state)
        for move in self._ways(state, slot):
            return move
        return m.Handback(slot.player or 0)

    def _ways(self, state: State, slot: Slot) -> Iterator[m.Move]:
        """Legal moves that carry out the special that was played."""
        rows = self._rng.sample(ROWS, len(ROWS))
        match slot.special:
            case "fifth":
                row = next(r for r in rows if not state.row(r))
                self._plan = [m.Lay(slot.card, row)]
                yield m.Mark("fifth", row)
            case "seven":
                home = state.home(slot.card) or 0
                self._plan = [m.Lay(slot.card, home)]
                yield m.Mark("seven", home)
            case "insert":
                for row in rows:
                    if state.row(row) and not state.blocked(row) and slot.card < state.row(row)[-1]:
                        yield m.Lay(slot.card, row)
            case "block":
                for row in rows:
                    if state.row(row) and not state.blocked(row):
                        yield m.Mark("block", row)
            case "replace":
                hand = self._hands[slot.player or 0]
                card = self._rng.choice(hand)
                hand.remove(card)
                hand.append(slot.card)
                yield m.Swap(card)
            case "move":
                open_rows = [r for r in rows if state.row(r) and not state.blocked(r)]
                for source in open_rows:
                    for target in open_rows:
                        if source != target and state.room(target) > 0:
                            yield m.Shift(self._rng.choice(state.row(source)), target)
