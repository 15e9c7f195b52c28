"""Who plays, at any time: somebody leaves, joins, changes the seat or gets another name."""

from typing import Any

from engine.game import Illegal
from engine.games.nimmt.plan import LARGE, SEATS
from engine.log import Log
from engine.notation import BadNotation
from engine.text import Text, say
from engine.view import Offer
from firmware.box.menu import GO_ON, Menu


def at_table(log: Log[Any, Any]) -> tuple[int, ...]:
    """The players who play on."""
    state = log.state
    match log.game.name:
        case "nimmt":
            return tuple(state.players())
        case "thegame":
            return tuple(state.playing)
        case _:
            return 1, 2


def menu(log: Log[Any, Any]) -> Menu:
    """What the game allows in general; whether it may be now is answered when it is chosen."""
    players = at_table(log)
    entries = [GO_ON, Offer(say("rename"), "rename")]
    if log.game.name != "six" and len(players) > 1:
        entries.append(Offer(say("somebody_leaves"), "leaves"))
    if log.game.name == "nimmt" and log.options["variant"] == "base":
        entries.append(Offer(say("somebody_joins"), "joins"))
    if has_seats(log):
        entries.append(Offer(say("change_seats"), "seats"))
    return Menu(say("people"), tuple(entries))


def has_seats(log: Log[Any, Any]) -> bool:
    return log.game.name == "nimmt" and log.options["seats"] == "on"


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
        case ["joins"]:
            return _joining(log)
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


def _joining(log: Log[Any, Any]) -> Menu | Text:
    """At which free seat; where the rules say no, they say why."""
    anywhere = [spot for spot in range(1, SEATS + 1) if not log.state.player_at(spot)] if has_seats(log) else [0]
    try:
        log.add(log.parse(f"join {min(anywhere, default=0)}"))
    except (Illegal, BadNotation) as why:
        return why.text if isinstance(why, Illegal) else say("not_now")
    free = [spot for spot in anywhere if not has_seats(log) or spot in seats_of(log)]
    if not free:
        return say("seats_all_taken", width=LARGE[0], height=LARGE[1])
    entries = tuple(Offer(say("at_seat", seat=spot) if spot else say("joins_now"), f"join {spot}") for spot in free)
    return Menu(say("joins_where"), (GO_ON, *entries))


def _moving(log: Log[Any, Any], player: int) -> Menu:
    """To a free seat, or with somebody else."""
    entries: list[Offer] = []
    for spot in seats_of(log):
        other = log.state.player_at(spot)
        if other != player:
            label = say("with_player", player=other) if other else say("at_seat", seat=spot)
            entries.append(Offer(label, f"sit {player} {spot}"))
    entries.sort(key=lambda entry: entry.label.id != "with_player")
    return Menu(say("sits_where", player=player), tuple(entries))
