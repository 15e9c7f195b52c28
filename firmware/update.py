"""``oxeye update``: a new version from a package or by its tag, and the old one back by itself if it does not run."""

import hashlib
import os
import re
import shutil
import subprocess
import urllib.request
from contextlib import closing
from pathlib import Path

import click

from engine.text import Text, say
from firmware import journal_rows as rows
from firmware.journal_cli import journal_option
from firmware.journal_file import look
from firmware.journal_trouble import JournalTrouble
from firmware.probes import Machine as Probed
from firmware.probes import heard
from firmware.updating import NAME, Machine, Package, refusal
from firmware.updating_root import FOLDER, INCOMING, RESULT
from firmware.words import render

RELEASES = Path("/etc/oxeye/releases")
"""One line: the address below which each tag has its packages and their SHA256SUMS."""
TAG = re.compile(r"v?(\d+(?:\.\d+)+)")
SAFE = ("https://", "file://")


class Refused(click.ClickException):
    def __init__(self, why: Text) -> None:
        super().__init__(render(why))


@click.command(
    help="Install a new version: WHAT is a package (FILE.deb) or the tag of a release. The one that runs now is kept, "
    "and comes back by itself if the new one does not run. Not during a game, and not with too weak a power supply."
)
@click.argument("what")
@click.option("--anyway", is_flag=True, help="also while a game is on: it goes on afterwards")
@journal_option
def command(what: str, anyway: bool, path: Path) -> None:
    if os.geteuid() != 0:
        raise Refused(say("update_root"))
    if heard(("dpkg-query", "--status", NAME)) is None:
        raise Refused(say("update_no_package"))
    suite, architecture = this_suite(), told("dpkg", "--print-architecture")
    machine = Machine(suite, architecture, Probed().throttled(), playing=not anyway and playing(path))
    FOLDER.mkdir(exist_ok=True)
    fresh = FOLDER / f"{INCOMING}.part"
    bring(what, suite, architecture, fresh)
    try:
        why = refusal(package(fresh), machine)
        if why:
            raise Refused(why)
        fresh.replace(FOLDER / INCOMING)
    finally:
        fresh.unlink(missing_ok=True)
    (FOLDER / RESULT).unlink(missing_ok=True)
    click.echo("This takes a few minutes. Leave the power on.")
    done = subprocess.run(["systemctl", "start", "oxeye-update.service"], check=False)
    if (FOLDER / RESULT).exists():
        click.echo((FOLDER / RESULT).read_text(encoding="utf-8").strip())
    raise SystemExit(done.returncode)


def playing(journal: Path) -> bool:
    """A journal that nobody can read holds up no update: the new version may be what can."""
    try:
        with closing(look(journal)) as db:
            return any(played.runs for played in rows.games(db))
    except JournalTrouble:
        return False


def bring(what: str, suite: str, architecture: str, target: Path) -> None:
    """The package, as a file where nobody but root can exchange it."""
    if Path(what).is_file():
        shutil.copyfile(what, target)
        return
    tag = TAG.fullmatch(what)
    if tag is None:
        raise Refused(say("update_no_file"))
    releases = RELEASES.read_text(encoding="utf-8").strip() if RELEASES.exists() else ""
    if not releases.startswith(SAFE):
        raise Refused(say("update_nowhere"))
    fetch(f"{releases.rstrip('/')}/{what}", f"oxeye_{tag[1]}_{suite}_{architecture}.deb", target)


def fetch(address: str, name: str, target: Path) -> None:
    try:
        with urllib.request.urlopen(f"{address}/SHA256SUMS", timeout=30) as sums:
            known = dict(reversed(line.split()) for line in sums.read().decode().splitlines())
        with urllib.request.urlopen(f"{address}/{name}", timeout=30) as package, target.open("wb") as file:
            shutil.copyfileobj(package, file)
    except (OSError, ValueError):
        raise Refused(say("update_no_file")) from None
    with target.open("rb") as file:
        if known.get(name) != hashlib.file_digest(file, "sha256").hexdigest():
            target.unlink()
            raise Refused(say("update_wrong"))


def package(file: Path) -> Package:
    try:
        fields = told("dpkg-deb", "--field", str(file), "Package", "Version", "Architecture")
    except subprocess.CalledProcessError:
        raise Refused(say("update_wrong")) from None
    said = dict(line.split(": ", 1) for line in fields.splitlines())
    return Package(said["Package"], said["Version"], said["Architecture"])


def this_suite() -> str:
    system = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text("utf-8").splitlines() if "=" in line)
    return system.get("VERSION_CODENAME", "")


def told(*words: str) -> str:
    return subprocess.run(
        words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ).stdout.strip()
