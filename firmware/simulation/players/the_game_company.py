"""People who play The Game: each lays what costs least, draws what the box says, and says so when nothing fits."""

from engine.games.the_game.match_options import STANDARD
from engine.games.the_game.rules import fits, hand_size
from engine.games.the_game.state import PILES, State
from engine.options import get_number, get_word
from firmware.journal.operation_types import Started
from firmware.simulation.people.card_company import CardCompany
from firmware.simulation.people.company import REACH_S, Script, TableMates
from firmware.simulation.people.manual_wish import PlannedEntry
from firmware.simulation.people.screen_reading import SeenScreen, Sentence
from firmware.simulation.table.piece_places import InHand, InStock, OnTable

START_NUMBERS = {"up:1": ("1 1", 1), "up:2": ("1 2", 1), "down:1": ("100 1", 100), "down:2": ("100 2", 100)}
"""The card at the bottom of each pile and its number."""
FREE_JUMP = 3
"""A card that costs no more than this is laid also when the minimum is met."""
BESIDE_MM = 48.0
"""From the edge of the table to the middle of a hand that is shown beside the piles, in mm."""
SHOWN_PITCH_MM = 60.0
PLAYING = frozenset({"lay_cards", "more_or_draw", "more_or_done", "show_unseen"})
COUNTED = frozenset({"lay_cards", "more_or_draw", "more_or_done"})
"""Prompts at which people compare the piles with those of the page."""
ASKING = frozenset({"show_card_under"})
"""Questions about a card that does not fit: nothing lies under it, and the players say so."""
ENDED = frozenset({"game_ended", "game_excellent", "game_beaten"})


