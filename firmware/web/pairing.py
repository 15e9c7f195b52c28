"""Who may tell the box something: a short code lets a phone in, and a token keeps it in; time is an argument."""

import hmac
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

CODE_LIFETIME_S = 120.0
"""Seconds for which a code is good, once."""
MAX_WRONG_CODES = 5
"""So many wrong codes, and nobody is let in for a while."""
LOCKOUT_S = 60.0
TOKEN_LIFETIME_S = 90 * 86400.0
"""Seconds for which a token is good."""
MAX_PHONES = 64
"""Phones; the oldest makes room."""

Admission = Literal["paired", "wrong", "shut", "closed"]


@dataclass(frozen=True, slots=True)
class Token:
    """Only its hash: who reads the file is not let in."""

    digest: str
    until: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """``code`` is empty while nobody is asked in. ``until`` and ``shut`` are on a clock that never jumps."""

    code: str = ""
    until: float = 0.0
    wrong: int = 0
    shut: float = float("-inf")
    tokens: tuple[Token, ...] = ()


def open_pairing(pairing: Pairing, code: str, now: float) -> Pairing:
    """This code, and no other, is good for a while."""
    return replace(pairing, code=code, until=now + CODE_LIFETIME_S, wrong=0)


def close_pairing(pairing: Pairing) -> Pairing:
    return replace(pairing, code="")


def admit(pairing: Pairing, code: str, token: str, now: float, today: float) -> tuple[Pairing, Admission]:
    """What becomes of somebody who says this code; let in, he has this token. ``today`` is the time of day."""
    if now < pairing.shut:
        return pairing, "shut"
    if not pairing.code or now >= pairing.until:
        return close_pairing(pairing), "closed"
    if hmac.compare_digest(code.encode(), pairing.code.encode()):
        kept = tuple(old for old in pairing.tokens if today < old.until)[-(MAX_PHONES - 1) :]
        return Pairing(tokens=(*kept, Token(hash_token(token), today + TOKEN_LIFETIME_S))), "paired"
    if pairing.wrong + 1 < MAX_WRONG_CODES:
        return replace(pairing, wrong=pairing.wrong + 1), "wrong"
    return replace(pairing, code="", wrong=0, shut=now + LOCKOUT_S), "shut"


def is_paired(pairing: Pairing, token: str, today: float) -> bool:
    known = hash_token(token)
    return any(hmac.compare_digest(old.digest, known) and today < old.until for old in pairing.tokens)


def forget_token(pairing: Pairing, token: str) -> Pairing:
    known = hash_token(token)
    return replace(pairing, tokens=tuple(old for old in pairing.tokens if old.digest != known))


def hash_token(token: str) -> str:
    return sha256(token.encode()).hexdigest()
