"""The board of a table in a page of others: it shows, and it cannot act.

Any page may frame it, and no other page of the service. It runs in a sandbox of its own origin:
no token, no storage and no window of this service can be reached from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, request

from cartulary import locales
from cartulary.events.model.errors import NotFound
from cartulary.events.model.table import Table
from cartulary.events.model.types import (
    GAME_ABORTED,
    GAME_SCORED,
    GAME_STARTED,
    MOVE_MADE,
    MOVES_TAKEN_BACK,
)
from cartulary.service.api.game.table_pictures import find_picture
from cartulary.service.api.game.tables import find_table, name_seats
from cartulary.service.http.compression import compress
from cartulary.service.http.languages import mark_language, read_language
from cartulary.service.http.shared.assets import read_asset
from cartulary.service.http.shared.services import Services, current_services
from cartulary.service.http.wire.problems import not_found

blueprint = Blueprint("embeds", __name__)

BOARD: Final = "board.svg?layout=share"
POLICY: Final = "; ".join(
    [
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'"),
        *("connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors *"),
        "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox",
    ]
)
_FILES: Final = Path(__file__).parent / "static"
_VERSION: Final = re.compile("[1-9][0-9]{0,8}", re.ASCII)
_CHANGES: Final = (GAME_STARTED, MOVE_MADE, MOVES_TAKEN_BACK)
"""The events that change the board. Others, a proposal for instance, are no step."""
_ENDS: Final = (GAME_SCORED, GAME_ABORTED)
_FARTHEST: Final = 10_000
"""A step that is longer than any game."""
_STEPS: Final = (
    ("first", -_FARTHEST, "⏮"),
    ("back", -1, "◀"),
    ("forward", 1, "▶"),
    ("latest", _FARTHEST, "⏭"),
)


@blueprint.get("/embed/games/<game_id>")
def show_embed(game_id: str) -> Response:
    """Send the page that shows a table, for a frame in any other page.

    `version` is where it begins, by default the last event. It follows a running game unless there
    is a `version` or `live=0`. A private game has none, for any caller.
    """
    services = current_services()
    lang = read_language(request.environ, services)
    try:
        table = find_table(services, game_id, None) if game_id.isalnum() else None
    except NotFound:
        table = None
    page = None if table is None else _write_page(services, table, lang)
    return _send(page or _write_missing(lang), lang, 200 if page else 404)


@blueprint.get("/embed/<name>")
def show_embed_file(name: str) -> Response:
    """Send the code or the style of that page."""
    if name not in ("embed.js", "embed.css"):
        raise not_found("the file")
    asset = read_asset(_FILES / name)
    answer = compress(Response(asset.body, content_type=asset.kind))
    answer.headers["Cache-Control"] = "public, max-age=3600"
    return answer


def _write_page(services: Services, table: Table, lang: str) -> str | None:
    """Return the page of a table, None where there is no picture, or not of this version."""
    if find_picture(services, table) is None:
        return None
    versions = list_versions(services, table)
    wanted = request.args.get("version", str(versions[-1]))
    if not _VERSION.fullmatch(wanted) or not versions[0] <= int(wanted) <= table.version:
        return None
    version = max(one for one in versions if one <= int(wanted))
    is_live = table.running and request.args.get("live", str(int("version" not in request.args)))
    return _fill(services, table, lang, versions, version, is_live == "1")


def list_versions(services: Services, table: Table) -> Sequence[int]:
    """Return the versions at which the board changes, and the last one, which names who has won."""
    events = services.store.ledger.events(table.id, 0, table.version)
    shown = [event["version"] for event in events if event["type"] in _CHANGES]
    last = table.version
    return [*shown, *([] if last in shown else [last])]


def _fill(
    services: Services,
    table: Table,
    lang: str,
    versions: Sequence[int],
    version: int,
    is_live: bool,
) -> str:
    ui = locales.words(lang)["ui"]
    api = f"/api/v1/games/{table.id}"
    names = ", ".join(str(name) for name in name_seats(table, lang) if name)
    game = services.offers[table.game].words.terms(lang).get("title", table.game)
    steps = " ".join((*_CHANGES, *_ENDS))
    events = f' data-events="{api}/events/stream" data-steps="{steps}"' if is_live else ""
    buttons = "".join(
        f'<button value="{step}" aria-label="{escape(ui["replay"][word])}">{sign}</button>'
        for word, step, sign in _STEPS
    )
    title = escape(f"{game}: {names}")
    # The code asks for the picture as well: at the same address, so it is sent once.
    return _frame(
        lang,
        title,
        f'<main data-board="{api}/{BOARD}" data-version="{version}"{events}'
        f' data-versions="{",".join(map(str, versions))}">'
        f'<img src="{api}/{BOARD}&amp;version={version}" alt="{title}"></main>'
        f"<footer>{buttons}<output></output>"
        f'<a href="/games/{table.id}" target="_blank" rel="noopener">{escape(ui["home"]["watch"])}'
        '</a></footer><script src="/embed/embed.js"></script>',
    )


def _write_missing(lang: str) -> str:
    says = escape(locales.words(lang)["ui"]["errors"]["not_found"])
    return _frame(lang, says, f"<p>{says}</p>")


def _frame(lang: str, title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="stylesheet" href="/embed/embed.css"><body>{body}</body></html>'
    )


def _send(page: str, lang: str, status: int) -> Response:
    answer = compress(Response(page, status, mimetype="text/html"))
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["Cache-Control"] = "no-cache" if status == 200 else "no-store"
    return mark_language(answer, lang)


def must_be_embeddable(services: Services, game_id: str) -> Table:
    """Return a table that has an embed now. Raises `NotFound`, `Problem` 404."""
    table = find_table(services, game_id, None)
    if find_picture(services, table) is None:
        raise not_found("a picture of this game")
    return table
