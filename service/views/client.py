"""The web client: static files, and one page for all the addresses that it knows."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Blueprint, Response

from cartulary.service.http.compression import LEVEL, SMALLEST, takes_gzip
from cartulary.service.http.conditions import not_modified
from cartulary.service.http.problems import not_found

blueprint = Blueprint("client", __name__)

_ROOT = Path(__file__).parent.parent.parent
_WEB, _LOCALES = _ROOT / "web", _ROOT / "locales"
_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent: plain, and compressed where that makes it smaller."""

    body: bytes
    packed: bytes
    tag: str
    kind: str


@blueprint.get("/")
@blueprint.get("/new")
def show_client() -> Response:
    """Send the page of the client; what it shows depends on the address."""
    return _send(_WEB / "index.html")


@blueprint.get("/games/<game_id>")
def show_client_at_game(game_id: str) -> Response:  # noqa: ARG001 - Flask hands it in
    """Send the page of the client for a deep link, `/games/<id>?v=57`."""
    return _send(_WEB / "index.html")


@blueprint.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """Send what a phone needs to install the client."""
    return _send(_WEB / "manifest.webmanifest")


@blueprint.get("/<any(js, css, icons):folder>/<path:name>")
def show_client_file(folder: str, name: str) -> Response:
    """Send a module, a stylesheet or an icon."""
    return _send(_inside(_WEB / folder, name))


@blueprint.get("/locales/<name>")
def show_words(name: str) -> Response:
    """Send the words of a language."""
    if not name.endswith(".json"):
        raise not_found(f"the file {name!r}")
    return _send(_inside(_LOCALES, name))


def _inside(folder: Path, name: str) -> Path:
    found = (folder / name).resolve()
    if not (found.is_relative_to(folder.resolve()) and found.is_file()):
        raise not_found(f"the file {name!r}")
    return found


def _send(path: Path) -> Response:
    asset = _asset(path)
    if not_modified(asset.tag):
        answer = Response(status=304)
    elif takes_gzip() and asset.packed:
        answer = Response(asset.packed, content_type=asset.kind)
        answer.headers["Content-Encoding"] = "gzip"
    else:
        answer = Response(asset.body, content_type=asset.kind)
    answer.headers["ETag"] = f"W/{asset.tag}"
    # Without a build step names do not change with contents: ask each time, and get a 304.
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = _POLICY
    answer.headers["Referrer-Policy"] = "same-origin"
    answer.vary.add("Accept-Encoding")
    return answer


@cache
def _asset(path: Path) -> Asset:
    """Read a file once per process: the files of an installation do not change while it runs."""
    body = path.read_bytes()
    smaller = gzip.compress(body, LEVEL, mtime=0) if len(body) >= SMALLEST else b""
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
    return Asset(
        body,
        smaller if len(smaller) < len(body) else b"",
        f'"{hashlib.sha256(body).hexdigest()[:16]}"',
        f"{kind}; charset=utf-8" if kind in ("text/html", "text/css") else kind,
    )
