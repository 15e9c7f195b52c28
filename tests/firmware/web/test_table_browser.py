"""The simulated table in Chromium: a person drags, cheats, reads the alert, and plays a round to its exact score."""

import re
from contextlib import contextmanager
from types import MappingProxyType

import numpy as np
import pytest

from firmware.simulation.scenarios import BY_NAME
from firmware.texts.languages import available_languages
from tests.support.browser import SHOTS, chromium, list_axe_findings, needs_axe, needs_chromium, thorough
from tests.support.table_player import TablePlayer
from tests.support.table_run import TableRun, running_table

pytestmark = [needs_chromium, thorough]
hands = pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
SIZES = {"laptop": (1280, 800), "tv": (1920, 1080), "tablet": (820, 1180), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@contextmanager
def seated(browser, folder, run, *, size="laptop", scheme="light", touch=False, tour=False, speed=1.0):
    """A person who sits at the table; any script error or CSP violation fails the test."""
    width, height = SIZES[size]
    with running_table(folder, run, speed=speed) as table:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en", has_touch=touch
        )
        page = context.new_page()
        wrong = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda told: wrong.append(told.text) if "Content Security" in told.text else None)
        player = TablePlayer(page, table, touch)
        player.sit_down(tour=tour)
        try:
            yield player
            assert wrong == []
        finally:
            SHOTS.mkdir(parents=True, exist_ok=True)
            context.close()


def shoot(player, name):
    player.page.screenshot(path=SHOTS / f"table-{name}.png")


def heads(card: int) -> int:
    """The bull heads of a card, from the rules of the game."""
    if card == 55:
        return 7
    return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


def scores(player) -> dict[int, int]:
    return {pad["player"]: pad["total"] + pad["now"] for pad in player.run.state()["pads"]}


