"""Checksums of the journal: each entry is chained to the one before it, each game has one of its head and its end.

They find damage and exchanged copies. A person who may write the file can compute them too.
"""

import json
from functools import reduce
from hashlib import sha256

Seal = bytes
NO_GAMES: Seal = bytes(32)
"""Total of a journal without games."""


def seal_birth(token: str, name: str, options: str, began: float) -> Seal:
    """What a game was begun with. The first entry is chained to this."""
    return _hash("birth", token, name, options, began)


def seal_entry(before: Seal, number: int, entry: str, told: str, at: float) -> Seal:
    return _hash("entry", before, number, entry, told, at)


def seal_state(birth: Seal, ended: float | None, how: str | None, people: str, entries: int, last: Seal | None) -> Seal:
    """The state of a game: its end, the ids of its people, and how many entries it has, up to the seal of the last."""
    return _hash("state", birth, ended, how, people, entries, last)


def seal_person(id: int, name: str) -> Seal:
    """A name stands alone, outside every chain, so that it can be forgotten."""
    return _hash("person", id, name)


def add_to_total(total: Seal, *states: Seal) -> Seal:
    """The total of all games with these states added; a state that is added a second time is removed."""
    return reduce(lambda a, b: bytes(x ^ y for x, y in zip(a, b, strict=True)), states, total)


def _hash(*fields: object) -> Seal:
    told = [field.hex() if isinstance(field, bytes) else field for field in fields]
    return sha256(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")).digest()
