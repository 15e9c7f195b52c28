"""Who plays, at any time: somebody leaves, joins, changes the seat or gets another name."""

from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.text import Text, say
from engine.view import Offer
from firmware.box.games import ui_of
from firmware.box.menu import GO_ON, Menu


def at_table(log: Log[Any, Any]) -> tuple[int, ...]:
    """The players who play on."""
    return ui_of(log.game.name).players(log)


def menu(log: Log[Any, Any]) -> Menu:
    """What the game allows in general; whether it may be now is answered when it is chosen."""
    players = at_table(log)
    entries = [GO_ON, Offer(say("rename"), "rename")]
    ui = ui_of(log.game.name)
    if ui.leaves and len(players) > 1:
        entries.append(Offer(say("somebody_leaves"), "leaves"))
    if ui.joining(log) is not None:
        entries.append(Offer(say("somebody_joins"), "joins"))
    if has_seats(log):
        entries.append(Offer(say("change_seats"), "seats"))
    return Menu(say("people"), tuple(entries))


def has_seats(log: Log[Any, Any]) -> bool:
    return bool(ui_of(log.game.name).seated(log))


def asked(words: str, log: Log[Any, Any]) -> Menu | Text | None:
    """The next question, or why there is nothing to ask; None: these words are about something else."""
    match words.split():
        case ["rename"]:
            return _who("who_is_renamed", at_table(log), "rename")
        case ["leaves"]:
            return _who("who_leaves", at_table(log), "leaves")
        case ["leaves", player] if player.isdecimal() and int(player) in at_table(log):
            sure = Offer(say("leaves_now", player=int(player)), f"leave {player}")
            ends = _ends(log, f"leave {player}")
            return Menu(say("sure_leave_ends" if ends else "sure_leave", player=int(player)), (GO_ON, sure))
        case ["joins"] if joining := ui_of(log.game.name).joining(log):
            return Menu(say("joins_where"), (GO_ON, *joining)) if isinstance(joining, tuple) else joining
        case ["seats"]:
            return _who("who_moves", at_table(log), "seats")
        case ["seats", player] if has_seats(log) and player.isdecimal() and int(player) in at_table(log):
            return _moving(log, int(player))
        case _:
            return None


def _ends(log: Log[Any, Any], entry: str) -> bool:
    """Would the match be over with this? What the rules refuse ends nothing."""
    try:
        after = log.add(log.parse(entry))
    except (Illegal, BadNotation):
        return False
    return bool(after.game.view(after.state).over)


def _who(question: str, players: tuple[int, ...], verb: str) -> Menu:
    return Menu(Text(question), tuple(Offer(say("player", player=p), f"{verb} {p}") for p in players))


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
