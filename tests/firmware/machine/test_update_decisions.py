"""Updates: refusals, the order of steps, rollback, and the test whether a new version runs."""

import hashlib
import shutil
import subprocess
from contextlib import closing
from dataclasses import replace

import pytest
from click.testing import CliRunner

from firmware.cli import main, update
from firmware.journal.journal import open_journal
from firmware.journal.operation_types import PauseGame, Started
from firmware.machine import update_root
from firmware.machine.update_decisions import (
    START_TIMEOUT_S,
    STEADY_S,
    Outcome,
    Package,
    Service,
    ServiceProbe,
    Step,
    UpdateMachine,
    refuse_package,
)
from firmware.machine.update_root import INCOMING_PACKAGE, KEPT_PACKAGE, RESULT_FILE, conffiles, package_fields
from firmware.machine.update_root import run_update as go
from firmware.texts.names_times_errors import format_error
from tests.machines.containers import Folder

OURS = Package("oxeye", "0.2.0+trixie", "arm64")
BOX = UpdateMachine("trixie", "arm64", power=0, playing=False)


@pytest.mark.parametrize(
    ("package", "machine", "why"),
    [
        pytest.param(OURS, BOX, None, id="right package"),
        pytest.param(OURS, UpdateMachine("trixie", "arm64", None, False), None, id="unknown power supply"),
        pytest.param(Package("pi-hole", "0.2.0+trixie", "arm64"), BOX, "update_wrong", id="another package"),
        pytest.param(Package("oxeye", "0.2.0+bookworm", "arm64"), BOX, "update_wrong", id="another suite"),
        pytest.param(Package("oxeye", "0.2.0+trixie", "amd64"), BOX, "update_wrong", id="another architecture"),
        pytest.param(OURS, UpdateMachine("trixie", "arm64", 0, True), "update_in_game", id="during a game"),
        pytest.param(OURS, UpdateMachine("trixie", "arm64", 0x1, False), "update_weak_power", id="weak power"),
        pytest.param(
            OURS, UpdateMachine("trixie", "arm64", 0x50000, False), "update_weak_power", id="weak power since boot"
        ),
        pytest.param(OURS, UpdateMachine("trixie", "arm64", 0x80008, False), None, id="throttled by heat only"),
        pytest.param(OURS, replace(BOX, installed="0.10.0+trixie"), "update_older", id="an older version"),
        pytest.param(OURS, replace(BOX, installed="0.2.0+trixie"), None, id="the same version again"),
        pytest.param(OURS, replace(BOX, installed="0.1.10+trixie"), None, id="a newer version"),
    ],
)
def test_a_wrong_package_or_moment_is_refused(package, machine, why):
    found = refuse_package(package, machine)
    assert (found and found.id) == why


KEEP, INSTALL, RUNS, BACK, FINISH = Step


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
    ids=["runs", "not kept", "not installed", "does not run", "rollback fails", "neither version runs"],
)
def test_each_step_follows_the_previous_answer_and_the_outcome_is_saved(tmp_path, answers, outcome):
    (tmp_path / INCOMING_PACKAGE).touch()
    left = iter(answers)

    def do(step):
        expected, answer = next(left)
        assert step == expected
        return answer

    assert go(tmp_path, do) is outcome
    assert not [*left]
    assert (tmp_path / RESULT_FILE).read_text() == f"{outcome}\n"
    assert not (tmp_path / INCOMING_PACKAGE).exists()


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([(FINISH, True), (RUNS, True)], Outcome.UPDATED),
        ([(FINISH, False), (BACK, True), (RUNS, True)], Outcome.CUT_SHORT),
        ([(FINISH, True), (RUNS, False), (BACK, True), (RUNS, True)], Outcome.CUT_SHORT),
        ([(FINISH, False), (BACK, False)], Outcome.STUCK),
        ([(FINISH, False), (BACK, True), (RUNS, False)], Outcome.STUCK),
    ],
    ids=["installed and runs", "not installed", "does not run", "rollback fails", "neither version runs"],
)
def test_an_interrupted_update_is_finished_or_rolled_back(tmp_path, answers, outcome):
    (tmp_path / KEPT_PACKAGE).touch()
    test_each_step_follows_the_previous_answer_and_the_outcome_is_saved(tmp_path, answers, outcome)


