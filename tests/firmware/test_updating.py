"""An update: what is refused, what comes after each step, and when a new version does run."""

import hashlib
import shutil
import subprocess
from contextlib import closing

import pytest
from click.testing import CliRunner

from firmware import update
from firmware.cli import main
from firmware.journal import open_journal
from firmware.updating import PATIENCE, STEADY, Machine, Outcome, Package, Service, Step, Watch, refusal
from firmware.updating_root import INCOMING, RESULT, shipped
from firmware.updating_root import update as go

OURS = Package("oxeye", "0.2.0+trixie", "arm64")
BOX = Machine("trixie", "arm64", power=0, playing=False)


@pytest.mark.parametrize(
    ("package", "machine", "why"),
    [
        pytest.param(OURS, BOX, None, id="ours for this machine"),
        pytest.param(OURS, Machine("trixie", "arm64", None, False), None, id="a machine that cannot tell its power"),
        pytest.param(Package("pi-hole", "0.2.0+trixie", "arm64"), BOX, "update_wrong", id="something else"),
        pytest.param(Package("oxeye", "0.2.0+bookworm", "arm64"), BOX, "update_wrong", id="for another suite"),
        pytest.param(Package("oxeye", "0.2.0+trixie", "amd64"), BOX, "update_wrong", id="for another processor"),
        pytest.param(OURS, Machine("trixie", "arm64", 0, True), "update_in_game", id="during a game"),
        pytest.param(OURS, Machine("trixie", "arm64", 0x1, False), "update_weak_power", id="with weak power"),
        pytest.param(
            OURS, Machine("trixie", "arm64", 0x50000, False), "update_weak_power", id="with power weak before"
        ),
        pytest.param(OURS, Machine("trixie", "arm64", 0x80008, False), None, id="a warm board is no weak supply"),
    ],
)
def test_what_may_be_installed(package, machine, why):
    found = refusal(package, machine)
    assert (found and found.id) == why


KEEP, INSTALL, RUNS, BACK = Step


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([(KEEP, True), (INSTALL, True), (RUNS, True)], Outcome.UPDATED),
        ([(KEEP, False)], Outcome.UNTOUCHED),
        ([(KEEP, True), (INSTALL, False), (BACK, True), (RUNS, True)], Outcome.UNDONE),
        ([(KEEP, True), (INSTALL, True), (RUNS, False), (BACK, True), (RUNS, True)], Outcome.UNDONE),
        ([(KEEP, True), (INSTALL, True), (RUNS, False), (BACK, False)], Outcome.STUCK),
        ([(KEEP, True), (INSTALL, True), (RUNS, False), (BACK, True), (RUNS, False)], Outcome.STUCK),
    ],
    ids=["it runs", "nothing can be kept", "no installation", "it does not run", "no way back", "the old one neither"],
)
def test_every_step_follows_from_the_one_before_and_the_end_is_written_down(tmp_path, answers, outcome):
    (tmp_path / INCOMING).touch()
    left = iter(answers)

    def do(step):
        expected, answer = next(left)
        assert step == expected
        return answer

    assert go(tmp_path, do) is outcome
    assert not [*left]
    assert (tmp_path / RESULT).read_text() == f"{outcome}\n"
    assert not (tmp_path / INCOMING).exists()


ON, OFF = Service(True, 7, 0), Service(False, 7, 0)


@pytest.mark.parametrize(
    ("seen", "ends"),
    [
        pytest.param([(0, OFF), (5, ON), (5 + STEADY, ON)], "runs", id="ready, and so for long enough"),
        pytest.param([(0, ON), (STEADY - 1, ON)], None, id="not yet for long enough"),
        pytest.param([(0, ON), (9, OFF), (10, ON), (STEADY, ON)], None, id="an end begins the time anew"),
        pytest.param(
            [(0, ON), (9, Service(True, 8, 0)), (STEADY, Service(True, 8, 0))], None, id="so does a new start"
        ),
        pytest.param([(0, OFF), (4, Service(True, 8, 1))], "fails", id="one start that failed is enough"),
        pytest.param([(0, OFF), (PATIENCE - 1, OFF)], None, id="a slow machine has its time"),
        pytest.param([(0, OFF), (PATIENCE, OFF)], "fails", id="but not all the time of the world"),
    ],
)
def test_a_version_runs_when_it_has_been_ready_without_a_new_start(seen, ends):
    watch = Watch(0.0)
    for now, service in seen:
        watch = watch.saw(service, now)
    assert (watch if isinstance(watch, str) else None) == ends


