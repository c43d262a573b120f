"""Pages that need no built documentation: try the calls, the problems, how to check a game."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Response, send_from_directory

from cartulary.service.api.docs.policy import protect
from cartulary.service.http.wire.problem_kinds import KINDS, ProblemKind
from cartulary.service.http.wire.problems import not_found

blueprint = Blueprint("pages", __name__)

_OWN = Path(__file__).parent / "static"
_SWAGGER = Path(flask_swagger_ui.__file__).parent / "dist"
_FILES = {
    "swagger-ui.css": _SWAGGER,
    "swagger-ui-bundle.js": _SWAGGER,
    "favicon-32x32.png": _SWAGGER,
    "try.js": _OWN,
    "pages.css": _OWN,
}
_QUOTED = re.compile(r"`([^`]*)`")


@blueprint.get("/docs/api/try")
def show_swagger() -> Response:
    """Show Swagger UI on `openapi.json`."""
    return _send_page("try.html")


@blueprint.get("/docs/fairness")
def show_fairness() -> Response:
    """Show how any reader checks a finished game."""
    return _send_page("fairness.html")


@blueprint.get("/docs/problems")
def show_problems() -> Response:
    """Show what every `type` of a problem points at, and what a client does about it."""
    rows = "".join(_write_row(code, kind) for code, kind in KINDS.items())
    template = (_OWN / "problems.html").read_text(encoding="utf-8")
    return protect(Response(template.replace("{rows}", rows), mimetype="text/html"))


@blueprint.get("/docs/pages/<name>")
def show_page_file(name: str) -> Response:
    """Send a file that these pages need."""
    if name not in _FILES:
        raise not_found(f"the file {name!r}")
    return protect(send_from_directory(_FILES[name], name, max_age=3600))


def _write_row(code: str, kind: ProblemKind) -> str:
    advice = _QUOTED.sub(r"<code>\1</code>", escape(kind.advice))
    return (
        f'<tr id="{code}"><td><a href="#{code}"><code>{code}</code></a> {kind.status}<br>'
        f"{escape(kind.title)}</td><td>{advice}</td></tr>"
    )


def _send_page(name: str) -> Response:
    return protect(send_from_directory(_OWN, name, max_age=0))
