"""What lies on the simulated table as a scene to be drawn."""

from dataclasses import replace

from engine.table import BACK
from firmware.simulation.table.pieces import Lying, payload
from firmware.simulation.table.room import Lies
from firmware.simulation.table.tiles import Tiles
from vision.render import Card, Scene, Tile


def drawn(empty: Scene, lying: Lying | Tiles, game: str) -> Scene:
    """The empty table with all that lies there, what lies on top drawn last."""
    order = sorted(lying.pieces.values(), key=lambda lies: lies.over)
    if isinstance(lying, Tiles):
        return replace(empty, tiles=tuple(_tile(lies, lying.size) for lies in order))
    return replace(empty, cards=tuple(_card(lies, game) for lies in order))


def _tile(lies: Lies, size: float) -> Tile:
    return Tile("red" if lies.piece == "red" else "black", lies.x, lies.y, lies.angle, size)


def _card(lies: Lies, game: str) -> Card:
    if lies.piece == BACK:
        return Card(game, BACK, lies.x, lies.y, lies.angle, face_down=True)
    name = lies.name.partition(" ")[0]
    return Card(game, name, lies.x, lies.y, lies.angle, payload=payload(game, lies.name))
