"""People who play The Game in front of the box: they lay cards, look at what it says, and answer truthfully."""

import random
from dataclasses import dataclass, field
from typing import Any

from engine.game import Illegal
from engine.games import GAMES
from engine.log import Log
from engine.referee import Follows, Refused, Unclear, Waiting, judge
from engine.table import Table
from tests.tabletop.advice_text import show
from tests.tabletop.docket import ACCUSATION, DEAD_END, WRONG_RECORD, Docket
from tests.tabletop.thegame_record import count_orders, find_untrue_pile, looks_legal, read_record
from tests.tabletop.thegame_rules import PILES, first_card
from tests.tabletop.thegame_table import Card, CardTable, draw_habits

PATIENCE = 14
"""So many looks after one act, each answered, and the box still does not agree: a dead end."""
GAME = GAMES["thegame"]


@dataclass
class CardSession:
    rng: random.Random
    docket: Docket
    options: dict[str, Any]
    said: list[str] = field(default_factory=list)
    held: list[tuple[str, Card]] = field(default_factory=list)
    """Cards lifted from the top of a pile for a moment, the last one first to go back."""
    idly: bool = False
    """Lifted although nothing was asked."""

    def __post_init__(self) -> None:
        self.log: Log[Any, Any] = Log(GAME, self.options)
        habits = draw_habits(self.rng, below=self.options.get("start_cards") == "below")
        self.table = CardTable(self.rng, GAME.plan(self.log.options).zones, habits)

    @property
    def truth(self) -> dict[str, list[int]]:
        """The number cards of each pile as they lie, with what is lifted for a moment."""
        piles = {pile: [c for c in self.table.piles[pile]] for pile in PILES}
        for pile, card in reversed(self.held):
            piles[pile].append(card)
        return {
            pile: [int(c.name) for c in cards if c.name.isdigit() and 2 <= int(c.name) <= 99]
            for pile, cards in piles.items()
        }

    @property
    def record(self) -> dict[str, list[int]]:
        return read_record(self.log.moves)

    def top(self, pile: str) -> int:
        return (self.truth[pile] or [first_card(pile)])[-1]

    def judge(self) -> tuple[Table, Any]:
        self.docket.count("looks")
        table = self.table.picture()
        return table, judge(self.log, table)

    def say(self, line: str) -> bool:
        """A person enters this; False if the box refuses it."""
        try:
            self.log = self.log.add(self.log.parse(line))
        except Illegal:
            return False
        return True

    def lay(self, card: int, pile: str) -> None:
        self.table.lay(str(card), pile)
        self.said.append(f"play {card} {pile}")

    def resync(self) -> None:
        """Go on from the truth, so that one failure is counted once."""
        self.table.arms.clear()
        while self.held:
            self.put_back()
        self.idly = False
        self.log = Log(GAME, self.options).add(*map(GAME.parse, self.said))

    def lift(self, pile: str) -> None:
        self.held.append((pile, self.table.piles[pile].pop()))

    def put_back(self) -> None:
        pile, card = self.held.pop()
        self.table.piles[pile].append(card)

    def settle(self) -> None:
        """All that was done is legal: look, and do what the box asks, until it agrees with what lies there."""
        table, verdict = self.judge()
        for _ in range(PATIENCE):
            if isinstance(verdict, Refused) and self.idly and self.held:
                self.docket.count("cannot tell: a lifted top shows a card that would be wrong on it")
                return self.resync()
            if isinstance(verdict, Refused):
                self.docket.fail(ACCUSATION, self.log.moves, table, verdict, f"all was legal: {self.truth}")
                return self.resync()
            if isinstance(verdict, Follows):
                if not self.follow(table, verdict):
                    return self.resync()
                if self.held:
                    self.put_back()
                elif self.table.arms:
                    self.table.arms.clear()
                else:
                    return None
            elif isinstance(verdict, Unclear):
                if not self.choose(table, verdict):
                    break
            elif not self.answer(table, verdict):
                break
            table, verdict = self.judge()
        self.docket.fail(DEAD_END, self.log.moves, table, verdict, f"all was legal and is in sight: {self.truth}")
        return self.resync()

    def follow(self, table: Table, verdict: Any) -> bool:
        """Add what was accepted; False if it is not what lies there."""
        before = self.record
        legal = all([self.say(str(move)) for move in verdict.moves])
        wrong = self.find_wrong_record(before, table) if legal else "what is accepted is not legal"
        if wrong is None:
            return True
        if wrong.startswith("cannot tell"):
            self.docket.count(wrong)
        else:
            self.docket.fail(WRONG_RECORD, self.log.moves, table, verdict, f"{wrong}; there lie {self.truth}")
        return False

    def find_wrong_record(self, before: dict[str, list[int]], table: Table) -> str | None:
        record, truth = self.record, self.truth
        pile = find_untrue_pile(record, truth)
        if pile is not None:
            hidden = len(truth[pile]) > len(record[pile]) or bool(self.held)
            grown = record[pile][: len(before[pile])] == before[pile]
            if hidden and grown and looks_legal(pile, before[pile], record[pile], table.covers):
                return f"cannot tell: {'a lifted top shows' if self.held else 'order beside'} an unseen card"
            return f"{pile} is recorded as {record[pile]} (G-3)"
        if table.unseen or self.held:
            return None
        for pile in PILES:
            shown = [int(card.name) for card in self.table.in_sight(pile) if card.name not in ("1", "100")]
            new = [card for card in shown if card not in before[pile]]
            if count_orders(pile, before[pile], new, table.covers) > 1:
                return f"{new} may have come onto {pile} in several orders: ask (R-5)"
            if not set(shown) <= set(record[pile]):
                return f"{shown} lie on {pile} in sight (G-3)"
        return None

    def show(self, card: int, pile: str) -> bool:
        """The box searches for this card, and it is in sight now; False if it is not found, or wrongly."""
        for _ in range(PATIENCE):
            table, verdict = self.judge()
            if isinstance(verdict, Follows):
                if not self.follow(table, verdict):
                    return False
            elif isinstance(verdict, Unclear):
                if not self.choose(table, verdict):
                    break
            elif true := self.find_true_offers(table, verdict) if isinstance(verdict, Waiting) else []:
                self.docket.count("asked")
                self.say(self.rng.choice(true))
            else:
                break
            if card in self.record[pile]:
                return True
        right = f"{card} is shown, it lies in {self.truth[pile]} (G-3)"
        self.docket.fail(DEAD_END, self.log.moves, table, verdict, right)
        return False

    def choose(self, table: Table, verdict: Any) -> bool:
        """Answer a question with the story that is true."""
        truth = self.truth
        stories = [self.log.add(*story) for story in verdict.stories]
        true = [log for log in stories if find_untrue_pile(read_record(log.moves), truth) is None]
        if not true:
            return self.lift_for_a_look(None)
        self.docket.count("asked")
        self.log = max(true, key=lambda log: sum(map(len, read_record(log.moves).values())))
        return True

    def answer(self, table: Table, verdict: Waiting[Any]) -> bool:
        """Do what the box waits for; False if there is nothing to do."""
        if self.table.arms:
            self.table.arms.clear()
            return True
        asked = dict(verdict.hint.text.args) if verdict.hint is not None else {}
        pile, card = str(asked.get("zone")), str(asked.get("card"))
        on_top = pile in PILES and self.table.piles[pile][-1:] and self.table.piles[pile][-1].name == card
        true = [] if asked and on_top and self.rng.random() < 0.5 else self.find_true_offers(table, verdict)
        if true:
            self.docket.count("asked")
            return self.say(self.rng.choice(true))
        if on_top and "show" in str(verdict.hint):
            self.docket.count("asked")
            below = self.truth[pile][: self.truth[pile].index(int(card))]
            if below and below[-1] not in self.record[pile]:
                self.lift(pile)
                return True
            return self.say(f"bare {card} {pile}")
        if self.held:
            self.put_back()
            return True
        return pile in PILES and self.lift_for_a_look(pile)

    def find_true_offers(self, table: Table, verdict: Any) -> list[str]:
        """What the screen offers and is true of the piles."""
        return [offer.move for offer in show(self.log, table, verdict).offers if self.is_true(offer.move)]

    def is_true(self, line: str) -> bool:
        verb, *words = line.split()
        if verb == "amend":
            first, *more = line.split(" ; ")
            adds = first.split()[1:] == [str(len(self.log.moves))] * 2 and bool(more)
            said = all(self.is_true(part) for part in more if part.split()[0] in ("under", "over"))
            bare = (part.split()[1:] for part in more if part.startswith("bare"))
            return (
                adds
                and said
                and not any(self.hides_card(int(card), pile) for card, pile in bare)
                and find_untrue_pile(read_record((*self.log.moves, *more)), self.truth) is None
            )
        if verb not in ("under", "over", "bare"):
            return False
        cards = self.truth[words[-1]]
        places = [cards.index(int(word)) if int(word) in cards else -9 for word in words[:-1]]
        if verb == "under":
            return places[0] == places[1] - 1
        if verb == "over":
            return places[0] > places[1] >= 0
        return places[0] == 0 or (places[0] > 0 and cards[places[0] - 1] in self.record[words[-1]])

    def hides_card(self, card: int, pile: str) -> bool:
        """Does a card that was not seen lie right under this one?"""
        cards = self.truth[pile]
        at = cards.index(card) if card in cards else 0
        return at > 0 and str(cards[at - 1]) not in {lies.name for lies in self.table.in_sight(pile)}

    def lift_for_a_look(self, pile: str | None) -> bool:
        """Lift the top of a pile under which something was not seen."""
        truth, record = self.truth, self.record
        for name in [pile] if pile else PILES:
            lying = self.table.piles[name]
            if lying and lying[-1].name.isdigit() and set(truth[name]) - set(record[name]):
                self.lift(name)
                return True
        return False
