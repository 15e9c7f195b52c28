"""The rules of the source tree as functions: each takes a tree of sources and yields its breaches as sentences."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOMS = {
    "engine": set(),
    "vision": {"engine", "cv2", "numpy", "zxingcpp", "pyzbar", "segno"},
    "hw": {"engine", "gpiozero", "luma", "PIL", "libcamera", "picamera2", "cv2", "numpy"},
    "firmware": {
        "engine", "vision", "hw", "click", "cv2", "fpdf", "jinja2", "msgspec", "numpy", "paho", "PIL", "rich", "segno",
        "starlette", "tomlkit", "uvicorn",
    },
}  # fmt: skip
"""What each room may import besides the standard library and itself."""
BUILD_ONLY = {"firmware/texts/compile.py": {"babel", "hatchling"}}
"""Modules that run when a wheel is built, never on the box, with what they import."""
PACKAGES = (
    "texts", "machine", "journal", "box", "printing", "runtime", "simulation", "recording", "web", "app", "cli",
)  # fmt: skip
"""The packages of firmware, lowest first: a package imports itself and lower ones."""
LOOSE = {"firmware/__init__.py", "firmware/updating_root.py"}
"""The second is an alias for one release: the update unit of version 0.1.0 names it."""
IMPURE = {
    "asyncio",
    "datetime",
    "io",
    "logging",
    "os",
    "pathlib",
    "random",
    "socket",
    "subprocess",
    "threading",
    "time",
}
HW_SEES = {"engine.errors", "engine.text", "engine.view"}
"""What a device may know of the engine: the view that it shows."""

GAMES = ("nimmt", "thegame", "six")
GAME_MODULES = ("engine.games.nimmt", "engine.games.the_game", "engine.games.six")
MAY_NAME_A_GAME = (
    "engine/games/",
    "firmware/box/games/",
    "firmware/simulation/players/",
    "firmware/simulation/mistakes/",
    "firmware/simulation/scenarios.py",
    "vision/pieces.py",
    "firmware/printing/games.py",
)
"""Packages of one game each, the scenarios, and the two registries: of the eyes and of the printer."""

ONE_MEANING = {
    "command": "each module of cli is one command and has its click command under this name",
    "main": "the entry point of a program",
}
"""Public names that may be defined in several modules, with the reason; at most 20."""
PARALLEL = (
    (re.compile(r"^engine/games/(nimmt|the_game|six)/.+"), "engine/games"),
    (re.compile(r"^firmware/box/games/.+"), "firmware/box/games"),
    (re.compile(r"^firmware/simulation/players/.+"), "firmware/simulation/players"),
    (re.compile(r"^firmware/simulation/mistakes/.+"), "firmware/simulation/mistakes"),
)
"""Modules that play one part in several games: there a name means the same part of another game."""

Tree = Mapping[str, str]
"""The source of each module by its path from the root."""


def read_tree(root: Path) -> dict[str, str]:
    """Every module of the product."""
    paths = (path for room in ROOMS for path in sorted((root / room).rglob("*.py")))
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def parse(source: str) -> ast.Module:
    return ast.parse(source)


@cache
def list_nodes(source: str) -> tuple[ast.AST, ...]:
    """The syntax tree of a module as ``ast.walk`` goes through it: many rules read the same sources."""
    return tuple(ast.walk(parse(source)))


@cache
def list_calls(source: str) -> tuple[tuple[int, str], ...]:
    """The line and the name of every function that a module calls."""
    return tuple((node.lineno, ast.unparse(node.func)) for node in list_nodes(source) if isinstance(node, ast.Call))


def is_module(tree: Tree, name: str) -> bool:
    path = name.replace(".", "/")
    return f"{path}.py" in tree or f"{path}/__init__.py" in tree


def imported(tree: Tree, source: str) -> set[str]:
    """Dotted names of imported modules; ``from a import b`` means ``a.b`` where that is a module, else ``a``."""
    names: set[str] = set()
    for node in list_nodes(source):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            members = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {member if is_module(tree, member) else node.module for member in members}
    return names


def wrong_rooms(tree: Tree) -> Iterator[str]:
    """Imports that a room may not have."""
    for path, source in tree.items():
        room = path.split("/")[0]
        found = {name.split(".")[0] for name in imported(tree, source)} - sys.stdlib_module_names - {room}
        for name in sorted(found - BUILD_ONLY.get(path, set()) - ROOMS[room]):
            yield f"{path}: {room} may not import {name}"


def upward_imports(tree: Tree) -> Iterator[str]:
    """Imports from a package of firmware to a higher one."""
    for path, source in tree.items():
        parts = path.split("/")
        if parts[0] != "firmware" or len(parts) < 3:
            continue
        if parts[1] not in PACKAGES:
            yield f"{path}: {parts[1]} is no package of firmware"
            continue
        for name in sorted(imported(tree, source)):
            above = name.split(".")[1:2]
            if name.startswith("firmware.") and above[0] in PACKAGES[PACKAGES.index(parts[1]) + 1 :]:
                yield f"{path}: {parts[1]} imports {name}, which stands above it"


def loose_modules(tree: Tree) -> Iterator[str]:
    for path in tree:
        if re.fullmatch(r"firmware/[^/]+\.py", path) and path not in LOOSE:
            yield f"{path}: a module of firmware lives in one of its packages"


def impurities(tree: Tree) -> Iterator[str]:
    """Files, clocks, chance and threads in the engine and in vision."""
    for path, source in tree.items():
        if not path.startswith(("engine/", "vision/")):
            continue
        for name in sorted({name.split(".")[0] for name in imported(tree, source)} & IMPURE):
            yield f"{path}: imports {name}, which belongs in firmware"
        for line, called in list_calls(source):
            if called in {"open", "cv2.imread", "cv2.imwrite", "cv2.VideoCapture", "np.load", "np.save"}:
                yield f"{path}:{line}: calls {called}: files belong in firmware"


def devices_that_know_too_much(tree: Tree) -> Iterator[str]:
    for path, source in tree.items():
        if path.startswith("hw/"):
            known = {name for name in imported(tree, source) if name.split(".")[0] == "engine"}
            for name in sorted(known):
                if not any(name == seen or name.startswith(seen + ".") for seen in HW_SEES):
                    yield f"{path}: a device shows a view and needs no {name}"


def public_names(source: str) -> Iterator[str]:
    for node in parse(source).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            yield node.name


def ambiguous_names(tree: Tree) -> Iterator[str]:
    """Public classes and functions whose name stands for different things in different modules."""
    places: dict[str, set[str]] = defaultdict(set)
    for path, source in tree.items():
        part = next((part for pattern, part in PARALLEL if pattern.match(path)), path)
        for name in public_names(source):
            places[name].add(part)
    for name, where in sorted(places.items()):
        if len(where) > 1 and name not in ONE_MEANING:
            yield f"{name} is defined in {', '.join(sorted(where))}"


@cache
def strings(source: str) -> tuple[ast.Constant, ...]:
    """String constants that are neither docstrings nor texts below a constant."""
    prose = {id(node.value) for node in list_nodes(source) if isinstance(node, ast.Expr)}
    constants = (node for node in list_nodes(source) if isinstance(node, ast.Constant) and id(node) not in prose)
    return tuple(node for node in constants if isinstance(node.value, str))


def named_games(tree: Tree) -> Iterator[str]:
    """Strings and imports that name one game, outside the places made for that."""
    for path, source in tree.items():
        if path.startswith(MAY_NAME_A_GAME):
            continue
        for name in sorted(imported(tree, source)):
            if name.startswith(tuple(f"{module}." for module in GAME_MODULES)) or name in GAME_MODULES:
                yield f"{path}: imports {name}"
        for node in strings(source):
            if re.split(r"\W", str(node.value))[0] in GAMES:
                yield f"{path}:{node.lineno}: names a game in {node.value!r}"


VAGUE = re.compile(
    r"\b(whoever|whomever|somebody|nobody|anybody|everybody|anew|put by|heed|heeds|heeded)\b", re.IGNORECASE
)
"""Words without a subject that one can look up: say "the player", "the phone", "again", "update"."""


def vague_words(tree: Tree) -> Iterator[str]:
    """Lines of the product, of texts and of documents that do not name their subject."""
    for path, source in tree.items():
        for number, line in enumerate(source.splitlines(), 1):
            if (found := VAGUE.search(line)) and not line.startswith("msgid"):
                yield f"{path}:{number}: {found[0]!r}"


def missing_docstrings(tree: Tree) -> Iterator[str]:
    for path, source in tree.items():
        if not ast.get_docstring(parse(source)):
            yield f"{path}: the module docstring says in one sentence what the module holds"


def foreign_files(names: list[str]) -> Iterator[str]:
    """Files in a wheel that are no part of the product: tests, benchmarks and document makers stay in the checkout."""
    for name in names:
        top = name.split("/")[0]
        if top not in ROOMS and not top.endswith(".dist-info"):
            yield f"{name}: only {', '.join(ROOMS)} are installed"
        elif re.search(r"(^|/)(tests?|benchmarks?|bench_\w+|test_\w+|docs)(\.py$|/)", name):
            yield f"{name}: proof is not installed"
