"""The camera picture: for paired phones alone, black outside the zones, not available while a round runs."""

import asyncio
import random

import cv2
import httpx
import numpy as np
import pytest

from engine.games import GAMES
from engine.log import Log
from firmware.simulation.table import SimTable
from firmware.web.camera_picture import Stills, draw_still
from hw.cameras.images import decode_picture, make_frame
from tests.support.page import DEAL, served
from vision.live.perception import Perception
from vision.live.read_request import ReadRequest
from vision.render.incremental_rendering import SceneRenderer

ROUND = ("reveal 1 15", "reveal 2 33", "reveal 3 41")


@pytest.fixture(scope="module")
def table():
    """A picture of a table with cards, and the read request of the game."""
    log = Log(GAMES["nimmt"], {"players": 3})
    simulated, renderer = SimTable(log, random.Random(2)), SceneRenderer(2)
    *_, act = (act for _, act in zip(range(5), simulated.acts(), strict=False))
    aim = ReadRequest("read", "nimmt", log.game.plan(log.options).zones, log)
    return renderer.render(simulated.empty), renderer.render(act.scene), aim


def shown(picture, asked, eyes):
    """The camera picture made of this frame."""

    async def taken():
        stills = Stills(eyes)
        taking = asyncio.create_task(stills.take())
        await asyncio.sleep(0)
        stills.offer_frame(make_frame(picture, 1.0), asked)
        return decode_picture(draw_still(await taking))

    return asyncio.run(taken())


def black(picture):
    return float((picture.max(-1) < 24).mean())


@pytest.mark.parametrize(
    ("purpose", "least", "most"),
    [("read", 0.2, 0.8), ("aim", 0.1, 0.6)],
    ids=["a game: its zones", "the camera is set up: all between the markers, and these"],
)
def test_the_picture_is_black_outside_the_zones(table, purpose, least, most):
    _, picture, aim = table
    asked = aim if purpose == "read" else ReadRequest("aim")
    still = shown(picture, asked, Perception())
    assert least < black(still) < most
    assert black(picture) < least / 2
    assert black(still[:8]) == 1.0


def test_the_picture_is_black_without_markers(table):
    _, picture, aim = table
    blank = np.full_like(picture, 200)
    assert black(shown(blank, aim, Perception())) == 1.0


def test_pieces_that_were_read_are_outlined(table):
    empty, picture, aim = table
    eyes = Perception(empty)
    for n in range(4):
        eyes.update(make_frame(picture, n * 0.5), aim)
    plain, read = (shown(picture, aim, who) for who in (Perception(), eyes))
    green = read[..., 1].astype(int) - plain[..., 1]
    assert (green > 80).sum() > 200


@pytest.fixture
def box(tmp_path, table):
    empty, picture, aim = table
    stills = Stills(Perception(empty), wait=0.5)
    with served(tmp_path, DEAL, *ROUND, stills=stills) as here:
        here.stills = stills
        here.look = lambda: stills.offer_frame(make_frame(picture, 1.0), aim)
        yield here


def asked_for(box, phone):
    """The response, with frames coming after the request."""
    with box.frames():
        return phone.get("/camera.jpg")


def test_a_picture_needs_a_paired_phone_and_no_running_round(box):
    with box.phone() as phone:
        assert httpx.get(f"{box.url}/camera.jpg", verify=False).status_code == 401
        answer = asked_for(box, phone)
        assert (answer.status_code, answer.json()) == (409, {"error": "No picture during a round"})


def test_a_picture_during_a_round_needs_the_consent_of_all_for_this_game(box):
    with box.phone() as phone:

        def tell(words):
            return phone.post("/api/tell", json={"words": words}).json()["ok"]

        tell("vote:agree phones 1")
        assert phone.get("/camera.jpg").status_code == 409
        assert tell("phone:show-table")
        for number, player in enumerate(("Ana", "Ben", "<b>Clea"), 1):
            tell(f"vote:agree phones {number}")  # a phone may say so as often as it likes
            assert phone.get("/api/state").json()["prompt"] == f"{player}: show pictures on phones?"
            assert phone.get("/camera.jpg").status_code == 409
            box.press(f"vote:agree phones {number}")
        answer = asked_for(box, phone)
        assert answer.headers["content-type"] == "image/jpeg"
        assert cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR) is not None
        assert tell("game:new")
        assert tell("yes game:new")
        assert tell("back")
        assert tell("game:begin nimmt players=3")
        assert asked_for(box, phone).status_code == 409


def test_a_missing_frame_is_reported_and_no_request_is_left_waiting(box):
    with box.phone() as phone:
        box.press("game:give-up", "yes game:give-up")
        assert phone.get("/camera.jpg").status_code == 503
        assert box.stills.waiting == 0
