"""Puts things into a scene: the table and its markers, lights, cards, tiles, hands, mugs, telephones and people."""

import math
from typing import Any

import numpy as np

from engine.table import Area
from tests.studio import meshes, ranges
from tests.studio.boards import Board, Cell, find_cell_centre
from tests.studio.scene import (
    FIRST_CARD,
    FIRST_MARKER,
    FIRST_THING,
    FIRST_TILE,
    HAND,
    SLEEVE,
    PlacedCard,
    PlacedTile,
    StudioScene,
    look_at,
)

Rng = np.random.Generator
TABLE_MM = (1500.0, 1080.0)
STEP_Z = 0.0004
"""One card on another, in metres."""


def draw(rng: Rng, span: ranges.Range) -> float:
    return float(rng.uniform(*span))


def furnish_room(scene: StudioScene, rng: Rng, seed: int) -> None:
    """The table, the floor, the markers, the arm of the camera, and the room that surfaces reflect."""
    texture = scene.texture({"draw": "table", "name": scene.table, "size": TABLE_MM, "seed": seed})
    rough = draw(rng, ranges.TABLE_ROUGHNESS[scene.table])
    felt = scene.table in ("green-felt", "red-felt", "dark-cloth", "gingham", "stripes")
    scene.materials["table"] = {"texture": texture, "roughness": rough, "specular": 0.15 if felt else 0.5}
    shift = (draw(rng, (-0.03, 0.03)), draw(rng, (-0.03, 0.03)), 0.0)
    scene.add("table", meshes.make_sheet((TABLE_MM[0] / 1000, TABLE_MM[1] / 1000)).moved(shift), "table")
    scene.materials["floor"] = {"colour": [0.16, 0.12, 0.09], "roughness": 0.6}
    scene.add("floor", meshes.make_sheet((8.0, 8.0)).moved((0, 0, -0.74)), "floor")
    side = ranges.MARKER_MM
    full = side * 8 / 6
    for n, corner in enumerate(("TL", "TR", "BR", "BL")):
        x = -side / 2 if corner[1] == "L" else scene.area[0] + side / 2
        y = -side / 2 if corner[0] == "T" else scene.area[1] + side / 2
        scene.materials[corner] = {"texture": scene.texture({"draw": "marker", "corner": corner}), "roughness": 0.85,
                                   "specular": 0.3}  # fmt: skip
        sheet = meshes.make_sheet((full / 1000, full / 1000), 0.0002)
        scene.add(corner, sheet.moved(scene.at((x, y))), corner, index=FIRST_MARKER + n)
    scene.materials["black"] = {"colour": [0.02, 0.02, 0.02], "roughness": 0.5}
    eye = np.array(scene.camera.position)
    box = meshes.make_slab((0.06, 0.045), 0.03, 0.004).moved(eye + np.array([0.0, 0.0, 0.012]))
    scene.add("camera box", box, "black")
    pole = max(0.62, scene.area[1] / 2000 + 0.3)
    scene.add(
        "arm",
        meshes.make_capsule((eye[0], eye[1] + 0.01, eye[2] + 0.035), (0.02, pole, eye[2] + 0.035), 0.011, 0.011),
        "black",
    )
    scene.add("pole", meshes.make_capsule((0.02, pole, -0.1), (0.02, pole, eye[2] + 0.05), 0.013, 0.013), "black")
    scene.world = scene.texture({"draw": "room", "seed": seed})


