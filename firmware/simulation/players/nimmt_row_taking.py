"""Who takes which row in 6 nimmt!: people take rows, tell the box whose they are, and take them again after an undo."""

from collections.abc import Mapping

from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Script, TableMates
from firmware.simulation.people.screen_reading import SeenScreen
from firmware.simulation.players.nimmt_special_cards import NimmtSpecialCards


class NimmtRowTaking(NimmtSpecialCards):
    """The rows that people of 6 nimmt! take."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self._known_heads: Mapping[int, int] | None = None
        self._heads: Mapping[int, int] = {}
        self._taker = 0
        self._taken_for: dict[str, tuple[int, list[str]]] = {}
        self._undone: dict[str, int] = {}

    def gather_takes(self) -> None:
        """All cards are gathered: no row is taken any more."""
        self._laid_by.clear()
        self._taken_for.clear()

    def hear(self, entry: str) -> None:
        """Who took a row by a move that is undone gives its cards back to the players who laid them."""
        before = self._count_takes()
        super().hear(entry)
        for player, cards in self.takers.undo_after(self._count_takes()) if self._count_takes() < before else ():
            for card in cards:
                owner = self._laid_by.get(card)
                self.table.take([card], owner) if owner in self.seats else self.table.put_back([card], "box")
                self._undone[card] = player

    def _find_undone_take(self) -> tuple[int, list[str]] | None:
        """Player and cards of a take that was undone, and that the record has again."""
        for cards in self.recorded.unowned if self.recorded is not None and not self.mates.human else ():
            taken = [str(card) for card in cards]
            out = [card for card in taken if card in self._undone and self.is_out(card)]
            if out and not any(card in self.takers for card in taken):
                return self._undone[out[0]], taken
        return None

    def _take_again(self, player: int, cards: list[str]) -> Script:
        self.table.win(cards, player)
        self.takers.note(player, cards)
        yield REACH_S

    def _count_takes(self) -> int:
        """The takes of this round in the record."""
        deals = [at for at, move in enumerate(self.record) if move.startswith("deal")]
        return sum(move.startswith("take") for move in self.record[deals[-1] if deals else 0 :])

    def _take_row(self, screen: SeenScreen, row: int) -> Script | None:
        card, player = self._due(screen)
        if player is None or player in self.mates.human:
            return None
        held = self._cards_in(row)
        laid = [id for id in held if self._laid_by.get(id) == screen.turn]
        if screen.turn is not None and player != screen.turn and laid:  # the card that takes the row lies there already
            return self._lift_others(screen.turn, row, laid[-1])
        return self._take_and_lay(player, card, row)

    def _lift_row(self, screen: SeenScreen, row: int) -> Script | None:
        """The card that takes the row lies there already: its player takes the others."""
        cards = self._cards_in(row)
        player = self._laid_by.get(cards[-1]) if cards else None
        if player is None:
            return self._take_row(screen, row)
        return None if player in self.mates.human else self._lift_others(player, row, cards[-1])

    def _lift_others(self, player: int, row: int, kept: str) -> Script:
        self.table.win([id for id in self._cards_in(row) if id != kept], player)
        self.spend_marks(row)
        yield REACH_S

    def _take_any(self, screen: SeenScreen, card: str) -> Script | None:
        player = self._player_of(card) or screen.turn
        if player is None or player in self.mates.human or not self._rows_with_cards():
            return None
        return self._take_and_lay(player, card, self._cheapest())

    def _take_and_lay(self, player: int, card: str, row: int) -> Script:
        if card:
            self._taken_for[card] = row, self._cards_in(row)
        yield from self._win_row(player, row)
        if card:
            yield from self._lay_in_row(card, row)

    def _find_taker(self, card: str) -> int | None:
        """Whose card this is: shown at a seat, or still in a hand."""
        return self._player_of(card) or next((p for p in self.players if card in self._numbers(p)), None)

    def _return_other_row(self, card: str, row: int) -> Script:
        """The record says that another row was taken for this card: the one that was taken goes back."""
        before, cards = self._taken_for.pop(card, (row, []))
        if before != row and card in self.held(f"row:{before}"):
            yield from self._lay_in_row(card, row)
        for id in cards if before != row else ():
            yield from self._lay_in_row(id, before)

    def _say_who(self, screen: SeenScreen, heads: int) -> Script | None:
        """Who took the oldest row that the box does not know of."""
        player = self.takers.find_next(self._heads, heads)
        listed = player is not None and screen.find_offer("player_took", player=player, n=heads) is not None
        return self.mates.press("player_took", player=player, n=heads) if listed else None

    def _correct_take(self, screen: SeenScreen) -> Script | None:
        """Where the pads give a row to another player, they correct it in the menu."""
        if screen.pads:
            self._heads = read_heads(screen)
        if self._heads == self._known_heads or not self.takers.find_wrong(self._heads):
            return None
        match screen.prompt.topic:
            case "game_menu" if screen.find_offer("correct_take") is not None:
                return self.mates.press("correct_take")
            case "which_take":
                return self._choose_take(screen)
            case "who_took" if not screen.pads and screen.find_offer("player_took", player=self._taker) is not None:
                return self.mates.press("player_took", player=self._taker)
            case topic if screen.fault is None and (screen.over or self.knows(topic)):
                return self.mates.open_menu()
            case _:
                return None

    def _choose_take(self, screen: SeenScreen) -> Script | None:
        """The latest take that stands there with another player; if none does, they let it be."""
        listed = [at for at, offer in enumerate(screen.offers) if offer.topic == "player_took"]
        known = zip(listed, self.takers.name_known(self._heads), strict=False)
        wrong = [(at, player) for at, (player, _) in known if screen.offers[at].number("player") != player]
        if not wrong:
            self._known_heads = self._heads
            return self.mates.go_back()
        at, self._taker = wrong[0]
        return self.mates.press_at(lambda now: now.find_same(screen, at))


def read_heads(screen: SeenScreen) -> dict[int, int]:
    """The heads of the round that is on, or was on last, by player, as the pads show them."""
    done = screen.over or screen.prompt.topic == "round_over"
    return {pad.player: pad.rounds[-1] if done and pad.rounds else pad.now for pad in screen.pads if not pad.gone}
