"""``oxeye update``: install a new version from a package or a release; the old one returns if the new one fails."""

import errno
import hashlib
import os
import re
import shutil
import subprocess
from contextlib import suppress
from http.client import HTTPException
from io import BytesIO
from pathlib import Path

import click

from engine.errors import InputError
from engine.name_value_pairs import parse_pairs
from engine.text import Text, say
from firmware.cli.journal_options import journal_option
from firmware.journal.errors import JournalError
from firmware.journal.row_sql import read_games
from firmware.journal.sqlite_file import CHECK_TIMEOUT_S, read_journal
from firmware.machine.atomic_file import replace_durably
from firmware.machine.downloads import SAFE_SCHEMES, download
from firmware.machine.machine_facts import Machine as Probed
from firmware.machine.machine_facts import run_command
from firmware.machine.update_decisions import PACKAGE_NAME, Outcome, Package, UpdateMachine, refuse_package
from firmware.machine.update_root import INCOMING_PACKAGE, KEPT_PACKAGE, RESULT_FILE, UPDATE_FOLDER

RELEASES_FILE = Path("/etc/oxeye/releases")
"""A file of one line: the address below which each release tag has its packages and SHA256SUMS."""
TAG_PATTERN = re.compile(r"v?(\d+(?:\.\d+)+)")
SUMS_LIMIT_BYTES, SUMS_LIMIT_S = 1 << 16, 60.0
PACKAGE_LIMIT_BYTES, PACKAGE_LIMIT_S = 300 << 20, 3600.0
"""A package with everything in it has about 90 MB; over a slow line it may take an hour."""
DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)
NOT_INSTALLED = (None, "", "not-installed", "config-files")
CHECKOUT_REMEDY = "In the folder that it was installed from: git pull, then sudo systemd/install.sh"


class UpdateRefused(InputError):
    """The package cannot be installed now."""


@click.command(
    help="Install a new version: WHAT is a package (FILE.deb) or the tag of a release. The present version is kept and "
    "returns if the new one does not run. Refused during a game and with a weak power supply."
)
@click.argument("what")
@click.option("--anyway", is_flag=True, help="install during a game too; the game continues afterwards")
@click.option("--downgrade", is_flag=True, help="install an older version than the present one")
@journal_option
def command(what: str, anyway: bool, downgrade: bool, path: Path) -> None:
    if os.geteuid() != 0:
        raise UpdateRefused(say("update_root"))
    if run_command(("dpkg-query", "--show", "--showformat=${db:Status-Status}", PACKAGE_NAME)) in NOT_INSTALLED:
        click.echo(CHECKOUT_REMEDY)
        raise UpdateRefused(say("update_no_package"))
    suite, architecture = read_suite(), run_tool("dpkg", "--print-architecture")
    installed = "" if downgrade else run_tool("dpkg-query", "--show", "--showformat=${Version}", PACKAGE_NAME)
    playing = not anyway and is_game_running(path)
    machine = UpdateMachine(suite, architecture, Probed().throttled(), playing, installed)
    prepare_update(what, machine, UPDATE_FOLDER)
    click.echo("This takes a few minutes. Leave the power on.")
    # systemd has started the update when the package appeared: this waits for its end
    subprocess.run(["systemctl", "start", "oxeye-update.service"], check=False)
    raise SystemExit(print_result(UPDATE_FOLDER))


def prepare_update(what: str, machine: UpdateMachine, folder: Path) -> None:
    """Put the package where systemd waits for it. A refused package, or a full disk, leaves nothing behind."""
    fresh = folder / f"{INCOMING_PACKAGE}.part"
    try:
        folder.mkdir(exist_ok=True)
        if (folder / INCOMING_PACKAGE).exists():
            raise UpdateRefused(say("update_running"))
        fetch_package(what, machine.suite, machine.architecture, fresh)
        if why := refuse_package(read_package(fresh), machine):
            raise UpdateRefused(why)
        for old in (RESULT_FILE, KEPT_PACKAGE):
            (folder / old).unlink(missing_ok=True)
        replace_durably(fresh, folder / INCOMING_PACKAGE)
    except OSError as why_not:
        raise UpdateRefused(explain_error(why_not)) from None
    finally:
        with suppress(OSError):
            fresh.unlink()


def print_result(folder: Path) -> int:
    """Print the result of the update; the exit code."""
    try:
        outcome = (folder / RESULT_FILE).read_text(encoding="utf-8").strip()
    except OSError:
        click.echo("The update ended without a result: 'journalctl -u oxeye-update' says why")
        return 1
    click.echo(outcome)
    return 0 if outcome == Outcome.UPDATED else 1


def is_game_running(journal: Path) -> bool:
    """Does a game run? An unreadable journal stops no update: the new version may be able to read it."""
    try:
        with read_journal(journal, CHECK_TIMEOUT_S) as db:
            return any(played.runs for played in read_games(db))
    except JournalError:
        return False


def fetch_package(what: str, suite: str, architecture: str, target: Path) -> None:
    """Copy or download the package to a file that only root can replace."""
    if Path(what).is_file():
        shutil.copyfile(what, target)
        return
    tag = TAG_PATTERN.fullmatch(what)
    if tag is None:
        raise UpdateRefused(say("update_no_file"))
    releases = RELEASES_FILE.read_text(encoding="utf-8").strip() if RELEASES_FILE.exists() else ""
    if not releases.startswith(SAFE_SCHEMES):
        raise UpdateRefused(say("update_nowhere"))
    download_package(f"{releases.rstrip('/')}/{what}", f"oxeye_{tag[1]}_{suite}_{architecture}.deb", target)


def download_package(address: str, name: str, target: Path) -> None:
    try:
        sums = BytesIO()
        download(f"{address}/SHA256SUMS", sums, most_bytes=SUMS_LIMIT_BYTES, most_s=SUMS_LIMIT_S)
        known = parse_sums(sums.getvalue().decode())
        with target.open("wb") as file:
            download(f"{address}/{name}", file, most_bytes=PACKAGE_LIMIT_BYTES, most_s=PACKAGE_LIMIT_S)
    except OSError as why:
        raise UpdateRefused(explain_error(why)) from None
    except (ValueError, HTTPException):
        raise UpdateRefused(say("update_no_file")) from None
    with target.open("rb") as file:
        if known.get(name) != hashlib.file_digest(file, "sha256").hexdigest():
            target.unlink()
            raise UpdateRefused(say("update_wrong"))


def parse_sums(text: str) -> dict[str, str]:
    """The SHA-256 of each file; a star before a name marks binary mode."""
    lines = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return {name.strip().removeprefix("*"): found for found, name in lines}


def explain_error(why: OSError) -> Text:
    return say("update_full") if why.errno in DISK_FULL_ERRORS else say("update_no_file")


def read_package(file: Path) -> Package:
    try:
        fields = run_tool("dpkg-deb", "--field", str(file), "Package", "Version", "Architecture")
    except subprocess.CalledProcessError:
        raise UpdateRefused(say("update_wrong")) from None
    said = dict(line.split(": ", 1) for line in fields.splitlines())
    return Package(said["Package"], said["Version"], said["Architecture"])


def read_suite() -> str:
    system = dict(parse_pairs(Path("/etc/os-release").read_text("utf-8").splitlines()))
    return system.get("VERSION_CODENAME", "")


def run_tool(*words: str) -> str:
    return subprocess.run(
        words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ).stdout.strip()
