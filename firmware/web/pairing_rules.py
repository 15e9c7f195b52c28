"""Pairing of phones: a short code admits a phone, a token keeps it admitted; the time is an argument."""

import hmac
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

CODE_LIFETIME_S = 120.0
"""A code can be used once in this time."""
MAX_WRONG_CODES = 5
"""After these, no phone is admitted for ``LOCKOUT_S``."""
LOCKOUT_S = 60.0
TOKEN_LIFETIME_S = 90 * 86400.0
"""90 days."""
MAX_PHONES = 64
"""The oldest token is dropped for a new one."""

Admission = Literal["paired", "wrong", "shut", "closed"]


@dataclass(frozen=True, slots=True)
class Token:
    """Only the hash is kept: the file admits no phone."""

    digest: str
    until: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """``code`` is empty while pairing is closed. ``until`` and ``locked_until`` are monotonic times."""

    code: str = ""
    until: float = 0.0
    wrong: int = 0
    locked_until: float = float("-inf")
    tokens: tuple[Token, ...] = ()


def open_pairing(pairing: Pairing, code: str, now: float) -> Pairing:
    """Make this the only valid code."""
    return replace(pairing, code=code, until=now + CODE_LIFETIME_S, wrong=0)


def close_pairing(pairing: Pairing) -> Pairing:
    return replace(pairing, code="")


def admit(pairing: Pairing, code: str, token: str, now: float, today: float) -> tuple[Pairing, Admission]:
    """Check a code; a phone that is admitted gets this token. ``now`` is monotonic, ``today`` is wall-clock time."""
    if now < pairing.locked_until:
        return pairing, "shut"
    if not pairing.code or now >= pairing.until:
        return close_pairing(pairing), "closed"
    if hmac.compare_digest(code.encode(), pairing.code.encode()):
        return Pairing(tokens=add_token(pairing, token, today).tokens), "paired"
    if pairing.wrong + 1 < MAX_WRONG_CODES:
        return replace(pairing, wrong=pairing.wrong + 1), "wrong"
    return replace(pairing, code="", wrong=0, locked_until=now + LOCKOUT_S), "shut"


def add_token(pairing: Pairing, token: str, today: float) -> Pairing:
    """Admit a phone with this token; the oldest one goes if there are too many."""
    kept = tuple(old for old in pairing.tokens if today < old.until)[-(MAX_PHONES - 1) :]
    return replace(pairing, tokens=(*kept, Token(hash_token(token), today + TOKEN_LIFETIME_S)))


def is_paired(pairing: Pairing, token: str, today: float) -> bool:
    known = hash_token(token)
    return any(hmac.compare_digest(old.digest, known) and today < old.until for old in pairing.tokens)


def forget_token(pairing: Pairing, token: str) -> Pairing:
    known = hash_token(token)
    return replace(pairing, tokens=tuple(old for old in pairing.tokens if old.digest != known))


def hash_token(token: str) -> str:
    return sha256(token.encode()).hexdigest()
