"""Which dots of a screen have changed, in the eight rows high stripes in which small panels keep them."""

from dataclasses import dataclass

from PIL import Image

HIGH = 8
BRIDGE = 8
"""So many columns between two changes are sent along: to point at the second costs as much."""
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

Stripes = tuple[bytes, ...]
"""One byte for each column, the top row in its lowest bit."""


@dataclass(frozen=True, slots=True)
class DirtyRun:
    """Bytes of one stripe from a column on."""

    stripe: int
    column: int
    data: bytes


def stripes(image: Image.Image) -> Stripes:
    count = -(-image.height // HIGH)
    turned = image.convert("1").transpose(Image.Transpose.TRANSPOSE).tobytes().translate(REVERSED)
    return tuple(turned[stripe::count] for stripe in range(count))


def changes(before: Stripes, after: Stripes) -> tuple[DirtyRun, ...]:
    """What to send so that a panel that shows ``before`` shows ``after``."""
    found: list[DirtyRun] = []
    for stripe, (old, new) in enumerate(zip(before, after, strict=True)):
        first = last = -1
        for column in (at for at, (a, b) in enumerate(zip(old, new, strict=True)) if a != b):
            if first >= 0 and column - last > BRIDGE:
                found.append(DirtyRun(stripe, first, new[first : last + 1]))
                first = column
            elif first < 0:
                first = column
            last = column
        if first >= 0:
            found.append(DirtyRun(stripe, first, new[first : last + 1]))
    return tuple(found)
