"""People who play 6 nimmt!: they deal, choose, reveal, lay and take as the screen says, with real cards."""

from engine.games import GAMES
from engine.games.nimmt.cards import HEADS
from engine.games.nimmt.match_options import Rules, parse_rules
from engine.options import BadOption, fill_options
from engine.table import Area
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Company, Script, TableMates
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.table.piece_places import InHand, InPile, OnTable

ROW_PITCH_MM = 62.0
EDGE_MM = 34.0
"""From the edge of a row to the middle of its first card, in mm."""
SPREAD_PITCH_MM, SPREAD_LINE_MM = 34.0, 92.0
"""From card to card of a spread, and from line to line, in mm."""
SPECIALS_EACH = 4
LEAST_CARDS_TO_UNDO = 2
NUMBER_SHIFT, SPECIAL_SHIFT = -0.2, 0.16
"""Where number card and special are put at a seat of the anniversary game, as shares of its width from the middle."""
PLAYING = frozenset(
    {
        "choose_cards", "waiting_for", "turn_up", "lay_next", "lay_behind", "take_row", "low_card", "starts_row",
        "starts_fifth_row", "insert_inside", "block_first", "replace_first", "move_first", "round_over", "pick_card",
        "spread_all", "deal_rows", "deal_second_half", "clear_table", "name_negative", "who_took",
    }
)  # fmt: skip

SLOT_TOPICS = frozenset({"lay_behind", "starts_row", "starts_fifth_row", "take_row", "low_card"})
"""What is asked of one player, whose card may be anywhere while it is carried."""


