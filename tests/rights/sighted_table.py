"""A box with a simulated camera, whose hands stop at a chosen moment of the first turn."""

from pathlib import Path
from threading import Event

from tests.rights.examined_table import ExaminedTable, MomentNotReached

HANDS = {("nimmt", "round"): 12, ("nimmt", "question"): 13, ("six", "round"): 6}
"""After so many acts of this match the first card is due; with one more it lies in a wrong row."""
MATCHES = {"nimmt": ("--option", "players=6", "--seed", "401", "--mistakes", "many"), "six": ("--game", "six")}
SPEED = "3"
STEP_S = 0.25
MOST_STEPS = 240


class SightedTable(ExaminedTable):
    """Each moment is a new start of the box, because simulated hands go one way only."""

    def __init__(self, folder: Path, game: str) -> None:
        self._game = game
        self._starts = 0
        self._folder = folder
        super().__init__(folder / "0", self._options("round"))

    def _options(self, moment: str) -> tuple[str, ...]:
        acts = HANDS.get((self._game, moment)) or HANDS[self._game, "round"]
        return ("--camera", "sim", "--speed", SPEED, "--acts", str(acts), *MATCHES[self._game])

    def reach(self, moment: str, moves: tuple[str, ...] | None = None, begin: str = "") -> None:
        if moment in ("set-up", "round over", "match over") or (moment == "question" and self._game == "six"):
            raise MomentNotReached(f"{moment}: the simulated hands do not go so far")
        self._starts += 1
        self.close()
        super().__init__(self._folder / str(self._starts), self._options(moment))
        self._wait(moment)
        if moment == "paused":
            self.pause()
        if moment == "no game":
            self.leave_games()
        state = self.box.state()
        if (state["game"] is None) != (moment in ("no game", "paused")):
            raise MomentNotReached(f"{moment}: the box says {state['prompt']}")

    def _wait(self, moment: str) -> None:
        for _ in range(MOST_STEPS):
            state = self.box.state()
            table = state["table"] or {}
            if moment == "question" and state["wrong"]:
                return
            if moment != "question" and (table.get("due") or len(table.get("tiles", ())) >= HANDS["six", "round"]):
                return
            Event().wait(STEP_S)
        raise MomentNotReached(f"{moment}: the box says {self.box.state()['prompt']}")
