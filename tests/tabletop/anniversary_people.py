"""People who play specials by the rules, with the hands of people."""

from random import Random

from tests.tabletop.anniversary_truth import KINDS, SpecialTruth, parse_cards
from tests.tabletop.nimmt_examiner import Examiner, Stuck
from tests.tabletop.nimmt_felt import Thing
from tests.tabletop.nimmt_people import AT_REST, IN_HAND, Acts, People
from tests.tabletop.nimmt_rules import Breach

SPECIAL_SHARE, EXCHANGE_SHARE = 0.35, 0.5
STAYING = ("fifth", "seven", "block")


class SpecialPeople(People):
    """Each player also holds specials: pieces such as ``block.3``."""

    truth: SpecialTruth
    foreign = ("105", "0", "red")

    def __init__(self, examiner: Examiner, seats: dict[int, int], rng: Random) -> None:
        super().__init__(examiner, {}, seats, rng)
        copies = rng.random() < 0.8  # else all stickers of a kind are alike
        self.deck = [f"{kind}.{n if copies else 1}" for kind in KINDS for n in range(1, 5)]
        rng.shuffle(self.deck)
        self.discard: list[str] = []
        self.specials: dict[int, list[str]] = {p: [] for p in seats}
        self.may_exchange: list[int] = []

    def deal_specials(self) -> None:
        """A-2, A-6, A-91."""
        players = self.truth.players
        each = min(3, (len(self.deck) + len(self.discard)) // len(players))
        for _ in range(each):
            for player in players:
                self.specials[player].append(self.draw())
        self.truth.held = {player: len(self.specials[player]) for player in players}

    def draw(self) -> str:
        if not self.deck:
            self.deck, self.discard = self.rng.sample(self.discard, len(self.discard)), []
            self.truth.spent.clear()
        return self.deck.pop()

    def may_show_another(self, player: int) -> bool:
        """A-60: in the slot of a Replace that is not carried out yet."""
        truth = self.truth
        return (
            truth.special == "replace"
            and not truth.acted
            and bool(truth.due)
            and truth.due == (player, truth.shown[player])
        )

    def may_play_now(self, kind: str) -> bool:
        return bool(self.due_now()) and not self.truth.busy and self.truth.may_play(kind)

    def turn(self) -> Acts:
        yield from super().turn()
        yield from self.exchange(1.0)

    def slot(self, player: int, card: int) -> Acts:
        takes = len(self.truth.takers)
        kinds = [s for s in self.specials[player] if self.truth.may_play(s.partition(".")[0])]
        played = bool(kinds) and self.chance(SPECIAL_SHARE)
        if played:
            yield from self.play(player, self.rng.choice(kinds))
        if player in self.truth.shown:
            card = self.truth.shown[player]
            if self.truth.start:
                yield from self.bring(player, card, self.truth.start)
            elif self.truth.rows.has_five() and self.truth.rows.choices(card):
                yield from self.take_five(player, card)
            elif self.truth.special == "negpos":
                yield from self.take_negative(player, card)
            else:
                yield from super().slot(player, card)
        if played:  # everybody sees what a special did before it goes
            self.examiner.look()
        yield from self.put_specials_away(player)
        if len(self.truth.takers) > takes:
            self.may_exchange.append(player)
        yield from self.exchange(0.3)

    def play(self, player: int, special: str) -> Acts:
        """The special lies at the seat first, mostly; what stays goes to its row, then it acts."""
        kind = special.partition(".")[0]
        self.specials[player].remove(special)
        straight = kind in STAYING and self.chance(0.3)
        if not straight:
            self.felt.put(special, self.seat(player))
        self.truth.play_special(player, kind)
        if not straight:
            yield AT_REST
        if kind in STAYING:
            row = self._find_row(kind)
            if not straight:
                self.felt.lift(next(t for t in self.felt.at(self.seat(player)) if t.face == special))
                yield IN_HAND
            self.felt.put(special, f"row:{row}")
            self.truth.mark(kind, row)
            yield AT_REST
        elif kind == "move":
            yield from self.move_card()
        elif kind == "replace":
            yield from self.replace_card(player)
        elif kind == "insert":
            yield from self.insert_card(player)

    def _find_row(self, kind: str) -> int:
        rows = self.truth.rows
        if kind == "fifth":
            return next(place for place in range(1, 6) if place not in rows.cards)
        return rows.row_for(self.due_now()) if kind == "seven" else self.rng.choice(rows.open_rows())

    def move_card(self) -> Acts:
        card, row = self.rng.choice(self.truth.list_shifts())
        thing = self.felt.require(str(card))
        self.felt.lift(thing)
        if self.chance(0.4):
            yield IN_HAND
        self._put_in_order(card, row)
        self.truth.shift(card, row)
        yield AT_REST

    def replace_card(self, player: int) -> Acts:
        card = self.rng.choice([c for c in self.hands[player] if c != self.truth.shown[player]])
        self._lift_from_seat(player)
        yield IN_HAND
        self.felt.put(str(card), self.seat(player))
        self.truth.swap(card)
        self.examiner.look()
        yield AT_REST

    def insert_card(self, player: int) -> Acts:
        """A-42: into a full row the card is laid, and all but the last are lifted."""
        card, row = self.truth.shown[player], self.rng.choice(self.truth.list_insertions())
        self._lift_from_seat(player)
        if self.chance(0.3):
            yield IN_HAND
        self._put_in_order(card, row)
        self.truth.lay(card, row)
        left = {str(c) for c in self.truth.rows.cards.get(row, ())}
        for thing in self.row_cards(row):
            if thing.face not in left:
                yield IN_HAND
                self.felt.lift(thing)

    def take_five(self, player: int, card: int) -> Acts:
        """A-21: the row goes with the card that was just played."""
        row = self.rng.choice(self.truth.rows.choices(card))
        negative = self.truth.special == "negpos"
        named = self.chance(0.4) and self._may_name(card)
        if named:
            self._name(row)
            yield AT_REST
        if negative and named:
            self._answer_negative()
        things = [*self.row_cards(row), self.card_of(player)]
        if not named and self.chance(0.3):
            things = [things[-1], *things[:-1]]
        for thing in things:
            self.felt.lift(thing)
            if not named and not self.row_cards(row) and row in self.truth.rows.cards:
                self._take(row)
            yield IN_HAND
        if negative and not named:
            self._answer_negative()

    def take_negative(self, player: int, card: int) -> Acts:
        """A-80: the special lies there before the row is lifted; the card is named when the box asks."""
        row = self.rng.choice(self.truth.rows.choices(card))
        named = self.chance(0.5) and self._may_name(card)
        if named:
            self._name(row)
            self._answer_negative()
            yield IN_HAND
        yield from self._lift(row, self.row_cards(row))
        self._lift_from_seat(player)
        self.felt.put(str(card), f"row:{row}")
        self._lay(card, row)
        if not named:
            self._answer_negative()
        yield IN_HAND

    def _answer_negative(self) -> None:
        examiner = self.examiner
        examiner.look()
        if examiner.known < len(self.truth.events) and examiner.tell_unseen():
            examiner.look()
        offers = [o.move for o in examiner.game.view(examiner.log.state).offers if o.move.startswith("negpos")]
        if not offers:
            examiner.fail("dead end", examiner.before, "the box does not ask which card is negative")
            raise Stuck
        chosen = self.rng.choice(offers)
        _, card, cancelled = chosen.split()
        try:
            self.truth.name_negative(int(card), parse_cards(cancelled), examiner.known)
        except Breach as breach:
            examiner.fail("wrong record", examiner.before, f"the box offers '{chosen}': {breach}")
            raise Stuck from breach
        examiner.tell_event(chosen)

    def put_specials_away(self, player: int) -> Acts:
        """What is used up goes to the discard (A-10), with what a take has removed (A-13)."""
        for thing in self._list_used_up():
            self.felt.lift(thing)
            self.discard.append(thing.face)
            self.truth.spent[thing.face.partition(".")[0]] += 1
            if self.chance(0.3):
                yield IN_HAND
            if self.chance(0.6):
                self.felt.put(thing.face, "discard")

    def _list_used_up(self) -> list[Thing]:
        gone = []
        for zone in self.felt.zones:
            stays = list(self.truth.rows.marks_at(int(zone[4:]))) if zone.startswith("row") else []
            for thing in self.felt.at(zone) if zone != "discard" else ():
                kind, dot, _ = thing.face.partition(".")
                if kind in stays:
                    stays.remove(kind)
                elif dot:
                    gone.append(thing)
        return gone

    def exchange(self, share: float) -> Acts:
        """A-90, A-92: once for each take, until the next card is revealed."""
        for player in list(self.may_exchange):
            if not self.chance(share):
                continue
            self.may_exchange.remove(player)
            if not self.specials[player] or not self.chance(EXCHANGE_SHARE):
                continue
            yield AT_REST
            self.examiner.look(rest=True)
            if self.examiner.game.view(self.examiner.log.state).over:
                return
            self.truth.events.append(f"exchange {player}")
            self.examiner.tell_event(f"exchange {player}")
            self.discard.append(self.specials[player].pop(self.rng.randrange(len(self.specials[player]))))
            self.specials[player].append(self.draw())

    def _put_in_order(self, card: int, row: int) -> None:
        place = sum(int(thing.face) < card for thing in self.row_cards(row))
        self.felt.put(str(card), f"row:{row}", self.place_among_all(row, place))

    def place_among_all(self, row: int, place: int) -> int:
        """The place in the row, specials counted, of what is to be the card number ``place`` of it."""
        numbers = self.row_cards(row)
        things = self.felt.at(f"row:{row}")
        return things.index(numbers[place]) if place < len(numbers) else len(things)
