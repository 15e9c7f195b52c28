"""The scripts, styles and icons of the page, each with its media type and ETag."""

import os
from hashlib import sha256
from pathlib import Path

STATIC = Path(__file__).parent / "static"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}


def static_file(name: str) -> tuple[bytes, str, str] | None:
    """The content of a file, its media type, and an ETag that changes with the content."""
    path = STATIC / name
    media_type = MEDIA_TYPES.get(path.suffix)
    if media_type is None or name not in os.listdir(STATIC):  # a name is never taken for a path
        return None
    content = path.read_bytes()
    return content, media_type, f'"{sha256(content).hexdigest()[:16]}"'
