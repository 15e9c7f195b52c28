"""Games that are installed beside Oxeye: they name themselves as entry points."""

from importlib.metadata import entry_points

from engine.games import GAMES

GROUP = "oxeye.games"
"""Each entry point of this group is a ``firmware.app.game_plugin.GamePlugin``, under the name of its game."""


def load_games() -> None:
    """Register every installed game. Without one nothing else is imported, which would take half a second."""
    for point in entry_points(group=GROUP):
        if point.name not in GAMES:
            from firmware.app.game_plugin import register_game

            register_game(point.load())