def furnish_lights(scene: StudioScene, rng: Rng) -> None:
    """The five sources; the sixth light is the room."""

    def add(group: str, kind: str, place: list[float], goal: list[float], **extra: Any) -> None:
        name = f"{group} {len(scene.lights)}"
        scene.lights.append({"group": group, "name": name, "type": kind, "matrix": look_at(place, goal), **extra})

    azimuth = draw(rng, (0, 2 * math.pi))
    away = draw(rng, (1.7, 3.0))
    place = [away * math.cos(azimuth), away * math.sin(azimuth), draw(rng, (0.6, 1.2))]
    aside = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0]) * 0.42
    for sign in (-1, 1):
        pane = [float(v) for v in np.array(place) + sign * aside]
        add("window", "AREA", pane, [float(v) for v in sign * aside], size=[0.75, draw(rng, (0.9, 1.3))], energy=40.0)
    tall = math.radians(draw(rng, (18, 58)))
    turn = azimuth + draw(rng, (-0.4, 0.4))
    sun = [math.cos(tall) * math.cos(turn), math.cos(tall) * math.sin(turn), math.sin(tall)]
    add("sun", "SUN", sun, [0, 0, 0], angle=0.0093, energy=3.0)
    around = draw(rng, (0, 2 * math.pi))
    reach, height = draw(rng, (0.22, 0.5)), draw(rng, (0.8, 1.3))
    lamp = [reach * math.cos(around), reach * math.sin(around), height]
    add("pendant", "POINT", lamp, [0, 0, 0], radius=draw(rng, (0.03, 0.08)), energy=25.0)
    over = [draw(rng, (-0.8, 0.8)), draw(rng, (-0.8, 0.8)), draw(rng, (1.5, 1.9))]
    add("ceiling", "AREA", over, [over[0], over[1], 0.0], size=[draw(rng, (0.3, 0.6))] * 2, energy=50.0)
    around = draw(rng, (0, 2 * math.pi))
    reach = draw(rng, (1.2, 1.8))
    stand = [reach * math.cos(around), reach * math.sin(around), draw(rng, (0.5, 0.95))]
    add("lamp", "POINT", stand, [0, 0, 0], radius=draw(rng, (0.04, 0.09)), energy=40.0)


def add_cards(scene: StudioScene, rng: Rng, cards: list[PlacedCard], finish: str) -> None:
    """Cards in the order in which they were put down."""
    gloss = draw(rng, ranges.ROUGHNESS["gloss" if finish == "gloss" else "matt-card"])
    paper = draw(rng, ranges.ROUGHNESS["sticker"])
    for card in cards:
        index = FIRST_CARD + len(scene.cards)
        if card.back:
            recipe: dict[str, Any] = {"draw": "back", "print": card.back, "rim": round(card.rim_mm, 2),
                                      "size": card.size, "game": card.game}  # fmt: skip
        else:
            recipe = {"draw": "face", "game": card.game, "piece": card.piece, "payload": card.payload,
                      "size": card.size, "sticker": ranges.STICKER_MM}  # fmt: skip
        name = f"card {index}"
        scene.materials[name] = {"texture": scene.texture(recipe), "roughness": gloss, "roughness_alpha": paper}
        mesh = meshes.make_card((card.size[0] / 1000, card.size[1] / 1000), card.bend)
        scene.add(name, mesh.moved(scene.at(card.centre, card.z), -card.angle), name, index=index, smooth=0.5)
        scene.cards.append(card)


def choose_bend(rng: Rng, *, flat: bool) -> tuple[float, float, float]:
    if flat:
        return (float(rng.uniform(-0.0001, 0.0001)), 0.0, 0.0)
    most = ranges.CARD_BEND_MM[1] / 1000
    return (float(rng.uniform(-most, most)), float(rng.uniform(-most, most)) / 3, float(rng.uniform(-most, most)) / 6)


def lay_board(
    rng: Rng, area: tuple[float, float], board: Board, pitch: float, reserve: int
) -> dict[Cell | tuple[str, int], PlacedTile]:
    """Every cell of the board, and the reserve tiles by colour and number."""
    gap = draw(rng, ranges.TILE_GAP_MM)
    turn = math.radians(draw(rng, (0, 60)))
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    flat = {cell: spin @ np.array(find_cell_centre(cell)) * (pitch + gap) for cell in board}
    span = np.array(list(flat.values()))
    middle = (span.min(0) + span.max(0)) / 2
    half = (span.max(0) - span.min(0)) / 2 + pitch * 0.8
    room = np.maximum(np.array(area) / 2 - half, 0)
    origin = np.array(area) / 2 - middle + rng.uniform(-0.5, 0.5, 2) * room
    placed: dict[Cell | tuple[str, int], PlacedTile] = {
        cell: place_tile(rng, colour, cell, origin + flat[cell], turn) for cell, colour in board.items()
    }
    taken = [origin + at for at in flat.values()]
    for colour in ("red", "black"):
        for n in range(reserve):
            for _ in range(200):
                at = rng.uniform(pitch * 0.7, np.array(area) - pitch * 0.7)
                if min(float(np.linalg.norm(at - other)) for other in taken) > 2.1 * pitch:
                    taken.append(at)
                    placed[colour, n] = place_tile(rng, colour, None, at, draw(rng, (0, 1)))
                    break
    return placed


