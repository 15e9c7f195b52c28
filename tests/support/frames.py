"""A small rendered table for camera tests: empty, with cards, with markers."""

from functools import cache

import cv2

from engine.table import Area
from vision.live.read_request import ReadRequest
from vision.render import DrawnCard, DrawnMarker, RenderCamera, Scene, render_scene
from vision.tags.codebook import CODES

WIDE, HIGH, OUT = 300.0, 220.0, 20.0
SPOTS = ((-OUT, -OUT), (WIDE + OUT, -OUT), (WIDE + OUT, HIGH + OUT), (-OUT, HIGH + OUT))
MARKERS = tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(SPOTS))
CAMERA = RenderCamera.over(Area(-50, -50, WIDE + 50, HIGH + 50), 3.0)
BARE = Scene(CAMERA, "wood", 2, markers=MARKERS)
READ = ReadRequest("read", "nimmt", {"row:1": Area(0, 0, WIDE, HIGH / 2), "row:2": Area(0, HIGH / 2, WIDE, HIGH)})


def card(game, piece, x=90.0, y=60.0):
    code = next(code for code in CODES if (code.game, code.piece) == (game, piece))
    return DrawnCard(game, piece, x, y, payload=code.payload)


@cache
def picture(scene):
    return cv2.cvtColor(render_scene(scene), cv2.COLOR_BGR2GRAY)
