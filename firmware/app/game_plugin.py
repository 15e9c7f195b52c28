"""A game that is installed beside Oxeye: everything one game consists of, and its way into every registry."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.games import GAMES
from engine.options import Options
from firmware.box.games import GAME_UIS
from firmware.box.games.game_ui import GameUi
from firmware.printing.games import PRINTED_GAMES, PrintedGame
from firmware.simulation.players import DECLARED_MOVES, PLAYERS, Players
from firmware.simulation.players.piece_handling import HABITS, TableHabits
from firmware.texts.catalogues import add_catalogues, remove_catalogues
from vision.pieces import Pieces
from vision.tags.codebook import register_pieces, unregister_pieces


@dataclass(frozen=True, slots=True)
class GamePlugin:
    """``game``, ``pieces`` and ``players`` are required. Without the others the game gets plain menus, a table drawn
    zone by zone, plain faces, and its texts as readable ids.

    ``declared`` are the moves that only a person can tell. ``catalogues`` holds ``<language>/LC_MESSAGES/oxeye.mo``.
    """

    game: Game[Any, Any]
    pieces: Pieces
    players: Callable[[Options, random.Random], Players]
    declared: tuple[type, ...] = ()
    ui: GameUi | None = None
    printed: PrintedGame | None = None
    habits: TableHabits | None = None
    catalogues: Path | None = None


def register_game(plugin: GamePlugin) -> None:
    """Add the game to every registry, before the first picture is read; ``ValueError`` if its name is taken."""
    name = plugin.game.name
    if name in GAMES or name != plugin.pieces.game:
        raise ValueError(f"{name}: registered already, or its pieces belong to another game")
    register_pieces(plugin.pieces)
    GAMES[name], PLAYERS[name], DECLARED_MOVES[name] = plugin.game, plugin.players, plugin.declared
    if plugin.ui is not None:
        GAME_UIS[name] = plugin.ui
    if plugin.printed is not None:
        PRINTED_GAMES[name] = plugin.printed
    if plugin.habits is not None:
        HABITS[name] = plugin.habits
    if plugin.catalogues is not None:
        add_catalogues(plugin.catalogues)


def unregister_game(plugin: GamePlugin) -> None:
    name = plugin.game.name
    for registry in (GAMES, PLAYERS, DECLARED_MOVES, GAME_UIS, PRINTED_GAMES, HABITS):
        registry.pop(name, None)
    unregister_pieces(name)
    if plugin.catalogues is not None:
        remove_catalogues(plugin.catalogues)
