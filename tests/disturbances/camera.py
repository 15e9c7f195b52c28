"""A camera over the simulated table with disturbed pictures, until the players remove the disturbance."""

import random
from dataclasses import replace

from engine.table import Area
from firmware.simulation.session import FRAME_S, SimulatedSession
from firmware.simulation.table.arm_positions import Spot
from hw.cameras.images import make_frame
from hw.frame import Frame, Picture
from tests.disturbances.catalogue import Disturbance, Moment, shift_picture
from tests.disturbances.oracle import is_unreadable
from vision.render import Scene

FRESH_NOISE_SHARE = 0.25
"""Share of still frames with their own noise."""


class DisturbedCamera:
    """``frame`` gives the next frame. A disturbance begins at the position of a random piece on the table."""

    def __init__(self, session: SimulatedSession, disturbance: Disturbance, free: Spot, seed: int) -> None:
        self._session = session
        self._table = session.table
        self._renderer = session.renderer
        self._it = disturbance
        self._free = free
        self._rng = random.Random(seed)
        self._scene = session.table.empty
        self._picture = session.empty
        self._of: Picture | None = None
        self._on = False
        self._shift: Spot = (0.0, 0.0)
        self._eased: int | None = None
        self._spot: Spot | None = None
        self.looks = 0

    def frame(self, scene: Scene) -> Frame:
        when = self._when()
        scene = self._it.drawn(scene, when) if self._it.drawn else scene
        if scene != self._scene:
            self._picture = self._renderer.render(scene)
        elif self._rng.random() < FRESH_NOISE_SHARE:
            self._picture = self._renderer.render(scene, noise="fresh")
        self._scene = scene
        shift = self._it.moved(when) if self._it.moved else (0.0, 0.0)
        self._session.at_s += FRAME_S
        self.looks += 1
        if self._of is not self._picture or self._on != when.on or self._shift != shift:
            picture = self._it.taken(self._picture, when) if self._it.taken else self._picture
            self._frame = make_frame(shift_picture(picture, *shift) if any(shift) else picture, self._session.at_s)
            self._of, self._on, self._shift = self._picture, when.on, shift
        self._frame = replace(self._frame, at=self._session.at_s)
        return self._frame

    def ease(self) -> bool:
        """The players remove the disturbance; False if they cannot, or if there is none."""
        if not self._it.helped or self._spot is None:
            return False
        self._eased, self._spot = self._moves(), None
        return True

    def nothing_to_see(self) -> bool:
        """Was the last frame unreadable?"""
        return is_unreadable(self._frame.grey, self._scene, self._shift)

    def _moves(self) -> int:
        return len(self._table.truth.moves)

    def _when(self) -> Moment:
        on = self._moves() >= self._it.begins
        if self._eased is not None:
            on = bool(self._it.again) and self._moves() - self._eased >= self._it.again
        if not on:
            self._spot = None
        elif self._spot is None:
            self._spot, self._eased = self._lying(), None
        eased = self._eased is not None
        return Moment(self.looks, self._session.at_s, self._table.area, self._spot or self._free, self._free, on, eased)

    def _lying(self) -> Spot:
        """The position of a random piece of the game, else the middle of the table."""
        game = ("row", "up", "down", "cell")
        lying = [lies.spot for lies in self._table.laid.pieces.values() if lies.zone.startswith(game)]
        return self._rng.choice(lying) if lying else _middle(self._table.area)


def _middle(area: Area) -> Spot:
    return (area.left + area.right) / 2, (area.top + area.bottom) / 2
