"""What was in a hand, or lies in a pile that nobody may look through, is told by no address of the page."""

import random

import httpx
from looks.page import DEAL, served

from engine.games import GAMES
from engine.log import Log
from firmware.players import PLAYERS
from firmware.web.history import held, round_began

OPEN = ("/api/state", "/api/history", "/export/games.json", "/export/games.csv", "/export/games/1/sheet")
TURN = (DEAL, "reveal 1 15", "reveal 2 33", "reveal 3 41", "lay 15 1", "lay 33 3", "lay 41 4")
TAKE = ("reveal 1 4", "reveal 2 44", "reveal 3 45", "take 1", "tidy row:1", "lay 4 1")


def test_strangers_cannot_add_up_a_pile_while_its_round_runs(tmp_path):
    with served(tmp_path, *TURN, *TAKE) as here, here.phone() as phone:
        history = phone.get("/api/history").json()
        assert [move["words"] for move in history["moves"]] == [*TURN, *TAKE]
        with httpx.Client(base_url=here.url, verify=False) as stranger:
            assert stranger.get("/api/history").json()["moves"] == []
            assert stranger.get("/api/history?game=1").json()["later"] == len((*TURN, *TAKE))
            assert stranger.get("/export/games/1/log.txt").status_code == 409
            assert not [path for path in OPEN if '"10"' in stranger.get(path).text]


def test_nobody_is_told_what_was_drafted_before_the_round_is_over(tmp_path):
    options = {"players": 3, "variant": "professional"}
    spread = "spread " + ",".join(map(str, range(1, 35)))
    picks = ("pick 1 34", "pick 2 33", "pick 3 32")
    with served(tmp_path, spread, *picks, options=options) as here, here.phone() as phone:
        assert phone.get("/api/state").json()["table"]["phase"] == "draft"
        moves = phone.get("/api/history").json()["moves"]
        assert {(move["text"], move["words"]) for move in moves[1:]} == {("A card that is in a hand", "")}
        assert moves[-1]["back"] == "amend 3 4"
        assert not [path for path in OPEN for card in (32, 33, 34) if f'"{card}"' in phone.get(path).text]


def test_a_card_taken_back_for_another_is_secret_until_the_round_is_over():
    log = Log(GAMES["nimmt"], {"players": 6, "variant": "anniversary"})
    players = PLAYERS["nimmt"](log.options, random.Random(1))
    swapped = 0
    while (move := players.next(log.state)) is not None and len(log.moves) < 200:
        before = log
        log = log.add(move)
        if type(move).__name__ == "Swap":
            swapped += 1
            shown = [str(m) for n, m in enumerate(log.moves) if n not in held(log) and n >= round_began(log)]
            assert not [text for text in shown if text.startswith("reveal") and text.endswith(f" {before.state.card}")]
    assert swapped
