"""Who plays, at any time: somebody leaves, joins, changes the seat or gets another name."""

from collections.abc import Callable
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import Command, EntryLine, MovePlayer, RemovePlayer, RenamePlayer, Verb
from firmware.box.games import ui_of
from firmware.box.menu import GO_ON, Confirmation, Menu, offer


def at_table(log: Log[Any, Any]) -> tuple[int, ...]:
    """The players who play on."""
    return ui_of(log.game.name).players(log)


def menu(log: Log[Any, Any]) -> Menu:
    """What the game allows in general; whether it may be now is answered when it is chosen."""
    players = at_table(log)
    entries = [GO_ON, offer(say("rename"), Verb.CHOOSE_WHO_IS_RENAMED)]
    ui = ui_of(log.game.name)
    if ui.leaves and len(players) > 1:
        entries.append(offer(say("somebody_leaves"), Verb.CHOOSE_WHO_LEAVES))
    if ui.joining(log) is not None:
        entries.append(offer(say("somebody_joins"), Verb.JOINS))
    if has_seats(log):
        entries.append(offer(say("change_seats"), Verb.CHOOSE_WHO_MOVES))
    return Menu(say("people"), tuple(entries))


def has_seats(log: Log[Any, Any]) -> bool:
    return bool(ui_of(log.game.name).seated(log))


def asked(command: Command, log: Log[Any, Any]) -> Menu | Confirmation | Text | None:
    """The next question, or why there is nothing to ask; None: the command is about something else."""
    match command:
        case Verb.CHOOSE_WHO_IS_RENAMED:
            return _who("who_is_renamed", at_table(log), RenamePlayer)
        case Verb.CHOOSE_WHO_LEAVES:
            return _who("who_leaves", at_table(log), RemovePlayer)
        case RemovePlayer(player) if player in at_table(log):
            return ask_removal(log, player)
        case Verb.JOINS if joining := ui_of(log.game.name).joining(log):
            return Menu(say("joins_where"), (GO_ON, *joining)) if isinstance(joining, tuple) else joining
        case Verb.CHOOSE_WHO_MOVES:
            return _who("who_moves", at_table(log), MovePlayer)
        case MovePlayer(player) if has_seats(log) and player in at_table(log):
            return _moving(log, player)
        case _:
            return None


def ask_removal(log: Log[Any, Any], player: int) -> Confirmation:
    entry = f"leave {player}"
    question = say("sure_leave_ends" if _ends(log, entry) else "sure_leave", player=player)
    return Confirmation(question, EntryLine(entry), say("leaves_now", player=player))


def _ends(log: Log[Any, Any], entry: str) -> bool:
    """Would the match be over with this? What the rules refuse ends nothing."""
    try:
        after = log.add(log.parse(entry))
    except (Illegal, BadNotation):
        return False
    return bool(after.game.view(after.state).over)


def _who(question: str, players: tuple[int, ...], about: Callable[[int], Command]) -> Menu:
    return Menu(Text(question), tuple(offer(say("player", player=p), about(p)) for p in players))


def seats_of(log: Log[Any, Any]) -> tuple[int, ...]:
    """The seats of this table."""
    seats = (zone.partition(":") for zone in log.game.plan(log.options).zones)
    return tuple(int(number) for kind, _, number in seats if kind == "seat")


def _moving(log: Log[Any, Any], player: int) -> Menu:
    """To a free seat, or with somebody else."""
    entries: list[Offer] = []
    players = {seat: other for other, seat in ui_of(log.game.name).seated(log).items()}
    for spot in seats_of(log):
        other = players.get(spot, 0)
        if other != player:
            label = say("with_player", player=other) if other else say("at_seat", seat=spot)
            entries.append(Offer(label, f"sit {player} {spot}"))
    entries.sort(key=lambda entry: entry.label.id != "with_player")
    return Menu(say("sits_where", player=player), tuple(entries))
