"""Moves as texts that describe what happened."""

from dataclasses import fields
from typing import Any

from engine.log import Adopt
from engine.text import Arg, Text, say


def describe_move(game: str, move: Any) -> Text:
    """``did.nimmt.lay card=25 row=2``. A pile becomes the name of its zone. Player 0 is a player who is not known."""
    if isinstance(move, Adopt):
        return say("did_overrule") if move.by_all else say("did_adopt")
    args: list[tuple[str, Arg]] = []
    for field in fields(move):
        value = getattr(move, field.name)
        args.append(("zone" if field.name == "pile" else field.name, value))
    unowned = ("player", 0) in args
    known = tuple(arg for arg in args if not unowned or arg[0] != "player")
    return Text(f"did.{game}.{type(move).__name__.lower()}{'_unowned' if unowned else ''}", known)
