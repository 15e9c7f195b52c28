"""What the box needs to know of each game: one package for each, and the registry of all."""

from firmware.box.games.game_ui import GameUi, PlainUi
from firmware.box.games.nimmt import NimmtUi
from firmware.box.games.six import SixUi
from firmware.box.games.the_game import TheGameUi

GAME_UIS: dict[str, GameUi] = {"nimmt": NimmtUi(), "thegame": TheGameUi(), "six": SixUi()}
"""By name of the game; a game that is not registered here gets a ``PlainUi``."""


def ui_of(game: str) -> GameUi:
    return GAME_UIS.get(game) or PlainUi(game)
