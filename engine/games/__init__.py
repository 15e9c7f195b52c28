"""The games Oxeye knows."""

from typing import Any

from engine.game import Game
from engine.games.nimmt import Nimmt

GAMES: dict[str, Game[Any, Any]] = {game.name: game for game in (Nimmt(),)}
