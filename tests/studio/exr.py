"""Reads an uncompressed OpenEXR picture with half or float channels."""

import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DTYPES: dict[int, np.dtype[Any]] = {0: np.dtype("<u4"), 1: np.dtype("<f2"), 2: np.dtype("<f4")}


def read_exr(path: Path) -> dict[str, NDArray[np.float32]]:
    """Each channel by its name, as 32-bit floats."""
    data = path.read_bytes()
    if data[:4] != b"\x76\x2f\x31\x01":
        raise ValueError(f"{path}: no OpenEXR picture")
    header, at = _read_header(data, 8)
    if header["compression"] != b"\x00":
        raise ValueError(f"{path}: compressed")
    left, top, right, bottom = struct.unpack("<4i", header["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    channels = _read_channels(header["channels"])
    line = sum(DTYPES[kind].itemsize * width for _, kind in channels)
    rows = np.frombuffer(data, np.uint8, (line + 8) * height, at + 8 * height).reshape(height, line + 8)[:, 8:]
    planes: dict[str, NDArray[np.float32]] = {}
    begin = 0
    for name, kind in channels:
        end = begin + DTYPES[kind].itemsize * width
        planes[name] = np.ascontiguousarray(rows[:, begin:end]).view(DTYPES[kind]).astype(np.float32)
        begin = end
    return planes


def _read_header(data: bytes, at: int) -> tuple[dict[str, bytes], int]:
    header: dict[str, bytes] = {}
    while data[at]:
        name, at = _read_text(data, at)
        _, at = _read_text(data, at)
        (size,) = struct.unpack_from("<i", data, at)
        header[name] = data[at + 4 : at + 4 + size]
        at += 4 + size
    return header, at + 1


def _read_channels(data: bytes) -> list[tuple[str, int]]:
    channels: list[tuple[str, int]] = []
    at = 0
    while data[at]:
        name, at = _read_text(data, at)
        channels.append((name, struct.unpack_from("<i", data, at)[0]))
        at += 16
    return channels


def _read_text(data: bytes, at: int) -> tuple[str, int]:
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1
