"""Whole games of The Game in front of the referee, with several cards between looks, arms, lifted tops and faults."""

import random
from collections import Counter
from dataclasses import dataclass, field

from tests.tabletop.docket import DEAD_END, WRONG_RECORD, Docket
from tests.tabletop.thegame_handling import handle_piles
from tests.tabletop.thegame_mending import examine_fault
from tests.tabletop.thegame_rules import (
    DECK,
    PILES,
    can_reach,
    first_card,
    fits,
    hand_size,
    least_cards,
)
from tests.tabletop.thegame_session import GAME, CardSession

LEVELS = ("standard", "expert", "expert_small_hand")
FAULTY = 0.25
"""In so many of the turns something is done wrong."""
HANDLED = 0.3
"""In so many of the turns hands do something with the piles besides playing."""
VARIANTS = tuple(f"{level}:{players}" for level in LEVELS for players in range(1, 6))


@dataclass
class Team:
    """The hands and the deck, which no camera sees."""

    rng: random.Random
    players: int
    level: str
    hands: dict[int, set[int]] = field(default_factory=dict)
    turn: int = 1

    def __post_init__(self) -> None:
        self.deck = list(DECK)
        self.rng.shuffle(self.deck)
        for player in range(1, self.players + 1):
            self.hands[player] = set()
            self.draw(player, hand_size(self.players, self.level))

    def draw(self, player: int, count: int) -> None:
        for _ in range(min(count, len(self.deck))):
            self.hands[player].add(self.deck.pop())

    def pick(self, tops: dict[str, int]) -> tuple[int, str, int] | None:
        """A card, its pile, and what it costs: mostly the cheapest, at times any."""
        plays = [
            ((top - card if pile.startswith("down") else card - top), card, pile)
            for pile, top in tops.items()
            for card in self.hands[self.turn]
            if fits(card, top, pile)
        ]
        if not plays:
            return None
        cost, card, pile = min(plays) if self.rng.random() < 0.85 else self.rng.choice(plays)
        return card, pile, cost

    def pass_on(self) -> None:
        """G-4 and G-15: clockwise, and players without cards are skipped."""
        for step in range(1, self.players + 1):
            player = (self.turn + step - 1) % self.players + 1
            if self.hands[player]:
                self.turn = player
                return


def play_round(seed: int, variant: str) -> tuple[Counter[str], list[str]]:
    rng = random.Random(f"thegame {variant} {seed}")
    level, _, count = variant.partition(":")
    docket = Docket("thegame", variant, seed)
    docket.count("rounds")
    first = rng.randint(1, int(count))
    below = seed % 3 == 0
    docket.count("one under another" if below else "side by side")
    options = {"players": int(count), "level": level, "first": first}
    session = CardSession(rng, docket, options | ({"start_cards": "below"} if below else {}))
    team = Team(rng, int(count), level, turn=first)
    while any(team.hands.values()) and play_turn(session, team):
        pass
    left = 98 - sum(map(len, session.truth.values()))
    view = GAME.view(session.log.state)
    if not view.over or view.scores != (left,):
        docket.fail(WRONG_RECORD, session.log.moves, session.table.picture(), view, f"{left} cards left (G-19)")
    return docket.counts, docket.failures


def play_turn(session: CardSession, team: Team) -> bool:
    """One turn; False when the game has ended."""
    rng, player = session.rng, team.turn
    need, laid = least_cards(len(team.deck), team.level), 0
    while team.hands[player]:
        truth = session.truth
        play = team.pick({pile: truth[pile][-1] if truth[pile] else first_card(pile) for pile in PILES})
        if play is None or (laid >= need and (play[2] > 3 or rng.random() < 0.3)):
            break
        if rng.random() < 0.04:
            lay_on_wrong_pile_first(session, play[0], play[1])
        session.lay(play[0], play[1])
        team.hands[player].remove(play[0])
        laid += 1
        if rng.random() < 0.6:
            look(session)
    look(session)
    if rng.random() < FAULTY and session.record == session.truth:
        examine_fault(session, team.hands[player])
    if rng.random() < HANDLED and session.record == session.truth:
        handle_piles(session)
    if laid < need:
        return declare(session, team, need - laid)
    end_turn(session, player, laid)
    team.draw(player, laid)
    team.pass_on()
    return True


