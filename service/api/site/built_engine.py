"""The engine for the browser as `script/engine` builds it, and the sources that it comes from.

`web/built/engine` holds Pyodide and a package of our own pure rooms, compressed with brotli, in
folders that are named after what they hold. `engine.json` lists the files. Running the service
needs neither node nor Pyodide: the built files are committed.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import brotli

from cartulary.service.api.site.built_client import FOLDER, WEB
from cartulary.service.http.shared.assets import Asset, find_kind
from cartulary.service.http.shared.packed_answers import LEVEL

ENGINE: Final = "engine"
LIST: Final = "engine.json"
"""The list of the files: where each lies, how long it is, and its SHA-256."""

ROOMS: Final = (
    *("engine", "bots", "pictures", "locales", "words", "games", "offline", "events/model"),
)
"""The rooms of the package; every file of Python and every file of words in them is part of it."""

SINGLE: Final = (
    *("cartulary/__init__.py", "events/__init__.py", "events/puzzles/__init__.py"),
    *("events/puzzles/lines.py", "puzzles/__init__.py", "puzzles/record.py", "puzzles/turns.py"),
)
"""Modules of other rooms: what judges the answer to a puzzle."""
STAND_INS: Final = {"offline/orjson_stand_in.py": "orjson.py"}
"""Modules that are in the package under another name as well."""

KEPT: Final = ("signs", "status", "compass", "or", "lobby.won", "new.seat")
"""Texts of `ui` that pictures and reasons use; all others are for the pages alone."""


@dataclass(frozen=True, slots=True)
class EngineFile:
    """A file of the engine; `sent` is its length with brotli."""

    path: str
    sha256: str
    bytes: int
    sent: int


@dataclass(frozen=True, slots=True)
class BuiltEngine:
    """What `engine.json` says.

    `sources` is the digest of the package, `pyodide` its version, `recipe` the digest of the
    scripts that have built the files.
    """

    pyodide: str
    recipe: str
    sources: str
    files: Mapping[str, EngineFile]


@cache
def read_engine() -> BuiltEngine:
    """Return the list of the files; raises `RuntimeError` without them."""
    try:
        text = (WEB / FOLDER / ENGINE / LIST).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RuntimeError(f"{WEB / FOLDER / ENGINE} is missing: run script/engine") from None
    found = json.loads(text)
    files = {name: EngineFile(**entry) for name, entry in found["files"].items()}
    return BuiltEngine(found["pyodide"], found["recipe"], found["sources"], files)


def find_engine_file(path: str) -> Asset:
    """Return a file by its path in the list; raises `LookupError`."""
    if not any(one.path == path for one in read_engine().files.values()):
        raise LookupError(path)
    return _read_packed(path)


@cache
def _read_packed(path: str) -> Asset:
    """Return a file as it is kept, and unpacked for clients without brotli."""
    packed = (WEB / FOLDER / ENGINE / f"{path}.br").read_bytes()
    body = brotli.decompress(packed)
    coded = {"br": packed, "gzip": gzip.compress(body, LEVEL, mtime=0)}
    return Asset(body, coded, f'"{sha256(body).hexdigest()[:16]}"', find_kind(path))


def list_sources(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the package, by name: its name in the package, its bytes."""
    found = {f"cartulary/{name.removeprefix('cartulary/')}": root / name for name in SINGLE}
    for room in ROOMS:
        for path in (root / room).rglob("*"):
            if path.suffix in (".py", ".json") and "__pycache__" not in path.parts:
                found[f"cartulary/{path.relative_to(root).as_posix()}"] = path
    for source, name in STAND_INS.items():
        found[name] = root / source
    for name, path in sorted(found.items()):
        yield name, _shorten(path)


def _shorten(path: Path) -> bytes:
    """Return the bytes of a file; words without what the pages alone need."""
    body = path.read_bytes()
    if path.suffix != ".json":
        return body
    words: dict[str, Any] = json.loads(body)
    if "ui" in words:
        words["ui"] = _keep(words["ui"])
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()


def _keep(texts: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name in KEPT:
        group, _, key = name.partition(".")
        if group in texts:
            kept[group] = {key: texts[group][key]} if key else texts[group]
    return kept


def digest_package(root: Path) -> str:
    """Return the digest of the package: of the name, the length and the bytes of each file."""
    digest = sha256()
    for name, body in list_sources(root):
        digest.update(f"{name}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.hexdigest()