class NimmtCompany(Company):
    """``seats`` is where each player sits."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self.rules: Rules = parse_rules(self.options)
        spots = self.rules.spots or tuple(range(1, self.rules.players + 1))
        self.seats = dict(enumerate(spots, 1))
        self._chosen: dict[int, str] = {}
        self._dealt = False
        self._takes: list[tuple[int, int]] = []

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

    def knows(self, topic: str) -> bool:
        return topic in PLAYING

    def heads_of(self, player: int) -> int:
        """The heads in the pile of a player, counted card by card."""
        return sum(HEADS[int(card)] for card in self.table.pile(player) if card.isdigit())

    # what the screen asks

    def answer(self, screen: SeenScreen) -> Script | None:
        prompt = screen.prompt
        if prompt.topic in SLOT_TOPICS and screen.turn in self.mates.human:
            return None
        match prompt.topic:
            case "clear_table":
                return self._clear()
            case "deal_rows":
                return self._start_rows(prompt.number("n"))
            case "spread_all":
                return self._spread(prompt.number("last"))
            case "pick_card":
                return self._pick(prompt.number("player"))
            case "choose_cards" | "waiting_for":
                return self._choose(prompt)
            case "turn_up":
                return self._reveal()
            case "lay_next":
                return self._lay_lowest()
            case "lay_behind":
                return self._lay_card(prompt.args["card"], prompt.number("row"))
            case "starts_row":
                return self._lay_card(prompt.args["card"], prompt.number("row"))
            case "take_row":
                return self._take_row(screen, prompt.number("row"))
            case "low_card":
                return self._take_any(screen, prompt.args["card"])
            case "deal_second_half":
                return self._deal_second_half()
            case "round_over":
                return self._next_round()
            case "who_took":
                return self._say_who(prompt.number("n"))
            case _:
                return None

    def _clear(self) -> Script:
        """Gather all cards for the next round."""
        self.table.clear()
        self._dealt = False
        yield REACH_S

    def _next_round(self) -> Script:
        yield 1.0
        self._dealt = False
        yield from self.mates.press("next_round")

    def _deal(self) -> None:
        self._dealt = True
        if self.rules.variant == "professional":
            return
        self.table.clear()
        self.table.shuffle("cards", self.rng)
        for player in self.players:
            self.table.take(self.table.stock()[-self.rules.hand :], player)
        if self.rules.anniversary:
            self.table.shuffle("specials", self.rng)
            for player in self.players:
                self.table.take(self.table.stock("specials")[-SPECIALS_EACH:], player)

    def _start_rows(self, n: int) -> Script:
        if not self._dealt and n == 4:
            self._deal()
        spread = [it.id for it in self.table.lying()] if self.rules.variant == "professional" else []
        self.table.put_back(spread, "box")
        for row in range(1, 5):
            if not self.held(f"row:{row}"):
                yield from self._lay_in_row(spread.pop() if spread else self.table.stock()[-1], row)

    def _spread(self, last: int) -> Script:
        """All cards of the draft, face up and apart from each other."""
        self.table.clear()
        self._dealt = False
        area = self.table.area
        each = int((area.right - area.left - 2 * EDGE_MM) // SPREAD_PITCH_MM) + 1
        for n in range(last):
            line, at = divmod(n, each)
            self.table.lay(
                str(n + 1), area.left + EDGE_MM + SPREAD_PITCH_MM * at, area.top + 50 + SPREAD_LINE_MM * line
            )
        yield REACH_S

    def _pick(self, player: int) -> Script:
        self._dealt = True
        lying = [it.id for it in self.table.lying()]
        if lying:
            x, y = self._spot(id := self.rng.choice(lying))
            yield from self.reach(x, y)
            self.table.take([id], player)
            yield from self.withdraw()

    def _deal_second_half(self) -> Script:
        for player in self.players:
            self.table.take(self.table.stock()[-self.rules.halves[1] :], player)
        yield 1.0
        yield from self.mates.press("hands_dealt")

    def _numbers(self, player: int) -> list[str]:
        return [id for id in self.table.hand(player) if id.isdigit()]

    def _choose(self, prompt: Sentence) -> Script | None:
        """Each player who has not chosen yet puts a card at the seat, most of them face down."""
        waiting = [player for player in self.players if not self._at_seat(player) and player not in self.mates.human]
        if prompt.topic == "waiting_for" and (named := prompt.args.get("players", "").split()):
            waiting = [player for player in waiting if str(player) in named]
        if not waiting:
            return None
        return self._put_card(waiting[0])

    def _put_card(self, player: int) -> Script:
        cards = self._numbers(player)
        if cards:
            yield from self.move(self.rng.choice(cards), *self._seat_spot(player), face_down=True)

    def _reveal(self) -> Script:
        for player in self.players:
            for id in self._at_seat(player):
                if player not in self.mates.human and self._is_down(id):
                    self.table.turn_over(id)
        yield REACH_S

    def _lay_lowest(self) -> Script | None:
        """Without seats: each has chosen a card, and the lowest is laid first."""
        if not self._chosen:
            self._chosen = {p: self.rng.choice(cards) for p in self.players if (cards := self._numbers(p))}
        if not self._chosen:
            return None
        player = min(self._chosen, key=lambda p: int(self._chosen[p]))
        return self._lay_by_rule(player, self._chosen.pop(player))

    def _lay_by_rule(self, player: int, card: str) -> Script:
        ends = {row: int(held[-1]) for row in range(1, 5) if (held := self.held(f"row:{row}"))}
        lower = [row for row, end in ends.items() if end < int(card)]
        row = max(lower, key=lambda r: ends[r]) if lower else self._cheapest()
        if not lower or len(self.held(f"row:{row}")) >= 5:
            yield from self._win_row(player, row)
        yield from self._lay_in_row(card, row)

    def _lay_card(self, card: str, row: int) -> Script | None:
        return None if self._is_human_card(card) else self._lay_in_row(card, row)

    def _take_row(self, screen: SeenScreen, row: int) -> Script | None:
        card, player = self._due(screen)
        if player is None or player in self.mates.human:
            return None
        return self._take_and_lay(player, card, row)

    def _take_any(self, screen: SeenScreen, card: str) -> Script | None:
        player = self._player_of(card) or screen.turn
        if player is None or player in self.mates.human:
            return None
        return self._take_and_lay(player, card, self._cheapest())

    def _take_and_lay(self, player: int, card: str, row: int) -> Script:
        yield from self._win_row(player, row)
        if card:
            yield from self._lay_in_row(card, row)

    def _say_who(self, heads: int) -> Script | None:
        """Who took the row of so many heads, the oldest first."""
        taken = next((at for at, (_, held) in enumerate(self._takes) if held == heads), None)
        return None if taken is None else self._name_taker(self._takes[taken][0], taken)

    def _name_taker(self, player: int, at: int) -> Script:
        yield from self.mates.press("player_took", player=player)
        del self._takes[at]

    # pieces

    def _win_row(self, player: int, row: int) -> Script:
        held = self.held(f"row:{row}")
        if held:
            yield from self.reach(*self._spot(held[-1]))
            self.table.win([id for id in held if id.isdigit()], player)
            self.table.put_back([id for id in held if not id.isdigit()], "discard")
            if self.rules.seats == "off":
                self._takes.append((player, sum(HEADS[int(id)] for id in held)))
            yield from self.withdraw()

    def _lay_in_row(self, card: str, row: int) -> Script:
        area = self.zones[f"row:{row}"]
        held = [id for id in self.held(f"row:{row}") if id.isdigit() and id != card]
        last = self._spot(held[-1])[0] if held else area.left + EDGE_MM - ROW_PITCH_MM
        x = last + ROW_PITCH_MM
        if x > area.right - EDGE_MM:
            pitch = (area.right - area.left - 2 * EDGE_MM) / 6
            for n, id in enumerate(held):
                self.table.lay(id, area.left + EDGE_MM + n * pitch, self.middle(f"row:{row}")[1])
            x = area.left + EDGE_MM + len(held) * pitch
        yield from self.move(card, x + self.rng.uniform(-2, 2), self.middle(f"row:{row}")[1] + self.rng.uniform(-3, 3))

    def _seat_spot(self, player: int) -> tuple[float, float]:
        x, y = self.middle(f"seat:{self.seats[player]}")
        area = self.zones[f"seat:{self.seats[player]}"]
        shift = NUMBER_SHIFT * (area.right - area.left) if self.rules.anniversary else 0.0
        return x + shift, y

    def _at_seat(self, player: int) -> list[str]:
        if f"seat:{self.seats[player]}" not in self.zones:
            return []
        return [id for id in self.held(f"seat:{self.seats[player]}") if id.isdigit()]

    def _due(self, screen: SeenScreen) -> tuple[str, int | None]:
        """The lowest card that is shown, and its player."""
        shown = [(int(id), p) for p in self.players for id in self._at_seat(p) if not self._is_down(id)]
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

    def _cheapest(self) -> int:
        rows = [row for row in range(1, 6) if f"row:{row}" in self.zones and self.held(f"row:{row}")]
        return min(rows, key=lambda row: sum(HEADS[int(id)] for id in self.held(f"row:{row}") if id.isdigit()))

    def _is_down(self, id: str) -> bool:
        place = self.table.piece(id).place
        return isinstance(place, OnTable) and place.face_down

    def _spot(self, id: str) -> tuple[float, float]:
        place = self.table.piece(id).place
        assert isinstance(place, OnTable)
        return place.spot

    # rebuilding

    def show(self, zone: str, pieces: tuple[str, ...]) -> Script:
        kind, _, number = zone.partition(":")
        match kind:
            case "row":
                for id in pieces:
                    place = self.table.piece(id).place
                    if isinstance(place, OnTable) and self._row_of(id) == int(number):
                        self.table.put_back([id], "box")
                for id in pieces:
                    yield from self._lay_in_row(id, int(number))
            case "home" | "seat" | "spot":
                yield from self._show_at_seat(int(number), pieces)
            case "spread":
                for n, id in enumerate(pieces):
                    self.table.lay(id, self.table.area.left + EDGE_MM + SPREAD_PITCH_MM * n, self.table.area.top + 50)
                yield REACH_S
            case _:
                yield REACH_S

    def _show_at_seat(self, player: int, pieces: tuple[str, ...]) -> Script:
        here = self._at_seat(player)
        for piece in pieces:
            if piece == "back":
                if here:
                    if not self._is_down(here[0]):
                        self.table.turn_over(here[0])
                elif cards := self._numbers(player):
                    yield from self.move(self.rng.choice(cards), *self._seat_spot(player), face_down=True)
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
            owner = self._player_of(id) or self._owner_before(id)
            self.table.take([id], owner) if owner else self.table.put_back([id], "box")
        yield REACH_S

    def _owner_before(self, id: str) -> int | None:
        """Who had the card in the hand when the table was good; else the player with the fewest cards."""
        place = self._good.get(id)
        if isinstance(place, InHand | InPile):
            return place.player
        return min(self.players, key=lambda player: len(self._numbers(player)))

    def err(self) -> Script | None:
        """A shown card in a wrong row."""
        shown = [(int(id), p) for p in self.players for id in self._at_seat(p) if not self._is_down(id)]
        downs = [id for p in self.players for id in self._at_seat(p) if self._is_down(id)]
        if not shown or downs or self.mates.screen.prompt.topic != "lay_behind":
            return None
        right = self.mates.screen.prompt.number("row")
        row = self.rng.choice(
            [r for r in range(1, 5) if r != right and len(self.held(f"row:{r}")) in range(1, 5)] or [0]
        )
        return self._lay_in_row(str(min(shown)[0]), row) if row else None
