"""Recording matches: an existing recording is never overwritten, and every match must be known."""

import pytest

from tests.tools.record_matches import MATCHES, main


def test_an_existing_recording_is_refused_before_anything_is_recorded(tmp_path, capsys):
    kept = tmp_path / MATCHES[-1].name
    kept.mkdir()
    with pytest.raises(SystemExit) as ended:
        main(["--folder", str(tmp_path)])
    assert ended.value.code != 0
    assert MATCHES[-1].name in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [kept.name]


def test_an_unknown_match_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--folder", str(tmp_path), "chess"])
    assert "no such match: chess" in capsys.readouterr().err