class TheGameCompany(CardCompany):
    """``players`` are those who play on."""

    def __init__(self, mates: TableMates, started: Started) -> None:
        super().__init__(mates, started)
        self.players = list(range(1, get_number(self.options, "players") + 1))
        self.size = hand_size(len(self.players), get_word(self.options, "level") or STANDARD)
        self._turn = 0
        self._means_it = self._said_so = False

    def knows(self, topic: str) -> bool:
        return topic in PLAYING

    def begin(self) -> None:
        super().begin()
        self.table.shuffle("cards", self.rng)
        for player in self.players:
            self.table.take(self.table.stock()[-self.size :], player)
        for zone, (id, _) in START_NUMBERS.items():
            self.table.lay(id, *self.middle(zone))

    def left(self) -> int:
        """The cards that are not laid: in the deck, in hands, also of those who left, and shown beside the piles."""
        beside = sum(self._is_beside(it.id) for it in self.table.lying())
        cards = beside + len(self.table.stock()) + len(self.table.stock("out"))
        return cards + sum(len(self.table.hand(player)) for player in range(1, 6))

    def answer(self, screen: SeenScreen) -> Script | None:
        if screen.prompt.topic == "sure_end" and self._means_it:
            self._means_it, self._said_so = False, True
            return self.mates.press("cannot_play")
        if screen.prompt.topic in ASKING and screen.find_offer("nothing_under") is not None:
            return self.mates.press("nothing_under")
        counted = (screen.over or screen.prompt.topic in COUNTED) and screen.fault is None and not self.mates.human
        if counted and (script := self._correct_piles()) is not None:
            return script
        if screen.over or screen.prompt.topic not in PLAYING:
            return None
        player = screen.turn or self.players[0]
        if player in self.mates.human:
            return None
        self._turn, self._said_so = player, False
        best = self._find_play(player)
        match screen.prompt.topic:
            case "lay_cards" if best is None:
                return self._give_up()
            case "lay_cards" if best is not None:
                return self._lay(*best[1:])
            case "more_or_draw" | "more_or_done":
                if best is not None and best[0] <= FREE_JUMP:
                    return self._lay(*best[1:])
                return self._end_turn(player, screen)
            case _:
                return None

    def find_false_piece(self, advice: Sentence) -> str:
        """A card to lay, or one that the record has on a pile, that is still in the deck."""
        named = advice.args.get("pieces", "") if advice.topic in ("act_put", "act_lay") else ""
        cards = named.split()
        if self.recorded is not None and advice.topic in COUNTED:
            cards = [str(card) for pile in self.recorded.piles for card in pile]
        deck = self.table.stock()
        return next((card for card in cards if card in deck), "")

    def _correct_piles(self) -> Script | None:
        """The piles and the hands as the record has them, where a card was entered, undone or set aside unseen."""
        state = self.recorded
        if state is None:
            return None
        recorded = {str(card): zone for zone, pile in zip(PILES, state.piles, strict=True) for card in pile}
        tops = {str(pile[-1]) for pile in state.piles if pile}
        covered = {id for zone in PILES for id in self._covered(zone)}
        for it in self.table.pieces():
            if it.id not in recorded and it.id.isdigit():
                if it.id in covered or it.place == InStock("box"):
                    return self._take_up(it.id)
            elif it.id in tops and it.place == InStock("box"):
                return self.put(recorded[it.id], it.id)
            elif it.id in recorded and isinstance(it.place, InHand):
                return self._slip_under(it.id, recorded[it.id])
        return None

    def _covered(self, zone: str) -> list[str]:
        return [it.id for it in self.table.lying(self.zones[zone])][:-1]

    def _take_up(self, card: str) -> Script:
        self.table.take([card], self._turn or self.players[0])
        yield REACH_S

    def _slip_under(self, card: str, zone: str) -> Script:
        """The card goes to its pile, below the top where the record has it there."""
        top = [it.id for it in self.table.lying(self.zones[zone])][-1:]
        yield from self.put(zone, card)
        assert self.recorded is not None
        if str(self.recorded.piles[PILES.index(zone)][-1]) in top:
            yield from self.put(zone, top[0])

    def disputes(self, screen: SeenScreen) -> bool:
        """The record says that the player could not play, or laid unseen cards; no player has said so."""
        ended = screen.prompt.topic in ENDED and not self._said_so and self.left() > 0
        return (ended or screen.prompt.topic == "show_unseen") and self._turn not in self.mates.human

    def _give_up(self) -> Script:
        self._means_it = True
        yield from self.mates.press("cannot_play")

    def _end_turn(self, player: int, screen: SeenScreen) -> Script:
        at = screen.find_offer("done_draw")
        n = screen.offers[at].number("n") if at is not None else 0
        yield from self.mates.press("done_draw")
        if n:
            self.table.take(self.table.stock()[-n:], player)
        yield REACH_S

    def _find_play(self, player: int) -> tuple[int, str, str] | None:
        """How far the pile jumps, the card and the pile: what costs least."""
        plays = [
            (self._jump(zone, int(card)), card, zone)
            for card in self.table.hand(player)
            for zone in PILES
            if fits(PILES.index(zone), self._top(zone), int(card))
        ]
        return min(plays, default=None)

    def _jump(self, zone: str, card: int) -> int:
        step = card - self._top(zone)
        return step if zone.startswith("up") else -step

    def _top(self, zone: str) -> int:
        lying = self.table.lying(self.zones[zone])
        return int(lying[-1].name) if lying else START_NUMBERS[zone][1]

    def _lay(self, card: str, zone: str) -> Script:
        x, y = self.middle(zone)
        yield from self.move(card, x + self.rng.uniform(-2, 2), y + self.rng.uniform(-2, 2))

    def show(self, zone: str, pieces: tuple[str, ...]) -> Script:
        if zone in PILES:
            x, y = self.middle(zone)
            if not self.table.lying(self.zones[zone]):
                self.table.lay(START_NUMBERS[zone][0], x, y)
            for piece in pieces:
                id = self.find(piece)
                if id is not None:
                    yield from self.move(id, x, y)
        yield REACH_S

    def remove(self, zone: str, pieces: tuple[str, ...]) -> Script:
        for piece in pieces:
            id = self.find(piece)
            if id is not None and isinstance(self.table.piece(id).place, OnTable):
                if zone in PILES and piece not in ("1", "100"):
                    self.table.take([id], self._turn or self.players[0])
                else:
                    self.table.put_back([id], "box")
        yield REACH_S

    def put(self, zone: str, piece: str) -> Script:
        id = self.find(piece)
        if id is not None and zone in PILES:
            yield from self.move(id, *self.middle(zone))
        yield REACH_S

    def deal_as_recorded(self, state: State) -> None:
        self.table.clear()
        self.players, self._turn = list(state.playing), state.turn
        self.table.put_back([str(card) for pile in state.piles for card in pile], "box")
        self.table.shuffle("cards", self.rng)
        for player, size in enumerate(state.hands, 1):
            some = self.table.stock()[len(self.table.stock()) - size :]
            self.table.take(some, player) if player in self.players else self.table.put_back(some, "out")

    def resume(self) -> None:
        super().resume()
        for zone, (id, _) in START_NUMBERS.items():
            self.table.lay(id, *self.middle(zone))

    def spread_hand(self) -> Script:
        area = self.table.area
        for n, id in enumerate(self.table.hand(self.mates.screen.turn or self._turn)):
            line, at = divmod(n, 3)
            self.table.lay(id, area.right - BESIDE_MM + 24 - SHOWN_PITCH_MM * at, area.top + 140 + 100 * line)
        yield 1.0

    def find_layer(self, card: str) -> int | None:
        return self._turn or None

    def hear(self, entry: str) -> None:
        super().hear(entry)
        match entry.split():
            case ["leave", player]:
                self.players.remove(int(player))
                self.table.put_back(self.table.hand(int(player)), "out")
            case ["resume"]:
                self.table.take([it.id for it in self.table.lying() if self._is_beside(it.id)], self._turn)
            case _:
                pass

    def _is_beside(self, id: str) -> bool:
        place = self.table.piece(id).place
        return isinstance(place, OnTable) and not any(area.contains(*place.spot) for area in self.zones.values())

    def plan_entry(self) -> PlannedEntry | None:
        """The next card on its pile."""
        screen = self.mates.screen
        best = self._find_play(screen.turn or self.players[0])
        if screen.prompt.topic != "lay_cards" or best is None or screen.turn in self.mates.human:
            return None
        _, card, zone = best
        return PlannedEntry("card_on_pile", (("value", card), ("zone", zone)), f"play {card} {zone}")

    def make_move(self, entry: str) -> Script:
        _, card, zone = entry.split()
        return self._lay(card, zone)

    def may_leave(self, screen: SeenScreen) -> bool:
        return len(self.players) > 1 and screen.prompt.topic == "lay_cards"

    def may_undo(self, screen: SeenScreen) -> bool:
        """A card laid in this turn is all that is taken back."""
        return screen.prompt.topic in ("more_or_draw", "more_or_done")

    def may_adopt(self, screen: SeenScreen) -> bool:
        return screen.prompt.topic == "lay_cards"

    def err(self) -> Script | None:
        """A card on a pile where it does not fit."""
        player = self.mates.screen.turn
        if self.mates.screen.prompt.topic not in PLAYING or player is None or player in self.mates.human:
            return None
        wrong = [
            (card, zone)
            for card in self.table.hand(player)
            for zone in PILES
            if not fits(PILES.index(zone), self._top(zone), int(card))
        ]
        return self._lay(*self.rng.choice(wrong)) if wrong else None