class TestSixNimmt:
    END = (
        *("deal 10,30,60,90", "reveal 1 11", "reveal 2 31", "reveal 3 61", "lay 11 1", "lay 31 2", "lay 61 3"),
        *("reveal 1 12", "reveal 2 32", "reveal 3 62", "lay 12 1", "lay 32 2", "lay 62 3"),
        *("reveal 1 13", "reveal 2 33", "reveal 3 63", "lay 13 1", "lay 33 2", "lay 63 3"),
        *("reveal 1 14", "reveal 2 34", "reveal 3 91", "lay 14 1", "lay 34 2", "lay 91 4"),
        *("reveal 1 35", "reveal 2 64", "reveal 3 92", "take 2", "tidy row:2", "lay 35 2", "lay 64 3", "lay 92 4"),
        *("reveal 1 15", "reveal 2 36", "reveal 3 93", "take 1", "tidy row:1", "lay 15 1", "lay 36 2", "lay 93 4"),
        *("reveal 1 16", "reveal 2 37", "reveal 3 94", "lay 16 1", "lay 37 2", "lay 94 4"),
        *("reveal 1 17", "reveal 2 38", "reveal 3 65", "lay 17 1", "lay 38 2", "take 3", "tidy row:3", "lay 65 3"),
    )
    """Eight turns of ten; two cards are left to each player."""
    HANDS = MappingProxyType({1: ("18", "40"), 2: ("39", "70"), 3: ("2", "104")})

    def play_turn(self, player, card, *, cheat=False):
        """Choose, reveal and lay one card, and whatever it causes."""
        player.wait_for_prompt("choose|Waiting for")
        player.page.locator("#how").get_by_text("Face down").click()
        player.drag(card, *player.middle("seat:1"))
        player.wait_for_prompt("reveal")
        player.act(card, "Turn over")
        player.page.locator("#how").get_by_text("Face up").click()
        found = player.wait_for_prompt(rf"Lay {card} behind \d+, row (\d)|Take row (\d)|{card} is low: take a row")
        if not found[1]:
            row = int(found[2] or 1)
            player.act(player.row(row)[0]["name"], "Take the row")
            player.drag(card, *player.behind(row))
            return
        row = int(found[1])
        if cheat:
            wrong = 1 if row != 1 else 2
            player.drag(card, *player.behind(wrong))
            shown = player.wait_for_alert(rf"{card} belongs in row (\d)")
            assert int(shown[1]) == row
            shoot(player, "nimmt-alert")
        player.drag(card, *player.behind(row))

    @hands
    def test_a_wrong_card_is_put_right_and_the_round_ends_with_exact_scores(self, browser, tmp_path, touch):
        run = TableRun("nimmt", 3, self.END, dict(self.HANDS))
        with seated(browser, tmp_path, run, touch=touch, size="tablet" if touch else "laptop", speed=2.0) as player:
            self.play_turn(player, "18", cheat=True)
            self.play_turn(player, "40")
            player.wait_for_prompt("Round|round|over")
            shoot(player, f"nimmt-end-{'touch' if touch else 'mouse'}")
            player.wait_until(lambda: "pile 1" in player.run.pieces(), "piles")
            told = scores(player)
            piles = player.run.pieces()
            before = {1: sum(map(heads, (30, 31, 32, 33, 34))) + sum(map(heads, (10, 11, 12, 13, 14))), 2: 0}
            before[3] = sum(map(heads, (60, 61, 62, 63, 64)))
            for one in (1, 2, 3):
                assert told[one] == before[one] + sum(heads(int(card)) for card in piles.get(f"pile {one}", ()))

    def test_a_whole_round_is_played_from_the_deal_to_its_exact_scores(self, browser, tmp_path):
        run = TableRun("nimmt", 3, options={"rounds": "1", "end": "rounds"})
        with seated(browser, tmp_path, run, speed=4.0) as player:
            player.wait_for_prompt("choose|Waiting for")
            dealt = player.run.pieces()["hand 1"]
            assert len(dealt) == 10
            for n, card in enumerate(sorted(dealt, key=int)):
                self.play_turn(player, card, cheat=n == 4)
            player.wait_until(lambda: player.run.state()["over"], "the end of the match")
            shoot(player, "nimmt-whole-round")
            piles = player.run.pieces()
            lost = {one: sum(heads(int(card)) for card in piles.get(f"pile {one}", ())) for one in (1, 2, 3)}
            assert scores(player) == lost


def count_played(player) -> int:
    """The cards on the four piles, without the start cards."""
    piles = [player.zone(zone) for zone in ("up:1", "up:2", "down:1", "down:2")]
    lying = player.run.table()["pieces"]
    return (
        sum(it["left"] < at["x"] < it["right"] and it["top"] < at["y"] < it["bottom"] for it in piles for at in lying)
        - 4
    )


class TestTheGame:
    TOPS = (
        *("play 90 up:1", "play 91 up:2", "done 1 2", "play 10 down:1", "play 11 down:2", "done 2 2"),
        *("play 92 up:1", "play 9 down:1", "done 3 2"),
    )

    @hands
    def test_a_wrong_card_is_put_right_and_the_cards_left_are_counted(self, browser, tmp_path, touch):
        run = TableRun("thegame", 3, self.TOPS, {1: ("34", "41", "47", "62", "93", "8"), 2: ("50", "51"), 3: ("52",)})
        with seated(browser, tmp_path, run, touch=touch, size="tablet" if touch else "laptop", speed=2.0) as player:
            player.wait_for_prompt("Lay 2 cards")
            player.drag("34", *player.middle("up:1"))
            player.wait_for_prompt("Take back 34, or show the card under it")
            player.page.locator(".offers").get_by_role("button", name="Nothing").click()
            player.wait_for_alert("34")
            shoot(player, "thegame-alert")
            player.act("34", "To my hand")
            player.wait_until(lambda: not re.search("34", player.alert), "the alert goes")
            player.drag("93", *player.middle("up:1"))
            player.wait_for_prompt("Lay 1 card")
            player.drag("8", *player.middle("down:1"))
            player.wait_for_prompt("draw")
            player.page.locator(".offers button").first.click()
            player.wait_until(lambda: player.run.state()["over"], "the others cannot play either")
            shoot(player, "thegame-end")
            assert scores(player) == {0: 98 - count_played(player)}


