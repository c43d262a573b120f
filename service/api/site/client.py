"""The web client: static files, and one page for all of its addresses."""

from __future__ import annotations

import logging
import re
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, request
from redis.exceptions import RedisError

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.model.failures import BrokenHistory
from cartulary.service.api.site.built_client import (
    WEB,
    digest_early,
    find_built,
    is_stale,
    name_built,
)
from cartulary.service.api.site.built_engine import LIST, find_engine_file
from cartulary.service.api.site.client_words import digest_words, make_words
from cartulary.service.api.site.link_previews import write_tags, write_tournament_tags
from cartulary.service.http.compression import choose_coding
from cartulary.service.http.conditions import is_known
from cartulary.service.http.languages import read_language
from cartulary.service.http.qr_codes import ORIGIN, draw_link
from cartulary.service.http.shared.assets import Asset, make_asset, read_asset
from cartulary.service.http.shared.services import current_services
from cartulary.service.http.wire.problems import not_found

blueprint = Blueprint("client", __name__)

log = logging.getLogger("cartulary.service")
_FOREVER = "public, max-age=31536000, immutable"
_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

_LONGEST_ID = 64
"""No id of a game or a tournament is longer."""

_POLICY_OF_FILES = "default-src 'none'"
"""A module, a stylesheet or an icon loads nothing itself: a page loads it, by its own policy."""


_POLICY_OF_ENGINE = "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
"""Python in the browser is WebAssembly; no page needs this, only the worker."""


@blueprint.get("/")
@blueprint.get("/new")
@blueprint.get("/lobby")
@blueprint.get("/settings")
@blueprint.get("/admin")
@blueprint.get("/local")
@blueprint.get("/analysis")
@blueprint.get("/tournaments")
@blueprint.get("/studies")
@blueprint.get("/puzzles")
def show_client() -> Response:
    """Send the page of the client; what it shows depends on the address.

    The filters of the lobby stand behind a `?`, a link code of the settings behind a `#`.
    """
    return _send_page()


@blueprint.get("/learn/<game_name>")
def show_client_at_lesson(game_name: str) -> Response:
    """Send the page of the client for a person who learns a game that is on offer."""
    if game_name not in current_services().offers:
        raise not_found("the game")
    return _send_page()


@blueprint.get("/leaderboards/<game_name>")
@blueprint.get("/explorer/<game_name>")
def show_client_at_leaderboard(game_name: str) -> Response:
    """Send the page of the client for a leaderboard of a game that is on offer."""
    if game_name not in current_services().offers:
        raise not_found("the game")
    return _send_page()


@blueprint.get("/players/<player_id>")
def show_client_at_player(player_id: str) -> Response:
    """Send the page of the client for the page of a player; it says itself who is missing."""
    del player_id
    return _send_page()


@blueprint.get("/puzzles/<puzzle_id>")
def show_client_at_puzzle(puzzle_id: str) -> Response:
    """Send the page of the client for a puzzle; it says itself which one is missing."""
    del puzzle_id
    return _send_page()


@blueprint.get("/games/<game_id>")
def show_client_at_game(game_id: str) -> Response:
    """Send the page of the client for a deep link, `/games/<id>?v=57`, with `og:` tags."""
    return _send_page(_write_tags(game_id))


@blueprint.get("/tournaments/<tournament_id>")
def show_client_at_tournament(tournament_id: str) -> Response:
    """Send the page of the client for a tournament, with `og:` tags, or for a new one."""
    return _send_page(_write_tournament_tags(tournament_id))


@blueprint.get("/studies/<study_id>")
def show_client_at_study(study_id: str) -> Response:
    """Send the page of the client for a study; it says itself that one is missing."""
    del study_id
    return _send_page()


@blueprint.get("/<any(games, tournaments):folder>/<thing_id>/qr.svg")
def show_link(folder: str, thing_id: str) -> Response:
    """Send the address of a table or a tournament as a QR code; it says nothing about it.

    `origin` is that of the page: behind a proxy the service does not know it.
    """
    origin = request.args.get("origin", "")
    if not thing_id.isalnum() or len(thing_id) > _LONGEST_ID or not re.fullmatch(ORIGIN, origin):
        raise not_found("the picture")
    address = f"{origin}/{folder}/{thing_id}"
    return _send_asset(make_asset(draw_link(address).encode(), "qr.svg"), True)


