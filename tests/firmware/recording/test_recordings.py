"""Recorded matches of every game and variant, replayed from their pictures: the same record, the same scores."""

import json
import resource
import shutil
import signal
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from engine.games import GAMES
from engine.log import Log
from engine.table import Area
from engine.text import say
from engine.view import View
from firmware.box.events import BoxFacts, FactsReady, PageChanged, PageStatus, Pressed, Ticked, parse_told
from firmware.box.flow_context import Context, Stopped
from firmware.box.flow_stack import Box
from firmware.box.flows.home_menu import Home
from firmware.cli import main
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import EndGame, PauseGame, Started, WriteEntries
from firmware.recording.delta_video import COARSE_BLOCKS, DeltaVideo
from firmware.recording.privacy import DOT_PX, keep_masked, mask_zones
from firmware.recording.reader import DamagedRecording, Recorded
from firmware.recording.replay import replay
from firmware.recording.writer import EVENTS_FILE, PARTS_FILE, Recording, record_pads
from firmware.runtime.companion import Companion
from hw.button_presses import Button, Press, PressKind
from hw.cameras.images import make_frame
from hw.frame import Frame
from vision.calibration.calibration_from_markers import update_calibration
from vision.calibration.camera_check import check_camera
from vision.frame import to_grey
from vision.live.perception import Perception
from vision.live.perception_events import FaultChanged
from vision.live.read_request import ReadRequest
from vision.sticker_and_marker_sizes import MARKER_MM

PLACE = Path(__file__).parents[2] / "recordings"
EIGHT_MB = 8_000_000
SOME = {"six"}


@cache
def replayed(name):
    return replay(Recorded(PLACE / name))


VARIANTS = {"nimmt": "variant", "thegame": "level"}


def test_every_variant_of_every_game_has_a_recorded_match():
    wanted = set()
    for game in GAMES.values():
        words = next((o.words for o in game.options if o.name == VARIANTS.get(game.name)), ("",))
        wanted |= {(game.name, word) for word in words}
    begun = [Recorded(folder).started for folder in PLACE.iterdir()]
    assert {(start.game, str(start.options.get(VARIANTS.get(start.game), ""))) for start in begun} == wanted


NAMES = sorted(folder.name for folder in PLACE.iterdir())


def kept(name):
    """The recorded entries and final pads, read without the pictures."""
    events = [json.loads(line) for line in lines(PLACE / name)[1:]]
    entries = [entry for event in events if event[0] == "wrote" for entry in event[1]]
    return entries, tuple((p, tuple(r), total, won) for p, r, total, won in next(e[1] for e in events if e[0] == "end"))


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_a_whole_match_whose_entries_come_to_its_scores(name):
    entries, pads = kept(name)
    started = Recorded(PLACE / name).started
    log = Log(GAMES[started.game], started.options)
    for entry in entries:
        log = log.add(log.parse(entry))
    view = log.game.view(log.state)
    assert view.over
    assert record_pads(view) == pads
    assert any(total for _, _, total, _ in pads)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_match_comes_to_the_same_record_and_the_same_scores(name, request):
    if name not in SOME and not request.config.getoption("--replays"):
        pytest.skip(f"{name} takes its time: 'make replays' replays it")
    done, (entries, pads) = replayed(name), kept(name)
    assert done.faults() == []
    assert list(done.then) == entries
    assert done.ended.pads == pads
    assert done.companion.log.game.view(done.companion.log.state).over


@pytest.mark.parametrize(
    ("name", "version", "dimensions"),
    [("nimmt-base", 1, 2), ("six", 1, 2), ("nimmt-base-in-colour", 4, 3), ("thegame-expert-in-colour", 4, 3)],
)
def test_from_version_4_on_colours_are_compared_with_the_empty_table(name, version, dimensions):
    recorded = Recorded(PLACE / name)
    assert json.loads(lines(recorded.folder)[0])[1] == version
    frames = [event for event in islice(recorded.events(), 60) if isinstance(event, Frame)]
    assert {frame.small_colour().ndim for frame in frames} == {dimensions}


