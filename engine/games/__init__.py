"""The registry of games."""

from typing import Any

from engine.game import Game
from engine.games.nimmt import Nimmt
from engine.games.six import Six
from engine.games.the_game import TheGame

GAMES: dict[str, Game[Any, Any]] = {game.name: game for game in (Nimmt(), TheGame(), Six())}
