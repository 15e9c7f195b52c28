"""Draw the default wiring of the box: which pin of the header goes to which terminal of a part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from hw.button_pins import DEFAULT_PINS
from hw.button_presses import Button

HEADER: tuple[str | int, ...] = (
    "3.3 V", "5 V", 2, "5 V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3.3 V", 24, 10, "GND",
    9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21,
)  # fmt: skip
"""Function of each header pin, from pin 1; a number is a GPIO."""
POWER, LIGHT, BUZZER = 26, (17, 27, 22), 12
"""GPIOs of the optional parts, as the documents suggest them."""

STEP, TOP, LEFT, WIDE, HIGH = 26, 96, 560, 940, 660
INK, SOFT, PAPER, BOARD = "#1d2733", "#8a94a0", "#ffffff", "#2f6b4f"
RED, BLACK, YELLOW, BLUE, GREEN, ORANGE = "#c8322b", "#23272e", "#b8860b", "#2a62b8", "#2c8a4b", "#c9661b"


@dataclass(frozen=True, slots=True)
class Wire:
    """From a header pin to a terminal of a part."""

    place: int
    leg: str
    colour: str


@dataclass(frozen=True, slots=True)
class Part:
    """``optional`` parts are drawn with a dashed line."""

    name: str
    note: str
    wires: tuple[Wire, ...]
    optional: bool = False


def find_pin(gpio: int) -> int:
    """The header pin of a GPIO."""
    return HEADER.index(gpio) + 1


def list_parts() -> tuple[Part, ...]:
    """All parts at the odd pins, from top to bottom."""
    lights = zip(LIGHT, ("red", "green", "blue"), (RED, GREEN, BLUE), strict=True)
    screen = (
        Wire(1, "VCC", RED),
        Wire(find_pin(2), "SDA", BLUE),
        Wire(find_pin(3), "SCL", YELLOW),
        Wire(9, "GND", BLACK),
    )
    return (
        Part("Screen", "OLED, I2C, wires under 30 cm", screen),
        Part(
            "Light",
            "each colour through 330 ohms",
            (*(Wire(find_pin(gpio), name, colour) for gpio, name, colour in lights), Wire(25, "GND", BLACK)),
            optional=True,
        ),
        *(Part(name.upper(), "", (Wire(find_pin(gpio), "", ORANGE),)) for name, gpio in DEFAULT_PINS.items()),
        Part(Button.POWER.upper(), "", (Wire(find_pin(POWER), "", ORANGE),), optional=True),
    )


def draw_wiring() -> str:
    """The wiring plan as SVG."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="13">',
        "<title>Wiring of the box</title>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="{PAPER}"/>',
        _text(LEFT + STEP, 34, "Raspberry Pi", size=18, bold=True),
        _text(LEFT + STEP, 54, "the 40 pins seen from above, the corner with place 1 up", colour=SOFT),
        f'<rect x="{LEFT - 18}" y="{TOP - 22}" width="{STEP + 36}" height="{20 * STEP + 18}" rx="8" fill="{BOARD}"/>',
        *_header(),
        *(line for part in list_parts() for line in _part(part)),
        *_ground(),
        *_buzzer(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _header() -> Iterator[str]:
    used = {wire.place for part in list_parts() for wire in part.wires} | {39, find_pin(BUZZER), 34}
    for place, what in enumerate(HEADER, 1):
        x, y = _at(place)
        colour = "#f3c64a" if place in used else "#c9d1d6"
        shape = 'rx="1"' if place == 1 else 'rx="7"'
        yield f'<rect x="{x - 7}" y="{y - 7}" width="14" height="14" {shape} fill="{colour}" stroke="{INK}"/>'
        yield _text(x, y + 3, str(place), size=8, middle=True)
        if place in used and place % 2:
            yield _text(x - 22, y - 5, _name(what), size=11, end=True)
        elif place % 2 == 0:
            yield _text(x + 26, y + 4, _name(what), size=11, colour=INK if place in used else SOFT)


def _part(part: Part) -> Iterator[str]:
    ys = [_at(wire.place)[1] for wire in part.wires]
    button = len(part.wires) == 1
    right, width = (300, 110) if button else (300, 190)
    top, bottom = min(ys) - 10, max(ys) + 10
    dashes = ' stroke-dasharray="5 4"' if part.optional else ""
    yield (
        f'<rect x="{right - width}" y="{top}" width="{width}" height="{bottom - top}" rx="6" '
        f'fill="#eef2f5" stroke="{INK}"{dashes}/>'
    )
    yield _text(right - width + 10, (top + bottom) // 2 + (4 if button else -2), part.name, bold=True)
    if part.note:
        yield _text(right - width + 10, (top + bottom) // 2 + 15, part.note, size=9, colour=SOFT)
    if part.optional:
        yield _text(right - 8, top + 14, "optional", size=9, colour=SOFT, end=True)
    for wire, y in zip(part.wires, ys, strict=True):
        yield _line(((right, y), (LEFT - 7, y)), wire.colour, dashes)
        yield _text(right + 6, y - 4, wire.leg, size=10)


def _ground() -> Iterator[str]:
    """The ground wire from button to button and to the header."""
    ys = [_at(part.wires[0].place)[1] for part in list_parts() if len(part.wires) == 1]
    x, y = 150, _at(39)[1]
    for button in ys:
        yield _line(((190, button), (x, button)), BLACK)
    yield _line(((x, ys[0]), (x, y), (LEFT - 7, y)), BLACK)
    yield _text(x + 8, y - 5, "ground, from button to button", size=10)


def _buzzer() -> Iterator[str]:
    x, y = _at(find_pin(BUZZER))
    ground = _at(34)[1]
    yield f'<rect x="770" y="{y - 16}" width="150" height="{ground - y + 32}" rx="6" fill="#eef2f5" stroke="{INK}" ' + (
        'stroke-dasharray="5 4"/>'
    )
    yield _text(780, y + 8, "Buzzer", bold=True)
    yield _text(780, y + 24, "optional, 3.3 V", size=9, colour=SOFT)
    for at, colour in ((y, GREEN), (ground, BLACK)):
        yield _line(((x + 76, at), (770, at)), colour, ' stroke-dasharray="5 4"')


def _at(place: int) -> tuple[int, int]:
    row, right = divmod(place - 1, 2)
    return LEFT + right * STEP, TOP + row * STEP


def _name(what: str | int) -> str:
    return f"GPIO{what}" if isinstance(what, int) else what


def _line(points: Sequence[tuple[int, int]], colour: str, dashes: str = "") -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>'


def _text(
    x: int,
    y: int,
    words: str,
    *,
    size: int = 13,
    colour: str = INK,
    bold: bool = False,
    end: bool = False,
    middle: bool = False,
) -> str:
    anchor = ' text-anchor="end"' if end else ' text-anchor="middle"' if middle else ""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{anchor}{weight}>{escape(words)}</text>'
