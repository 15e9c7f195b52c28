"""Moments worth seeing, each as a value: a game with its record, the hands, and what to try; for learning and tests."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.games import GAMES
from engine.log import Log
from engine.options import Options
from engine.table import BACK, Area
from engine.text import Text, say
from firmware.simulation.players.piece_handling import habits_of
from firmware.simulation.table.cards import SimulatedPieces
from firmware.simulation.table.physical_table import PhysicalTable
from firmware.simulation.table.placing_accuracy import NEAT_HAND
from firmware.simulation.table.tiles import SimulatedTiles

ScenarioEffect = Literal["", "lamp", "power"]
"""What happens beside the pieces: the lamp goes on, or the power fails, a while after the start."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """``moves`` is the record up to the moment, ``hands`` are the cards of those who need certain ones; all others are
    dealt cards up to ``cards_each``. ``advice`` says what to try.
    """

    name: str
    title: Text
    advice: Text
    game: str
    options: Options
    moves: tuple[str, ...]
    hands: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    cards_each: int = 0
    effect: ScenarioEffect = ""

    def record(self, area: Area) -> Log[Any, Any]:
        """The record on a table of this size."""
        log: Log[Any, Any] = Log(
            GAMES[self.game], {**self.options, "width": round(area.right), "height": round(area.bottom)}
        )
        return log.add(*map(log.parse, self.moves))


TURN = ("deal 12,37,58,90", "reveal 1 44", "reveal 2 63", "reveal 3 95")
"""A turn of three players that has begun: 44 belongs behind 37."""
FULL_ROW = (
    *("deal 10,37,60,90", "reveal 1 38", "reveal 2 39", "reveal 3 40", "lay 38 2", "lay 39 2", "lay 40 2"),
    *("reveal 1 41", "reveal 2 61", "reveal 3 91", "lay 41 2", "lay 61 3", "lay 91 4"),
    *("reveal 1 44", "reveal 2 62", "reveal 3 95"),
)
"""The card of player 1 would be the sixth of row 2: each of the seven specials can be played."""
STUCK = (
    *("play 90 up:1", "play 91 up:2", "done 1 2", "play 10 down:1", "play 11 down:2", "done 2 2"),
    *("play 92 up:1", "play 9 down:1", "done 3 2"),
)
"""Four piles that are nearly at their end."""
TWO_GROUPS = (
    "start 420 297 0 386; lay red 0 1; lay black -1 1; lay red -2 2; lay black -2 3; lay red 0 -1; lay black -1 -1; "
    "lay red -2 -1; lay black -1 0; lay red -3 2; lay black -1 -2; lay red -2 -2; lay black -3 -1; lay red -4 3; "
    "lay black -3 0; lay red -3 1; lay black -2 1; lay red -2 0; lay black -4 1; lay red -4 0; lay black -5 2; "
    "lay red -3 -2; lay black -4 2; lay red -1 2; lay black -5 0; lay red -4 -1; lay black -5 1; lay red 2 0; "
    "lay black -3 3; lay red 3 -1; lay black 4 -2; lay red 5 -3; lay black 4 -1; lay red 3 -2; lay black 4 -3; "
    "lay red 6 -3; lay black 4 0; lay red 5 -1; lay black 5 -2; lay red 5 0; lay black 6 -2"
)
"""All tiles are laid; the red one at 2,0 alone holds twelve others to the board."""
SPECIALS = tuple(f"{kind}.1" for kind in ("fifth", "seven", "insert", "block", "replace", "move", "negpos"))
THREE = {"players": 3}

SCENARIOS = (
    Scenario(
        "wrong-row",
        say("scenario_wrong_row"),
        say("scenario_wrong_row_try"),
        "nimmt",
        THREE,
        TURN,
        cards_each=9,
    ),
    Scenario(
        "low-card",
        say("scenario_low_card"),
        say("scenario_low_card_try"),
        "nimmt",
        THREE,
        ("deal 20,41,60,83", "reveal 1 7", "reveal 2 45", "reveal 3 88"),
        cards_each=9,
    ),
    Scenario(
        "seven-specials",
        say("scenario_specials"),
        say("scenario_specials_try"),
        "nimmt",
        {"players": 3, "variant": "anniversary"},
        FULL_ROW,
        {1: SPECIALS},
        cards_each=9,
    ),
    Scenario(
        "cannot-play",
        say("scenario_cannot_play"),
        say("scenario_cannot_play_try"),
        "thegame",
        THREE,
        STUCK,
        {1: ("34", "41", "47", "55", "62", "73")},
        cards_each=6,
    ),
    Scenario(
        "split",
        say("scenario_split"),
        say("scenario_split_try"),
        "six",
        {},
        tuple(TWO_GROUPS.split("; ")),
    ),
    Scenario(
        "lamp",
        say("scenario_lamp"),
        say("scenario_lamp_try"),
        "nimmt",
        THREE,
        TURN,
        cards_each=9,
        effect="lamp",
    ),
    Scenario(
        "power-cut",
        say("scenario_power"),
        say("scenario_power_try"),
        "nimmt",
        THREE,
        FULL_ROW[:-3],
        cards_each=8,
        effect="power",
    ),
)
BY_NAME: Mapping[str, Scenario] = {scenario.name: scenario for scenario in SCENARIOS}


def lay_scenario(table: PhysicalTable, scenario: Scenario, *, seed: int = 0) -> Log[Any, Any]:
    """Bring the game, lay what its record says, and deal the hands. The record."""
    rng = random.Random(seed)
    if table.game != scenario.game:
        table.bring_game(scenario.game)
    table.clear()
    log = scenario.record(table.area)
    cells = habits_of(scenario.game).tiles
    laid = SimulatedTiles(table.area, rng, NEAT_HAND, cells) if cells else SimulatedPieces(log, rng, NEAT_HAND)
    laid.lay_out(log.game.layout(log.state), {})
    for lies in sorted(laid.pieces.values(), key=lambda lies: lies.over):
        id = table.stock(lies.piece)[0] if cells else lies.name
        table.lay(id, lies.x, lies.y, lies.angle, face_down=lies.piece == BACK)
    for player, cards in scenario.hands.items():
        table.take(cards, player)
    table.shuffle("cards", rng)
    for player in range(1, int(str(log.options.get("players", 1))) + 1):
        missing = scenario.cards_each - sum(id.isdigit() for id in table.hand(player))
        table.take(table.stock("cards")[: max(0, missing)], player)
    return log
