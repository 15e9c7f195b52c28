"""Bugs worth planting: each one shipped in a published engine for one of these games, or would shame this one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bug:
    """``text`` stands once in ``file``, ``instead`` of it the bug; ``tests`` is a quick selection that must fail."""

    name: str
    file: str
    text: str
    instead: str
    tests: tuple[str, ...]
    quick: bool = False


BUGS: tuple[Bug, ...] = ()
