"""No route gives away a hand, or a pile that players may not look through."""

from tests.support.page import DEAL, served

OPEN = ("/api/state", "/api/history", "/export/games.json", "/export/games.csv", "/export/games/1/sheet")
TURN = (DEAL, "reveal 1 15", "reveal 2 33", "reveal 3 41", "lay 15 1", "lay 33 3", "lay 41 4")
TAKE = ("reveal 1 4", "reveal 2 44", "reveal 3 45", "take 1", "tidy row:1", "lay 4 1")


def test_bull_piles_are_secret_while_their_round_runs(tmp_path):
    with served(tmp_path, *TURN, *TAKE) as here, here.phone() as phone:
        history = phone.get("/api/history").json()
        moves = history["moves"]
        words = [move["words"] for move in moves]
        assert words == ["", "", *TURN[2:4], "", *TURN[5:], *TAKE]  # the deal, and what row 1 held, lie in a pile
        assert history["later"] == words.count("") == 3
        assert (moves[4]["text"], moves[4]["back"]) == ("? to row 1", "amend 4 13")
        assert phone.get("/api/history?game=1").json()["moves"] == moves
        assert phone.get("/export/games/1/log.txt").status_code == 409
        assert not [path for path in OPEN for card in (10, 15) if f'"{card}"' in phone.get(path).text]
        here.press("game:give-up", "yes game:give-up")
        assert [move["words"] for move in phone.get("/api/history?game=1").json()["moves"]] == [*TURN, *TAKE]


def test_drafted_cards_are_secret_until_the_round_is_over(tmp_path):
    options = {"players": 3, "variant": "professional"}
    spread = "spread " + ",".join(map(str, range(1, 35)))
    picks = ("pick 1 34", "pick 2 33", "pick 3 32")
    with served(tmp_path, spread, *picks, options=options) as here, here.phone() as phone:
        assert phone.get("/api/state").json()["table"]["phase"] == "draft"
        moves = phone.get("/api/history").json()["moves"]
        assert {(move["text"], move["words"]) for move in moves[1:]} == {("Card picked", "")}
        assert moves[-1]["back"] == "amend 3 4"
        assert not [path for path in OPEN for card in (32, 33, 34) if f'"{card}"' in phone.get(path).text]
