"""Downloads of a release: over https or from a file, bounded in bytes and in time, also where the server redirects."""

import time
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPMessage
from typing import IO, Any, BinaryIO
from urllib.error import HTTPError

SAFE_SCHEMES = ("https://", "file://")
SILENCE_TIMEOUT_S = 30.0
"""Seconds that a server may be silent."""
CHUNK_BYTES = 1 << 16


class DownloadTooLarge(OSError):
    """More bytes, or more seconds, than the file that was asked for can need."""


class SafeRedirects(urllib.request.HTTPRedirectHandler):
    """A server may redirect, but not from https to a connection that anyone can change."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        if req.full_url.startswith("https://") and not newurl.startswith("https://"):
            raise HTTPError(req.full_url, code, "redirected to an address without https", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(
    address: str, target: BinaryIO, *, most_bytes: int, most_s: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """Write what is at this address; ``OSError`` if it fails, or exceeds ``most_bytes`` or ``most_s``."""
    if not address.startswith(SAFE_SCHEMES):
        raise OSError(f"no safe address: {address}")
    until = clock() + most_s
    with urllib.request.build_opener(SafeRedirects).open(address, timeout=SILENCE_TIMEOUT_S) as answer:
        room = most_bytes
        for chunk in _chunks(answer):
            room -= len(chunk)
            if room < 0 or clock() > until:
                raise DownloadTooLarge(f"{address}: more than {most_bytes} bytes or {most_s:.0f} s")
            target.write(chunk)


def _chunks(answer: Any) -> Iterator[bytes]:
    while chunk := answer.read1(CHUNK_BYTES) if hasattr(answer, "read1") else answer.read(CHUNK_BYTES):
        yield chunk
