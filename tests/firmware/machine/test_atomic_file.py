"""A file that is written durably: the old content or the new one, with its permissions."""

import os

import pytest

from firmware.machine import atomic_file
from firmware.machine.atomic_file import write_durably


@pytest.mark.parametrize(
    ("mode", "before", "after"), [(None, 0o640, 0o640), (0o600, 0o644, 0o600), (0o600, None, 0o600)]
)
def test_permissions_are_kept_unless_given(tmp_path, mode, before, after):
    path = tmp_path / "file"
    if before is not None:
        path.write_text("old")
        path.chmod(before)
    write_durably(path, b"new", mode=mode)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == after


def test_file_and_folder_are_synced_before_and_after_the_rename(tmp_path, monkeypatch):
    """A folder that is not synced may still show the old name after a power cut."""
    path, order = tmp_path / "file", []
    monkeypatch.setattr(atomic_file, "fsync_path", lambda synced: order.append((synced.name, path.exists())))
    write_durably(path, b"new")
    assert order == [("file.new", False), (tmp_path.name, True)]


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_an_error_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, step):
    path = tmp_path / "file"
    path.write_text("old")

    def fail(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*{"open": (os, "open"), "fsync": (os, "fsync"), "replace": (type(path), "replace")}[step], fail)
    with pytest.raises(OSError, match="No space left"):
        write_durably(path, b"new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]
