"""The question which of several stories happened, and each of them as an answer in words for the table."""

from collections.abc import Sequence
from typing import Any

from engine.log import Log
from engine.text import Text, say
from firmware.texts.move_texts import describe_move

Story = tuple[Any, ...]


def ask_for_story(stories: Sequence[Story], log: Log[Any, Any]) -> tuple[Text, tuple[Text, ...]]:
    """The question, and an answer for each story: the card on top, or the first move that no other story has."""
    layouts = [log.game.layout(log.add(*story).state).zones for story in stories]
    zones = {zone for lies in layouts for zone in lies if any(other.get(zone) != lies[zone] for other in layouts)}
    if len(zones) == 1:
        (zone,) = zones
        held = [lies.get(zone, ()) for lies in layouts]
        tops = list(dict.fromkeys(pieces[-1] for pieces in held if pieces))
        if len({tuple(sorted(pieces)) for pieces in held}) == 1 and len(tops) > 1:
            fresh = len(log.game.layout(log.state).zones.get(zone, ()))
            question = say("which_on_top", zone=zone, card=tops[0], partner=" / ".join(tops[1:]))
            return question, tuple(_name_order(pieces[fresh:]) for pieces in held)
    return say("which_was_it"), tuple(describe_move(log.game.name, _find_mark(story, stories)) for story in stories)


def _name_order(laid: tuple[str, ...]) -> Text:
    """The new cards from the top down."""
    top, *under = reversed(laid)
    return say("lies_on", card=top, under=" ".join(under))


def _find_mark(story: Story, stories: Sequence[Story]) -> Any:
    """The first move of a story by which it is told from all others; else the first that not all of them have."""
    for at, move in enumerate(story):
        if sum(move in other[at : at + 1] for other in stories) == 1:
            return move
    return next((move for move in story if not all(move in other for other in stories)), story[0])
