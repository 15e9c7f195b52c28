"""Questions about what was laid between two looks: with which card a special was played, and whose a card is."""

from typing import Any

from engine.games.nimmt import Nimmt
from engine.games.nimmt.moves import Mark, Reveal, Special, Tidy
from engine.games.nimmt.state import State
from engine.text import Text, say
from engine.view import Offer
from firmware.texts.move_texts import describe_move

Story = tuple[Any, ...]


def describe_stories(state: State, stories: tuple[Story, ...]) -> tuple[Text, ...]:
    """The question and the card of each story; nothing if the stories are not about one special."""
    played = [_find_special(state, story) for story in stories]
    kinds = {kind for kind, _ in played}
    if len(kinds) > 1 or not all(card for _, card in played) or len(set(played)) < len(stories):
        return ()
    return say("special_with_which", kind=played[0][0]), *(say("special_with", kind=k, card=card) for k, card in played)


def _find_special(state: State, story: Story) -> tuple[str, int]:
    """The first special of this story, and the card whose slot it is then."""
    game = Nimmt()
    for move in story:
        if isinstance(move, Mark | Special) and state.slot and not state.slot.special:
            return move.kind, state.slot.card
        state = game.play(state, move)
    return "", 0


def list_answers(state: State, asked: Text) -> tuple[Offer, ...]:
    """Whose a card is that was laid before it was seen at a seat; which of several was laid first; that a special is a
    new one, the old one cleared.
    """
    card, cards = asked.get("card"), asked.get("cards")
    if asked.id == "whose_card" and isinstance(card, int):
        reveals = (Reveal(player, card) for player in state.players() if not state.shown[player - 1])
        return tuple(Offer(describe_move("nimmt", move), str(move)) for move in reveals)
    if asked.id == "which_first" and isinstance(cards, tuple):
        return tuple(Offer(say("as_is", value=str(first)), f"reveal 0 {first}") for first in cards)
    if asked.id == "new_special":
        label = say("special_with", kind=str(asked.get("kind")), card=card or 0)
        return (Offer(label, str(Tidy(f"mark:{asked.get('row')}"))),)
    return ()