def test_the_recorded_matches_are_small():
    assert sum(file.stat().st_size for file in PLACE.rglob("*") if file.is_file()) < EIGHT_MB


def lines(folder):
    return (folder / EVENTS_FILE).read_text(encoding="utf-8").splitlines()


def write(folder, rows):
    (folder / EVENTS_FILE).write_text("\n".join(rows) + "\n", encoding="utf-8")


@pytest.fixture
def start(tmp_path):
    """The beginning of a recording, up to its third change."""
    folder = tmp_path / "start"
    shutil.copytree(PLACE / "nimmt-base", folder)
    rows = lines(folder)
    changes = [n for n, row in enumerate(rows) if row.startswith('["frame"') and not row.endswith(",[]]")]
    write(folder, rows[: changes[2] + 1])
    return folder


def without_end(folder):
    """Cut the recording off, as after a power cut."""


def half_a_line(folder):
    write(folder, [*lines(folder)[:-1], lines(folder)[-1][:40]])


def no_parts(folder):
    (folder / PARTS_FILE).write_bytes((folder / PARTS_FILE).read_bytes()[:100])


def wrong_parts(folder):
    (folder / PARTS_FILE).write_bytes(b"x" * 10_000_000)


def outside(folder):
    rows = lines(folder)
    event = json.loads(rows[-1])
    event[4][0][0] = 100_000
    write(folder, [*rows[:-1], json.dumps(event)])


def no_event(folder):
    write(folder, [*lines(folder), '["coffee",1]'])


def add(folder, row):
    write(folder, [*lines(folder)[:11], row])


def names_in_a_row(folder):
    rows = lines(folder)
    write(folder, [rows[0].replace('"names":{"1":"Ana","2":"Ben"}', '"names":[]', 1), *rows[1:]])


def markers_of_nothing(folder):
    rows = lines(folder)
    write(folder, [rows[0].replace('{"names"', '{"marker_mm":0.0,"names"', 1), *rows[1:]])


def frame_of_nothing(folder):
    add(folder, '["frame",1.0,0,0,[]]')


def dots_in_place_of_a_table(folder):
    (folder / "empty.webp").write_bytes(cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes())


def folder_in_place_of_a_table(folder):
    (folder / "empty.png").mkdir()


def end_of_time(folder):
    add(folder, '["pressed",1e18,"ok","short"]')


def no_time(folder):
    add(folder, '["pressed",NaN,"ok","short"]')


def entry_without_a_word(folder):
    add(folder, '["wrote",[" "],"seen"]')


def nested_without_end(folder):
    add(folder, "[" * 100_000)


def newer(folder):
    head = json.loads(lines(folder)[0])
    write(folder, [json.dumps([head[0], 99, head[2]]), *lines(folder)[1:]])


def other_options(folder):
    rows = lines(folder)
    write(folder, [rows[0].replace("players=2", "players=77"), *rows[1:]])


def no_picture(folder):
    (folder / "empty.webp").write_bytes(b"no picture")


def empty_file(folder):
    (folder / EVENTS_FILE).write_text("", encoding="utf-8")


def gone(folder):
    shutil.rmtree(folder)


DAMAGES = {
    half_a_line: "events.jsonl, line",
    no_parts: "patch is not whole",
    wrong_parts: "patch is not whole",
    outside: "outside the picture",
    no_event: "line 12: Invalid value 'coffee'",
    names_in_a_row: "line 1: Expected `object`, got `array` - at `$.names`",
    markers_of_nothing: "line 1: Expected `float` >= 25.0 - at `$.marker_mm`",
    frame_of_nothing: "line 12: Expected `int` >= 16",
    dots_in_place_of_a_table: "empty.webp is no whole picture",
    folder_in_place_of_a_table: "empty.png: Is a directory",
    end_of_time: "the time 1e+18 cannot be",
    no_time: "line 12: ",
    entry_without_a_word: "line 12: ",
    nested_without_end: "line 12: ",
    newer: "newer Oxeye",
    other_options: "events.jsonl, line 1",
    no_picture: "empty.webp is no whole picture",
    empty_file: "not a recording",
    gone: "holds no recording",
    without_end: "the recording has no end",
}


