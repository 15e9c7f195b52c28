"""``docs/architecture.md``: every link leads to a file, and every symbol it names is defined there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/architecture.md"
LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)\)")


def links(text: str) -> list[tuple[str, str]]:
    return LINK.findall(text)


def defined(source: str) -> set[str]:
    """Names at the top of a module, and ``Class.member`` for what its classes hold."""
    names = set()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name):
                names.add(name)
                names |= {f"{name}.{member}" for member in members(node)}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


def members(node: ast.ClassDef) -> set[str]:
    methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
    return methods | {
        each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }


def breaches(text: str, page: Path) -> list[str]:
    """Links that lead nowhere, and named symbols that their file does not define."""
    found = []
    for label, target in links(text):
        path = (page.parent / target).resolve()
        if not path.exists():
            found.append(f"{target} does not exist")
        elif path.suffix == ".py" and label.startswith("`"):
            symbol = label.strip("`").removesuffix("()")
            if symbol not in defined(path.read_text(encoding="utf-8")):
                found.append(f"{target} defines no {symbol}")
    return found


def section(name: str) -> str:
    text = PAGE.read_text(encoding="utf-8")
    return re.search(rf"(?ms)^## {re.escape(name)}$(.*?)(?=^## |\Z)", text)[1]


@pytest.mark.parametrize("page", [PAGE, ROOT / "CONTRIBUTING.md", ROOT / "docs/adding-a-game.md"], ids=lambda p: p.name)
def test_every_link_and_every_symbol_is_there(page):
    assert breaches(page.read_text(encoding="utf-8"), page) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[`judge`](../engine/nowhere.py)", "does not exist"),
        ("[`nothing`](../engine/referee.py)", "defines no nothing"),
        ("[`Log.nothing`](../engine/log.py)", "defines no Log.nothing"),
    ],
)
def test_a_planted_breach_is_found(text, says):
    (breach,) = breaches(text, PAGE)
    assert says in breach


def test_a_frame_is_followed_in_ten_links_through_every_room():
    steps = [target for _, target in links(section("The way of a frame")) if target.endswith(".py")]
    assert len(steps) == 10
    rooms = [target.split("/")[1] for target in steps]
    order = [rooms.index(room) for room in ("hw", "vision", "engine", "firmware")]
    assert order[:2] == sorted(order[:2])


def test_the_table_names_thirty_changes():
    rows = [line for line in section("To change X, open Y").splitlines() if re.match(r"\| (?!---|to change)", line)]
    assert len(rows) >= 30
    assert all(links(row) for row in rows)
    changes = [row.split("|")[1].strip() for row in rows]
    assert len(set(changes)) == len(changes)


def test_every_package_is_on_the_map():
    text = PAGE.read_text(encoding="utf-8")
    packages = {
        path.parent.relative_to(ROOT).as_posix()
        for room in ("engine", "vision", "hw", "firmware")
        for path in (ROOT / room).glob("*/__init__.py")
    }
    assert [name for name in sorted(packages) if f"{name.split('/')[-1]}/" not in text] == []