def test_an_update_that_raises_is_not_repeated(tmp_path):
    (tmp_path / INCOMING_PACKAGE).touch()

    def do(step):
        raise TimeoutError

    with pytest.raises(TimeoutError):
        go(tmp_path, do)
    assert not (tmp_path / INCOMING_PACKAGE).exists()


ON, OFF = Service(True, 7, 0), Service(False, 7, 0)


@pytest.mark.parametrize(
    ("seen", "ends"),
    [
        pytest.param([(0, OFF), (5, ON), (5 + STEADY_S, ON)], "runs", id="ready for long enough"),
        pytest.param([(0, ON), (STEADY_S - 1, ON)], None, id="ready, not long enough"),
        pytest.param([(0, ON), (9, OFF), (10, ON), (STEADY_S, ON)], None, id="an end restarts the time"),
        pytest.param(
            [(0, ON), (9, Service(True, 8, 0)), (STEADY_S, Service(True, 8, 0))], None, id="a restart restarts the time"
        ),
        pytest.param([(0, OFF), (4, Service(True, 8, 1))], "fails", id="one failed start is enough"),
        pytest.param([(0, OFF), (START_TIMEOUT_S - 1, OFF)], None, id="a slow start is waited for"),
        pytest.param([(0, OFF), (START_TIMEOUT_S, OFF)], "fails", id="a start has a time limit"),
    ],
)
def test_a_version_runs_after_a_steady_time_without_a_restart(seen, ends):
    watch = ServiceProbe(0.0)
    for now, service in seen:
        watch = watch.saw(service, now)
    assert (watch if isinstance(watch, str) else None) == ends


@pytest.mark.parametrize("left", ["nothing", "a count", "a folder"])
def test_failures_of_the_old_version_do_not_count_for_the_new_one(tmp_path, monkeypatch, left):
    machine = Folder(tmp_path)
    monkeypatch.setenv("PATH", machine.environ["PATH"])
    monkeypatch.setattr(update_root, "FAILURES_FILE", failures := tmp_path / "failures")
    if left == "a count":
        failures.touch()
    if left == "a folder":
        failures.mkdir()
    assert update_root.install_package(tmp_path / "a.deb")
    assert not failures.is_file()
    first, last = machine.heard("systemctl", "apt-get")
    assert first == "systemctl reset-failed oxeye"
    assert last.startswith("apt-get install ")


needs_dpkg = pytest.mark.skipif(shutil.which("dpkg") is None, reason="dpkg is missing")


class Dpkg:
    """A dpkg database in its own folder."""

    def __init__(self, folder, monkeypatch):
        self._folder, self._info = folder, folder / "info"
        self._info.mkdir(parents=True)
        (folder / "updates").mkdir()
        monkeypatch.setenv("DPKG_ADMINDIR", str(folder))
        monkeypatch.setenv("DPKG_FORCE", "not-root,bad-path")
        (folder / ".dpkg.cfg").write_text("log /dev/null\n")
        monkeypatch.setenv("HOME", str(folder))

    def knows(self, status, version, files=(), conffiles=()):
        settings = "".join(f" {file} {'0' * 32}\n" for file in conffiles)
        (self._folder / "status").write_text(
            f"Package: oxeye\nStatus: {status}\nVersion: {version}\nArchitecture: all\n"
            f"Maintainer: A <a@localhost>\n{'Conffiles:' if settings else 'Section: games'}\n{settings}Description: a\n"
        )
        (self._info / "oxeye.list").write_text("".join(f"{file}\n" for file in files))


@pytest.fixture
def dpkg(tmp_path, monkeypatch):
    return Dpkg(tmp_path / "dpkg", monkeypatch)


def contents(deb, tmp_path):
    root = tmp_path / "contents"
    subprocess.run(["dpkg-deb", "--raw-extract", deb, root], check=True)
    return {f"/{path.relative_to(root)}" for path in root.rglob("*") if not path.is_dir()}, root / "DEBIAN/conffiles"


DELETED = {"nothing": (), "the settings": ("settings",), "a program too": ("settings", "program")}


