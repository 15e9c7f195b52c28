"""The table of rights of ``docs/phones.md``, read as data: who may do which act when."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/phones.md"
ROLES = ("box", "host", "player", "no seat", "watcher")
MOMENTS = ("no game", "set-up", "round", "question", "paused", "round over", "match over")
GROUPS = {"always": MOMENTS, "in play": ("round", "question", "round over")}
RIGHTS = ("yes", "second", "all", "box", "asked", "host", "no")
NO_CELL = "\N{EN DASH}"
HEAD = ("act", "when", *ROLES, "because")
ALONE, BARE = "One player alone", "A box without screen and buttons"
BOXES = {ALONE: "alone", BARE: "bare"}
"""The headings below which the table is about another box or company than the usual one."""


@dataclass(frozen=True, slots=True)
class RightsRow:
    box: str
    act: str
    moments: tuple[str, ...]
    rights: tuple[str, ...]
    because: str

    def cells(self) -> "Iterator[RightsCell]":
        for moment in self.moments:
            for role, right in zip(ROLES, self.rights, strict=True):
                if right != NO_CELL:
                    yield RightsCell(self.box, self.act, moment, role, right)


@dataclass(frozen=True, slots=True)
class RightsCell:
    box: str
    act: str
    moment: str
    role: str
    right: str

    def __str__(self) -> str:
        where = "" if self.box == "usual" else f" ({self.box})"
        return f"{self.role}, {self.moment}{where}: {self.act}: {self.right}"


def read_rows(text: str) -> tuple[RightsRow, ...]:
    """All rows of the tables with the head of rights; a term that no legend has is an error."""
    rows = []
    box, inside = "usual", False
    for line in text.splitlines():
        if line.startswith("#"):
            box, inside = BOXES.get(line.lstrip("# "), "usual"), False
        fields = tuple(field.strip() for field in line.strip().strip("|").split("|"))
        if fields == HEAD:
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not set(line) <= set("|-: "):
            rows.append(_read_row(box, fields))
    return tuple(rows)


def _read_row(box: str, fields: tuple[str, ...]) -> RightsRow:
    if len(fields) != len(HEAD):
        raise ValueError(f"{fields[0]}: {len(fields)} columns, not {len(HEAD)}")
    act, when, *rights, because = fields
    moments: list[str] = []
    for name in when.split(", "):
        moments += GROUPS.get(name, (name,))
    unknown = [name for name in moments if name not in MOMENTS]
    unknown += [right for right in rights if right not in (*RIGHTS, NO_CELL)]
    if unknown:
        raise ValueError(f"{act}: no legend has {', '.join(unknown)}")
    if not because:
        raise ValueError(f"{act}: no reason")
    return RightsRow(box, act, tuple(moments), tuple(rights), because)