LINES = ((1, 0), (0, 1), (1, -1))
"""The three directions of a board of hexagons, in axial coordinates."""
AROUND = (*LINES, *((-q, -r) for q, r in LINES))


def red_state_or_end(player) -> dict | None:
    told = player.run.state()
    return told if told["over"] or (told["turn"] == 1 and not told["alert"] and told["moves"]) else None


def read_grid(table) -> np.ndarray:
    """The steps to the next tile along the first two directions: the first pair of neighbours gives the turn."""
    spots = [complex(it["x"], it["y"]) for it in table["pieces"]]
    near = min((b - a for a in spots for b in spots if a != b), key=abs)
    step = near / abs(near) * table["pitch"]
    turned = step * np.exp(1j * np.pi / 3)
    return np.array([[step.real, turned.real], [step.imag, turned.imag]])


def read_cells(table) -> dict[tuple[int, int], str]:
    """The colour of every cell, counted from one tile."""
    first = table["pieces"][0]
    back = np.linalg.inv(read_grid(table))
    found = {}
    for it in table["pieces"]:
        q, r = back @ [it["x"] - first["x"], it["y"] - first["y"]]
        found[round(q), round(r)] = it["picture"]
    return found


def choose_place(table) -> tuple[float, float]:
    """The middle of the free neighbouring cell that makes the longest red line."""
    cells = read_cells(table)
    free = {(q + a, r + b) for q, r in cells for a, b in AROUND} - set(cells)
    red = {cell for cell, colour in cells.items() if colour == "red"}

    def measure(cell):
        return max(reach(cell, way, red) + reach(cell, (-way[0], -way[1]), red) for way in LINES)

    best = max(sorted(free), key=measure)
    first = table["pieces"][0]
    return tuple(np.array([first["x"], first["y"]]) + read_grid(table) @ best)


def reach(cell, way, own) -> int:
    """The number of own tiles in a row behind this cell."""
    n = 0
    while (cell[0] + (n + 1) * way[0], cell[1] + (n + 1) * way[1]) in own:
        n += 1
    return n


def has_shape(own) -> bool:
    """Six in a line, a triangle or a ring, from the rules of the game."""
    line = [(n, 0) for n in range(6)]
    triangle = [(q, r) for q in range(3) for r in range(3 - q)]
    shapes = [line, [(0, n) for n in range(6)], [(n, -n) for n in range(6)], triangle, [(-q, -r) for q, r in triangle]]
    return any(all((q + a, r + b) in own for a, b in shape) for q, r in own for shape in shapes) or any(
        all((q + a, r + b) in own for a, b in AROUND) for q in range(-40, 41) for r in range(-40, 41)
    )


