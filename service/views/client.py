"""The web client: static files, and one page for all of its addresses."""

from __future__ import annotations

import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, request
from redis.exceptions import RedisError

from cartulary import locales
from cartulary.service.http.assets import Asset, make_asset, read_asset
from cartulary.service.http.compression import choose_coding
from cartulary.service.http.conditions import is_known
from cartulary.service.http.context import parts
from cartulary.service.http.problems import not_found

blueprint = Blueprint("client", __name__)

_ROOT = Path(__file__).parent.parent.parent
_WEB = _ROOT / "web"
_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

_POLICY_OF_FILES = "default-src 'none'"
"""A module, a stylesheet or an icon loads nothing itself: a page loads it, by its own policy."""


@blueprint.get("/")
def show_client() -> Response:
    """Send the page of the client; what it shows depends on the address."""
    return _send_page(["js/pages/home.js"])


@blueprint.get("/new")
def show_client_at_new_game() -> Response:
    """Send the page of the client for a new game."""
    return _send_page(["js/pages/newgame.js", "js/pages/pace.js", *_list_controls()])


@blueprint.get("/settings")
def show_client_at_settings() -> Response:
    """Send the page of the client for the settings; a link code may stand behind a `#`."""
    return _send_page(_list_modules(_WEB / "js" / "settings"))


@blueprint.get("/games/<game_id>")
def show_client_at_game(game_id: str) -> Response:
    """Send the page of the client for a deep link, `/games/<id>?v=57`."""
    return _send_page(_list_controls(_find_game(game_id)))


@blueprint.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """Send the manifest, which a phone needs to install the client."""
    return _send_file(_WEB / "manifest.webmanifest")


@blueprint.get("/<any(js, css, icons):folder>/<path:name>")
def show_client_file(folder: str, name: str) -> Response:
    """Send a module, a stylesheet or an icon."""
    return _send_file(_find(folder, name))


@blueprint.get("/assets/<digest>/<any(js, css, icons):folder>/<path:name>")
def show_client_file_for_ever(digest: str, folder: str, name: str) -> Response:
    """Send the same file at an address that changes with the files, so a browser asks once.

    A page of an earlier release gets the file of today, which no cache may keep.
    """
    answer = _send_file(_find(folder, name))
    answer.headers["Content-Security-Policy"] = _POLICY_OF_FILES
    if digest == _digest_files():
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer


@blueprint.get("/locales/<name>")
def show_words(name: str) -> Response:
    """Send the words of a language, those of the games on offer included."""
    here, lang = parts(), name.removesuffix(".json")
    if lang not in locales.LANGUAGES or name == lang:
        raise not_found(f"the file {name!r}")
    if lang not in here.files:
        games = {game: offer.words for game, offer in here.offers.items()}
        text = json.dumps(locales.join(lang, games), ensure_ascii=False)
        here.files[lang] = make_asset(text.encode(), name)
    return _send(here.files[lang])


@cache
def _digest_files() -> str:
    """Return a digest of all files of the client, for their address."""
    digest = sha256()
    for path in sorted(_WEB.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(_WEB).as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _make_page() -> Asset:
    """Return the page; it names its files by the addresses that browsers keep."""
    text = (_WEB / "index.html").read_text(encoding="utf-8")
    kept = re.sub(r'(href|src)="/(js|css|icons)/', rf'\1="/assets/{_digest_files()}/\2/', text)
    return make_asset(kept.encode(), "index.html")


def _send_page(modules: list[str]) -> Response:
    """Send the page, with a hint to load the modules that only this address needs at once."""
    answer = _send(_make_page())
    files = f"/assets/{_digest_files()}"
    hints = [f"<{files}/{module}>; rel=modulepreload" for module in modules]
    answer.headers["Link"] = ", ".join(hints)
    return answer


def _find_game(game_id: str) -> str | None:
    """Return which game is played at a public table, None when that is not to be known.

    The page is the same without it: the client loads the controls of the game later then.
    """
    try:
        found = parts().store.projections.summaries([game_id]) if game_id.isalnum() else []
    except RedisError:  # the page must come without the store as well: it says that it waits
        return None
    return found[0]["game"] if found and found[0]["visibility"] == "public" else None


def _list_controls(game: str | None = None) -> list[str]:
    """Return the modules with the controls of a game, without one those of all games on offer."""
    games = _WEB / "js" / "play"
    offers = [game] if game in parts().offers else parts().offers
    return [module for one in offers for module in _list_modules(games / str(one))]


def _list_modules(folder: Path) -> list[str]:
    return [path.relative_to(_WEB).as_posix() for path in sorted(folder.glob("*.js"))]


_OF_GAMES = (
    ("js", re.compile(r"play/([^/]+)/index\.js"), "js/play/general/index.js"),
    ("icons", re.compile(r"([^/]+)\.svg"), "icons/icon.svg"),
)
"""Files of a game, and the general file for a game on offer that has none."""


def _find(folder: str, name: str) -> Path:
    """Return a file of the client; raises `Problem` 404."""
    for where, pattern, general in _OF_GAMES:
        found = pattern.fullmatch(name) if folder == where else None
        if found and found[1] in parts().offers and not (_WEB / folder / name).is_file():
            return _WEB / general
    return _inside(_WEB / folder, name)


def _inside(folder: Path, name: str) -> Path:
    try:
        found = (folder / name).resolve()
        if found.is_relative_to(folder.resolve()) and found.is_file():
            return found
    except (OSError, ValueError):  # the name is too long for a file, or contains a zero byte
        pass
    raise not_found("the file")


def _send_file(path: Path) -> Response:
    return _send(read_asset(path))


def _send(asset: Asset) -> Response:
    if is_known(request.if_none_match, asset.tag):
        answer = Response(status=304)
    elif coding := choose_coding(asset.packed):
        answer = Response(asset.packed[coding], content_type=asset.kind)
        answer.headers["Content-Encoding"] = coding
    else:
        answer = Response(asset.body, content_type=asset.kind)
    answer.headers["ETag"] = f"W/{asset.tag}"
    # A file changes and keeps its name: at this address the browser asks each time.
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = _POLICY
    answer.headers["Referrer-Policy"] = "same-origin"
    answer.vary.add("Accept-Encoding")
    return answer
