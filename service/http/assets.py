"""Files of the web client as the service sends them."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cartulary.service.http.compression import LEVEL, SMALLEST

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as the service sends it: plain, and compressed where that is smaller."""

    body: bytes
    compressed: bytes
    tag: str
    kind: str


@cache
def read_asset(path: Path) -> Asset:
    """Read a file once per process: files do not change while the service runs."""
    return make_asset(path.read_bytes(), path.name)


def make_asset(body: bytes, name: str) -> Asset:
    """Compress a file; its type follows from the ending of `name`."""
    smaller = gzip.compress(body, LEVEL, mtime=0) if len(body) >= SMALLEST else b""
    kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    return Asset(
        body,
        smaller if len(smaller) < len(body) else b"",
        f'"{hashlib.sha256(body).hexdigest()[:16]}"',
        f"{kind}; charset=utf-8" if kind in ("text/html", "text/css") else kind,
    )
