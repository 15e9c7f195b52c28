"""Stickers and markers as PNG: whole pixels per module, with the white border, and an index of the files."""

import json
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from firmware.printing.markers import BORDER_MODULES, outer_size
from vision.tags.codebook import MARKERS, QUIET_MODULES, Code, draw_marker_modules, draw_pattern

MODULE_PX = 12
"""Side of a module in pixels."""

INDEX_FILE = "index.json"


def write_pictures(folder: Path, codes: Iterable[Code], sticker: float, marker_mm: float) -> int:
    """Write one PNG for each code and marker, named by its payload, and list all of the folder in ``index.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, object]] = []
    for code in dict.fromkeys(codes):
        name = f"{code.payload}.png"
        (folder / name).write_bytes(encode_png(draw_pattern(code.payload), QUIET_MODULES, sticker))
        entries.append(
            {
                "payload": code.payload,
                "piece": code.piece,
                "game": code.game,
                "file": name,
                "size_mm": sticker,
                "quiet_modules": QUIET_MODULES,
            }
        )
    for corner, number in MARKERS.items():
        name = f"MARKER-{corner}.png"
        size = outer_size(marker_mm)
        (folder / name).write_bytes(encode_png(draw_marker_modules(corner), BORDER_MODULES, size))
        entries.append(
            {
                "payload": f"MARKER-{corner}",
                "piece": "marker",
                "corner": corner,
                "id": number,
                "file": name,
                "size_mm": round(size, 3),
                "black_mm": marker_mm,
                "quiet_modules": BORDER_MODULES,
            }
        )
    fresh = {entry["file"] for entry in entries}
    kept = [entry for entry in _listed(folder) if entry.get("file") not in fresh]
    (folder / INDEX_FILE).write_text(json.dumps(kept + entries, indent=1) + "\n", encoding="utf-8")
    return len(entries)


def _listed(folder: Path) -> list[dict[str, object]]:
    """The entries of an earlier index whose files still exist; an unreadable index counts as empty."""
    try:
        entries = json.loads((folder / INDEX_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [
        entry
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, dict) and (folder / str(entry.get("file"))).is_file()
    ]


def encode_png(dark: NDArray[np.bool_], border: int, size_mm: float) -> bytes:
    """A picture with the resolution that makes it ``size_mm`` wide in print."""
    light = ~np.pad(dark, border)
    pixels = np.kron(light, np.ones((MODULE_PX, MODULE_PX), dtype=np.bool_))
    dpi = len(pixels) / size_mm * 25.4
    made = BytesIO()
    Image.fromarray(pixels.astype(np.uint8) * 255).save(made, "PNG", dpi=(dpi, dpi))
    return made.getvalue()
