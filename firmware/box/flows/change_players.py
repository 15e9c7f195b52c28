"""Changes of the players during a match: a player leaves, joins, moves to another seat or is renamed."""

from collections.abc import Callable
from typing import Any

from engine.game import Illegal
from engine.log import Log
from engine.notation import BadNotation
from engine.text import Text, say
from engine.view import Offer
from firmware.box.commands import Command, EntryLine, MovePlayer, RemovePlayer, RenamePlayer, Verb
from firmware.box.games import ui_of
from firmware.box.menu_and_confirmation import GO_ON, Confirmation, Menu, offer


def list_players(log: Log[Any, Any]) -> tuple[int, ...]:
    """The players who play on."""
    return ui_of(log.game.name).players(log)


def people_menu(log: Log[Any, Any]) -> Menu:
    """What the game allows in general. Whether it is possible now is checked when it is chosen."""
    players = list_players(log)
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


def refuse_seat(words: str, log: Log[Any, Any]) -> Text | None:
    """Why a player cannot join or move there: the rules know more seats than this table has."""
    match words.split():
        case ["join", seat] | ["sit", _, seat] if has_seats(log) and seat not in map(str, list_seats(log)):
            return say("no_such_seat", seat=int(seat)) if seat.isdecimal() else None
        case _:
            return None


def ask_about_people(command: Command, log: Log[Any, Any]) -> Menu | Confirmation | Text | None:
    """The next question, or why there is none; None if the command is about something else."""
    match command:
        case Verb.CHOOSE_WHO_IS_RENAMED:
            return _who("who_is_renamed", list_players(log), RenamePlayer)
        case Verb.CHOOSE_WHO_LEAVES:
            return _who("who_leaves", list_players(log), RemovePlayer)
        case RemovePlayer(player) if player in list_players(log):
            return ask_removal(log, player)
        case Verb.JOINS if joining := ui_of(log.game.name).joining(log):
            return Menu(say("joins_where"), (GO_ON, *joining)) if isinstance(joining, tuple) else joining
        case Verb.CHOOSE_WHO_MOVES:
            return _who("who_moves", list_players(log), MovePlayer)
        case MovePlayer(player) if has_seats(log) and player in list_players(log):
            return _moving(log, player)
        case _:
            return None


def ask_removal(log: Log[Any, Any], player: int) -> Confirmation:
    entry = f"leave {player}"
    question = say("sure_leave_ends" if _ends(log, entry) else "sure_leave", player=player)
    return Confirmation(question, EntryLine(entry), say("leaves_now", player=player))


def _ends(log: Log[Any, Any], entry: str) -> bool:
    """Would this entry end the match? An entry that the rules refuse does not."""
    try:
        after = log.add(log.parse(entry))
    except (Illegal, BadNotation):
        return False
    return bool(after.game.view(after.state).over)


def _who(question: str, players: tuple[int, ...], about: Callable[[int], Command]) -> Menu:
    return Menu(Text(question), tuple(offer(say("player", player=p), about(p)) for p in players))


def list_seats(log: Log[Any, Any]) -> tuple[int, ...]:
    """The seats that the plan of this table has."""
    seats = (zone.partition(":") for zone in log.game.plan(log.options).zones)
    return tuple(int(number) for kind, _, number in seats if kind == "seat")


def _moving(log: Log[Any, Any], player: int) -> Menu:
    """Move to a free seat, or change seats with another player."""
    entries: list[Offer] = []
    players = {seat: other for other, seat in ui_of(log.game.name).seated(log).items()}
    for spot in list_seats(log):
        other = players.get(spot, 0)
        if other != player:
            label = say("with_player", player=other) if other else say("at_seat", seat=spot)
            entries.append(Offer(label, f"sit {player} {spot}"))
    entries.sort(key=lambda entry: entry.label.id != "with_player")
    return Menu(say("sits_where", player=player), tuple(entries))
