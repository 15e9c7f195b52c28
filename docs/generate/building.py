"""Generate the computed parts of ``docs/building-the-box.md``: the wiring picture and the table of heights."""

import re

from docs.generate.arguments import parse_path
from docs.generate.field import format_heights
from docs.generate.wiring import draw_wiring

PAGE, PICTURE = "building-the-box.md", "pictures/wiring.svg"
HEIGHTS = re.compile(r"(?<=<!-- heights -->\n).*?(?=<!-- end of heights -->)", re.DOTALL)


def update_page(text: str) -> str:
    """The page with the table of heights computed again."""
    return HEIGHTS.sub(lambda found: f"{format_heights()}\n", text)


if __name__ == "__main__":
    docs = parse_path(__doc__)
    (docs / PICTURE).parent.mkdir(exist_ok=True)
    (docs / PICTURE).write_text(draw_wiring(), encoding="utf-8")
    (docs / PAGE).write_text(update_page((docs / PAGE).read_text(encoding="utf-8")), encoding="utf-8")
