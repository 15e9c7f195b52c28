"""People of 6 nimmt! put the table together again: rows and seats as the box names them, piles that are checked."""

from collections.abc import Sequence

from engine.games.nimmt.state import State
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Script, TableMates
from firmware.simulation.players.nimmt_table import EDGE_MM, SPREAD_LINE_MM, SPREAD_PITCH_MM, NimmtTable
from firmware.simulation.table.piece_places import InHand, InPile, InStock, OnTable

MOST_BESIDE = 30
"""Cards of a pile that have room beside the rows."""


class NimmtRebuilding(NimmtTable):
    """A table that people put together again after a pause, an undo, a mistake or a check of the piles."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self._chosen_before: dict[int, str] = {}
        self._shown_pile: list[str] = []

    def deal_as_recorded(self, state: State) -> None:
        self.table.clear()
        self.seats = {player: state.seats[player - 1] for player in state.players()}
        self.started_with = dict(enumerate(state.brought, 1))
        for player, pile in enumerate(state.piles, 1):
            self.table.win(map(str, pile), player)
            for card in pile:
                self.takers.give(player, str(card))
        for row in state.unowned:
            self.last_taker = self.rng.choice(self.players)
            self.table.win(map(str, row), self.last_taker)
            self.takers.note(self.last_taker, [*map(str, row)])
        away = (*(card for row in state.rows for card in row), *state.aside, *state.spread)
        self.table.put_back(map(str, away), "box")
        self._deal_hands(state)

    def _deal_hands(self, state: State) -> None:
        """What each player still has to lay: the card that was shown, those that were drafted, and any others."""
        for player in self.players:
            drafted = state.draft.picks[player - 1] if state.draft else ()
            shown = [card for card in (state.shown[player - 1] if state.shown else None,) if card]
            known = [str(card) for card in (*drafted, *shown)]
            self.table.take([card for card in known if self.table.piece(card).place == InStock("cards")], player)
        self.table.shuffle("cards", self.rng)
        laid = self.rng.sample(self.players, len(state.laid))
        for player in self.players if state.draft is None and state.phase in ("choose", "lay") else ():
            dealt = self.rules.hand if state.turns < self.rules.hand else sum(self.rules.halves)
            done = player in laid or (
                state.phase == "lay" and state.rules.seats == "on" and not state.shown[player - 1]
            )
            lacks = dealt - state.turns - done - len(self._numbers(player))
            self.table.take(self.table.stock()[len(self.table.stock()) - lacks :], player)

    def put_as_recorded(self, card: str) -> Script:
        """A card that was entered without being laid goes to the row or pile in which the record has it."""
        kind, _, number = self.find_recorded(card).partition(":")
        if kind == "row":
            assert self.recorded is not None
            yield from self.show(f"row:{number}", tuple(map(str, self.recorded.rows[int(number) - 1])))
        elif kind == "pile":
            self.table.win([card], int(number))
            self.takers.give(int(number), card)
            yield REACH_S

    def find_stray(self) -> str:
        """A card in a hand or in the box, or in a row that was taken, that the record has elsewhere; else empty."""
        for it in self.table.pieces():
            if it.id.isdigit() and ((out := self.is_out(it.id)) or self._row_of(it.id)):
                recorded = self.find_recorded(it.id)
                if recorded and (out or recorded.startswith("pile")):
                    return it.id
        return ""

    def set_aside(self) -> None:
        """The piles that are set aside are those of the record."""
        for it in self.table.pieces():
            kind, _, player = self.find_recorded(it.id).partition(":") if it.id.isdigit() else ("", "", "")
            if kind == "pile" and not isinstance(it.place, InPile):
                self.table.win([it.id], int(player))
                self.takers.give(int(player), it.id)
        super().set_aside()

    def show(self, zone: str, pieces: tuple[str, ...]) -> Script:
        kind, _, number = zone.partition(":")
        match kind:
            case "row":
                held = self._cards_in(int(number))
                for at, id in enumerate(pieces):
                    if tuple(held[: at + 1]) != pieces[: at + 1]:
                        yield from self._lay_in_row(id, int(number))
            case "home" | "seat" | "spot":
                yield from self._show_at_seat(int(number), pieces)
            case "spread":
                yield from self._lay_in_spread(pieces)
            case _:
                yield REACH_S

    def put(self, zone: str, piece: str) -> Script:
        kind, _, number = zone.partition(":")
        id = self.find(piece)
        if id is None or not number.isdigit():
            yield from self._lay_in_spread((piece,) if zone == "spread" and piece.isdigit() else ())
        elif kind == "row" and id.isdigit():
            yield from self._lay_in_row(id, int(number))
        elif kind in ("home", "seat") and int(number) in self.seats:
            yield from self.move(id, *self._seat_spot(int(number)))
        else:
            yield REACH_S

    def _lay_in_spread(self, cards: Sequence[str]) -> Script:
        """Back to their places, below the cards that follow: no sticker may be covered."""
        for card in cards:
            following = (it.id for it in self.table.lying() if it.id.isdigit() and int(it.id) > int(card))
            self.table.lay(card, *self._spread_spot(int(card)), under=next(following, None))
        yield REACH_S

    def _show_at_seat(self, player: int, pieces: tuple[str, ...]) -> Script:
        here = self._at_seat(player)
        for piece in pieces:
            if piece == "back":
                if here:
                    if not self._is_down(here[0]):
                        self.table.turn_over(here[0])
                elif cards := self._numbers(player):
                    before = self._chosen_before.pop(player, "")
                    card = before if before in cards else self.rng.choice(cards)
                    yield from self.move(card, *self._seat_spot(player), face_down=True)
            elif piece.isdigit():
                yield from self.move(piece, *self._seat_spot(player))
        yield REACH_S

    def remove(self, zone: str, pieces: tuple[str, ...]) -> Script:
        kind, _, number = zone.partition(":")
        yield REACH_S
        for piece in pieces:
            if piece == "back":
                for player, seat in self.seats.items():
                    if (kind, int(number or 0)) in (("seat", player), ("home", player), ("spot", seat)):
                        self.table.take(self._at_seat(player), player)
                continue
            id = self.find(piece)
            if id is None:
                continue
            if id.isdigit() and self.find_recorded(id) not in ("", zone):
                yield from self.put_as_recorded(id)
                continue
            owner = self._player_of(id) or self._owner_before(id)
            self.table.take([id], owner) if owner else self.table.put_back([id], "cards")
        yield REACH_S

    def _owner_before(self, id: str) -> int | None:
        """Who laid the card, or had it in the hand when the table was good; else the player with the fewest cards.

        None for a card that was in the deck.
        """
        if id in self._laid_by:
            return self._laid_by[id]
        place = self._good.get(id)
        if isinstance(place, InHand | InPile):
            return place.player
        if place == InStock("cards"):
            return None
        return min(self.players, key=lambda player: len(self._numbers(player)))

    def resume(self) -> None:
        """A card that was chosen goes back to the hand, until the box asks for it."""
        super().resume()
        for player, seat in self.seats.items():
            area = self.zones.get(f"seat:{seat}")
            for id, place in self._aside.items():
                if area is not None and isinstance(place, OnTable) and area.contains(*place.spot):
                    self.table.take([id], player)
                    if id.isdigit():
                        self._chosen_before[player] = id

    def spread_pile(self, player: int) -> Script:
        """Beside the rows, line by line, as far apart as stickers need."""
        if self._shown_pile:
            yield 1.0
            return
        area = self.table.area
        rows = [zone for name, zone in self.zones.items() if name.startswith("row:")]
        left = max((zone.right for zone in rows), default=area.left) + EDGE_MM
        cards = [id for id in self.table.pile(player) if id.isdigit()]
        if self.rules.anniversary or left > area.right - 2 * EDGE_MM or len(cards) > MOST_BESIDE:
            left = area.left + EDGE_MM
            self.table.put_back([it.id for it in self.table.lying() if it.id in self._on_table()], "box")
        each = int((area.right - EDGE_MM - left) // SPREAD_PITCH_MM) + 1
        for n, id in enumerate(cards):
            line, at = divmod(n, each)
            self.table.lay(id, left + SPREAD_PITCH_MM * at, area.top + 50 + SPREAD_LINE_MM * line)
        self._shown_pile = cards
        yield 1.0

    def take_pile(self, player: int) -> Script:
        self.table.win(self._shown_pile, player)
        self._shown_pile = []
        yield REACH_S

    def _on_table(self) -> set[str]:
        return {it.id for it in self.table.lying()}
