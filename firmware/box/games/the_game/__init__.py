"""The Game at the box: four piles, hands as numbers of cards, and the hand that is shown after the end."""

from typing import Any

from engine.game import Illegal
from engine.games.the_game.match_end import is_over
from engine.games.the_game.match_options import BELOW
from engine.games.the_game.moves import Done, Move
from engine.games.the_game.rules import count_needed
from engine.games.the_game.state import HIGHEST_CARD, LOWEST_CARD, PILES, State
from engine.games.the_game.table_plan import LEAST_AREA_MM
from engine.log import Log
from engine.options import Options, Value, get_number
from engine.table import Table
from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import OpenCheck
from firmware.box.games.game_ui import ClosingCheck, Deck, NextMatch, PlainUi, SetupQuestion, sheets_of
from firmware.box.games.lesson import Lesson
from firmware.box.games.manual_entry_question import Question
from firmware.box.games.the_game import manual_entry, pile_questions
from firmware.box.games.the_game.lessons import LESSONS, explain_dealing
from firmware.box.games.the_game.shown_hand import ShownHand
from firmware.box.menu_and_confirmation import offer
from firmware.box.table_state import HandState, PilesState, StackState
from firmware.journal.operation_types import Started
from firmware.texts.move_texts import describe_move


class TheGameUi(PlainUi):
    areas = (LEAST_AREA_MM,)
    about = Text("about_thegame")
    decks = (Deck("thegame", say("deck_thegame"), sheets_of(map(str, range(LOWEST_CARD, HIGHEST_CARD + 1)))),)
    leaves = True
    piles = PILES
    standing_questions = frozenset(["show_card_under"])
    lessons = LESSONS

    def __init__(self) -> None:
        super().__init__("thegame")

    def setup_questions(self, given: Options) -> tuple[SetupQuestion, ...]:
        return (
            SetupQuestion("level", say("ask_level")),
            SetupQuestion("first", say("ask_first")),
            SetupQuestion("start_cards", say("ask_start_cards")),
        )

    def describe_option(self, option: str, value: Value, options: Options) -> Text:
        match option, value:
            case "first", int(player):
                return say("starts_player", player=player)
            case "start_cards", word:
                return say("start_cards_below") if word == BELOW else say("start_cards_beside")
            case "level", "expert":
                return say("level_expert")
            case "level", "expert_small_hand":
                return say("level_small_hand")
            case _:
                return say("level_standard")

    def choose_lesson(self, log: Log[Any, Any]) -> Lesson | None:
        state: State = log.state
        return super().choose_lesson(log) if log.moves else explain_dealing(state.hand)

    def rounds_played(self, log: Log[Any, Any]) -> int:
        return sum(isinstance(move, Done) for move in log.moves) // len(log.state.hands)

    def players(self, log: Log[Any, Any]) -> tuple[int, ...]:
        state: State = log.state
        return tuple(state.playing)

    def rematch(self, started: Started, log: Log[Any, Any]) -> NextMatch:
        """The team may agree again on who starts (G-4)."""
        state: State = log.state
        stay = tuple(player for player in range(1, len(state.hands) + 1) if player not in state.gone)
        return NextMatch(stay, {"first": min(get_number(log.options, "first"), len(stay))})

    def answers(self, state: State, asked: Text) -> tuple[Offer, ...]:
        return pile_questions.list_answers(state, asked)

    def doubt(self, state: State, asked: Text, move: Move, table: Table) -> Move | None:
        return pile_questions.doubt_new_top(state, asked, move, table)

    def describe_stories(self, state: State, stories: pile_questions.Stories) -> tuple[Text, ...]:
        return pile_questions.describe_stories(state, stories)

    def name_doubtful(self, state: State, stories: pile_questions.Stories) -> tuple[Text, ...]:
        return tuple(describe_move("thegame", move) for (move,) in stories)

    def manual_forms(self, state: State) -> tuple[Offer, ...]:
        return manual_entry.forms(state)

    def ask(self, state: State, verb: str, words: tuple[str, ...]) -> Question | None:
        return manual_entry.ask(state, verb, words)

    def entry(self, verb: str, words: tuple[str, ...]) -> str:
        return manual_entry.entry(verb, words)

    def keep_apart(self, log: Log[Any, Any]) -> tuple[Text, ...]:
        state: State = log.state
        hands = [say("keep_hand", player=p, n=state.hands[p - 1]) for p in state.playing if state.hands[p - 1]]
        return (*hands, say("keep_deck", n=state.deck)) if state.deck else tuple(hands)

    def unowned(self, log: Log[Any, Any], table: Table) -> tuple[tuple[str, ...], ...]:
        """By pile: the cards that lay on the one that is the top now. They may be in a hand, or covered by it."""
        seen = log.game.arrange(log.state, table)
        try:
            log.game.adopt(log.state, seen)
        except Illegal:
            return ()
        there = {card for held in seen.zones.values() for card in held}
        piles = ((name, held) for name, held in log.game.layout(log.state).zones.items() if name in seen.zones)
        gone = (tuple(card for card in held if card not in there) for name, held in piles if name not in seen.orders)
        return tuple(cards for cards in gone if cards)

    def closing_checks(self, log: Log[Any, Any]) -> tuple[ClosingCheck, ...]:
        """After "I cannot play", as long as the hand was not shown yet."""
        state: State = log.state
        if not state.stopped or state.shown or not state.hand:
            return ()
        return (ClosingCheck(offer(say("check_hand"), OpenCheck("hand")), lambda: ShownHand(log), decides=True),)

    def hands_secret(self, state: State) -> bool:
        return not is_over(state)

    def table_state(self, log: Log[Any, Any]) -> PilesState:
        state: State = log.state
        stacks = zip(PILES, range(len(PILES)), state.piles, state.fresh, strict=True)
        return PilesState(
            [StackState(name, str(state.top(n)), len(pile), fresh) for name, n, pile, fresh in stacks],
            state.deck,
            [HandState(player, state.hands[player - 1]) for player in state.playing],
            0 if is_over(state) else count_needed(state),
        )
