"""Questions about what was laid between two looks: with which card a special was played, and whose a card is."""

from itertools import pairwise
from typing import Any

from engine.games.nimmt import Nimmt
from engine.games.nimmt.moves import Later, Mark, Move, Replaced, Reveal, Special, Swap, Tidy, Unreturned
from engine.games.nimmt.state import State
from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import OpenForm, Verb
from firmware.box.menu_and_confirmation import offer
from firmware.texts.move_texts import describe_move

Story = tuple[Any, ...]


def describe_stories(state: State, stories: tuple[Story, ...]) -> tuple[Text, ...]:
    """The question and the card of each story; nothing if the stories are not about one special."""
    renewed = [_find_renewed(state, story) for story in stories]
    if len({new[:2] for new in renewed if new}) == 1 and len(set(renewed)) == len(stories):
        kind, row, _ = next(new for new in renewed if new)
        labels = (say("special_with", kind=kind, card=new[2]) if new else say("used_special") for new in renewed)
        return say("is_special_new", kind=kind, row=row), *labels
    specials = [_list_specials(state, story) for story in stories]
    in_all = set(specials[0]).intersection(*specials)  # true whatever the answer is: no answer names it
    played = [next((special for special in found if special not in in_all), ("", 0)) for found in specials]
    kinds = {kind for kind, _ in played}
    if len(kinds) > 1 or not all(card for _, card in played) or len(set(played)) < len(stories):
        return ()
    return say("special_with_which", kind=played[0][0]), *(say("special_with", kind=k, card=card) for k, card in played)


def _list_specials(state: State, story: Story) -> tuple[tuple[str, int], ...]:
    """The specials of this story in order, each with the card whose slot it is then."""
    game = Nimmt()
    specials: list[tuple[str, int]] = []
    for move in story:
        if isinstance(move, Mark | Special) and state.slot and not state.slot.special:
            specials.append((move.kind, state.slot.card))
        state = game.play(state, move)
    return tuple(specials)


def _find_renewed(state: State, story: Story) -> tuple[str, int, int] | None:
    """The special that came in place of one of its kind: kind, row, and the card of its slot."""
    game = Nimmt()
    for move, after in pairwise(story):
        if isinstance(move, Tidy) and isinstance(after, Mark) and move.zone == f"mark:{after.row}" and state.slot:
            return after.kind, after.row, state.slot.card
        state = game.play(state, move)
    return None


def name_late(state: State, moves: Story) -> Text | None:
    """The special that was seen late, and the card with which it was played."""
    specials = _list_specials(state, moves)
    return say("special_with", kind=specials[0][0], card=specials[0][1]) if specials else None


def list_answers(state: State, asked: Text) -> tuple[Offer, ...]:
    """What can have happened unseen: whose a card is, which card was laid or laid first, at which row a special was.

    A card that was not seen is entered by its number.
    """
    card, cards, player, maybe = (asked.get(name) for name in ("card", "cards", "player", "maybe"))
    unshown = state.list_unshown()
    match asked.id:
        case "whose_card" if isinstance(card, int):
            reveals = (Reveal(player, card) for player in unshown)
            return tuple(Offer(describe_move("nimmt", move), str(move)) for move in reveals)
        case "what_lay_behind":
            entered = offer(say("card_behind", card=int(str(asked.get("behind")))), OpenForm("reveal 0"))
            nothing = offer(say("nothing_lay_there"), Verb.RECORD_IS_RIGHT)
            return (entered, nothing) if state.phase == "choose" else (nothing,)
        case "which_first" if isinstance(cards, tuple):
            return tuple(Offer(say("as_is", value=str(first)), f"reveal 0 {first}") for first in cards)
        case "is_of_next_turn" if isinstance(maybe, tuple):
            return (Offer(say("of_next_turn"), str(Later(tuple(map(int, maybe))))),)
        case "new_special":
            label = say("special_with", kind=str(asked.get("kind")), card=card or 0)
            return (Offer(label, str(Tidy(f"mark:{asked.get('row')}"))),)
        case "unless_it_brought" | "unless_replace_brought" if isinstance(card, int):
            label = say("special_with", kind="replace", card=card)
            if state.slot and state.slot.card == card:
                return (Offer(label, str(Swap(card))),)
            later = any(
                shown and shown < card for shown in state.shown
            )  # else its slot comes first, as it would anyway
            return tuple(Offer(label, str(Replaced(player, card))) for player in unshown if later)
        case "which_row_blocked" if isinstance(maybe, tuple):
            marks = (Mark("block", int(row)) for row in maybe)
            return tuple(Offer(describe_move("nimmt", move), str(move)) for move in marks)
        case "which_card_played" if isinstance(player, int):
            form = f"reveal {player}" if player in unshown else "swap"
            return (offer(say("card_of", player=player), OpenForm(form)),)
        case "which_was_replaced" if isinstance(player, int):
            return (offer(say("card_of", player=player), OpenForm(f"reveal {player}")),)
        case "unless_all_shown":
            return tuple(offer(say("card_of", player=player), OpenForm(f"reveal {player}")) for player in unshown)
        case _:
            return ()


def doubt_first_card(asked: Text, move: Move) -> Unreturned | None:
    """The card of a player whose Replace lay there before any card of theirs was seen: Replace may have brought it."""
    return Unreturned(move.player) if isinstance(move, Reveal) and move.player == asked.get("player") else None
