"""Files of the web client as the service sends them."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import brotli

from cartulary.service.http.shared.packed_answers import LEVEL, SMALLEST

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as the service sends it: plain, and in each coding that makes it smaller."""

    body: bytes
    packed: Mapping[str, bytes]
    """The body by content coding; of two codings that a client likes alike the first is sent."""
    tag: str
    kind: str


@cache
def read_asset(path: Path) -> Asset:
    """Read a file once per process: files do not change while the service runs."""
    return make_asset(path.read_bytes(), path.name)


def make_asset(body: bytes, name: str) -> Asset:
    """Compress a file; its type follows from the ending of `name`."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    return Asset(body, _pack(body), tag, find_kind(name))


def find_kind(name: str) -> str:
    """Return the media type of a file by the ending of its name."""
    kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    return f"{kind}; charset=utf-8" if kind in ("text/html", "text/css") else kind


def _pack(body: bytes) -> dict[str, bytes]:
    """Return a body by content coding, without those that do not make it smaller.

    Brotli at its best level takes 6 ms for a file of the client, once for each process.
    """
    if len(body) < SMALLEST:
        return {}
    made = {"br": brotli.compress(body), "gzip": gzip.compress(body, LEVEL, mtime=0)}
    return {coding: packed for coding, packed in made.items() if len(packed) < len(body)}