@pytest.mark.parametrize(("damage", "says"), DAMAGES.items(), ids=[damage.__name__ for damage in DAMAGES])
def test_a_damaged_recording_says_what_is_wrong_with_it(start, damage, says):
    damage(start)
    out = CliRunner().invoke(main, ["replay", str(start), "--assert"])
    assert out.exit_code == 1
    assert says in out.output
    assert not isinstance(out.exception, DamagedRecording)


def press(*buttons):
    """One after the other, a second apart."""
    return [(lambda at, b=b: Pressed(Press(b, PressKind.LONG if b is MENU else PressKind.SHORT), at)) for b in buttons]


def told(words):
    return [lambda at: parse_told(words, "button", at)]


def page(code="", until=0.0, paired=None):
    return [lambda at: PageChanged(PageStatus("oxeye.local:8480", code, until, paired), at)]


def amiss(source, text):
    return [lambda at: FaultChanged(source, text, at)]


U, D, O, MENU = Button.UP, Button.DOWN, Button.OK, Button.BACK  # noqa: E741
PILES = Log(GAMES["thegame"], {"players": 2})
RESTS = Stopped(7, {1: "Ana", 2: "Ben"}, PILES.add(PILES.parse("play 12 up:1")))
BEGIN = told("game:begin thegame players=2")
EVENINGS = {
    "with a page the menu is longer": [*page(), *BEGIN, *press(MENU, U, U, O, D, O)],
    "a code that nobody took leaves another choice": [*page(), *page("123456", 99.0), *told("phone:pair"), *press(O)],
    "a phone that came in leaves another": [*page(), *told("phone:pair"), *page("", 0.0, 3.0), *press(O)],
    "what the box says of itself has a page more": [
        *told("box:about"),
        lambda at: FactsReady(BoxFacts("box", "oxeye.local:8480", "1", "9 GB", 9), at),
        *press(O, O, O, O, O, U, O),
    ],
    "a camera in trouble offers to go on by hand": [
        *BEGIN,
        *amiss("camera", say("camera_file", value="/home/ana/film.mp4")),
        *press(D, O, D, O, D, O, O),
    ],
    "a camera that sees again offers it no longer": [
        *BEGIN,
        *amiss("camera", say("camera_silent")),
        *amiss("camera", None),
        *press(D, O, D, O),
    ],
    "a paused game keeps its number": [
        *BEGIN,
        *told("game:pause"),
        *told("yes game:pause"),
        *told("game:stopped"),
        *press(O),
        *told("play 13 up:1"),
    ],
    "a game of another day is taken up": [*told("game:resume 7"), *press(MENU), *told("game:pause"), *press(D, O)],
    "time itself passes as it did": [*BEGIN, Ticked, *told("menu"), Ticked, Ticked, *press(D, O)],
}


@pytest.fixture
def journal(tmp_path):
    """A journal with nine games, of which the seventh is paused."""
    with closing(open_journal(tmp_path / "journal.sqlite")) as opened:
        for number in range(1, 10):
            game = opened.begin(Started("thegame", PILES.options, RESTS.names), 0.0)
            opened.apply(WriteEntries(tuple(map(str, RESTS.log.entries)), "seen"), game, 1.0)
            _ = (
                opened.apply(PauseGame(), game, 0.0)
                if number == RESTS.id
                else opened.apply(EndGame("given up"), game, 2.0)
            )
        yield opened


