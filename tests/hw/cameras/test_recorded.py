"""Folders and videos deliver frames with their times, and report what they skip."""

import cv2
import numpy as np
import pytest

from hw.camera import NoCamera, open_camera
from hw.cameras.images import is_truncated
from hw.cameras.video import next_frame_time

SHADES = (0, 60, 120, 180, 240)


def picture(shade, size=(120, 160)):
    return np.full((*size, 3), (shade, 255 - shade, shade), np.uint8)


PICTURES = tuple(picture(shade) for shade in SHADES)


@pytest.fixture
def folder(tmp_path):
    for n, shade in enumerate(SHADES):
        cv2.imwrite(str(tmp_path / f"look-{n:02d}.png"), picture(shade))
    return tmp_path


@pytest.fixture
def video(tmp_path):
    def make(name="evening.mp4", codec="mp4v", pictures=PICTURES):
        file = tmp_path / name
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*codec), 5, (160, 120))
        for shown in pictures:
            writer.write(shown)
        writer.release()
        assert file.exists(), f"this OpenCV cannot write {codec}"
        return file

    return make


def frames(name, **given):
    notes = []
    with open_camera(str(name), note=notes.append, **given) as camera:
        shown = []
        while (frame := camera.read(0)) is not None:
            shown.append(frame)
        assert camera.over
        assert camera.read(0) is None
    return shown, [str(note) for note in notes]


def times(shown):
    return [pytest.approx(frame.at) for frame in shown]


def test_pictures_of_a_folder_come_by_name_at_an_even_pace(folder):
    shown, notes = frames(f"files:{folder}", fps=4, start=100)
    assert times(shown) == [100, 100.25, 100.5, 100.75, 101]
    assert notes == []
    for frame, shade in zip(shown, SHADES, strict=True):
        assert frame.grey.shape == (120, 160)
        assert (frame.colour() == picture(shade)).all()
        assert (frame.grey == cv2.cvtColor(picture(shade), cv2.COLOR_BGR2GRAY)).all()


def test_times_come_from_the_index(folder):
    (folder / "index.csv").write_text("".join(f"look-{n:02d}.png,{n * n}\n" for n in range(len(SHADES))))
    shown, _ = frames(f"files:{folder}", start=0.5)
    assert times(shown) == [0.5, 1.5, 4.5, 9.5, 16.5]


def test_a_picture_missing_from_the_index_is_skipped_with_a_note(folder):
    (folder / "index.csv").write_text("look-01.png,7\n")
    shown, notes = frames(f"files:{folder}")
    assert times(shown) == [7]
    assert notes == [f"camera_not_in_index value=look-0{n}.png" for n in (0, 2, 3, 4)]