def place_tile(rng: Rng, colour: str, cell: Cell | None, at: Any, turn: float) -> PlacedTile:
    """``turn`` in radians, clockwise as seen by the camera."""
    shift = np.clip(rng.normal(0, ranges.TILE_JITTER_MM, 2), -0.9, 0.9) * 0.6
    degrees = -math.degrees(turn) + float(np.clip(rng.normal(0, ranges.TILE_TURN_DEG), -4, 4)) * 0.5
    return PlacedTile(colour, cell, (float(at[0] + shift[0]), float(at[1] + shift[1])), degrees)


def add_tiles(scene: StudioScene, tiles: list[PlacedTile], rough: float) -> None:
    scene.materials["red tile"] = {"colour": [0.36, 0.025, 0.022], "roughness": rough}
    scene.materials["black tile"] = {"colour": [0.014, 0.014, 0.015], "roughness": rough}
    pitch, height, bevel = (side / 1000 for side in scene.tile_mm)
    shape = meshes.make_tile(pitch, height, bevel)
    for tile in tiles:
        index = FIRST_TILE + len(scene.tiles)
        mesh = shape.moved(scene.at(tile.centre), tile.turn)
        scene.add(f"tile {index}", mesh, f"{tile.colour} tile", index=index, smooth=0.6)
        scene.tiles.append(tile)


def add_arm(scene: StudioScene, rng: Rng, goal_mm: tuple[float, float], *, from_side: str, lift: float) -> None:
    """A hand whose fingers reach ``goal_mm``, its arm and mostly a sleeve, from one side of the table."""
    turn = {"bottom": 0.0, "top": 180.0, "left": -90.0, "right": 90.0}[from_side] + draw(rng, (-24, 24))
    a = math.radians(turn)
    fingertip = np.array([-math.sin(a), math.cos(a)]) * 0.07
    x, y, _ = scene.at(goal_mm)
    at = (x - fingertip[0], y - fingertip[1], lift)
    skin = ranges.SKINS[int(rng.integers(len(ranges.SKINS)))]
    scene.materials["skin"] = {"colour": list(skin), "roughness": 0.5, "specular": 0.35}
    rise = draw(rng, (0.05, 0.13))
    hand = meshes.make_hand(draw(rng, (0.1, 0.9)), draw(rng, (0.2, 1.0)))
    left = bool(rng.integers(2))
    body = meshes.join_meshes([hand, meshes.make_forearm(0.75, rise)])
    if left:
        flipped = body.vertices * np.array([-1.0, 1.0, 1.0])
        body = meshes.Mesh(flipped, tuple(face[::-1] for face in body.faces))
    scene.add("hand", body.moved(at, turn), "skin", index=HAND, voxel=0.002)
    scene.things[HAND] = "hand"
    colour = ranges.SLEEVES[int(rng.integers(len(ranges.SLEEVES)))]
    if colour:
        scene.materials["sleeve"] = {"colour": list(colour), "roughness": 0.95, "specular": 0.1}
        sleeve = meshes.make_sleeve(0.8, rise, draw(rng, (0.0, 0.12))).moved(at, turn)
        scene.add("sleeve", sleeve, "sleeve", index=SLEEVE, smooth=0.8)
        scene.things[SLEEVE] = "arm"


