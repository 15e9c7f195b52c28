"""People who play 6 nimmt!: they deal, choose, reveal, lay and take as the screen says, with real cards."""

from engine.games.nimmt.state import State
from firmware.journal.operation_types import Started
from firmware.simulation.people.company import REACH_S, Script, TableMates
from firmware.simulation.people.manual_wish import PlannedEntry
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.players.nimmt_dealing import NimmtDealing

MOST_LEFT, MOST_PLAYERS = 2, 10
"""As few players stay when one leaves, and as many may play."""
PLAYING = frozenset(
    {
        "choose_cards", "waiting_for", "turn_up", "lay_next", "lay_behind", "take_row", "low_card", "starts_row",
        "take_row_too", "low_card_too",
        "starts_fifth_row", "insert_inside", "block_first", "replace_first", "move_first", "round_over", "pick_card",
        "spread_all", "deal_rows", "deal_second_half", "clear_table", "name_negative", "who_took", "lay_taker",
    }
)  # fmt: skip

SLOT_TOPICS = frozenset(
    {"lay_behind", "starts_row", "starts_fifth_row", "take_row", "low_card", "take_row_too", "low_card_too"}
)
"""What is asked of one player, whose card may be anywhere while it is carried."""
COUNTED = frozenset({"choose_cards", "lay_next", "round_over"})
"""Prompts between two turns: people compare the rows and the piles with those of the page."""


