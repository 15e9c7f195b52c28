"""The paired phones, kept in a file that holds only hashes of their tokens."""

import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec

from firmware.machine.atomic_file import write_durably
from firmware.web.pairing_rules import (
    Admission,
    Pairing,
    Token,
    add_token,
    admit,
    close_pairing,
    forget_token,
    is_paired,
    open_pairing,
)

PHONES_FILE = "phones.json"
CODE_DIGITS = 6


class Phones:
    """Safe in any thread. ``clock`` is monotonic, ``today`` is wall-clock time.

    If the file cannot be read, every phone must be paired again; if it cannot be written, after the next start.
    """

    def __init__(
        self, folder: Path, *, clock: Callable[[], float] = time.monotonic, today: Callable[[], float] = time.time
    ) -> None:
        self._path = folder / PHONES_FILE
        self._clock = clock
        self._today = today
        self._lock = Lock()
        self._pairing = Pairing(tokens=self._read())

    def invite(self) -> str:
        """Open pairing with a new random code."""
        code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
        with self._lock:
            self._pairing = open_pairing(self._pairing, code, self._clock())
        return code

    def dismiss(self) -> None:
        with self._lock:
            self._pairing = close_pairing(self._pairing)

    def admit(self, code: str) -> tuple[Admission, str]:
        """The result, and the token of a phone that is admitted."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._pairing, answer = admit(self._pairing, code, token, self._clock(), self._today())
            if answer == "paired":
                self._write()
        return answer, token if answer == "paired" else ""

    def admit_here(self) -> str:
        """A token for the browser of this computer, which needs no code."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._pairing = add_token(self._pairing, token, self._today())
            self._write()
        return token

    def knows(self, token: str) -> bool:
        return bool(token) and is_paired(self._pairing, token, self._today())

    def forget(self, token: str) -> None:
        with self._lock:
            self._pairing = forget_token(self._pairing, token)
            self._write()

    def _read(self) -> tuple[Token, ...]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=tuple[Token, ...])
        except FileNotFoundError:
            return ()
        except (OSError, msgspec.MsgspecError) as why:
            print(f"{self._path}: {why}. Every phone has to be paired again.", file=sys.stderr)
            return ()

    def _write(self) -> None:
        try:
            write_durably(self._path, msgspec.json.encode(self._pairing.tokens), mode=0o600)
        except OSError as why:
            print(f"{self._path}: {why}", file=sys.stderr)
