"""The picture of the empty table survives a power cut, and a damaged picture is reported."""

import numpy as np
import pytest

from firmware.machine.empty_table import EMPTY_TABLE_FILE, EmptyTableError, load_empty_table, save_empty_table

COLOUR = np.random.default_rng(1).integers(0, 256, (40, 60, 3), np.uint8)


@pytest.mark.parametrize("picture", [COLOUR, COLOUR[..., 0]], ids=["colour", "grey"])
def test_a_saved_picture_is_loaded_unchanged(tmp_path, picture):
    folder = tmp_path / "state"
    assert load_empty_table(folder) is None
    save_empty_table(folder, picture)
    save_empty_table(folder, picture)
    assert (load_empty_table(folder) == picture).all()
    assert [path.name for path in folder.iterdir()] == [EMPTY_TABLE_FILE]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"no picture",
        lambda data: data[:50] + data[-16:],
    ],
    ids=["cut short", "empty", "text", "hollow"],
)
def test_a_damaged_picture_is_reported(tmp_path, spoil):
    save_empty_table(tmp_path, COLOUR)
    path = tmp_path / EMPTY_TABLE_FILE
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(EmptyTableError) as trouble:
        load_empty_table(tmp_path)
    assert trouble.value.text.id == "empty_unreadable"


def test_an_interrupted_write_leaves_the_old_picture(tmp_path):
    save_empty_table(tmp_path, COLOUR)
    (tmp_path / (EMPTY_TABLE_FILE + ".new")).write_bytes(b"\x89PNG half of")
    assert (load_empty_table(tmp_path) == COLOUR).all()
    save_empty_table(tmp_path, COLOUR[::-1])
    assert (load_empty_table(tmp_path) == COLOUR[::-1]).all()


def test_a_failed_write_is_reported(tmp_path):
    (tmp_path / "state").write_text("a file in the way")
    with pytest.raises(EmptyTableError) as trouble:
        save_empty_table(tmp_path / "state", COLOUR)
    assert trouble.value.text.id == "empty_not_saved"
