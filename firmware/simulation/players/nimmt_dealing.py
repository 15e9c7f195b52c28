"""The cards of 6 nimmt! before and between the turns: people gather, deal, draft and start the rows."""

from engine.games.nimmt.state import State
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Script, TableMates
from firmware.simulation.players.nimmt_row_taking import NimmtRowTaking

SPECIALS_EACH, SPECIALS = 3, 28
"""The most special cards that a player is dealt in a round, and the number of special cards in the game."""
ROWS = 4


class NimmtDealing(NimmtRowTaking):
    """How people of 6 nimmt! deal."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self._dealt = False
        self._picking = 0

    def deal_as_recorded(self, state: State) -> None:
        super().deal_as_recorded(state)
        self._dealt = state.phase != "deal"

    def hear(self, entry: str) -> None:
        super().hear(entry)
        match entry.split()[0]:
            case "next":
                self._dealt = False
            case "pick" | "spread" | "amend":
                self._picking = 0
            case _:
                pass

    def _clear(self) -> Script:
        """Gather all cards for the next round."""
        self.gather()
        self.takers.forget()
        self.gather_takes()
        self._dealt = False
        yield REACH_S

    def _deal(self) -> None:
        self._dealt = True
        if self.rules.variant == "professional":
            return
        self.gather()
        self.gather_takes()
        self.table.shuffle("cards", self.rng)
        for player in self.players:
            self.table.take(self.table.stock()[-self.rules.hand :], player)
        if self.rules.anniversary:
            held = sum(not id.isdigit() for player in self.players for id in self.table.hand(player))
            if not held and not self.table.stock("discard"):
                self.table.shuffle("specials", self.rng)
            for _ in range(min(SPECIALS_EACH, (SPECIALS - held) // len(self.players))):
                for player in self.players:
                    self.draw_special(player)

    def _start_rows(self, n: int) -> Script:
        undealt = not self.table.stock() or (n == ROWS and not self._has_whole_hands())
        if (not self._dealt and n == ROWS) or (undealt and self.rules.variant != "professional"):
            self._deal()
        if n == ROWS:
            self._empty_piles()
        spread = [it.id for it in self.table.lying()] if self.rules.variant == "professional" else []
        self.table.put_back(spread, "box")
        for row in range(1, ROWS + 1):
            if not self.held(f"row:{row}"):
                deck = spread or self.table.stock() or self.table.stock("box")
                if not deck:
                    return
                yield from self._lay_in_row(deck[-1], row)
                spread = [card for card in spread if card != deck[-1]]

    def _empty_piles(self) -> None:
        """No row lies there yet, so that nothing can have been taken."""
        for player in self.players:
            self.table.put_back([id for id in self.table.pile(player) if id.isdigit()], "box")
        self.takers.forget()

    def _spread(self, last: int) -> Script:
        """All cards of the draft, face up and apart from each other."""
        self.table.clear()
        self._dealt = False
        for card in range(1, last + 1):
            self.table.lay(str(card), *self._spread_spot(card))
        yield REACH_S

    def _pick(self, player: int) -> Script | None:
        """One card; the next one is picked when the box has seen this one."""
        self._dealt = True
        lying = [it.id for it in self.table.lying()]
        return None if self._picking == player or not lying else self._pick_up(player, self.rng.choice(lying))

    def _find_picked(self) -> str:
        """A card of the spread that the record has as picked; empty if there is none."""
        spreads = [at for at, move in enumerate(self.record) if move.startswith("spread")]
        since = self.record[spreads[-1] :] if spreads else []
        picked = {move.split()[-1] for move in since if move.startswith("pick")}
        return next((it.id for it in self.table.lying() if it.id in picked), "")

    def _pick_up(self, player: int, card: str) -> Script:
        yield from self.reach(*self._spot(card))
        self.table.take([card], player)
        self._picking = player
        yield from self.withdraw()

    def _deal_second_half(self) -> Script:
        for player in self.players:
            self.table.take(self.table.stock()[-self.rules.halves[1] :], player)
        yield 1.0
        yield from self.mates.press("hands_dealt")

    def _has_cards(self) -> bool:
        return any(self._numbers(player) or self._at_seat(player) for player in self.players)

    def _has_whole_hands(self) -> bool:
        """Has each player the cards that are dealt? Where the record has no rows, nothing was laid yet."""
        players = [player for player in self.players if player not in self.mates.human]
        return all(len(self._numbers(player)) == self.rules.hand for player in players)

    def _second_hands(self) -> int:
        return self.rules.halves[1] * len(self.players)
