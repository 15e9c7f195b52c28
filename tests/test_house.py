"""The house rules, checked: who may import whom, what each room may touch, and that names mean one thing."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "engine": set(),
    "vision": {"engine", "cv2", "numpy", "zxingcpp", "pyzbar", "segno"},
    "hw": {"engine", "gpiozero", "luma", "PIL", "picamera2", "cv2", "numpy"},
    "firmware": {
        "engine",
        "vision",
        "hw",
        "click",
        "cv2",
        "fpdf",
        "msgspec",
        "numpy",
        "paho",
        "PIL",
        "segno",
        "starlette",
        "uvicorn",
    },
}
BUILDING = {"firmware/texts/compile.py": {"babel", "hatchling"}}  # runs when a wheel is built, never on the box
PURE = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "socket", "subprocess", "threading", "time"}
HW_SEES = {"engine.view", "engine.text"}


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return names


def modules(*rooms: str) -> list[Path]:
    return [p for room in rooms or MAY_IMPORT for p in sorted((ROOT / room).rglob("*.py"))]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", modules(), ids=name)
def test_imports_point_inward(path):
    room = path.relative_to(ROOT).parts[0]
    found = {module.split(".")[0] for module in imports(path)}
    foreign = found - sys.stdlib_module_names - {room} - BUILDING.get(name(path), set())
    assert foreign <= MAY_IMPORT[room], f"{room} may not import {foreign - MAY_IMPORT[room]}"


@pytest.mark.parametrize("path", modules("engine"), ids=name)
def test_the_engine_is_pure(path):
    impure = {module.split(".")[0] for module in imports(path)} & PURE
    assert not impure, f"{impure} belongs in firmware"


@pytest.mark.parametrize("path", modules("hw"), ids=name)
def test_devices_know_the_view_alone(path):
    engine = {module for module in imports(path) if module.split(".")[0] == "engine"}
    assert engine <= HW_SEES, f"hw draws a View, it needs no {engine - HW_SEES}"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_a_module_opens_with_its_promise(path):
    promise = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert promise, "the module docstring says in one sentence what the module holds"


def test_every_room_is_packaged():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(packages) == set(MAY_IMPORT)


def test_tests_do_not_shadow_the_rooms():
    """tests/engine/__init__.py would become the package ``engine``."""
    assert not [*(ROOT / "tests").rglob("__init__.py")]


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_locks_hold_hashes_and_no_address(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text
