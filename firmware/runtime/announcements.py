"""Messages that a change of the view announces on the screen, such as the heads that a player took."""

from engine.text import Text, say
from engine.view import View


def announce_heads(before: View, after: View) -> tuple[Text, ...]:
    """A message for each player who has just taken heads."""
    pads = [(was, now) for was, now in zip(before.pads, after.pads, strict=False) if was.player == now.player]
    return tuple(
        say("took_heads", player=now.player, n=now.now - was.now)
        for was, now in pads
        if now.cards > was.cards and now.now > was.now
    )