def show_missing_page() -> Response:
    """Send the page of the client for an address that does not exist: it says so in words."""
    # Without a tag and whatever the browser has: a 304 would say that the address exists.
    page = _find_page("")
    answer = _allow_early(_protect(_encode(page)), page)
    answer.status_code = 404
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """Send the manifest, which a phone needs to install the client."""
    return _send_file(WEB / "manifest.webmanifest")


@blueprint.get("/worker.js")
def show_worker() -> Response:
    """Send the service worker, which keeps the page; it may ask the service and no other host."""
    answer = _send_file(WEB / "worker.js")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; connect-src 'self'"
    return answer


@blueprint.get("/<any(js, css, icons):folder>/<path:name>")
def show_client_file(folder: str, name: str) -> Response:
    """Send a module, a stylesheet or an icon."""
    return _send_file(_find(folder, name))


@blueprint.get("/assets/<digest>/<any(js, css, icons):folder>/<path:name>")
def show_client_file_for_ever(digest: str, folder: str, name: str) -> Response:
    """Send the same file at an address that changes with the files, so a browser asks once.

    A page of an earlier release gets the file of today, which no cache may keep.
    """
    return _send_asset(read_asset(_find(folder, name)), digest == _digest_files())


@blueprint.get("/built/<name>")
def show_built_file(name: str) -> Response:
    """Send the code or the style that `script/bundle` has built.

    A page of another release gets the file of today, which no cache may keep.
    """
    try:
        path, is_exact = find_built(name)
    except LookupError:
        raise not_found("the file") from None
    return _send_asset(read_asset(path), is_exact)


@blueprint.get("/engine.worker.js")
def show_engine_worker() -> Response:
    """Send the worker that runs the engine: no other script may compile WebAssembly."""
    answer = _send_file(WEB / "engine.worker.js")
    answer.headers["Content-Security-Policy"] = _POLICY_OF_ENGINE
    return answer


@blueprint.get("/built/engine/engine.json")
def show_engine_files() -> Response:
    """Send the list of the files of the engine: addresses, lengths and digests."""
    return _send_file(WEB / "built" / "engine" / LIST)


@blueprint.get("/built/engine/<digest>/<name>")
def show_engine_file(digest: str, name: str) -> Response:
    """Send a file of the engine; its address changes with it, so a browser asks once."""
    try:
        return _send_asset(find_engine_file(f"{digest}/{name}"), True)
    except LookupError:
        raise not_found("the file") from None


@blueprint.get("/locales/<lang>.<digest>.json")
def show_words_for_ever(lang: str, digest: str) -> Response:
    """Send the words of a language at an address that changes with the words."""
    return _send_asset(_find_words(lang), digest == digest_words(current_services()))


@blueprint.get("/locales/<lang>.json")
def show_words(lang: str) -> Response:
    """Send the words of a language, those of the games on offer included."""
    return _send(_find_words(lang))


def _find_words(lang: str) -> Asset:
    try:
        return make_words(current_services(), lang)
    except KeyError:
        raise not_found(f"the words of {lang!r}") from None