def lay_on_wrong_pile_first(session: CardSession, card: int, right: str) -> None:
    """A card is let go on another pile, where it does not fit, and then moved to the right one (G-24)."""
    wrong = [pile for pile in PILES if pile != right and not fits(card, session.top(pile), pile)]
    if not wrong or session.record != session.truth:
        return
    pile = session.rng.choice(wrong)
    lying = session.table.lay(str(card), pile)
    session.docket.count("laid on a wrong pile first")
    table, verdict = session.judge()
    if getattr(verdict, "moves", ()):
        session.docket.fail(
            WRONG_RECORD, session.log.moves, table, verdict, f"{card} does not fit on {pile} (G-5, G-6)"
        )
    session.table.piles[pile].remove(lying)


def look(session: CardSession) -> None:
    """A look, at times with an arm over a pile, a top in the air, or a card that a sleeve has moved."""
    rng = session.rng
    if rng.random() < 0.12:
        session.table.reach_over(rng.choice(PILES))
        if rng.random() < 0.3:
            session.table.reach_over(rng.choice(PILES))  # the hands of two people
    if rng.random() < 0.05:
        session.table.nudge(rng.choice(PILES))
    piles = [pile for pile in PILES if session.truth[pile]]
    if piles and rng.random() < 0.03:
        session.lift(rng.choice(piles))
        session.idly = True
    session.settle()
    session.idly = False


def end_turn(session: CardSession, player: int, laid: int) -> None:
    """The player says how many cards it were, shows those that were not seen, and says it again."""
    line = f"done {player} {laid}"
    accepted = session.say(line)
    if not accepted or show_unseen_cards(session):
        accepted = session.say(line)
    if not accepted:
        right = f"{laid} cards were laid (G-25): {session.truth}"
        session.docket.fail(DEAD_END, session.log.moves, session.table.picture(), line, right)
        session.resync()
        session.say(line)
    session.said.append(line)
    session.settle()


def show_unseen_cards(session: CardSession) -> bool:
    """Lift the tops of each pile until what lies unseen under them is in sight; False if there is nothing."""
    shown = False
    for pile in PILES:
        for card in reversed(session.truth[pile]):
            if card in session.record[pile]:
                continue
            while session.table.piles[pile][-1].name != str(card):
                session.lift(pile)
            shown = True
            session.docket.count("shown")
            if not session.show(card, pile):
                session.resync()
        while session.held:
            session.put_back()
    return shown


def declare(session: CardSession, team: Team, need: int) -> bool:
    """ "I cannot play": true only if no order of the hand reaches the minimum (G-16, G-18)."""
    player, truth = team.turn, session.truth
    for pile in PILES:
        for card, top in zip(truth[pile], truth[pile][1:], strict=False):
            if card not in session.record[pile]:
                session.say(f"under {card} {top} {pile}")
    tops = tuple(truth[pile][-1] if truth[pile] else first_card(pile) for pile in PILES)
    hand = frozenset(team.hands[player])
    for line in (f"cannot {player}", f"verify {','.join(map(str, sorted(hand)))}"):
        if not session.say(line):
            session.docket.fail(
                DEAD_END, session.log.moves, session.table.picture(), line, "the minimum is open (G-16)"
            )
    over = not can_reach(hand, tops, need)
    before = session.log
    if session.say("resume") == over:
        right = f"{sorted(hand)} on {tops}, {need} to lay (G-18)"
        session.docket.fail(WRONG_RECORD, session.log.moves, session.table.picture(), "resume", right)
    session.log = before
    return False