class NimmtCompany(NimmtDealing):
    """What people of 6 nimmt! do at each screen of a match."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self._chosen: dict[int, str] = {}
        self._highest_laid = 0
        self._unseen = ""

    def deal_as_recorded(self, state: State) -> None:
        super().deal_as_recorded(state)
        self._highest_laid = max(state.laid, default=0)

    def knows(self, topic: str) -> bool:
        return topic in PLAYING

    # what the screen asks

    def answer(self, screen: SeenScreen) -> Script | None:
        prompt = screen.prompt
        if prompt.topic in SLOT_TOPICS and screen.turn in self.mates.human:
            return None
        if (prompt.topic in COUNTED or screen.over) and screen.fault is None:
            if stray := self.find_stray():
                return self.put_as_recorded(stray)
            if again := self._find_undone_take():
                return self._take_again(*again)
        if self.rules.seats == "off" and (correction := self._correct_take(screen)) is not None:
            return correction
        if prompt.topic in ("pick_card", "deal_rows") and (picked := self._find_picked()):
            return self._pick_up(min(self.players, key=lambda player: len(self._numbers(player))), picked)
        if (carried := self.carry_out(screen)) is not None:
            return carried
        match prompt.topic:
            case "clear_table":
                return self._clear()
            case "one_card_a_row":
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
                return self._lay_lowest(prompt.number("n"))
            case "lay_taker":
                return self._lay_taker(prompt.number("row"))
            case "lay_behind":
                return self._lay_card(prompt.args["card"], prompt.number("row"))
            case "starts_row":
                return self._start_row(prompt.args["card"], prompt.number("row"))
            case "lift_row":
                return self._lift_row(screen, prompt.number("row"))
            case "take_row":
                return self._take_row(screen, prompt.number("row"))
            case "low_card":
                return self._take_any(screen, prompt.args["card"])
            case "take_row_too" | "low_card_too":
                return self.take_both(screen, prompt.args["card"], prompt.number("row"))
            case "name_negative":
                return self.name_negative(screen)
            case "deal_second_half":
                return self._deal_second_half()
            case "round_over":
                return self._next_round()
            case "who_took":
                return self._say_who(screen, prompt.number("n"))
            case _:
                return None

    def obey(self, advice: Sentence) -> Script | None:
        if advice.topic == "stays_in_row":
            return self.mates.press("table_is_right")
        return super().obey(advice)

    def _next_round(self) -> Script:
        yield 1.0
        self._dealt = False
        yield from self.mates.press("next_round")

    def _choose(self, prompt: Sentence) -> Script | None:
        """Each player who has not chosen yet puts a card at the seat, most of them face down."""
        if self.rules.variant == "halves" and not self._has_cards() and len(self.table.stock()) >= self._second_hands():
            return self._deal_second_half()
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
        """All turn their cards; who has none at the seat, although the box counts one, shows one from the hand."""
        for player in self.players:
            if player in self.mates.human:
                continue
            there = self._at_seat(player)
            for id in there:
                if self._is_down(id):
                    self.table.turn_over(id)
            if not there and (cards := self._numbers(player)):
                yield from self.move(self.rng.choice(cards), *self._seat_spot(player))
        yield REACH_S

    def _lay_lowest(self, left: int) -> Script | None:
        """Without seats: each has chosen a card, and the lowest is laid first."""
        if self._unseen and self._row_of(self._unseen):
            return None  # the screen has not counted the last card
        self._choose_unseen(left)
        if not self._chosen or not self._rows_with_cards():
            return None
        player = min(self._chosen, key=lambda p: int(self._chosen[p]))
        return self._lay_by_rule(player, self._chosen[player])

    def _choose_unseen(self, left: int) -> None:
        """Who has not chosen yet keeps a card ready, when all of this turn are laid: ``left`` players are to lay one.

        In the middle of a turn, after moves were undone, those are the players with the most cards.
        """
        held = {player: self._numbers(player) for player in self.players if player not in self.mates.human}
        highest = self._highest_laid if left < len(self.players) else 0
        chosen = {player: card for player, card in self._chosen.items() if card in held.get(player, ())}
        self._chosen = {player: card for player, card in chosen.items() if int(card) > highest}
        if self._chosen:
            return
        players = sorted((player for player in held if held[player]), key=lambda player: -len(held[player]))[:left]
        for player in players:
            later = [card for card in held[player] if int(card) > highest]
            self._chosen[player] = self.rng.choice(later or held[player])

    def _lay_taker(self, row: int) -> Script | None:
        """Without seats a row was taken: its taker lays the card that starts it."""
        self._choose_unseen(1)
        taker = self.last_taker if self.last_taker in self._chosen else min(self._chosen, default=0)
        return self._lay_in_row(self._chosen[taker], row) if taker else None

    def _lay_by_rule(self, player: int, card: str) -> Script:
        ends = {row: int(held[-1]) for row in range(1, 5) if (held := self.held(f"row:{row}"))}
        lower = [row for row, end in ends.items() if end < int(card)]
        row = max(lower, key=lambda r: ends[r]) if lower else self._cheapest()
        if not lower or len(self.held(f"row:{row}")) >= 5:
            yield from self._win_row(player, row)
        self._laid_by[card] = player
        self._unseen = card
        yield from self._lay_in_row(card, row)

    def _lay_card(self, card: str, row: int) -> Script | None:
        return None if self._is_human_card(card) else self._lay_in_row(card, row)

    def _start_row(self, card: str, row: int) -> Script | None:
        return None if self._is_human_card(card) else self._return_and_lay(card, row)

    def _return_and_lay(self, card: str, row: int) -> Script:
        yield from self._return_other_row(card, row)
        if card not in self._cards_in(row) and (player := self._find_taker(card)) is not None:
            yield from self._win_row(player, row)  # it is recorded as taken, and still lies there
        yield from self._lay_in_row(card, row)

    def hear(self, entry: str) -> None:
        self._unseen = ""
        super().hear(entry)
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
            case ["adopt" | "overrule", *zones]:
                for zone, _, cards in (word.partition("=") for word in zones):
                    if zone.startswith("pile:"):
                        self.takers.note_adopted(int(zone[5:]), cards.split("|"))
            case ["lay", card, _]:
                self._highest_laid = int(card)
            case _:
                pass

    def may_undo(self, screen: SeenScreen) -> bool:
        """A card was laid in this turn, and no row was taken: it goes back to its seat."""
        laid = len(self.players) - sum(1 for player in self.players if self._at_seat(player))
        return screen.prompt.topic == "lay_behind" and laid > 0 and self.rules.seats == "on"

    def plan_entry(self) -> PlannedEntry | None:
        """A card that goes behind another one, or a card that is picked from a spread."""
        prompt = self.mates.screen.prompt
        if prompt.topic == "lay_behind" and self.rules.seats == "on" and not self._is_human_card(prompt.args["card"]):
            card, row = prompt.args["card"], prompt.args["row"]
            return PlannedEntry("lies_in_row", (("row", row),), f"lay {card} {row}")
        if prompt.topic == "pick_card" and not self._picking and (lying := self.table.lying()):
            card = self.rng.choice(lying).id
            return PlannedEntry("card_picked", (("value", card),), f"pick 0 {card}")
        return None

    def make_move(self, entry: str) -> Script:
        match entry.split():
            case ["lay", card, row]:
                return self._lay_in_row(card, int(row))
            case ["pick", _, card]:
                player = min(self.players, key=lambda player: len(self._numbers(player)))
                return self._pick_up(player, card)
            case _:
                return iter(())

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
