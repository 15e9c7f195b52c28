"""Every text the engine can say is in the catalogue, with the arguments it is said with, and fits its screen."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from jinja2 import nodes

from engine.text import say
from firmware.texts.render import QUOTED_ARGS, render
from firmware.web.template_rendering import ENVIRONMENT, FOLDER
from tests.support.house import list_nodes

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "firmware/texts/locale/en/LC_MESSAGES/oxeye.po"
RULING = re.compile(r"[RNPHAGS]-[0-9]+")
TWO_LINES = 2 * 21

# call: which positional argument is the id
ID_AT = {"say": 0, "BadOption": 1, "Illegal": 2, "Unfinished": 2, "__init__": 2}
NOT_FOR_TEXT = {"keeps", "late", "lone", "stands", "sure", "strict"}  # keywords of the refusal itself
BESIDE = {"zone", "maybe"}  # where to point at and what would settle it: for a screen that can, not for the sentence
GIVEN_ANYWAY = {"BadOption": {"option"}}

# for texts that are read on a computer or hold a list, and so may be long
LONG = re.compile(r"log_|option_|terminal_|fresh_|state_|browser_")
PAGE = "firmware/web/templates/"
SAMPLES = {
    "game": "thegame",
    "seats": tuple(range(1, 11)),
    "pieces": "37 43 44 55 104",
    "players": (9, 10),
    "cards": (37, 104),
    "maybe": (37,),
    "corner": "BL",
    "kind": "seven",
    "other": "seven",
    "special": "seven",
    "source": "home:10",
    "target": "home:10",
    "colour": "black",
}
LONGEST_ZONE = {"nimmt": "special:10", "the_game": "down:2", "six": "cell:-12,-10"}
NAMES = {n: "Maximilian" for n in range(11)}


@dataclass(frozen=True)
class Use:
    """One place in the code that says a text; ``open`` if it hands arguments on with ``**``, or may say another one."""

    place: str
    id: str
    args: frozenset[str]
    free: frozenset[str]
    open: bool


def constants(node: ast.expr) -> list[str]:
    """The words an expression can be: a constant, or either side of ``a if x else b``."""
    match node:
        case ast.Constant(value=str(word)):
            return [word]
        case ast.IfExp():
            return [*constants(node.body), *constants(node.orelse)]
    return []


def uses_in(path: Path) -> list[Use]:
    found = []
    for node in list_nodes(path.read_text(encoding="utf-8")):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in ID_AT or len(node.args) <= ID_AT[name]:
            continue
        args = frozenset(k.arg for k in node.keywords if k.arg) - NOT_FOR_TEXT
        place = f"{path.relative_to(ROOT)}:{node.lineno}"
        words = constants(node.args[ID_AT[name]])
        for word in words:
            free = frozenset(GIVEN_ANYWAY.get(name, ()))
            found.append(Use(place, word, args, free, len(words) > 1 or any(k.arg is None for k in node.keywords)))
    return found


def sources() -> list[Path]:
    return [path for room in ("engine", "vision", "hw", "firmware") for path in sorted((ROOT / room).rglob("*.py"))]


def entries() -> dict[str, tuple[str, ...]]:
    with CATALOGUE.open("rb") as po:
        catalogue = read_po(po)
    texts: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        if isinstance(message.id, str):
            texts[message.id] = (str(message.string),)
        else:
            assert message.id[0] == message.id[1], f"{message.id}: the plural's id is the id"
            texts[message.id[0]] = tuple(message.string)
    texts.pop("")
    return texts


def uses_in_templates() -> list[Use]:
    found = []
    for path in sorted(FOLDER.rglob("*.html")):
        for call in ENVIRONMENT.parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "text":
                args = frozenset(keyword.key for keyword in call.kwargs)
                place = f"{path.relative_to(ROOT)}:{call.lineno}"
                found.append(Use(place, call.args[0].as_const(), args, frozenset(), open=False))
    return found


USES = sorted(
    {(u.id, u.args): u for u in [*(u for path in sources() for u in uses_in(path)), *uses_in_templates()]}.values(),
    key=lambda u: (u.id, u.place),
)
ENTRIES = entries()
FAMILIES = ("rule.", "rule_title.", "rulebook.", "zone.", "piece.", "name.", "game.", "did.")


def wanted(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def sample(name: str, place: str, n: int) -> int | str | tuple[int, ...]:
    if name in SAMPLES:
        return SAMPLES[name]
    if name == "zone":
        return next((zone for game, zone in LONGEST_ZONE.items() if f"/{game}/" in place), "row:4")
    if name in QUOTED_ARGS:
        return "red"
    return n if name == "n" else 1 if name in ("row", "player", "seat", "pile") else 104


@pytest.mark.parametrize("use", USES, ids=lambda u: u.id)
def test_text_has_an_entry_with_its_arguments(use):
    assert use.id in ENTRIES, f"{use.place} says '{use.id}', which the catalogue lacks"
    placeholders = set().union(*map(wanted, ENTRIES[use.id]))
    assert placeholders <= use.args | use.free or use.open, f"'{use.id}' wants {placeholders}, {use.place} gives less"
    assert use.args <= placeholders | BESIDE or use.open, (
        f"{use.place} gives {set(use.args)}, '{use.id}' wants {placeholders}"
    )
    assert ("n" in use.args) == (len(ENTRIES[use.id]) == 2) or use.open, f"'{use.id}': plural forms go with {{n}}"


@pytest.mark.parametrize("use", USES, ids=lambda u: u.id)
def test_text_renders_and_fits_two_lines(use):
    for n in (1, 10):
        names = use.args | use.free | wanted(ENTRIES[use.id][0])
        text = say(use.id, **{name: sample(name, use.place, n) for name in names})
        shown = render(text, names=NAMES, strict=True)
        assert len(shown) <= TWO_LINES or LONG.match(use.id) or use.place.startswith(PAGE), f"{len(shown)}: {shown}"


def test_rulings_cited_in_code_are_in_the_rulebook():
    cited = {
        (str(path.relative_to(ROOT)), node.value)
        for path in sources()
        for node in list_nodes(path.read_text(encoding="utf-8"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULING.fullmatch(node.value)
    }
    assert not {(path, ruling) for path, ruling in cited if f"rule.{ruling}" not in ENTRIES}


def test_every_rule_has_a_title_of_one_line():
    rules = {i.removeprefix("rule.") for i in ENTRIES if i.startswith("rule.")}
    titles = {i.removeprefix("rule_title.") for i in ENTRIES if i.startswith("rule_title.")}
    assert rules == titles
    assert not [t for t in titles if not 0 < len(ENTRIES[f"rule_title.{t}"][0]) <= TWO_LINES // 2]


def test_rules_are_complete():
    last = {"R": 9, "N": 30, "P": 8, "H": 6, "G": 25, "S": 23}
    for chapter, count in last.items():
        assert [f"rule.{chapter}-{n}" for n in range(1, count + 1)] == [i for i in ENTRIES if f"rule.{chapter}-" in i]
    blocks = [range(1, 14), range(20, 23), range(30, 35), range(40, 45), range(50, 57), range(60, 64)]
    blocks += [range(70, 75), range(80, 85), range(90, 94), range(95, 96)]
    assert [f"rule.A-{n}" for block in blocks for n in block] == [i for i in ENTRIES if i.startswith("rule.A-")]


def test_rules_mention_rules_that_exist():
    told = {i: RULING.findall(text[0]) for i, text in ENTRIES.items() if i.startswith("rule.")}
    assert not [(i, other) for i, others in told.items() for other in others if f"rule.{other}" not in ENTRIES]


def test_no_entry_is_forgotten():
    """A text that nothing says any more goes from the catalogue too."""
    words = {
        node.value
        for path in sources()
        for node in list_nodes(path.read_text(encoding="utf-8"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    words |= {use.id for use in USES}
    assert not [i for i in ENTRIES if not i.startswith(FAMILIES) and i not in words]
