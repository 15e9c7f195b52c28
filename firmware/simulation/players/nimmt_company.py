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
ROW_CARDS = 5
MOST_LEFT, MOST_PLAYERS = 2, 10
"""As few players stay when one leaves, and as many may play."""
MOST_BESIDE = 30
"""Cards of a pile that have room beside the rows."""
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
        self.started_with: dict[int, int] = {}
        """The points with which players began who joined later: the most that any player had (N-30)."""
        self._laid_by: dict[str, int] = {}
        self._chosen_before: dict[int, str] = {}
        self._shown_pile: list[str] = []
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
            case "lift_row":
                return self._lift_row(screen, prompt.number("row"))
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

    def _lift_row(self, screen: SeenScreen, row: int) -> Script | None:
        """The card that takes the row lies there already: its player takes the others."""
        cards = self._cards_in(row)
        player = self._laid_by.get(cards[-1]) if cards else None
        if player is None:
            return self._take_row(screen, row)
        return None if player in self.mates.human else self._lift_others(player, cards[:-1])

    def _lift_others(self, player: int, cards: list[str]) -> Script:
        self.table.win(cards, player)
        yield REACH_S

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
            self.last_taker = player
            if self.rules.seats == "off":
                self._takes.append((player, sum(HEADS[int(id)] for id in held)))
            yield from self.withdraw()

    def _lay_in_row(self, card: str, row: int) -> Script:
        area = self.zones[f"row:{row}"]
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
                self._spread_again(pieces)
                yield REACH_S
            case _:
                yield REACH_S

    def put(self, zone: str, piece: str) -> Script:
        kind, _, number = zone.partition(":")
        id = self.find(piece)
        if id is None or not number.isdigit():
            yield REACH_S
        elif kind == "row" and id.isdigit():
            yield from self._lay_in_row(id, int(number))
        elif kind in ("home", "seat") and int(number) in self.seats:
            yield from self.move(id, *self._seat_spot(int(number)))
        else:
            yield REACH_S

    def _spread_again(self, pieces: tuple[str, ...]) -> None:
        """All cards that were spread, where they were; else those that the box names."""
        before = {id: place for id, place in self._aside.items() if isinstance(place, OnTable)}
        for id, place in sorted(before.items(), key=lambda it: it[1].over):
            self.table.lay(id, place.x, place.y, place.angle)
        for n, id in enumerate(id for id in pieces if id not in before):
            self.table.lay(id, self.table.area.left + EDGE_MM + SPREAD_PITCH_MM * n, self.table.area.top + 50)

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
            owner = self._player_of(id) or self._owner_before(id)
            self.table.take([id], owner) if owner else self.table.put_back([id], "box")
        yield REACH_S

    def _owner_before(self, id: str) -> int | None:
        """Who had the card in the hand when the table was good; else the player with the fewest cards."""
        place = self._good.get(id)
        if isinstance(place, InHand | InPile):
            return place.player
        return min(self.players, key=lambda player: len(self._numbers(player)))

    # around the match

    def resume(self) -> None:
        """A card that was chosen goes back to the hand, until the box asks for it."""
        super().resume()
        for player, seat in self.seats.items():
            area = self.zones.get(f"seat:{seat}")
            for id, place in self._aside.items():
                if area is not None and isinstance(place, OnTable) and area.contains(*place.spot):
                    self.table.take([id], player)
                    self._chosen_before[player] = id

    def hear(self, entry: str) -> None:
        match entry.split():
            case ["leave", player]:
                self.seats.pop(int(player), None)
            case ["join", seat]:
                fresh = max((pad.player for pad in self.mates.pads), default=len(self.seats)) + 1
                self.seats[fresh] = int(seat)
                self.started_with[fresh] = max((pad.total for pad in self.mates.pads if not pad.gone), default=0)
            case ["sit", player, seat]:
                before = self.seats[int(player)]
                other = next((p for p, at in self.seats.items() if at == int(seat)), None)
                self.seats[int(player)] = int(seat)
                if other is not None:
                    self.seats[other] = before
            case ["next"]:
                self._dealt = False
            case _:
                pass

    def may_undo(self, screen: SeenScreen) -> bool:
        """A card was laid in this turn, and no row was taken: it goes back to its seat."""
        laid = len(self.players) - sum(1 for player in self.players if self._at_seat(player))
        return screen.prompt.topic == "lay_behind" and laid > 0 and self.rules.seats == "on"

    def may_leave(self, screen: SeenScreen) -> bool:
        return screen.prompt.topic == "round_over" and len(self.players) > MOST_LEFT

    def may_join(self, screen: SeenScreen) -> bool:
        room = self.rules.variant == "base" and len(self.players) < MOST_PLAYERS
        return screen.prompt.topic == "round_over" and room

    def may_change_seats(self, screen: SeenScreen) -> bool:
        free = not any(self._at_seat(player) for player in self.players)
        return screen.prompt.topic in ("round_over", "choose_cards") and self.rules.seats == "on" and free

    def may_adopt(self, screen: SeenScreen) -> bool:
        if screen.prompt.topic != "lay_behind" or self.rules.seats == "off":
            return False
        rows = self._other_rows(screen.prompt.number("row"))
        return bool(self._rows_below(screen.prompt.number("card"), rows))

    def exchange(self, player: int) -> Script:
        held = [id for id in self.table.hand(player) if not id.isdigit()]
        if held:
            self.table.put_back([self.rng.choice(held)], "discard")
            if not self.table.stock("specials"):
                self.table.put_back(self.table.stock("discard"), "specials")
                self.table.shuffle("specials", self.rng)
            self.table.take(self.table.stock("specials")[-1:], player)
        yield REACH_S
        yield from self.mates.press("exchange")

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

    def err(self) -> Script | None:
        """A shown card in a wrong row."""
        shown = [(int(id), p) for p in self.players for id in self._at_seat(p) if not self._is_down(id)]
        downs = [id for p in self.players for id in self._at_seat(p) if self._is_down(id)]
        if not shown or downs or self.mates.screen.prompt.topic != "lay_behind":
            return None
        right, card = self.mates.screen.prompt.number("row"), min(shown)[0]
        rows = self._other_rows(right)
        rows = self._rows_below(card, rows) or rows
        return self._lay_in_row(str(card), self.rng.choice(rows)) if rows else None

    def _other_rows(self, right: int) -> list[int]:
        """The rows with room beside the right one."""
        rows = [int(zone[4:]) for zone in self.zones if zone.startswith("row:")]
        return [row for row in rows if row != right and 1 <= len(self._cards_in(row)) < ROW_CARDS]

    def _cards_in(self, row: int) -> list[str]:
        return [id for id in self.held(f"row:{row}") if id.isdigit()]

    def _rows_below(self, card: int, rows: list[int]) -> list[int]:
        """Those of these rows whose last card is lower: a wrong one of them looks right at a glance."""
        return [row for row in rows if int(self._cards_in(row)[-1]) < card]