@needs_dpkg
@pytest.mark.parametrize("gone", DELETED.values(), ids=DELETED)
def test_the_kept_package_holds_the_installed_files_that_exist(tmp_path, dpkg, gone):
    machine, target = tmp_path / "machine", tmp_path / "update/working.deb"
    for folder in (machine, target.parent):
        folder.mkdir()
    files = {name: machine / name for name in ("settings", "more", "program")}
    for file in files.values():
        file.touch()
    (machine / "link").symlink_to("nowhere")
    folders = "/.", *reversed(machine.parents[:-1]), machine
    dpkg.knows("install ok installed", "1.0", (*folders, *files.values(), machine / "link"),
               conffiles=(files["settings"], files["more"]))  # fmt: skip
    for name in gone:
        files[name].unlink()
    assert update_root.pack_installed(target)
    packed, conffiles = contents(target, tmp_path)
    left = {str(file) for name, file in files.items() if name not in gone}
    assert packed == left | {str(machine / "link"), "/DEBIAN/control", "/DEBIAN/conffiles"}
    assert {*conffiles.read_text().split()} == left - {str(files["program"])}
    assert [*target.parent.iterdir()] == [target]


@needs_dpkg
@pytest.mark.parametrize(
    ("status", "version", "there"),
    [
        pytest.param("install ok installed", "0.2.0+trixie", True, id="installed"),
        pytest.param("install ok unpacked", "0.2.0+trixie", True, id="unpacked"),
        pytest.param("install ok installed", "0.1.0+trixie", False, id="old version installed"),
        pytest.param("install reinstreq half-installed", "0.2.0+trixie", False, id="half-installed"),
    ],
)
def test_an_interrupted_installation_is_finished_if_possible(tmp_path, dpkg, a_package, status, version, there):
    dpkg.knows(status, version, ["/."])
    assert update_root.finish_installation(a_package) == there


@pytest.mark.parametrize("last", ["Depends: c\n d\n", ""])
def test_status_fields_of_dpkg_are_left_out_of_the_kept_package(last):
    status = f"Package: oxeye\nStatus: install ok installed\nVersion: 1\nConffiles:\n /etc/a 12\n /etc/b 34\n{last}"
    assert package_fields(status) == f"Package: oxeye\nVersion: 1\n{last}"
    assert conffiles(status) == ["/etc/a", "/etc/b"]


@pytest.mark.parametrize(("how", "on"), [(None, True), ("paused", False)])
def test_only_a_running_game_blocks_an_update(tmp_path, how, on):
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        game = journal.begin(Started("six", {}, {}), 1.0)
        if how:
            journal.apply(PauseGame(), game, 0.0)
        assert update.is_game_running(tmp_path / "journal.sqlite") == on


def test_a_missing_journal_does_not_block_an_update(tmp_path):
    assert not update.is_game_running(tmp_path / "journal.sqlite")


def test_a_damaged_journal_does_not_block_an_update(tmp_path):
    path = tmp_path / "journal.sqlite"
    with closing(open_journal(path)) as journal:
        journal.begin(Started("six", {}, {}), 1.0)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    assert not update.is_game_running(path)


@pytest.mark.parametrize(
    ("who", "status", "says"),
    [
        (1000, "installed", "sudo oxeye update"),
        (0, None, "run install.sh again"),
        (0, None, "git pull, then sudo systemd/install.sh"),
        (0, "config-files", "run install.sh again"),
    ],
    ids=["not root", "no package", "remedy without a package", "removed package"],
)
def test_an_update_needs_root_and_an_installed_package(monkeypatch, who, status, says):
    monkeypatch.setattr("os.geteuid", lambda: who)
    monkeypatch.setattr(update, "run_command", lambda words: status)
    done = CliRunner().invoke(main, ["update", "v0.2.0"])
    assert done.exit_code == 1
    assert says in done.output


@pytest.fixture
def releases(tmp_path, monkeypatch):
    """A server folder with one release."""
    monkeypatch.setattr(update, "RELEASES_FILE", tmp_path / "releases")
    (tmp_path / "releases").write_text(f"file://{tmp_path}\n")
    folder = tmp_path / "v0.2.0"
    folder.mkdir()
    deb = folder / "oxeye_0.2.0_trixie_arm64.deb"
    deb.write_bytes(b"a package")
    write_checksums(deb)
    return deb


def write_checksums(file, mark=" "):
    """Write SHA256SUMS as sha256sum does; ``mark`` is its text or binary mark."""
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    file.with_name("SHA256SUMS").write_text(f"{'0' * 64}  another.deb\n{found} {mark}{file.name}\n")