def cut(data):
    return data[: len(data) // 2]


DAMAGE = {
    "png cut short": (".png", cut),
    "jpeg cut short": (".jpg", cut),
    "jpeg without its end": (".jpg", lambda data: data[:-70]),
    "jpeg that stops a byte early": (".jpg", lambda data: data[:-1]),
    "png without its end": (".png", lambda data: data[:-12]),
    "empty file": (".png", lambda data: b""),
    "text": (".jpg", lambda data: b"once upon a time"),
    "a header and zeros": (".png", lambda data: data[:40] + bytes(400) + data[-12:]),
}


@pytest.mark.parametrize(("ending", "damage"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_picture_is_skipped_with_a_note_and_keeps_the_times(folder, ending, damage):
    for old in folder.glob("look-02*"):
        old.unlink()
    noisy = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)
    (folder / f"look-02{ending}").write_bytes(damage(cv2.imencode(ending, noisy)[1].tobytes()))
    shown, notes = frames(f"files:{folder}", fps=10)
    assert times(shown) == [0, 0.1, 0.3, 0.4]
    assert notes == [f"camera_bad_picture value=look-02{ending}"]


SMALL, LARGE = (cv2.imencode(".jpg", picture(9, size))[1].tobytes() for size in ((24, 32), (240, 320)))
WHOLE_PNG = cv2.imencode(".png", picture(9, (24, 32)))[1].tobytes()
FILES = {
    "whole": (LARGE, False),
    "whole, with data after it": (LARGE + b"made by a phone" * 99, False),
    "whole, with a thumbnail in its header": (LARGE[:2] + SMALL + LARGE[2:], False),
    "without its end": (LARGE[:-2], True),
    "without its end, but with that of the thumbnail": (LARGE[:2] + SMALL + LARGE[2:-2], True),
    "a PNG": (WHOLE_PNG, False),
    "a PNG with data after it": (WHOLE_PNG + b"made by a phone" * 99, False),
    "a PNG without its end": (WHOLE_PNG[:-12], True),
    "another format": (b"RIFF and so on", False),
}


@pytest.mark.parametrize(("data", "is_torn"), FILES.values(), ids=FILES)
def test_a_file_without_its_own_end_marker_is_truncated(data, is_torn):
    assert is_truncated(data) == is_torn


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_data_after_the_end_of_a_picture_is_ignored(folder, ending):
    (folder / f"look-09{ending}").write_bytes(cv2.imencode(ending, picture(9))[1].tobytes() + b"made by a phone" * 99)
    shown, notes = frames(f"files:{folder}")
    assert (len(shown), notes) == (6, [])


def test_a_deleted_picture_is_skipped(folder):
    notes = []
    with open_camera(f"files:{folder}", note=notes.append) as camera:
        (folder / "look-00.png").unlink()
        assert camera.read(0).at == pytest.approx(0.1)
    assert [note.id for note in notes] == ["camera_bad_picture"]


def test_a_closed_folder_delivers_no_frames(folder):
    camera = open_camera(f"files:{folder}")
    camera.close()
    camera.close()
    assert camera.read(0) is None


BAD_INDEX = {
    "time is not a number": ("look-00.png,soon\n", "camera_bad_index value=index.csv row=1"),
    "no comma": ("look-00.png,0\nlook-01.png\n", "camera_bad_index value=index.csv row=2"),
    "not text": (b"\xff\xfe\x00", "camera_bad_index value=index.csv row=1"),
    "equal times": ("look-00.png,3\nlook-01.png,3\n", "camera_index_order value=look-01.png"),
    "decreasing times": ("look-00.png,3\nlook-01.png,2\n", "camera_index_order value=look-01.png"),
    "nan": ("look-00.png,nan\n", "camera_index_order value=look-00.png"),
    "infinity": ("look-00.png,inf\n", "camera_index_order value=look-00.png"),
}


@pytest.mark.parametrize(("index", "says"), BAD_INDEX.values(), ids=BAD_INDEX)
def test_an_invalid_index_is_reported_with_its_line(folder, index, says):
    (folder / "index.csv").write_bytes(index if isinstance(index, bytes) else index.encode())
    with pytest.raises(NoCamera, match=f"^{says}$"):
        open_camera(f"files:{folder}")


@pytest.mark.parametrize("fps", [0, -1, float("nan"), float("inf")])
def test_a_frame_rate_that_is_not_positive_is_refused(folder, fps):
    with pytest.raises(ValueError, match="frames a second"):
        open_camera(f"files:{folder}", fps=fps)


@pytest.mark.parametrize(("name", "codec"), [("a.mp4", "mp4v"), ("a.avi", "MJPG"), ("a.mkv", "FFV1")])
def test_frames_of_a_video_have_its_times(video, name, codec):
    shown, notes = frames(f"video:{video(name, codec)}", start=50)
    assert times(shown) == [50, 50.2, 50.4, 50.6, 50.8]
    assert notes == []
    for frame, shade in zip(shown, SHADES, strict=True):
        assert frame.grey.shape == (120, 160)
        assert abs(frame.colour().astype(int) - picture(shade)).mean() < 8


TIMESTAMPS = {
    "the first timestamp is used": (0.0, None, 0.0),
    "an increasing timestamp is used": (3.0, 2.0, 3.0),
    "an equal timestamp becomes one step later": (2.0, 2.0, 2.2),
    "a decreasing timestamp becomes one step later": (0.0, 2.0, 2.2),
    "nan becomes one step later": (float("nan"), 2.0, 2.2),
}


@pytest.mark.parametrize(("at", "last", "is_at"), TIMESTAMPS.values(), ids=TIMESTAMPS)
def test_frame_times_of_a_video_always_increase(at, last, is_at):
    assert next_frame_time(at, last, 0.2) == pytest.approx(is_at)


def test_a_truncated_video_delivers_the_frames_before_the_cut(video):
    file = video("a.avi", "MJPG", pictures=np.random.default_rng(2).integers(0, 255, (5, 120, 160, 3), np.uint8))
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * 0.7)])
    shown, _ = frames(f"video:{file}")
    assert 0 < len(shown) < len(SHADES)
    assert times(shown) == [n / 5 for n in range(len(shown))]


def test_a_closed_video_delivers_no_frames(video):
    camera = open_camera(f"video:{video()}")
    camera.close()
    camera.close()
    assert camera.read(0) is None
