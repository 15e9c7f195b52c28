"""Simulated disk under the real SQLite: records every write and sync, so that a power cut can be simulated later."""

import _sqlite3
import ctypes as c
import itertools
import random
import sqlite3
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECTOR = 4096
"""Bytes that a card writes at once. An interrupted write may corrupt all of them."""
PIECE = 512
"""Bytes of a write that are either complete or missing after a cut."""

OK, FULL, NOTFOUND, CANTOPEN, SHORT_READ, IOERR_WRITE, IOERR_FSYNC = 0, 13, 12, 14, 522, 778, 1034
OPEN_CREATE = 0x4
POWERSAFE_OVERWRITE = 0x1000


@dataclass(frozen=True, slots=True)
class DiskCall:
    """One call that changed the disk, or a ``note`` of the player between two calls."""

    verb: str
    file: int = 0
    offset: int = 0
    data: bytes = b""
    note: Any = None


@dataclass
class Disk:
    """Files in memory, and the calls that changed them, in order.

    ``room`` is the capacity in bytes. A ``lying`` disk confirms every sync without doing it, as bad cards do;
    a ``powersafe`` one reports that an interrupted write corrupts nothing beside it. A ``broken`` one fails every
    write; a ``doubtful`` one syncs and reports a failure.
    """

    room: int = 1 << 30
    lying: bool = False
    powersafe: bool = False
    broken: bool = False
    doubtful: bool = False
    files: dict[str, int] = field(default_factory=dict)
    bytes: dict[int, bytearray] = field(default_factory=dict)
    ops: list[DiskCall] = field(default_factory=list)
    fresh: itertools.count = field(default_factory=itertools.count)

    def do(self, verb: str, file: int = 0, offset: int = 0, data: bytes = b"", note: Any = None) -> None:
        self.ops.append(DiskCall(verb, file, offset, data, note))

    def note(self, note: Any) -> None:
        """Record what the player knows at this moment."""
        self.do("note", note=note)

    def open(self, name: str, create: bool) -> int | None:
        if name not in self.files:
            if not create:
                return None
            number = self.files[name] = next(self.fresh)
            self.bytes[number] = bytearray()
            self.do("create", number, note=name)
        return self.files[name]

    def write(self, file: int, offset: int, data: bytes) -> int:
        held = self.bytes[file]
        if self.broken:
            return IOERR_WRITE
        grown = max(0, offset + len(data) - len(held))
        if grown and sum(map(len, self.bytes.values())) + grown > self.room:
            return FULL
        if offset > len(held):
            held.extend(bytes(offset - len(held)))
        held[offset : offset + len(data)] = data
        self.do("write", file, offset, data)
        return OK

    def truncate(self, file: int, size: int) -> None:
        del self.bytes[file][size:]
        self.do("truncate", file, size)

    def sync(self, file: int) -> int:
        if not self.lying:
            self.do("sync", file)
        return IOERR_FSYNC if self.doubtful else OK

    def delete(self, name: str, sync: bool) -> None:
        if name in self.files:
            self.do("delete", self.files.pop(name), note=name)
        if sync and not self.lying:
            self.do("sync folder")

    def connect(self, path: Path) -> sqlite3.Connection:
        """Connect the real SQLite to this disk."""
        return sqlite3.connect(f"file:{path.name}?vfs={_mount(self)}", uri=True, isolation_level=None)