@pytest.mark.parametrize("happenings", EVENINGS.values(), ids=EVENINGS)
def test_an_evening_is_replayed_as_it_was(journal, tmp_path, happenings):
    recording = Recording(tmp_path / "new")
    box = Box(Context(stopped=(RESTS,), names_by_seat={1: "Ben"}), (Home(),))
    recording.begin(box, None, None, games=journal.highest())
    then = Companion(box, Perception(), journal, observers=[recording.record])
    for second, happening in enumerate(happenings, 1):
        then.handle(happening(second * 1.05))
    recording.end(View(say("home")))
    now = replay(Recorded(tmp_path / "new")).companion
    assert (now.view.prompt.id, now.view.offers) == (then.view.prompt.id, then.view.offers)
    assert (now.box.flows, now.box.cursor, now.box.fresh) == (then.box.flows, then.box.cursor, then.box.fresh)
    known = then.box.known
    assert replace(now.box.known, page=known.page, faults=known.faults, facts=known.facts) == known
    kept = (tmp_path / "new" / EVENTS_FILE).read_text(encoding="utf-8")
    assert not [secret for secret in ("123456", "oxeye.local", "/home/ana") if secret in kept]


def test_stickers_and_markers_of_another_size_are_seen_in_their_size(tmp_path):
    empty = Recorded(PLACE / "nimmt-base").empty
    eyes = Perception(empty, sticker_mm=14.0, marker_mm=2 * MARKER_MM)
    recording = Recording(tmp_path / "new")
    recording.begin(Box(Context(), (Home(),)), None, empty, sizes=eyes.sizes)
    right = Area(eyes.area[0] - 100.0, 0.0, eyes.area[0], eyes.area[1])
    kept = recording.frame(
        make_frame(np.full_like(empty, 255), 1.0), ReadRequest("read", "six", {"table": right}), eyes
    )
    recording.end(View(say("home")))
    done = replay(Recorded(tmp_path / "new")).companion.eyes
    assert (done.sizes, done.area) == ((14.0, 2 * MARKER_MM), eyes.area)
    calibration, _ = update_calibration(to_grey(empty), marker_mm=2 * MARKER_MM)
    x, y = calibration.to_px(np.array([(right.left + 50, right.bottom / 2)]))[0].round().astype(int)
    assert kept.grey[y, x] > 200


def test_another_score_than_then_is_found():
    done = replayed("nimmt-base")
    pads = tuple((player, rounds, total + 1, won) for player, rounds, total, won in done.ended.pads)
    other = type(done)(done.companion, (*done.now[:-1], "lay 1 1"), done.then, type(done.ended)(pads))
    assert [fault.split(":")[0] for fault in other.faults()] == [f"entry {len(done.now)}", "pads"]


