"""A small table as a camera sees it: bare, with cards, with markers."""

from functools import cache

import cv2

from engine.table import Area
from firmware.box.flow import Aim
from vision.render import Camera, Card, Marker, Scene, render
from vision.tags.codebook import CODES

WIDE, HIGH, OUT = 300.0, 220.0, 20.0
SPOTS = ((-OUT, -OUT), (WIDE + OUT, -OUT), (WIDE + OUT, HIGH + OUT), (-OUT, HIGH + OUT))
MARKERS = tuple(Marker(name, x, y) for name, (x, y) in enumerate(SPOTS))
CAMERA = Camera.over(Area(-50, -50, WIDE + 50, HIGH + 50), 3.0)
BARE = Scene(CAMERA, "wood", 2, markers=MARKERS)
READ = Aim("read", "nimmt", {"row:1": Area(0, 0, WIDE, HIGH / 2), "row:2": Area(0, HIGH / 2, WIDE, HIGH)})


def card(game, piece, x=90.0, y=60.0):
    code = next(code for code in CODES if (code.game, code.piece) == (game, piece))
    return Card(game, piece, x, y, payload=code.payload)


@cache
def picture(scene):
    return cv2.cvtColor(render(scene), cv2.COLOR_BGR2GRAY)
