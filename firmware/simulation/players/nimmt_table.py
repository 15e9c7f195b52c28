"""The cards of 6 nimmt! on the table of simulated people: where they lie, and how hands move them."""

from collections.abc import Sequence

from engine.games import GAMES
from engine.games.nimmt.cards import HEADS
from engine.games.nimmt.match_options import Rules, parse_rules
from engine.options import BadOption, fill_options
from engine.table import Area
from firmware.journal.operation_types import Started
from firmware.simulation.people.card_company import CardCompany
from firmware.simulation.people.company import Script, TableMates
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.players.nimmt_takers import RowTakers
from firmware.simulation.table.piece_places import InHand, InStock, OnTable

ROW_PITCH_MM = 62.0
EDGE_MM = 34.0
"""From the edge of a row to the middle of its first card, in mm."""
SPREAD_PITCH_MM, SPREAD_LINE_MM = 34.0, 92.0
"""From card to card of a spread, and from line to line, in mm."""
ROW_CARDS = 5
NUMBER_SHIFT = -0.2
"""Where a number card is put at a seat of the anniversary game, as a share of its width from the middle."""


class NimmtTable(CardCompany):
    """``seats`` is where each player sits, ``takers`` who took which row.

    ``started_with`` are the points with which players began who joined later: the most that any player had (N-30).
    """

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self.rules: Rules = parse_rules(self.options)
        spots = self.rules.spots or tuple(range(1, self.rules.players + 1))
        self.seats = dict(enumerate(spots, 1))
        self.started_with: dict[int, int] = {}
        self.takers = RowTakers(self.table)
        self.last_taker = 0
        self._laid_by: dict[str, int] = {}

    @staticmethod
    def list_seats(variant: str, area: Area) -> tuple[tuple[float, float], ...]:
        width, height = round(area.right - area.left), round(area.bottom - area.top)
        game = GAMES["nimmt"]
        for players in range(10, 1, -1):
            options = {"players": players, "variant": variant or "base", "width": width, "height": height}
            if variant == "halves":
                options["allow_any_count"] = 1
            if variant == "professional":
                options["allow_7_to_10"] = 1
            try:
                zones = game.plan(fill_options(game.options, options)).zones
            except (BadOption, ValueError):
                continue
            found = [(zones[zone]) for zone in zones if zone.startswith("seat:")]
            return tuple(((seat.left + seat.right) / 2, (seat.top + seat.bottom) / 2) for seat in found)
        return ()

    @staticmethod
    def has_deck(deck: str) -> bool:
        return deck == "specials"

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(sorted(self.seats))

    def heads_of(self, player: int) -> int:
        """The heads in the pile of a player, counted card by card."""
        return sum(HEADS[int(card)] for card in self.table.pile(player) if card.isdigit())

    def find_false_piece(self, advice: Sentence) -> str:
        """A card to lay that is still in the deck, or in the hand of a player who did not show it."""
        args = advice.args
        owner = 0
        match advice.topic:
            case "act_put" | "act_lay" | "act_move" | "act_turn_up" | "guide_lay":
                zone, cards = args.get("target") or args["zone"], args.get("pieces") or args["piece"]
            case "lay_behind" | "starts_row" | "low_card":
                zone, cards = "row", args["card"]
                owner = self.mates.screen.turn or 0 if self.rules.seats == "on" else 0
            case _:
                return ""
        kind, _, number = zone.partition(":")
        owner = int(number) if kind in ("home", "seat") else owner
        for card in filter(str.isdigit, cards.split()):
            place = self.table.piece(card).place
            if place == InStock("cards") or (owner and isinstance(place, InHand) and place.player != owner):
                return card
        return ""

    def find_late_piece(self, advice: Sequence[Sentence]) -> str:
        return next((said.args["card"] for said in advice if said.topic == "laid_before"), "")

    def find_layer(self, card: str) -> int | None:
        return self._laid_by.get(card) if self._row_of(card) else None

    def _numbers(self, player: int) -> list[str]:
        return [id for id in self.table.hand(player) if id.isdigit()]

    def find_recorded(self, card: str) -> str:
        """The row or pile in which the record has this card; empty if in none, or if its taker was not named."""
        state = self.recorded
        if state is None or self.mates.human:
            return ""
        places = (("row", state.rows), ("pile", state.piles))
        found = (f"{kind}:{n}" for kind, all in places for n, held in enumerate(all, 1) if int(card) in held)
        return next(found, "")

    def is_out(self, card: str) -> bool:
        """Is this card in a hand or in the box?"""
        place = self.table.piece(card).place
        return isinstance(place, InHand) or place == InStock("box")

    def _complete_row(self, row: int) -> None:
        """Cards that the record has in this row, and that were never laid there, are taken with it."""
        if self.recorded is not None and not self.mates.human and row <= len(self.recorded.rows):
            for card in map(str, self.recorded.rows[row - 1]):
                if self.is_out(card):
                    self.table.lay(card, *self.middle(f"row:{row}"))

    def _win_row(self, player: int, row: int) -> Script:
        self._complete_row(row)
        held = self.held(f"row:{row}")
        if held:
            yield from self.reach(*self._spot(held[-1]))
            self.table.win([id for id in held if id.isdigit()], player)
            self.table.put_back([id for id in held if not id.isdigit()], "discard")
            self.last_taker = player
            self.takers.note(player, [id for id in held if id.isdigit()])
            yield from self.withdraw()

    def _lay_in_row(self, card: str, row: int) -> Script:
        area = self.zones[f"row:{row}"]
        self.takers.drop(card)
        if (player := self._player_of(card)) is not None:
            self._laid_by[card] = player
        held = [id for id in self.held(f"row:{row}") if id.isdigit() and id != card]
        last = self._spot(held[-1])[0] if held else area.left + EDGE_MM - ROW_PITCH_MM
        x = last + ROW_PITCH_MM
        if x > area.right - EDGE_MM:
            pitch = (area.right - area.left - 2 * EDGE_MM) / 6
            for n, id in enumerate(held):
                self.table.lay(id, area.left + EDGE_MM + n * pitch, self.middle(f"row:{row}")[1])
            x = area.left + EDGE_MM + len(held) * pitch
        x, y = x + self.rng.uniform(-2, 2), self.middle(f"row:{row}")[1] + self.rng.uniform(-3, 3)
        marks = [it.id for it in self.table.lying(area) if not it.id.isdigit()]  # no card covers their stickers
        yield from self.move(card, x, y, under=min(marks, default=None))

    def _seat_spot(self, player: int) -> tuple[float, float]:
        x, y = self.middle(f"seat:{self.seats[player]}")
        area = self.zones[f"seat:{self.seats[player]}"]
        shift = NUMBER_SHIFT * (area.right - area.left) if self.rules.anniversary else 0.0
        return x + shift, y

    def _spread_spot(self, card: int) -> tuple[float, float]:
        """Where this card of an open draft is: each has its own place, in order."""
        area = self.table.area
        each = int((area.right - area.left - 2 * EDGE_MM) // SPREAD_PITCH_MM) + 1
        line, at = divmod(card - 1, each)
        return area.left + EDGE_MM + SPREAD_PITCH_MM * at, area.top + 50 + SPREAD_LINE_MM * line

    def _at_seat(self, player: int) -> list[str]:
        if f"seat:{self.seats[player]}" not in self.zones:
            return []
        return [id for id in self.held(f"seat:{self.seats[player]}") if id.isdigit()]

    def _due(self, screen: SeenScreen) -> tuple[str, int | None]:
        """The card that is due, and its player: of the shown cards that of the player in turn, else the lowest."""
        shown = [(int(id), p) for p in self.players for id in self._at_seat(p) if not self._is_down(id)]
        shown = [(card, player) for card, player in shown if player == screen.turn] or shown
        if not shown:
            return "", screen.turn
        card, player = min(shown)
        return str(card), player

    def _player_of(self, card: str) -> int | None:
        return next((p for p in self.players if card in self._at_seat(p)), None)

    def _is_human_card(self, card: str) -> bool:
        return self._player_of(card) in self.mates.human

    def _row_of(self, id: str) -> int:
        place = self.table.piece(id).place
        rows = (zone for zone in self.zones if zone.startswith("row:"))
        return next((int(z[4:]) for z in rows if isinstance(place, OnTable) and self.zones[z].contains(*place.spot)), 0)

    def _rows_with_cards(self) -> list[int]:
        return [row for row in range(1, 6) if f"row:{row}" in self.zones and self._cards_in(row)]

    def _cheapest(self) -> int:
        rows = self._rows_with_cards()
        return min(rows, key=lambda row: sum(HEADS[int(id)] for id in self.held(f"row:{row}") if id.isdigit()))

    def _is_down(self, id: str) -> bool:
        place = self.table.piece(id).place
        return isinstance(place, OnTable) and place.face_down

    def _spot(self, id: str) -> tuple[float, float]:
        place = self.table.piece(id).place
        assert isinstance(place, OnTable)
        return place.spot

    def _cards_in(self, row: int) -> list[str]:
        return [id for id in self.held(f"row:{row}") if id.isdigit()]

    def _other_rows(self, right: int) -> list[int]:
        """The rows with room beside the right one."""
        rows = [int(zone[4:]) for zone in self.zones if zone.startswith("row:")]
        return [row for row in rows if row != right and 1 <= len(self._cards_in(row)) < ROW_CARDS]

    def _rows_below(self, card: int, rows: list[int]) -> list[int]:
        """Those of these rows whose last card is lower: a wrong one of them looks right at a glance."""
        return [row for row in rows if int(self._cards_in(row)[-1]) < card]