@contextmanager
def no_room():
    """Files may not grow, as on a full disk."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


def test_a_disk_that_takes_no_more_ends_the_recording_and_nothing_else(tmp_path):
    told, frame = [], make_frame(noise(), 1.0)
    recording = Recording(tmp_path / "new", tell=told.append)
    recording.begin(Box(Context(), (Home(),)), None, None)
    aim = ReadRequest("aim")
    assert recording.frame(frame, aim, Perception()) is not frame
    with no_room():
        kept = [recording.frame(frame, aim, Perception()) for _ in range(3)]
    recording.end(View(say("home")))
    assert [text.id for text in told] == ["recording_ends"]
    assert kept[-1] is frame
    assert [type(event) for event in Recorded(tmp_path / "new").events()] == [Frame]


def test_a_disk_that_has_no_room_for_the_empty_table_keeps_no_game_from_its_start(tmp_path):
    told, empty, frame = [], noise(), make_frame(noise(), 1.0)
    recording = Recording(tmp_path / "new", tell=told.append)
    with no_room():
        assert recording.begin(Box(Context(), (Home(),)), None, empty) is empty
        assert recording.frame(frame, ReadRequest("aim"), Perception()) is frame
    recording.end(View(say("home")))
    assert [text.id for text in told] == ["recording_ends"]


def test_a_recording_without_free_space_is_refused_with_a_remedy(tmp_path):
    with no_room():
        out = CliRunner().invoke(main, ["record", str(tmp_path / "new"), "--camera", "sim", "--acts", "1"])
    assert out.exit_code == 1
    assert "free some space, or name a folder on another disk" in out.output
    assert list((tmp_path / "new").iterdir()) == []


def test_a_folder_with_something_in_it_is_not_recorded_over(tmp_path):
    (tmp_path / "holiday.jpg").write_bytes(b"sun")
    out = CliRunner().invoke(main, ["record", str(tmp_path), "--camera", "sim"])
    assert out.exit_code == 1
    assert "name a new folder" in out.output


def noise(level=120):
    return np.random.default_rng(1).integers(level - 4, level + 5, (320, 480, 3)).astype(np.uint8)


def test_what_moves_is_kept_too_coarsely_to_be_read_and_what_lies_still_is_sharp():
    film = DeltaVideo(noise(), noise(), quality=95)
    film.encode(noise())
    hand = noise()
    hand[100:200:4, 100:300] = 0  # stripes, as fine as the modules of a code
    film.encode(hand)
    moving = film.canvas.shown[112:192, 112:288, 0]
    assert moving.reshape(-1, COARSE_BLOCKS, moving.shape[1]).std(1).max() < 8
    film.encode(hand)
    assert np.abs(film.canvas.shown[100:200, 100:300].astype(int) - hand[100:200, 100:300]).mean() < 4


def test_when_a_hand_has_gone_the_table_under_it_costs_nothing():
    film = DeltaVideo(noise(), noise(), quality=95)
    film.encode(noise())
    hand = noise()
    hand[60:260, 100:300] = 30
    film.encode(hand)
    film.encode(noise())
    assert film.encode(noise()) == ()
    assert (film.canvas.shown == noise()).all()


def test_outside_the_zones_there_is_only_the_empty_table():
    empty = Recorded(PLACE / "nimmt-base").empty
    calibration, _ = update_calibration(to_grey(empty))
    zone = Area(200.0, 100.0, 300.0, 200.0)
    kept = keep_masked(np.full_like(empty, 255), mask_zones(calibration, [zone], empty.shape), empty)
    inside, beside = (
        calibration.to_px(np.array([spot]))[0].round().astype(int) for spot in ((250.0, 150.0), (450.0, 300.0))
    )
    assert (kept[inside[1], inside[0]] == 255).all()
    assert (kept[beside[1], beside[0]] == empty[beside[1], beside[0]]).all()


def set_up(picture, folder):
    """The picture as it is kept during camera set-up."""
    recording = Recording(folder, quality=95)
    kept = recording.frame(make_frame(picture, 1.0), ReadRequest("aim"), Perception())
    recording.end(View(say("home")))
    return kept


def test_while_the_camera_is_set_up_only_the_table_is_sharp(tmp_path):
    empty = Recorded(PLACE / "nimmt-base").empty
    calibration, _ = update_calibration(to_grey(empty))
    inside = mask_zones(calibration, (), empty.shape)
    people = np.where(inside[:, :, None], empty, np.random.default_rng(1).integers(0, 255, empty.shape, np.uint8))
    seen = set_up(people, tmp_path / "new")
    assert np.abs(seen.grey.astype(int) - to_grey(people))[inside].mean() < 4
    assert np.abs(np.diff(seen.grey.astype(int)))[~inside[:, 1:]].mean() < 255 / DOT_PX
    assert check_camera(seen.grey).area == check_camera(to_grey(people)).area


def test_as_long_as_the_table_is_not_known_only_its_markers_are_sharp(tmp_path):
    empty = Recorded(PLACE / "nimmt-base").empty
    half = empty.copy()
    half[:, : half.shape[1] // 2] = 128
    seen = set_up(half, tmp_path / "new")
    assert check_camera(seen.grey).missing == check_camera(to_grey(half)).missing == ("TL", "BL")
    high, wide = seen.grey.shape
    middle = seen.grey[high // 3 : 2 * high // 3, wide // 2 : 3 * wide // 4]
    assert middle.std(1).mean() < to_grey(half)[high // 3 : 2 * high // 3, wide // 2 : 3 * wide // 4].std(1).mean() / 2
