"""People of the anniversary game play special cards, each with the number card that is due."""

from collections.abc import Iterator

from engine.games.nimmt.cards import HEADS
from engine.games.nimmt.state import State
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Script, TableMates
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.players.nimmt_rebuilding import NimmtRebuilding
from firmware.simulation.players.nimmt_table import EDGE_MM, ROW_CARDS, ROW_PITCH_MM
from firmware.simulation.table.piece_places import InHand, InPile, InStock, OnTable

ROWS = range(1, 6)
MOST_BLOCKED = 2
"""Rows that may be blocked at the same time."""
SPECIAL_SHIFT = 0.25
"""Where a special card is put at a seat, as a share of its width to the right of the middle."""
DUE = frozenset({"lay_behind", "take_row", "low_card", "take_row_too", "low_card_too"})
"""Prompts at which the player in turn may play a special card."""

NAMED = frozenset({"negative_card", "negative_alone"})
"""Offers that name a card of the taken row, with or without others that it cancels."""


class NimmtSpecialCards(NimmtRebuilding):
    """``credit`` are the heads by player that Neg=Pos has cancelled, and that no cards make up."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self.credit = dict.fromkeys(self.players, 0)

    # what may be played

    def may_play_special(self, screen: SeenScreen, kind: str) -> bool:
        player = screen.turn
        if not self.rules.anniversary or screen.prompt.topic not in DUE or player not in self.seats:
            return False
        card, owner = self._due(screen)
        if not card or owner != player or player in self.mates.human or self._find_played(player):
            return False
        return bool(self._rows_with_cards() and self._list_held(kind, player)) and self._can_carry_out(
            kind, player, int(card)
        )

    def play_special(self, screen: SeenScreen, kind: str) -> Script:
        """The player in turn puts it beside the number card."""
        player = screen.turn or 0
        return self.move(self._list_held(kind, player)[0], *self._special_spot(player))

    def _list_held(self, kind: str, player: int) -> list[str]:
        return [id for id in self.table.hand(player) if _kind_of(id) == kind]

    def _can_carry_out(self, kind: str, player: int, card: int) -> bool:
        home = self._find_home(card)
        match kind:
            case "fifth":
                return len(self._rows_with_cards()) < len(ROWS)
            case "seven":
                return bool(home) and not self._has_mark(home, "seven")
            case "insert":
                return bool(self._rows_to_insert(card))
            case "block":
                return sum(self._has_mark(row, "block") for row in self._rows_with_cards()) < MOST_BLOCKED
            case "replace":
                return bool(self._numbers(player))
            case "move":
                return any(self._list_shifts())
            case "negpos":
                return not home or self._find_room(home) <= 0
            case _:
                return False

    def _marks(self, row: int) -> list[str]:
        return [id for id in self.held(f"row:{row}") if not id.isdigit()]

    def _has_mark(self, row: int, kind: str) -> bool:
        return any(_kind_of(id) == kind for id in self._marks(row))

    def _open_rows(self) -> list[int]:
        return [row for row in self._rows_with_cards() if not self._has_mark(row, "block")]

    def _find_room(self, row: int) -> int:
        return ROW_CARDS + self._has_mark(row, "seven") - len(self._cards_in(row))

    def _find_home(self, card: int) -> int:
        """The open row with the highest end below this card; 0 if there is none."""
        below = [row for row in self._open_rows() if int(self._cards_in(row)[-1]) < card]
        return max(below, key=lambda row: int(self._cards_in(row)[-1]), default=0)

    def _cheapest(self) -> int:
        return min(self._open_rows(), key=lambda row: sum(HEADS[int(id)] for id in self._cards_in(row)))

    def _rows_to_insert(self, card: int) -> list[int]:
        return [row for row in self._open_rows() if int(self._cards_in(row)[-1]) > card]

    def _list_shifts(self) -> Iterator[tuple[str, int]]:
        """A card of an open row, and another open row with room."""
        for source in self._open_rows():
            for target in self._open_rows():
                if source != target and self._find_room(target) > 0:
                    yield from ((card, target) for card in self._cards_in(source))

    def _find_played(self, player: int) -> str:
        """The special card at the seat of this player."""
        zone = f"seat:{self.seats[player]}"
        return next((id for id in self.held(zone) if not id.isdigit()), "") if zone in self.zones else ""

    # what it does

    def carry_out(self, screen: SeenScreen) -> Script | None:
        """What the special card at the seat of the player in turn asks for; None if none lies there."""
        player = screen.turn or 0
        special = self._find_played(player) if player in self.seats else ""
        if not special or player in self.mates.human:
            return None
        card, owner = self._due(screen)
        if not card or owner != player:
            return None
        match _kind_of(special), screen.prompt.topic:
            case "block", "block_first":
                return self._put_mark(special, self.rng.choice(self._open_rows()))
            case "fifth", "starts_fifth_row":
                return self._lay_at_mark(special, card, next(row for row in ROWS if not self._cards_in(row)))
            case "seven", "lay_behind":
                return self._lay_at_mark(special, card, screen.prompt.number("row"))
            case "insert", "insert_inside":
                return self._insert(special, player, card, self.rng.choice(self._rows_to_insert(int(card))))
            case "replace", "replace_first":
                return self._replace(special, player, card)
            case "move", "move_first":
                return self._shift(special, *self.rng.choice([*self._list_shifts()]))
            case _:
                return None

    def _put_mark(self, special: str, row: int) -> Script:
        return self.move(special, *self._mark_spot(row))

    def _mark_spot(self, row: int) -> tuple[float, float]:
        return self.zones[f"row:{row}"].right - EDGE_MM, self.middle(f"row:{row}")[1]

    def _special_spot(self, player: int) -> tuple[float, float]:
        area = self.zones[f"seat:{self.seats[player]}"]
        x, y = self.middle(f"seat:{self.seats[player]}")
        return x + SPECIAL_SHIFT * (area.right - area.left), y

    def _lay_at_mark(self, special: str, card: str, row: int) -> Script:
        yield from self._put_mark(special, row)
        yield from self._lay_in_row(card, row)

    def _insert(self, special: str, player: int, card: str, row: int) -> Script:
        """At its place in the row; if the row was full, its player takes all but the last card."""
        taken = self._find_room(row) <= 0
        held = sorted((*self._cards_in(row), card), key=int)
        yield from self.reach(*self._spot(self._cards_in(row)[-1]))
        if taken:
            goes = held if len(self._rows_with_cards()) == len(ROWS) else held[:-1]
            self.table.win(goes, player)
            self.takers.note(player, goes)
            self.last_taker = player
            self.spend_marks(row, fifth=goes == held)
            held = [id for id in held if id not in goes]
        for at, id in enumerate(held):
            self.table.lay(
                id, self.zones[f"row:{row}"].left + EDGE_MM + at * ROW_PITCH_MM, self.middle(f"row:{row}")[1]
            )
        self.table.put_back([special], "discard")
        yield from self.withdraw()

    def _replace(self, special: str, player: int, card: str) -> Script:
        x, y = self._seat_spot(player)
        fresh = self.rng.choice(self._numbers(player))
        yield from self.reach(x, y)
        self.table.take([card], player)
        self.table.lay(fresh, x, y)
        self.table.put_back([special], "discard")
        yield from self.withdraw()

    def _shift(self, special: str, card: str, row: int) -> Script:
        """The card goes where the row stays ascending."""
        yield from self.reach(*self._spot(card))
        for at, id in enumerate(sorted((*self._cards_in(row), card), key=int)):
            self.table.lay(
                id, self.zones[f"row:{row}"].left + EDGE_MM + at * ROW_PITCH_MM, self.middle(f"row:{row}")[1]
            )
        self.table.put_back([special], "discard")
        yield from self.withdraw()

    def _win_row(self, player: int, row: int) -> Script:
        yield from super()._win_row(player, row)
        self.spend_marks(row)

    def spend_marks(self, row: int, *, fifth: bool = False) -> None:
        """With a take all Blocks are used up, and what stood at the row; with one of five rows the 5th Row."""
        spent = [id for other in ROWS if f"row:{other}" in self.zones for id in self._marks(other)
                 if other == row or _kind_of(id) == "block" or (fifth and _kind_of(id) == "fifth")]  # fmt: skip
        self.table.put_back(spent, "discard")

    def take_both(self, screen: SeenScreen, card: str, row: int) -> Script | None:
        """With five rows the card that takes a row goes with it."""
        player = self._player_of(card) or screen.turn
        if player is None or player in self.mates.human or not self._rows_with_cards():
            return None
        return self._win_both(player, card, row or self._cheapest())

    def _win_both(self, player: int, card: str, row: int) -> Script:
        yield from self._win_row(player, row)
        self.table.win([card], player)
        self.spend_marks(row, fifth=True)
        yield REACH_S

    def name_negative(self, screen: SeenScreen) -> Script | None:
        """Any of the cards that may be named; those that it cancels are put away when the record has it."""
        named = [at for at, offer in enumerate(screen.offers) if offer.topic in NAMED]
        if not named or screen.turn in self.mates.human:
            return None
        at = self.rng.choice(named)
        return self.mates.press_at(lambda now: now.find_same(screen, at))

    def hear(self, entry: str) -> None:
        super().hear(entry)
        match entry.split():
            case ["negpos", card, cancelled]:
                self._cancel(card, [id for id in cancelled.split(",") if id.isdigit()])
            case ["lay" | "who", *_]:
                self._discard_used()
            case _:
                pass

    def _cancel(self, card: str, others: list[str]) -> None:
        """The named card leaves the pile, and heads as many as it has: in cards, as far as cards make them up."""
        place = self.table.piece(card).place
        player = place.player if isinstance(place, InPile) else self.last_taker
        rest = sum(HEADS[int(id)] for id in self.table.pile(player) if id.isdigit() and id != card)
        cancelled, before = sum(HEADS[int(id)] for id in others), self.credit.get(player, 0)
        falls = min(HEADS[int(card)], rest - before)
        self.credit[player] = before + falls - cancelled
        self.table.put_back([card, *others], "box")

    def _discard_used(self) -> None:
        """The special cards that still lie at the seats of players who have laid their card are used up."""
        for player in self.players:
            if not self._at_seat(player) and (special := self._find_played(player)):
                self.table.put_back([special], "discard")

    # between rounds, and putting the table together again

    def gather(self) -> None:
        """All cards for the next round; the special cards in the hands and the discard stay as they are."""
        specials = [it for it in self.table.pieces() if not it.id.isdigit()]
        held = [(it.id, it.place.player) for it in specials if isinstance(it.place, InHand)]
        used = [it.id for it in specials if it.place == InStock("discard") or isinstance(it.place, OnTable)]
        self.table.clear()
        self.credit = dict.fromkeys(self.credit, 0)
        self.table.put_back(used, "discard")
        for id, player in held:
            self.table.take([id], player)

    def deal_as_recorded(self, state: State) -> None:
        super().deal_as_recorded(state)
        self.credit = dict(enumerate(state.credit, 1))
        if state.specials is None:
            return
        self.table.shuffle("specials", self.rng)
        for kind in state.specials.discard:  # a kind that was not seen is any
            self._put_special_away(kind, "discard")
        for kind, _ in state.lying:
            self._put_special_away(kind, "box")
        for player in self.players:
            for _ in range(state.specials_of(player)):
                self.draw_special(player)

    def _put_special_away(self, kind: str, stock: str) -> None:
        ids = [id for id in self.table.stock("specials") if _kind_of(id) == kind or not kind]
        self.table.put_back(ids[-1:], stock)

    def draw_special(self, player: int) -> None:
        """The top of the deck; the discard is shuffled into a new one where it has run out."""
        if not self.table.stock("specials"):
            self.table.put_back(self.table.stock("discard"), "specials")
            self.table.shuffle("specials", self.rng)
        self.table.take(self.table.stock("specials")[-1:], player)

    def exchange(self, player: int) -> Script:
        held = [id for id in self.table.hand(player) if not id.isdigit()]
        if held:
            self.table.put_back([self.rng.choice(held)], "discard")
            self.draw_special(player)
        yield REACH_S
        yield from self.mates.press("exchange")

    def obey(self, advice: Sentence) -> Script | None:
        if advice.topic == "clear_spent":
            return self._clear_spent(advice.number("row"))
        return super().obey(advice)

    def _clear_spent(self, row: int) -> Script:
        self.table.put_back(self._marks(row), "discard")
        yield REACH_S

    def show(self, zone: str, pieces: tuple[str, ...]) -> Script:
        if zone.startswith(("mark", "special")):
            for piece in pieces:
                yield from self.put(zone, piece)
            return
        yield from super().show(zone, pieces)

    def put(self, zone: str, piece: str) -> Script:
        kind, _, number = zone.partition(":")
        if piece.isdigit() or piece == "back" or not number.isdigit():
            return super().put(zone, piece)
        if kind in ("row", "mark"):
            return self.move(self._find_special(piece, 0), *self._mark_spot(int(number)))
        if kind in ("home", "seat", "special") and int(number) in self.seats:
            return self.move(self._find_special(piece, int(number)), *self._special_spot(int(number)))
        return super().put(zone, piece)

    def _find_special(self, piece: str, player: int) -> str:
        """One of this kind that lies where the record has none, was used up, or is in the hand of this player."""
        state = self.recorded
        known = () if state is None else state.lying

        def rank(id: str) -> int:
            place = self.table.piece(id).place
            if isinstance(place, OnTable):
                return 4 if (piece, self._find_place(id)) in known else 0
            return 1 if place == InStock("discard") else 2 if place == InHand(player) else 3

        return min((it.id for it in self.table.pieces() if _kind_of(it.id) == piece), key=rank)

    def _find_place(self, id: str) -> str:
        """Where a special card lies, as the record names it."""
        if row := self._row_of(id):
            return f"mark:{row}"
        return next((f"special:{seat}" for p, seat in self.seats.items() if self._find_played(p) == id), "")

    def remove(self, zone: str, pieces: tuple[str, ...]) -> Script:
        kind, _, number = zone.partition(":")
        for piece in pieces:
            for it in self.table.lying():
                place = self._find_place(it.id) if not it.id.isdigit() and _kind_of(it.id) == piece else ""
                seat = self.seats.get(int(number)) if number.isdigit() else None
                if place and place in (f"mark:{number}" if kind in ("row", "mark") else f"special:{seat}",):
                    self._put_away(it.id)
        yield from super().remove(zone, tuple(piece for piece in pieces if piece.isdigit() or piece == "back"))

    def _put_away(self, id: str) -> None:
        """Back to a hand that lacks one by the record, else to the discard."""
        specials = self.recorded.specials if self.recorded is not None else None
        for player, held in enumerate(specials.held if specials else (), 1):
            if player in self.seats and len([id for id in self.table.hand(player) if not id.isdigit()]) < held:
                return self.table.take([id], player)
        return self.table.put_back([id], "discard")


def _kind_of(id: str) -> str:
    return id.partition(".")[0]