class TestSix:
    LINE = (
        "start 420 297 0 386; lay red -1 0; lay black 1 -1; lay red -2 0; lay black 2 -1; lay red -3 0; lay black 1 1; "
        "lay red -4 0; lay black 2 0"
    )

    @hands
    def test_a_carried_tile_is_put_back_and_the_line_wins(self, browser, tmp_path, touch):
        run = TableRun("six", 2, tuple(self.LINE.split("; ")))
        with seated(browser, tmp_path, run, touch=touch, size="tablet" if touch else "laptop", speed=2.0) as player:
            player.wait_for_prompt("red")
            told = player.run.table()
            end = min((it for it in told["pieces"] if it["picture"] == "red"), key=lambda it: it["x"])
            player.drag(end["name"], 420 + 2.5 * 38.6, 297 - 33.4)
            player.wait_until(lambda: player.alert, "a tile of the board was carried away in phase 1")
            shoot(player, "six-alert")
            player.drag(end["name"], end["x"], end["y"])
            player.wait_until(lambda: not player.alert, "it is back")
            player.drag(told["hand"][0]["name"], end["x"] - 38.6, end["y"])
            player.wait_for_prompt("Ana wins")
            shoot(player, "six-end")
            assert scores(player) == {1: 1, 2: 0}

    def test_a_whole_game_is_played_from_the_start_tiles_to_its_winner(self, browser, tmp_path):
        with seated(browser, tmp_path, TableRun("six", 2), speed=4.0) as player:
            while True:
                told = player.wait_until(lambda: red_state_or_end(player), "the turn of red, or the end")
                if told["over"]:
                    break
                table = player.run.table()
                player.drag(table["hand"][0]["name"], *choose_place(table))
                player.wait_until(lambda n=told["moves"]: player.run.state()["moves"] > n, "the tile is accepted")
            shoot(player, "six-whole-game")
            cells = read_cells(player.run.table())
            own = {colour: {cell for cell, held in cells.items() if held == colour} for colour in ("red", "black")}
            assert scores(player) == {1: int(has_shape(own["red"])), 2: int(has_shape(own["black"]))}
            assert sum(scores(player).values()) == 1


class TestTheTour:
    def test_three_bubbles_then_nothing_in_the_way(self, browser, tmp_path):
        with seated(browser, tmp_path, TableRun("nimmt"), tour=True) as player:
            bubble = player.page.locator("#tour")
            bubble.wait_for()
            told = []
            for n in range(3):
                told.append(player.page.locator("#tour-words").inner_text())
                shoot(player, f"tour-{n + 1}")
                player.page.locator("#tour-next").click()
            assert not bubble.is_visible()
            assert [words.split()[0] for words in told] == ["This", "Now", "Look"]
            player.page.reload()
            player.page.locator(".view.seen").wait_for()
            assert not bubble.is_visible()
            player.page.locator("#tour-again").click()
            assert bubble.is_visible()
            player.page.keyboard.press("Escape")

    def test_a_scenario_gives_its_own_advice_first(self, browser, tmp_path):
        with seated(browser, tmp_path, TableRun("six", scenario="split"), tour=True) as player:
            player.page.locator("#advice:not([hidden])").wait_for()
            assert not player.page.locator("#tour").is_visible()
            player.page.locator("#tour-again").click()
            assert player.page.locator("#tour").is_visible()


class TestKeyboard:
    def test_a_card_is_laid_with_the_keyboard_alone(self, browser, tmp_path):
        with seated(browser, tmp_path, TableRun("nimmt", scenario="wrong-row")) as player:
            card = player.run.table()["hand"][0]["name"]
            player.page.locator(f"#hand .piece[data-name='{card}']").focus()
            player.page.keyboard.press("Enter")
            assert "Arrow keys" in player.page.locator("#heard").inner_text()
            for _ in range(4):
                player.page.keyboard.press("ArrowRight")
            player.page.keyboard.press("Enter")
            laid = player.wait_until(
                lambda: [it for it in player.run.table()["pieces"] if it["name"] == card], "the card lies on the table"
            )
            assert laid[0]["x"] > player.run.table()["area"][0] / 2


class TestDisturbances:
    def test_arm_mug_light_knock_and_what_the_camera_reads(self, browser, tmp_path):
        with seated(browser, tmp_path, TableRun("nimmt", scenario="wrong-row")) as player:
            page = player.page

            def choose(name):
                menu = page.locator(".controls details").nth(2)
                if menu.get_attribute("open") is None:
                    menu.locator("summary").click()
                menu.get_by_role("button", name=name, exact=True).click()

            choose("My arm")
            player.wait_until(lambda: player.run.table()["arm"], "the arm")
            handle, box = page.locator("[data-handle=arm]"), page.locator("#view").bounding_box()
            handle.hover()
            page.mouse.down()
            page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3, steps=5)
            page.mouse.up()
            page.locator("#eyes").click()
            player.wait_for_alert("Can't see")
            shoot(player, "arm")
            choose("My arm")
            player.wait_until(lambda: not player.alert, "the arm is gone")
            choose("A mug")
            choose("Warm bulb")
            player.wait_until(lambda: player.run.table()["lamp"] == "warm", "the warm bulb")
            before = player.run.table()["to_picture"]
            choose("Knock the camera")
            player.wait_until(lambda: player.run.table()["to_picture"] != before, "the camera was knocked")
            shoot(player, "disturbed")