@cache
def _digest_files() -> str:
    """Return a digest of all files of the client, for their address."""
    digest = sha256()
    for path in sorted(WEB.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(WEB).as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _make_page(wanted: str, words: str) -> Asset:
    """Return the page; it names its files and the words by the addresses that browsers keep.

    With `wanted` as in `CARTULARY_CLIENT` it names the built files, or the modules.
    """
    text = (WEB / "index.html").read_text(encoding="utf-8")
    if _takes_built(wanted):
        text = name_built(text)
    kept = re.sub(r'(href|src)="/(js|css|icons)/', rf'\1="/assets/{_digest_files()}/\2/', text)
    kept = kept.replace("<html ", f'<html data-words="{words}" ', 1)
    return make_asset(kept.encode(), "index.html")


def _takes_built(wanted: str) -> bool:
    """Return whether browsers get the built files; says so when they are stale."""
    if wanted == "built" and is_stale():
        log.warning(
            "the built files of the client are not those of its sources: run script/bundle, "
            "or set CARTULARY_CLIENT=current to send the modules while you change them"
        )
    return wanted == "built" or (wanted == "current" and not is_stale())


@lru_cache(maxsize=256)
def _add_tags(wanted: str, words: str, tags: str) -> Asset:
    """Return the page with tags in its head; a game gets other tags a few times in its life."""
    page = _make_page(wanted, words)
    if not tags:
        return page
    # Before the code of the page, which reads them.
    return make_asset(page.body.replace(b"<title>", f"{tags}<title>".encode(), 1), "index.html")


def _write_tags(game_id: str) -> str:
    """Return the tags of a table; none of a table that is private or not to be found.

    The page is complete without them.
    """
    services = current_services()
    try:
        found = services.store.projections.summaries([game_id]) if game_id.isalnum() else []
    except (RedisError, ArchiveError):
        # The page must come without the store and the archive as well: it says that it waits.
        return ""
    return write_tags(services, found[0], read_language(request.environ, services)) if found else ""


def _write_tournament_tags(tournament_id: str) -> str:
    """Return the tags of a tournament; none of one that is private or not to be found."""
    services = current_services()
    try:
        found = services.store.tournaments.streams.find(tournament_id)
    except (RedisError, ArchiveError, BrokenHistory):
        return ""  # the page must come without the store and the archive as well
    lang = read_language(request.environ, services)
    return write_tournament_tags(services, found, lang) if found else ""


def _send_page(tags: str = "") -> Response:
    page = _find_page(tags)
    answer = _allow_early(_send(page), page)
    answer.vary.add("Accept-Language")
    return answer


def _allow_early(answer: Response, page: Asset) -> Response:
    """Allow the code that stands in the page, if any, by its digest: no other such code runs."""
    if b"<script>" in page.body:
        answer.headers["Content-Security-Policy"] = f"{_POLICY}; script-src 'self' {digest_early()}"
    return answer


def _find_page(tags: str) -> Asset:
    services = current_services()
    return _add_tags(services.settings.client, digest_words(services), tags)


_OF_GAMES = (
    ("js", re.compile(r"play/([^/]+)/index\.js"), "js/play/general/index.js"),
    ("icons", re.compile(r"([^/]+)\.svg"), "icons/icon.svg"),
)
"""Files of a game, and the general file for a game on offer that has none."""


def _find(folder: str, name: str) -> Path:
    """Return a file of the client; raises `Problem` 404."""
    for where, pattern, general in _OF_GAMES:
        found = pattern.fullmatch(name) if folder == where else None
        if found and found[1] in current_services().offers and not (WEB / folder / name).is_file():
            return WEB / general
    return _inside(WEB / folder, name)


def _inside(folder: Path, name: str) -> Path:
    try:
        found = (folder / name).resolve()
        if found.is_relative_to(folder.resolve()) and found.is_file():
            return found
    except (OSError, ValueError):  # the name is too long for a file, or contains a zero byte
        pass
    raise not_found("the file")


def _send_asset(asset: Asset, is_exact: bool) -> Response:
    """Send a file that a page loads; at its exact address a browser keeps it."""
    answer = _send(asset)
    answer.headers["Content-Security-Policy"] = _POLICY_OF_FILES
    if is_exact:
        answer.headers["Cache-Control"] = _FOREVER
    return answer


def _send_file(path: Path) -> Response:
    return _send(read_asset(path))


def _send(asset: Asset) -> Response:
    is_there = is_known(request.if_none_match, asset.tag)
    answer = _protect(Response(status=304) if is_there else _encode(asset))
    answer.headers["ETag"] = f"W/{asset.tag}"
    # A file changes and keeps its name: at this address the browser asks each time.
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _encode(asset: Asset) -> Response:
    """Return a file in the content coding that the client likes best."""
    coding = choose_coding(asset.packed)
    answer = Response(asset.packed.get(coding, asset.body), content_type=asset.kind)
    if coding:
        answer.headers["Content-Encoding"] = coding
    return answer


def _protect(answer: Response) -> Response:
    """Set the headers that every page and every file of the client has."""
    answer.headers["Content-Security-Policy"] = _POLICY
    answer.headers["Referrer-Policy"] = "same-origin"
    answer.vary.add("Accept-Encoding")
    return answer