@pytest.mark.parametrize("mark", [" ", "*"], ids=["text mark", "binary mark"])
def test_a_release_is_fetched_by_its_tag(releases, tmp_path, mark):
    write_checksums(releases, mark)
    update.fetch_package("v0.2.0", "trixie", "arm64", tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == b"a package"


@pytest.mark.parametrize(
    ("what", "address", "served", "says"),
    [
        ("nonsense", None, None, "no such file or version"),
        ("v0.3.0", None, None, "no such file or version"),
        ("v0.2.0", "http://example.org", None, "name a package file"),
        ("v0.2.0", None, b"something else", "not for this machine"),
    ],
    ids=["neither file nor tag", "unknown release", "http without tls", "wrong checksum"],
)
def test_a_failed_download_is_reported(releases, tmp_path, what, address, served, says):
    if address:
        (tmp_path / "releases").write_text(address)
    if served:
        releases.write_bytes(served)
    with pytest.raises(update.UpdateRefused) as refused:
        update.fetch_package(what, "trixie", "arm64", tmp_path / "got")
    assert says in format_error(refused.value)
    assert not (tmp_path / "got").exists()


@pytest.fixture
def a_package(tmp_path):
    (tmp_path / "root/DEBIAN").mkdir(parents=True, mode=0o755)
    (tmp_path / "root/DEBIAN/control").write_text(
        "Package: oxeye\nVersion: 0.2.0+trixie\nArchitecture: arm64\nMaintainer: A <a@localhost>\nDescription: a\n"
    )
    subprocess.run(
        ["dpkg-deb", "--build", tmp_path / "root", tmp_path / "a.deb"], check=True, stdout=subprocess.DEVNULL
    )
    return tmp_path / "a.deb"


@needs_dpkg
def test_a_package_file_is_identified_and_other_files_are_refused(tmp_path, a_package):
    assert update.read_package(a_package) == OURS
    (tmp_path / "b.deb").write_text("none")
    with pytest.raises(update.UpdateRefused) as refused:
        update.read_package(tmp_path / "b.deb")
    assert "not for this machine" in format_error(refused.value)


@needs_dpkg
def test_a_prepared_update_is_complete_and_earlier_files_are_deleted(tmp_path, a_package):
    folder = tmp_path / "update"
    folder.mkdir()
    for old in (RESULT_FILE, KEPT_PACKAGE):
        (folder / old).touch()
    update.prepare_update(str(a_package), BOX, folder)
    assert [*folder.iterdir()] == [folder / INCOMING_PACKAGE]
    assert (folder / INCOMING_PACKAGE).read_bytes() == a_package.read_bytes()


@needs_dpkg
@pytest.mark.parametrize(
    ("trouble", "says"),
    [("an update that runs", "wait until it ends"), ("a full disk", "free some space"), ("a game", "A game is on")],
)
@pytest.mark.parametrize("what", ["a file", "a release"])
def test_an_update_that_cannot_be_prepared_is_refused_and_leaves_no_files(
    tmp_path, releases, a_package, trouble, says, what
):
    folder = tmp_path / "update"
    folder.mkdir()
    shutil.copy(a_package, releases)
    write_checksums(releases)
    if trouble == "an update that runs":
        (folder / INCOMING_PACKAGE).touch()
    if trouble == "a full disk":
        (folder / f"{INCOMING_PACKAGE}.part").symlink_to("/dev/full")
    before = {*folder.iterdir()} - {folder / f"{INCOMING_PACKAGE}.part"}
    (folder / KEPT_PACKAGE).touch()
    machine = replace(BOX, playing=trouble == "a game")
    with pytest.raises(update.UpdateRefused) as refused:
        update.prepare_update(str(a_package) if what == "a file" else "v0.2.0", machine, folder)
    assert says in format_error(refused.value)
    assert {*folder.iterdir()} == before | {folder / KEPT_PACKAGE}


@pytest.mark.parametrize(
    ("written", "says", "status"),
    [
        (Outcome.UPDATED, "the new version runs", 0),
        (Outcome.UNDONE, "the old one is back", 1),
        (None, "journalctl -u oxeye-update", 1),
    ],
    ids=["updated", "rolled back", "no result"],
)
def test_the_outcome_of_an_update_is_printed(tmp_path, capsys, written, says, status):
    if written:
        (tmp_path / RESULT_FILE).write_text(f"{written}\n")
    assert update.print_result(tmp_path) == status
    assert says in capsys.readouterr().out
