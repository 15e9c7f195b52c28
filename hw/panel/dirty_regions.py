"""Dirty regions: which bytes changed, in the pages of eight rows in which small panels store their dots."""

from dataclasses import dataclass

from PIL import Image

HIGH = 8
BRIDGE = 8
"""Gaps up to this many columns are sent too: addressing the second region costs as much."""
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

Pages = tuple[bytes, ...]
"""One byte for each column, the top row in its lowest bit."""


@dataclass(frozen=True, slots=True)
class DirtyRun:
    """Bytes of one page from a column on."""

    page: int
    column: int
    data: bytes


def to_pages(image: Image.Image) -> Pages:
    count = -(-image.height // HIGH)
    turned = image.convert("1").transpose(Image.Transpose.TRANSPOSE).tobytes().translate(REVERSED)
    return tuple(turned[page::count] for page in range(count))


def find_changed_runs(before: Pages, after: Pages) -> tuple[DirtyRun, ...]:
    """The runs to send so that a panel with ``before`` shows ``after``."""
    found: list[DirtyRun] = []
    for page, (old, new) in enumerate(zip(before, after, strict=True)):
        first = last = -1
        for column in (at for at, (a, b) in enumerate(zip(old, new, strict=True)) if a != b):
            if first >= 0 and column - last > BRIDGE:
                found.append(DirtyRun(page, first, new[first : last + 1]))
                first = column
            elif first < 0:
                first = column
            last = column
        if first >= 0:
            found.append(DirtyRun(page, first, new[first : last + 1]))
    return tuple(found)