def test_what_only_an_installed_package_has_is_not_packed_again():
    status = (
        "Package: oxeye\nStatus: install ok installed\nVersion: 1\nConffiles:\n /etc/a 12\n /etc/b 34\nDepends: c\n d\n"
    )
    assert shipped(status) == "Package: oxeye\nVersion: 1\nDepends: c\n d\n"


@pytest.mark.parametrize(("how", "on"), [(None, True), ("paused", False)])
def test_a_game_that_was_put_aside_holds_up_nothing(tmp_path, how, on):
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        game = journal.begin("six", {}, {}, 1.0)
        if how:
            journal.pause(game)
        assert update.playing(tmp_path / "journal.sqlite") == on


def test_a_box_that_has_never_played_can_be_updated(tmp_path):
    assert not update.playing(tmp_path / "journal.sqlite")


@pytest.mark.parametrize(("who", "says"), [(1000, "sudo oxeye update"), (0, "run install.sh again")])
def test_it_takes_root_and_a_package(monkeypatch, who, says):
    monkeypatch.setattr("os.geteuid", lambda: who)
    monkeypatch.setattr(update, "heard", lambda words: None)
    done = CliRunner().invoke(main, ["update", "v0.2.0"])
    assert done.exit_code == 1
    assert says in done.output


@pytest.fixture
def releases(tmp_path, monkeypatch):
    """A place with one release; what it serves for each name can be changed."""
    monkeypatch.setattr(update, "RELEASES", tmp_path / "releases")
    (tmp_path / "releases").write_text(f"file://{tmp_path}\n")
    folder = tmp_path / "v0.2.0"
    folder.mkdir()
    deb = folder / "oxeye_0.2.0_trixie_arm64.deb"
    deb.write_bytes(b"a package")
    (folder / "SHA256SUMS").write_text(f"{hashlib.sha256(b'a package').hexdigest()}  {deb.name}\n")
    return deb


def test_a_release_is_fetched_by_its_tag(releases, tmp_path):
    update.bring("v0.2.0", "trixie", "arm64", tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == b"a package"


@pytest.mark.parametrize(
    ("what", "address", "served", "says"),
    [
        ("nonsense", None, None, "no such file or version"),
        ("v0.3.0", None, None, "no such file or version"),
        ("v0.2.0", "http://example.org", None, "give a file"),
        ("v0.2.0", None, b"something else", "not for this machine"),
    ],
    ids=["neither file nor tag", "no such release", "an address anybody could answer for", "not what was summed up"],
)
def test_what_cannot_be_fetched_is_told(releases, tmp_path, what, address, served, says):
    if address:
        (tmp_path / "releases").write_text(address)
    if served:
        releases.write_bytes(served)
    with pytest.raises(update.Refused, match=says):
        update.bring(what, "trixie", "arm64", tmp_path / "got")
    assert not (tmp_path / "got").exists()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not here")
def test_a_package_says_what_it_is_and_other_files_are_none(tmp_path):
    (tmp_path / "root/DEBIAN").mkdir(parents=True, mode=0o755)
    (tmp_path / "root/DEBIAN/control").write_text(
        "Package: oxeye\nVersion: 0.2.0+trixie\nArchitecture: arm64\nMaintainer: A <a@localhost>\nDescription: a\n"
    )
    subprocess.run(
        ["dpkg-deb", "--build", tmp_path / "root", tmp_path / "a.deb"], check=True, stdout=subprocess.DEVNULL
    )
    assert update.package(tmp_path / "a.deb") == OURS
    (tmp_path / "b.deb").write_text("none")
    with pytest.raises(update.Refused, match="not for this machine"):
        update.package(tmp_path / "b.deb")