@dataclass
class FileAfterCut:
    """Contents of one file at a cut: the synced bytes, and the calls since the last sync."""

    safe: bytearray = field(default_factory=bytearray)
    loose: list[DiskCall] = field(default_factory=list)

    def settle(self, fate: str, rng: random.Random) -> None:
        share = rng.random()
        for op in self.loose:
            if op.verb == "truncate":
                if fate == "kept" or (fate != "dropped" and rng.random() < share):
                    del self.safe[op.offset :]
                continue
            for start in range(0, len(op.data), PIECE):
                piece, at = op.data[start : start + PIECE], op.offset + start
                if fate == "kept" or (fate != "dropped" and rng.random() < share):
                    self._lay(at, piece)
                elif fate == "spoiled" and rng.random() < 0.3:
                    self._lay(at // SECTOR * SECTOR, rng.randbytes(SECTOR))
        self.loose.clear()

    def _lay(self, at: int, piece: bytes) -> None:
        if at > len(self.safe):
            self.safe.extend(bytes(at - len(self.safe)))
        self.safe[at : at + len(piece)] = piece


FATES = ("dropped", "kept", "torn", "spoiled")
"""Fate of unsynced writes: none arrive, all arrive, some pieces arrive, or pieces and corrupt sectors around them."""


@dataclass
class PowerSupply:
    """Follows the calls to a disk and returns its contents after a power cut at this point."""

    names: dict[str, int] = field(default_factory=dict)
    moves: list[DiskCall] = field(default_factory=list)  # of the folder, since it was synced
    platters: dict[int, FileAfterCut] = field(default_factory=dict)

    def follow(self, op: DiskCall) -> None:
        match op.verb:
            case "create":
                self.platters[op.file] = FileAfterCut()
                self.moves.append(op)
            case "delete":
                self.moves.append(op)
            case "write" | "truncate":
                self.platters[op.file].loose.append(op)
            case "sync":
                self.platters[op.file].settle("kept", random.Random(0))
                if any(move.file == op.file for move in self.moves):
                    self._settle_folder(len(self.moves))
            case "sync folder":
                self._settle_folder(len(self.moves))

    def off(self, fate: str, rng: random.Random) -> dict[str, bytes]:
        after = deepcopy(self)
        after._settle_folder({"dropped": 0, "kept": len(self.moves)}.get(fate, rng.randint(0, len(self.moves))))
        for file in after.names.values():
            after.platters[file].settle(fate, rng)
        return {name: bytes(after.platters[file].safe) for name, file in after.names.items()}

    def _settle_folder(self, count: int) -> None:
        """Apply the first folder changes: a journaling file system keeps them in order."""
        for move in self.moves[:count]:
            if move.verb == "create":
                self.names[move.note] = move.file
            else:
                self.names.pop(move.note, None)
        self.moves.clear()


# Below: the file interface of SQLite (sqlite3.h, "OS Interface Objects"), implemented in Python.

P, I, L, S = c.c_void_p, c.c_int, c.c_longlong, c.c_char_p  # noqa: E741
IP, LP = c.POINTER(c.c_int), c.POINTER(c.c_longlong)


def _struct(name: str, *fields: tuple[str, Any]) -> type[c.Structure]:
    return type(name, (c.Structure,), {"_fields_": fields})


def _call(*args: Any) -> Any:
    return c.CFUNCTYPE(I, *args)


FILE_CALLS: dict[str, Any] = {
    "xClose": _call(P),
    "xRead": _call(P, P, I, L),
    "xWrite": _call(P, P, I, L),
    "xTruncate": _call(P, L),
    "xSync": _call(P, I),
    "xFileSize": _call(P, LP),
    "xLock": _call(P, I),
    "xUnlock": _call(P, I),
    "xCheckReservedLock": _call(P, IP),
    "xFileControl": _call(P, I, P),
    "xSectorSize": _call(P),
    "xDeviceCharacteristics": _call(P),
    "xShmMap": _call(P, I, I, I, c.POINTER(P)),
    "xShmLock": _call(P, I, I, I),
    "xShmBarrier": c.CFUNCTYPE(None, P),
    "xShmUnmap": _call(P, I),
}
DISK_CALLS: dict[str, Any] = {
    "xOpen": _call(P, S, P, I, IP),
    "xDelete": _call(P, S, I),
    "xAccess": _call(P, S, I, IP),
    "xFullPathname": _call(P, S, I, P),
    "xDlOpen": P,
    "xDlError": P,
    "xDlSym": P,
    "xDlClose": P,
    "xRandomness": _call(P, I, P),
    "xSleep": _call(P, I),
    "xCurrentTime": _call(P, c.POINTER(c.c_double)),
    "xGetLastError": _call(P, I, P),
}
FileCalls = _struct("FileCalls", ("iVersion", I), *FILE_CALLS.items())
OpenFile = _struct("OpenFile", ("calls", P), ("file", L))
Vfs = _struct(
    "Vfs", ("iVersion", I), ("szOsFile", I), ("mxPathname", I), ("pNext", P), ("zName", S), ("pAppData", P),
    *DISK_CALLS.items(),
)  # fmt: skip

_mounted: dict[int, tuple[Disk, str, Any]] = {}  # SQLite keeps pointers to these until the process ends


def library() -> Any:
    """The SQLite library that Python's ``sqlite3`` uses."""
    return c.CDLL(getattr(_sqlite3, "__file__", None))


def _mount(disk: Disk) -> str:
    if id(disk) not in _mounted:
        name = f"disk-{len(_mounted)}"
        calls = FileCalls(2, *(kind(call) for kind, call in zip(FILE_CALLS.values(), _file_calls(disk), strict=True)))
        made = [
            kind(call) if call else None
            for kind, call in zip(DISK_CALLS.values(), _disk_calls(disk, calls), strict=True)
        ]
        vfs = Vfs(1, c.sizeof(OpenFile), 512, None, name.encode(), None, *made)
        _mounted[id(disk)] = disk, name, (calls, vfs)
        assert library().sqlite3_vfs_register(c.byref(vfs), 0) == OK
    return _mounted[id(disk)][1]


def _file_calls(disk: Disk) -> list[Callable[..., int | None]]:
    shared: dict[tuple[int, int], Any] = {}

    def number(handle: int) -> int:
        return OpenFile.from_address(handle).file

    def read(handle: int, into: int, amount: int, offset: int) -> int:
        data = bytes(disk.bytes[number(handle)][offset : offset + amount])
        c.memmove(into, data.ljust(amount, b"\0"), amount)
        return OK if len(data) == amount else SHORT_READ

    def write(handle: int, source: int, amount: int, offset: int) -> int:
        return disk.write(number(handle), offset, c.string_at(source, amount))

    def truncate(handle: int, size: int) -> int:
        disk.truncate(number(handle), size)
        return OK

    def sync(handle: int, _flags: int) -> int:
        return disk.sync(number(handle))

    def size(handle: int, told: Any) -> int:
        told[0] = len(disk.bytes[number(handle)])
        return OK

    def reserved(_handle: int, told: Any) -> int:
        told[0] = 0
        return OK

    def shm_map(handle: int, region: int, amount: int, _extend: int, told: Any) -> int:
        told[0] = c.addressof(shared.setdefault((number(handle), region), c.create_string_buffer(amount)))
        return OK

    def shm_unmap(handle: int, delete: int) -> int:
        for key in [key for key in shared if delete and key[0] == number(handle)]:
            del shared[key]
        return OK

    def fine(*_: Any) -> int:
        return OK

    traits = POWERSAFE_OVERWRITE if disk.powersafe else 0
    return [
        fine, read, write, truncate, sync, size, fine, fine, reserved, lambda *_: NOTFOUND, lambda _: SECTOR,
        lambda _: traits, shm_map, fine, lambda _: None, shm_unmap,
    ]  # fmt: skip


def _disk_calls(disk: Disk, calls: Any) -> list[Callable[..., int] | None]:
    rng = random.Random(1)

    def open_file(_: int, name: bytes | None, handle: int, flags: int, told: Any) -> int:
        number = disk.open(name.decode() if name else f"temporary-{len(disk.ops)}", bool(flags & OPEN_CREATE))
        opened = OpenFile.from_address(handle)
        opened.calls = None
        if number is None:
            return CANTOPEN
        opened.calls, opened.file = c.addressof(calls), number
        if told:
            told[0] = flags
        return OK

    def delete(_: int, name: bytes, sync: int) -> int:
        disk.delete(name.decode(), bool(sync))
        return OK

    def access(_: int, name: bytes, _flags: int, told: Any) -> int:
        told[0] = name.decode() in disk.files
        return OK

    def full_path(_: int, name: bytes, _size: int, into: int) -> int:
        c.memmove(into, name + b"\0", len(name) + 1)
        return OK

    def randomness(_: int, amount: int, into: int) -> int:
        c.memmove(into, rng.randbytes(amount), amount)
        return amount

    def now(_: int, told: Any) -> int:
        told[0] = 2461000.5
        return OK

    return [
        open_file, delete, access, full_path, None, None, None, None, randomness, lambda *_: OK, now, lambda *_: OK,
    ]  # fmt: skip
