"""``oxeye read`` and ``oxeye count``: the format of the answer, and files that are no pictures of a table."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from engine.table import Area
from firmware.cli import main
from tests.support.pasted import Degradation, paste_stickers
from vision.render import DrawnCard, DrawnMarker, DrawnTile, RenderCamera, Scene, Sensor, StrayObject, render_scene
from vision.render.projection import project_points
from vision.tags.codebook import BOOK, CODES

PICTURES = sorted(Path(__file__).parents[3].glob("docs/pictures/*.png"))
NEEDS = re.compile(r"at least (\d+) pixels wide|--game six and --empty|take a photo from above")
WIDE, HIGH, OUT = 600.0, 430.0, 20.0
CORNERS = ((-OUT, -OUT), (WIDE + OUT, -OUT), (WIDE + OUT, HIGH + OUT), (-OUT, HIGH + OUT))
FACES = [code for code in CODES if code.game == "nimmt"][3:60:11]
CARDS = tuple(
    DrawnCard(code.game, code.piece, 45 + 60 * n, 55 + 90 * (n % 2), 2.0 * n, payload=code.payload)
    for n, code in enumerate(FACES)
)
TABLE = Scene(
    RenderCamera.over(Area(-80, -80, WIDE + 80, HIGH + 80), 2.5, tilt=5.0),
    "wood",
    1,
    markers=tuple(DrawnMarker(name, x, y) for name, (x, y) in enumerate(CORNERS)),
    cards=CARDS,
    objects=(StrayObject("mug", 540, 350),),
    sensor=Sensor(noise=0.8),
)
BARE = Scene(TABLE.camera, "wood", 1, markers=TABLE.markers, sensor=TABLE.sensor, seed=9)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pictures")
    cv2.imwrite(str(made / "table.png"), render_scene(TABLE))
    cv2.imwrite(str(made / "bare.png"), render_scene(BARE))
    grey, _ = paste_stickers(3, tuple(code.payload for code in FACES), 3.0)
    cv2.imwrite(str(made / "loose.png"), grey)
    cv2.imwrite(str(made / "loose.jpg"), grey)
    return made


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def answers(*words: str | Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("read", *words).stdout.splitlines()]


@pytest.fixture
def no_zbar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyzbar", None)


def test_a_missing_decoder_is_reported(folder: Path, no_zbar: None) -> None:
    told = run("read", folder / "loose.png", "--decoder", "zbar")
    assert told.exit_code == 1
    assert told.stderr == "Error: zbar is not installed: apt install libzbar0, or read without --decoder\n"


def test_the_program_imports_without_pyzbar() -> None:
    modules = "vision.live.frame_reading, firmware.cli.read, firmware.app.app"
    without = f"import sys; sys.modules['pyzbar'] = None; import {modules}"
    assert subprocess.run([sys.executable, "-c", without], capture_output=True, text=True).stderr == ""


def test_one_object_for_each_picture_with_every_key(folder: Path) -> None:
    table, loose = answers(folder / "table.png", folder / "loose.png", "--json")
    keys = ["image", "size", "mat", "tags", "tiles", "backs", "unseen", "unseen_mm", "covers", "notes", "ms"]
    assert list(table) == list(loose) == keys
    assert table["size"] == [TABLE.camera.width, TABLE.camera.height]
    assert set(table["mat"]) == {"found", "error_mm"}
    tag_keys = ["payload", "piece", "corners", "mm", "angle", "zone", "by"]
    assert all(list(tag) == tag_keys for tag in table["tags"])


def test_cards_have_positions_and_zones_and_hidden_zones_are_listed(folder: Path) -> None:
    (answer,) = answers(folder / "table.png", "--game", "nimmt", "--empty", folder / "bare.png")
    assert answer["mat"]["found"]
    assert answer["mat"]["error_mm"] < 0.3
    tags = {tag["piece"]: tag for tag in answer["tags"]}
    assert set(tags) == {card.piece for card in CARDS}
    for card in CARDS:
        assert tags[card.piece]["mm"] == pytest.approx([card.x, card.y], abs=3)
        assert tags[card.piece]["angle"] == pytest.approx(card.angle, abs=2)
        assert tags[card.piece]["zone"] in ("row:1", "row:2")
        assert len(tags[card.piece]["corners"]) == 4
    assert [zone for zone in answer["unseen"] if zone.startswith("seat")]
    assert not [zone for zone in answer["unseen"] if zone.startswith("row")]
    assert answer["notes"] == []


def test_overlaps_face_down_cards_and_unseen_places_are_told(folder: Path, tmp_path: Path) -> None:
    upper = replace(CARDS[0], x=CARDS[0].x + 30, piece="9", payload=next(c.payload for c in CODES if c.piece == "9"))
    down = DrawnCard("nimmt", "9", 430, 60, 5, face_down=True)
    scene = replace(TABLE, cards=(CARDS[0], upper, down))
    picture = write(tmp_path / "some.png", render_scene(scene))
    (answer,) = answers(picture, "--game", "nimmt", "--empty", folder / "bare.png")
    assert answer["covers"] == [["9", CARDS[0].piece]]
    (back,) = answer["backs"]
    assert back["zone"].startswith("seat:")
    assert back["mm"] == pytest.approx([430, 60], abs=2)
    assert abs(back["angle"]) == pytest.approx(85, abs=2)
    assert any(inside(polygon, 540, 350) for polygon in answer["unseen_mm"])
    assert not any(inside(polygon, *back["mm"]) for polygon in answer["unseen_mm"])


def inside(polygon: list[list[float]], x: float, y: float) -> bool:
    return cv2.pointPolygonTest(np.array(polygon, np.float32), (x, y), measureDist=False) >= 0


def test_a_tile_has_its_place_in_pixels_and_in_mm(folder: Path, tmp_path: Path) -> None:
    tiles = (DrawnTile("red", 200, 200), DrawnTile("red", 239, 200), DrawnTile("black", 219.5, 234))
    scene = replace(TABLE, cards=(), objects=(), tiles=tiles)
    picture = write(tmp_path / "tiles.png", render_scene(scene))
    (answer,) = answers(picture, "--game", "six", "--empty", folder / "bare.png")
    camera = TABLE.camera
    assert len(answer["tiles"]) == 3
    for tile in answer["tiles"]:
        assert list(tile) == ["colour", "board", "cell", "centre", "mm", "doubtful"]
        nearest = min(tiles, key=lambda drawn: np.hypot(drawn.x - tile["mm"][0], drawn.y - tile["mm"][1]))
        assert (tile["colour"], tile["doubtful"]) == (nearest.colour, False)
        assert tile["mm"] == pytest.approx([nearest.x, nearest.y], abs=3)
        assert tile["centre"] == pytest.approx(
            project_points(camera, np.array([[nearest.x, nearest.y, 0.0]]))[0].tolist(), abs=8
        )


def test_without_markers_positions_are_null_and_a_note_is_given(folder: Path) -> None:
    (answer,) = answers(folder / "loose.png")
    assert {tag["piece"] for tag in answer["tags"]} == {code.piece for code in FACES}
    assert {(tag["mm"], tag["angle"], tag["zone"]) for tag in answer["tags"]} == {(None, None, None)}
    assert answer["mat"] == {"found": False, "error_mm": None}
    assert "no corner markers" in answer["notes"][0]


def test_a_drawing_is_written_for_each_picture(folder: Path, tmp_path: Path) -> None:
    answers(folder / "loose.png", "--overlay", tmp_path / "one.png")
    answers(folder / "loose.png", folder / "table.png", "--overlay", tmp_path / "two.png")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "two-loose.png", "two-table.png"]
    assert cv2.imread(str(tmp_path / "one.png")).shape[2] == 3


def test_a_drawing_that_cannot_be_written_is_reported(folder: Path, tmp_path: Path) -> None:
    result = run("read", folder / "loose.png", "--overlay", tmp_path / "nowhere" / "one.png")
    assert result.exit_code == 1
    assert "cannot be written" in result.output


def write(path: Path, content: bytes | np.ndarray) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else cv2.imencode(path.suffix, content)[1].tobytes())
    return path


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        pytest.param("a.png", b"", "not a picture", id="empty"),
        pytest.param("a.txt", b"44 belongs in row 3", "not a picture", id="text"),
        pytest.param("a.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "cut short", id="half a PNG"),
        pytest.param("a.jpg", b"\xff\xd8\xff\xe0" + bytes(100), "cut short", id="half a JPEG"),
    ],
)
def test_a_file_that_is_no_picture_is_reported(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    path = write(tmp_path / name, content)
    result = run("read", path)
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert answer["tags"] == []
    assert why in answer["notes"][0]
    assert run("count", path).exit_code == 1


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_photograph_is_refused(folder: Path, tmp_path: Path, share: float) -> None:
    whole = (folder / "loose.jpg").read_bytes()
    (answer,) = answers(write(tmp_path / "cut.jpg", whole[: int(len(whole) * share)]))
    assert "cut short" in answer["notes"][0]
    assert answers(folder / "loose.jpg")[0]["tags"]


def test_a_missing_empty_table_is_named(folder: Path) -> None:
    result = run("read", folder / "loose.png", "--empty", folder / "none.png")
    assert result.exit_code == 1
    assert "the empty table" in json.loads(result.stdout)["notes"][0]


def test_a_missing_file_does_not_affect_the_others(folder: Path) -> None:
    result = run("read", folder / "none.png", folder / "loose.png")
    first, second = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert first["tags"] == []
    assert len(second["tags"]) == len(FACES)


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(np.zeros((300, 400, 3), np.uint8), id="black"),
        pytest.param(np.full((300, 400, 3), 255, np.uint8), id="white"),
        pytest.param(np.zeros((1, 1, 3), np.uint8), id="one pixel"),
        pytest.param(np.full((20, 3000), 128, np.uint8), id="a strip"),
        pytest.param(np.zeros((50, 60, 4), np.uint8), id="with transparency"),
    ],
)
@pytest.mark.parametrize("game", ["nimmt", "six"])
def test_empty_pictures_contain_no_pieces(tmp_path: Path, image: np.ndarray, game: str) -> None:
    (answer,) = answers(write(tmp_path / "a.png", image), "--game", game)
    assert answer["tags"] == answer["tiles"] == []
    assert answer["notes"]


def test_a_very_large_picture_is_answered_in_its_own_pixels(tmp_path: Path) -> None:
    grey, stuck = paste_stickers(3, tuple(code.payload for code in FACES[:2]), 3.0)
    large = np.zeros((8000, 6000), np.uint8)
    large[: grey.shape[0] * 4, : grey.shape[1] * 4] = np.kron(grey, np.ones((4, 4), np.uint8))
    (answer,) = answers(write(tmp_path / "large.png", large))
    assert {tag["payload"] for tag in answer["tags"]} == {tag.payload for tag in stuck}
    assert answer["size"] == [6000, 8000]
    by_payload = {tag["payload"]: tag["corners"] for tag in answer["tags"]}
    for tag in stuck:
        assert np.allclose(by_payload[tag.payload], 4 * np.asarray(tag.corners) + 1.5, atol=6)


def test_count_adds_the_bull_heads_of_a_pile(tmp_path: Path) -> None:
    pile = [code for code in BOOK.values() if code.game == "nimmt" and code.piece in ("55", "44", "30", "15", "7")]
    special = [code for code in CODES if code.piece == "fifth.1"]
    grey, _ = paste_stickers(6, tuple(code.payload for code in pile + special), 2.5, weather=Degradation())
    path = write(tmp_path / "pile.png", grey)
    assert run("count", path).stdout.splitlines()[0] == "5 cards, 18 bull heads"
    counted = json.loads(run("count", path, "--json").stdout)
    assert counted["cards"] == [7, 15, 30, 44, 55]
    assert (counted["count"], counted["heads"]) == (5, 18)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.name)
def test_a_picture_of_the_documents_is_read_or_the_answer_says_what_it_needs(picture):
    answer = json.loads(CliRunner().invoke(main, ["read", "--json", str(picture)]).stdout)
    assert answer["tags"] or answer["tiles"] or any(NEEDS.search(note) for note in answer["notes"]), answer


def test_a_picture_as_wide_as_the_answer_asks_for_is_read(tmp_path):
    sharp = render_scene(replace(TABLE, camera=RenderCamera.over(Area(-80, -80, WIDE + 80, HIGH + 80), 4.0)))

    def read_at(width: int) -> dict[str, object]:
        scale = width / sharp.shape[1]
        small = cv2.resize(sharp, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(tmp_path / "photo.png"), small)
        answer = json.loads(CliRunner().invoke(main, ["read", "--json", str(tmp_path / "photo.png")]).stdout)
        assert answer["mat"]["found"]
        return answer

    poor = read_at(600)
    assert poor["tags"] == []
    wanted = next(int(found[1]) for note in poor["notes"] if (found := NEEDS.search(note)) and found[1])
    assert 600 < wanted < 3000
    assert len(read_at(round(wanted * 1.25))["tags"]) == len(CARDS)