class TestScenarios:
    def test_each_is_set_up_in_one_tap(self, browser, tmp_path):
        with seated(browser, tmp_path, TableRun("nimmt", scenario="wrong-row")) as player:
            for name in [*list(BY_NAME)[1:], "wrong-row"]:
                player.page.locator("#scenarios summary").click()
                player.page.locator(f"[data-name='{name}']").first.click()
                player.wait_until(lambda name=name: reached(player, name), name)
                player.page.locator(".view.seen").wait_for()
                player.page.wait_for_timeout(1500)
                shoot(player, f"scenario-{name}")

    def test_a_power_cut_loses_nothing(self, browser, tmp_path):
        with seated(browser, tmp_path, TableRun("nimmt", scenario="power-cut")) as player:
            before = scores(player)
            player.page.locator(".controls summary").nth(2).click()
            player.page.get_by_role("button", name="Cut the power").click()
            player.wait_for_prompt("What|Choose|do you")
            shoot(player, "power-cut")
            player.page.locator(".offers button").first.click()
            player.wait_for_prompt("chooses|Waiting|reveal")
            assert scores(player) == before


def reached(player, name):
    try:
        told = player.run.table()
    except Exception:  # the box starts again
        return False
    return told["scenario"] == name and told["advice"] == player.page.locator("#advice").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_size_shows_table_hand_and_box_without_a_scroll_to_the_side(browser, tmp_path, size, scheme):
    with seated(browser, tmp_path, TableRun("nimmt", scenario="wrong-row"), size=size, scheme=scheme) as player:
        player.page.wait_for_timeout(800)
        shoot(player, f"{size}-{scheme}")
        assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for language in available_languages() if size == "phone" and scheme == "light" else ():
            player.page.goto(f"{player.run.url}/table?lang={language}")
            player.page.locator(".view.seen").wait_for()
            assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), language
        for place in ("#view", "#hand", "#screen"):
            box = player.page.locator(place).bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= SIZES[size][0] + 1
            assert box["y"] + 40 < SIZES[size][1]


@pytest.mark.parametrize(("size", "touch"), [("laptop", False), ("phone", True)], ids=["mouse", "touch"])
def test_the_menu_of_the_game_opens_beside_the_table(browser, tmp_path, size, touch):
    with seated(browser, tmp_path, TableRun("nimmt", scenario="wrong-row"), size=size, touch=touch) as player:
        menu = player.page.get_by_role("button", name="Menu", exact=True)
        menu.tap() if touch else menu.click()
        player.wait_for_prompt("What do you need")
        shoot(player, f"menu-{size}")
        assert "Pause" in [offer["label"] for offer in player.run.state()["offers"]]


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_table_is_accessible_with_the_tour_a_menu_and_an_alert(browser, tmp_path, scheme):
    with seated(browser, tmp_path, TableRun("nimmt", scenario="wrong-row"), scheme=scheme, tour=True) as player:
        page = player.page
        page.locator("#tour-again").click()
        found = list_axe_findings(page, "tour")
        for _ in range(3):
            page.locator("#tour-next").click()
        found += list_axe_findings(page, "table")
        for menu in page.locator("details.menu").all():
            menu.locator("summary").click()
            found += list_axe_findings(page, "menu")
            page.keyboard.press("Escape")
        page.locator("#hand .piece").first.focus()
        page.keyboard.press("Enter")
        found += list_axe_findings(page, "card in the hand")
        assert found == []