def add_thing(scene: StudioScene, rng: Rng, kind: str, at_mm: tuple[float, float], z: float = 0.0012) -> None:
    """A mug, a telephone, a bowl or a pencil."""
    index = FIRST_THING + len([key for key in scene.things if key >= FIRST_THING])
    scene.things[index] = kind
    at, turn = scene.at(at_mm, z), draw(rng, (0, 360))
    colour = [float(v) for v in rng.uniform(0.02, 0.7, 3) * rng.choice([1.0, 0.6])]
    name = f"{kind} {index}"
    match kind:
        case "mug":
            r, h = draw(rng, (0.036, 0.046)), draw(rng, (0.075, 0.1))
            scene.materials[name] = {"colour": colour, "roughness": 0.12}
            scene.materials["coffee"] = {"colour": [0.018, 0.008, 0.004], "roughness": 0.05}
            walls = [(r * 0.86, 0.0), (r * 0.93, 0.003), (r, 0.012), (r, h), (r - 0.002, h + 0.0015), (r - 0.004, h)]
            walls += [(r - 0.004, 0.01), (0.002, 0.008)]
            scene.add(name, meshes.make_lathe(walls).moved(at, turn), name, index=index, smooth=0.7)
            handle = meshes.make_torus((r + 0.006, 0, h * 0.52), h * 0.26, 0.0055)
            scene.add(f"{name} handle", handle.moved(at, turn), name, index=index, smooth=1.0)
            drink = meshes.make_lathe(
                [(0.001, h * 0.8), (r - 0.0045, h * 0.8), (r - 0.0045, h * 0.81), (0.001, h * 0.81)]
            )
            scene.add(f"{name} drink", drink.moved(at), "coffee", index=index)
        case "phone":
            size = (draw(rng, (0.068, 0.078)), draw(rng, (0.14, 0.163)))
            scene.materials[name] = {"colour": [0.02, 0.02, 0.022] if rng.random() < 0.6 else colour, "roughness": 0.25}
            scene.materials["glass"] = {"colour": [0.008, 0.008, 0.01], "roughness": 0.03}
            scene.add(name, meshes.make_slab(size, 0.008, 0.009).moved(at, turn), name, index=index, smooth=0.6)
            glass = meshes.make_slab((size[0] - 0.004, size[1] - 0.004), 0.0003, 0.007, 0.0001)
            scene.add(f"{name} glass", glass.moved((at[0], at[1], at[2] + 0.008), turn), "glass", index=index)
        case "bowl":
            r = draw(rng, (0.05, 0.075))
            scene.materials[name] = {"colour": colour, "roughness": 0.2}
            walls = [(r * 0.5, 0.0), (r * 0.8, 0.014), (r, 0.045), (r - 0.002, 0.046), (r - 0.004, 0.045)]
            walls += [(r * 0.76, 0.017), (0.002, 0.008)]
            scene.add(name, meshes.make_lathe(walls).moved(at), name, index=index, smooth=0.9)
            scene.materials["nuts"] = {"colour": [0.3, 0.17, 0.07], "roughness": 0.6}
            for _ in range(26):
                x, y = rng.uniform(-0.62, 0.62, 2) * r
                nut = meshes.make_capsule((x, y, 0.02), (x + 0.006, y + 0.004, 0.024), 0.006, 0.005)
                scene.add(f"{name} nut", nut.moved(at), "nuts", index=index, smooth=1.0)
        case _:
            scene.materials[name] = {"colour": colour, "roughness": 0.35}
            stick = meshes.make_capsule((-0.085, 0, 0.0042), (0.075, 0, 0.0042), 0.004, 0.004)
            tip = meshes.make_capsule((0.075, 0, 0.0042), (0.095, 0, 0.003), 0.0038, 0.0008)
            scene.add(name, meshes.join_meshes([stick, tip]).moved(at, turn), name, index=index, smooth=0.8)


def add_people(scene: StudioScene, rng: Rng, count: int) -> None:
    """People who are outside the picture, but whose shadows and reflections are in it."""
    scene.materials["person"] = {"colour": [float(v) for v in rng.uniform(0.03, 0.4, 3)], "roughness": 0.8}
    for n in range(count):
        turn = draw(rng, (0, 360))
        for step in range(60):
            away = 0.42 + 0.03 * step
            lean = draw(rng, (0.0, 0.06))
            torso = meshes.make_capsule((0, away + 0.12, -0.3), (0, away + 0.05, 0.22), 0.17, 0.19)
            head = meshes.make_capsule((0, away + 0.03 - lean, 0.46), (0, away - lean, 0.54), 0.085, 0.1)
            body = meshes.join_meshes([torso, head]).moved((0, 0, 0), turn)
            if scene.is_outside(body):
                scene.add(f"person {n}", body, "person", smooth=1.0)
                break


def middle_of(zone: Area) -> tuple[float, float]:
    return (zone.left + zone.right) / 2, (zone.top + zone.bottom) / 2
