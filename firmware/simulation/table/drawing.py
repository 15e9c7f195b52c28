"""The scene of a simulated table with its pieces."""

from dataclasses import replace

from engine.table import BACK
from firmware.simulation.table.cards import SimulatedPieces, find_payload
from firmware.simulation.table.free_space import LaidPiece
from firmware.simulation.table.tiles import SimulatedTiles
from vision.render import DrawnCard, DrawnTile, Scene


def draw_table(empty: Scene, lying: SimulatedPieces | SimulatedTiles, game: str) -> Scene:
    """The empty table with all pieces, from the lowest to the highest."""
    order = sorted(lying.pieces.values(), key=lambda lies: lies.over)
    if isinstance(lying, SimulatedTiles):
        return replace(empty, tiles=tuple(_tile(lies, lying.size) for lies in order))
    return replace(empty, cards=tuple(_card(lies, game) for lies in order))


def _tile(lies: LaidPiece, size: float) -> DrawnTile:
    return DrawnTile("red" if lies.piece == "red" else "black", lies.x, lies.y, lies.angle, size)


def _card(lies: LaidPiece, game: str) -> DrawnCard:
    if lies.piece == BACK:
        return DrawnCard(game, BACK, lies.x, lies.y, lies.angle, face_down=True)
    name = lies.name.partition(" ")[0]
    return DrawnCard(game, name, lies.x, lies.y, lies.angle, payload=find_payload(game, lies.name))
