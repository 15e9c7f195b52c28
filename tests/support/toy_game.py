"""A fourth game, as somebody else would add it: twelve cards, one rising pile, two players."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine import notation
from engine.game import Illegal
from engine.log import Log
from engine.notation import Notated
from engine.options import Option, Options, Value, fill_options, get_number
from engine.plan import Plan, require_area
from engine.table import Area, Gap, Layout, Piece, Placement, Table, group_by_zone
from engine.text import Text, say
from engine.view import Offer, Pad, View
from firmware.app.game_plugin import GamePlugin
from firmware.box.commands import OpenForm
from firmware.box.games.game_ui import Deck, NextMatch, PlainUi, SetupQuestion, sheets_of
from firmware.box.games.manual_entry_question import Question, ask_number
from firmware.box.menu_and_confirmation import offer
from firmware.journal.operation_types import Started
from firmware.printing.games import PrintedGame
from firmware.simulation.players.piece_handling import TableHabits
from vision.pieces import Pieces

NAME = "toy_tower"
MOST = 12
LEAST = (600, 450)
CHECKS = "XZMC4 XJ8X4 JH3FN WNZPP R2DZW CQJY3 6FM4Z FXLDG 9JJLR WNT8C 2ZGSV WCGVY"


@dataclass(frozen=True, slots=True)
class Put(Notated):
    """A card is put on the tower."""

    card: int


@dataclass(frozen=True, slots=True)
class Pass(Notated):
    """The player has no higher card."""

    player: int


Move = Put | Pass


@dataclass(frozen=True, slots=True)
class State:
    """``owners`` are the players who put the cards of the tower; ``passed`` counts passes since the last card."""

    size: tuple[int, int]
    cards: int
    turn: int
    tower: tuple[int, ...] = ()
    owners: tuple[int, ...] = ()
    passed: int = 0

    @property
    def top(self) -> int:
        return self.tower[-1] if self.tower else 0

    @property
    def over(self) -> bool:
        return self.passed == 2 or self.top == self.cards


@lru_cache(maxsize=8)
def plan_tower(width: int, height: int) -> Plan:
    width, height = width or LEAST[0], height or LEAST[1]
    require_area(width, height, LEAST)
    return Plan(width, height, {"tower": Area(width / 4, height / 4, width * 3 / 4, height * 3 / 4)})


class ToyTower:
    """Each card must be higher than the one below it (T-1); the player with more cards in the tower wins (T-3)."""

    name = NAME
    options = (
        Option("players", 2, 2, 2),
        Option("first", 1, 1, 2),
        Option("cards", MOST, 6, MOST),
        Option("width", 0, 0, 5000),
        Option("height", 0, 0, 5000),
    )

    def plan(self, options: Options) -> Plan:
        full = fill_options(self.options, options)
        return plan_tower(get_number(full, "width"), get_number(full, "height"))

    def start(self, options: Options) -> State:
        plan = self.plan(options)
        return State((plan.width, plan.height), get_number(options, "cards"), get_number(options, "first"))

    def play(self, state: State, move: Move) -> State:
        if state.over:
            raise Illegal("T-3", "out_of_order", "toy_over")
        match move:
            case Put(card):
                if not 1 <= card <= state.cards:
                    raise Illegal("T-2", "not_in_deck", "toy_no_such_card", card=card)
                if card <= state.top:
                    raise Illegal("T-1", "out_of_order", "toy_too_low", card=card, top=state.top)
                owners = (*state.owners, state.turn)
                return replace(state, tower=(*state.tower, card), owners=owners, turn=3 - state.turn, passed=0)
            case Pass(player):
                if player != state.turn:
                    raise Illegal("T-4", "not_your_turn", "toy_not_your_turn", player=player)
                return replace(state, turn=3 - state.turn, passed=state.passed + 1)

    def layout(self, state: State) -> Layout:
        return Layout({"tower": tuple(map(str, state.tower))} if state.tower else {})

    def view(self, state: State) -> View:
        pads = tuple(Pad(player, total=state.owners.count(player)) for player in (1, 2))
        if state.over:
            best = max(pad.total for pad in pads)
            winners = tuple(pad.player for pad in pads if pad.total == best)
            return View(say("toy_result", n=best), None, pads, over=True, winners=winners, ruling="T-3")
        offers = (Offer(say("toy_pass"), str(Pass(state.turn))),)
        return View(say("toy_prompt", card=state.top), state.turn, pads, offers)

    def arrange(self, state: State, table: Table) -> Layout:
        """Only the top shows: the cards that the record has below it are there too."""
        held, hidden = group_by_zone(plan_tower(*state.size).zones, table)
        known = tuple(map(str, state.tower))
        seen = [piece.piece for piece in held.get("tower", ())]
        new = sorted((piece for piece in seen if piece not in known), key=lambda piece: int(piece))
        if new:
            return Layout({"tower": (*known, *new)}, hidden)
        shown = known if hidden else known[: max((known.index(piece) + 1 for piece in seen), default=0)]
        return Layout({"tower": shown} if shown else {}, hidden)

    def place(self, state: State, layout: Layout) -> Table:
        area = plan_tower(*state.size).zones["tower"]
        tops = [pieces[-1] for pieces in layout.zones.values() if pieces]
        x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
        return Table(frozenset(Piece(top, x, y) for top in tops), (area,) if layout.hidden else ())

    def read(self, state: State, gap: Gap) -> Iterable[Move]:
        return [Put(int(piece)) for piece, _ in gap.extra[:1]]

    def due(self, state: State, gap: Gap) -> tuple[Move, ...]:
        return ()

    def removable(self, state: State, gap: Gap) -> frozenset[Placement]:
        return frozenset()

    def complete(self, states: Sequence[State], seen: Layout) -> Layout:
        return seen

    def adopt(self, state: State, seen: Layout) -> State:
        tower = tuple(int(piece) for piece in seen.zones.get("tower", ()))
        if list(tower) != sorted(set(tower)):
            raise Illegal("T-1", "out_of_order", "toy_too_low", card=tower[-1], top=max(tower))
        owners = tuple((state.owners + (1, 2) * MOST)[: len(tower)])
        return replace(state, tower=tower, owners=owners, passed=0)

    def parse(self, text: str) -> Move:
        return notation.parse_move((Put, Pass), text)


class ToyUi(PlainUi):
    areas = (LEAST,)
    decks = (Deck(NAME, say("toy_deck"), sheets_of(map(str, range(1, MOST + 1)))),)

    def setup_questions(self, given: Options) -> tuple[SetupQuestion, ...]:
        return SetupQuestion("first", say("ask_first")), SetupQuestion("cards", say("toy_ask_cards"), (12, 9, 6))

    def describe_option(self, option: str, value: Value, options: Options) -> Text:
        if option == "first" and isinstance(value, int):
            return say("starts_player", player=value)
        return super().describe_option(option, value, options)

    def rematch(self, started: Started, log: Log[Any, Any]) -> NextMatch:
        """The other player starts."""
        return NextMatch((1, 2), {"first": 3 - get_number(log.options, "first")})

    def manual_forms(self, state: State) -> tuple[Offer, ...]:
        return () if state.over else (offer(say("toy_card_put"), OpenForm("put")),)

    def ask(self, state: State, verb: str, words: tuple[str, ...]) -> Question | None:
        return None if words else ask_number(say("which_card"), range(state.top + 1, state.cards + 1))

    def keep_apart(self, log: Log[Any, Any]) -> tuple[Text, ...]:
        return (say("keep_hands"),)


class Players:
    """Two people with hidden hands who put the lowest card they can."""

    def __init__(self, options: Options, rng: random.Random) -> None:
        cards = list(range(1, get_number(options, "cards") + 1))
        rng.shuffle(cards)
        self._hands = {1: cards[::2], 2: cards[1::2]}

    @property
    def hands(self) -> Mapping[int, Sequence[int]]:
        return self._hands

    def next(self, state: State) -> Move | None:
        if state.over:
            return None
        fits = [card for card in self._hands[state.turn] if card > state.top]
        return Put(min(fits)) if fits else Pass(state.turn)


PIECES = Pieces(
    NAME,
    (60.0, 90.0),
    tuple((f"X{n:03}", str(n)) for n in range(1, MOST + 1)),
    checks={1: CHECKS},
    stacked=True,
)
PLUGIN = GamePlugin(
    ToyTower(),
    PIECES,
    Players,
    declared=(Pass,),
    ui=ToyUi(NAME),
    printed=PrintedGame("Toy Tower", "1 to 12"),
    habits=TableHabits(stacks=("tower",)),
)
