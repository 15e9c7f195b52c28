"""Icons beside texts, drawn in dots: they show what a text is about."""

from functools import cache

from PIL import ImageDraw

from engine.text import Text
from hw.panel.font import Rows, make_stamp, parse_drawings

DRAWN = """
bull        row           card     pile       tile       spread
##.......## ............. .######. ..######## ....##.... ..........
#.#.....#.# ###.###.##### #......# ..#......# ..##..##.. ####..####
.##.###.##. #...#...#...# #.#....# ########.# ##......## #..#..#..#
..#######.. #...#...#...# #.#....# #......#.# #........# #..#..#..#
..#.###.#.. #...#...#...# #......# #......#.# #........# ####..####
..#######.. #...#...#...# #......# #......#.# #........# ..........
...#####... #...#...#...# #....#.# #......#.# #........# ####..####
...#.#.#... #...#...#...# #....#.# #......### ##......## #..#..#..#
...#####... ###.###.##### #......# #......#.. ..##..##.. #..#..#..#
....###.... ............. .######. ########.. ....##.... ####..####

camera      power     record     warning       cup       plug
...###..... ....#.... #########. ......#...... .#######. ..#..#..
.#########. ..#.#.#.. #..###..## .....#.#..... ##.....## ..#..#..
#.........# .#..#..#. #..###...# .....#.#..... #.#...#.# ########
#...###...# #...#...# #..###...# ....#.#.#.... #.#...#.# #......#
#..#...#..# #...#...# #........# ...#..#..#... .##...##. #......#
#..#...#..# #.......# #.######.# ...#..#..#... ...#.#... .######.
#..#...#..# #.......# #.#....#.# ..#...#...#.. ....#.... ...##...
#...###...# .#.....#. #.#.##.#.# .#.........#. ....#.... ...##...
#.........# ..#...#.. #.#....#.# #.....#.....# ...###... ...##...
.#########. ...###... ########## ############# .#######. ...##...
"""
"""Ten dots high, beside the prompt."""

MINI = """
bull      row       cup     turn card  tick
#.......# ......... .#####. #... ##### ......#
##.....## ##.##.### #.###.# ##.. #...# .....#.
.##.#.##. #..#..#.# #.###.# ###. #...# #...#..
.#######. #..#..#.# .#####. #### #...# ##.#...
..#.#.#.. #..#..#.# ...#... ###. #...# .###...
..#####.. ##.##.### ..###.. ##.. #...# ..#....
...###... ......... .#####. #... ##### .......

tiny_turn tiny_cup
#..       #.#
##.       .#.
#..       #.#
"""
"""Seven dots high, beside a number or a line; three dots beside tiny letters."""

STARTS = {
    "camera_": "camera",
    "journal_": "record",
    "panel_": "plug",
    "buttons_": "plug",
    "keys_": "plug",
    "power_": "power",
    "off_light": "power",
    "off_screen": "power",
    "off_minute": "power",
    "starts_anew": "power",
    "match_over": "cup",
    "wins_": "cup",
    "game_beaten": "cup",
    "game_excellent": "cup",
    "take_row": "bull",
    "low_card": "bull",
    "low_takes": "bull",
    "who_took": "bull",
    "cancel_": "bull",
    "name_negative": "bull",
    "spread_all": "spread",
    "pick_": "spread",
    "lay_cards": "pile",
    "more_or_d": "pile",
}
ARGS = {"row": "row", "pile": "pile", "colour": "tile", "card": "card"}


def choose_icon(text: Text) -> str:
    """The icon of a text, by its id, else by its arguments; many texts have none."""
    for start, icon in STARTS.items():
        if text.id.startswith(start):
            return icon
    zone = str(text.get("zone") or "").partition(":")[0]
    if zone in ("up", "down"):
        return "pile"
    return next((icon for arg, icon in ARGS.items() if text.get(arg) is not None), "")


def icon_width(name: str) -> int:
    return len(_icons(DRAWN)[name][0]) if name else 0


def draw_icon(pen: ImageDraw.ImageDraw, x: int, y: int, name: str, ink: int = 1) -> None:
    pen.bitmap((x, y), make_stamp(_icons(DRAWN)[name]), fill=ink)


def mini_width(name: str) -> int:
    return len(_icons(MINI)[name][0]) if name else 0


def draw_mini(pen: ImageDraw.ImageDraw, x: int, y: int, name: str, ink: int = 1) -> None:
    pen.bitmap((x, y), make_stamp(_icons(MINI)[name]), fill=ink)


@cache
def _icons(drawing: str) -> dict[str, Rows]:
    return parse_drawings(drawing)
