"""A snapshot in one language, as ``/api/state`` and the page show it."""

from typing import Any

import msgspec

from engine.log import Log
from engine.options import get_number
from engine.text import say
from engine.view import Pad
from firmware.box.flows.rename_player import COLOUR_NAMES
from firmware.box.games import ui_of
from firmware.box.table_state import TableState
from firmware.texts.render import Names, render
from firmware.web.page_snapshot import Snapshot, round_is_running


class AlertState(msgspec.Struct, frozen=True):
    """``ruling`` is the name of a ruling, such as N-10, or empty."""

    text: str
    ruling: str


class OfferState(msgspec.Struct, frozen=True):
    """Something to declare: ``label`` is shown, ``words`` go to ``/api/tell``."""

    label: str
    words: str


class PersonState(msgspec.Struct, frozen=True):
    """A player, also one who has left the game."""

    player: int
    name: str
    colour: str


class PadState(msgspec.Struct, frozen=True):
    """``now`` is the running round, ``cards`` the size of the pile; player 0 is the team of a game played together."""

    player: int
    name: str
    colour: str
    rounds: list[int]
    now: int
    total: int
    cards: int
    gone: bool
    winner: bool


class WrongState(msgspec.Struct, frozen=True):
    piece: str
    zone: str


class ApiState(msgspec.Struct, frozen=True):
    """``version`` rises with every change; ``number`` is that of the game in the journal, ``moves`` the count of moves.

    ``offers`` can be declared now, ``cursor`` is the one that the screen of the box points at, ``lines`` is the content
    of a list, ``bar`` a progress from 0 to 1. ``ruling`` is the reason of the prompt. ``looking`` is what the camera is
    asked for: aim, read or nothing; ``picture`` is whether phones may see a camera picture.
    """

    version: int
    language: str
    game: str | None
    number: int
    title: str
    prompt: str
    ruling: str
    people: list[PersonState]
    turn: int | None
    alert: AlertState | None
    offers: list[OfferState]
    cursor: int
    lines: list[str]
    bar: float | None
    pads: list[PadState]
    over: bool
    winners: list[int]
    table: TableState | None
    wrong: list[WrongState]
    moves: int
    running: bool
    looking: str
    picture: bool
    troubles: list[str]
    paired: bool


def api_state(snapshot: Snapshot, language: str, paired: bool) -> ApiState:
    view, log, names = snapshot.view, snapshot.log, snapshot.names
    return ApiState(
        snapshot.version,
        language,
        log.game.name if log else None,
        snapshot.game,
        render(say("game", game=log.game.name), language) if log else "Oxeye",
        render(view.prompt, language, names),
        view.ruling,
        [PersonState(player, player_name(player, names, language), _colour(player, log)) for player in _players(log)],
        view.turn,
        AlertState(render(view.alert, language, names), view.ruling) if view.alert else None,
        [OfferState(render(offer.label, language, names), offer.move) for offer in view.offers],
        view.cursor,
        [render(line, language, names) for line in (*view.news, *view.lines)],
        view.bar,
        [_pad_state(pad, snapshot, language) for pad in view.pads],
        view.over,
        list(view.winners),
        ui_of(log.game.name).table_state(log) if log else None,
        [WrongState(piece, zone) for piece, zone in snapshot.wrong],
        len(log.moves) if log else 0,
        round_is_running(log),
        snapshot.looking,
        snapshot.picture,
        [render(text, language, names) for text in snapshot.troubles],
        paired,
    )


def player_name(player: int, names: Names, language: str) -> str:
    """Player 0 is the team."""
    return render(say("player", player=player), language, names) if player else render(say("pad_team"), language)


def _pad_state(pad: Pad, snapshot: Snapshot, language: str) -> PadState:
    return PadState(
        pad.player,
        player_name(pad.player, snapshot.names, language),
        _colour(pad.player, snapshot.log),
        list(pad.rounds),
        pad.now,
        pad.total,
        pad.cards,
        pad.gone,
        pad.player in snapshot.view.winners,
    )


def _players(log: Log[Any, Any] | None) -> range:
    """All players, with those who joined later."""
    if log is None:
        return range(0)
    pads = log.game.view(log.state).pads
    return range(1, max(get_number(log.options, "players"), *(pad.player for pad in pads), 0) + 1)


def _colour(player: int, log: Log[Any, Any] | None) -> str:
    """The colour of the player's own pieces, where the game has such."""
    own = ui_of(log.game.name).colours(log.state) if log is not None else {}
    return own.get(player, "") if own else COLOUR_NAMES[(player - 1) % len(COLOUR_NAMES)].lower()
