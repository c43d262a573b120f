"""Pages for developers: the API reference, from files of the installation."""

from __future__ import annotations

from html import escape
from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Response, send_from_directory

from cartulary.service.http.wire.problems import KINDS, not_found

blueprint = Blueprint("pages", __name__)

_OWN = Path(__file__).parent / "static"
_SWAGGER = Path(flask_swagger_ui.__file__).parent / "dist"
_FILES = {
    "swagger-ui.css": _SWAGGER,
    "swagger-ui-bundle.js": _SWAGGER,
    "favicon-32x32.png": _SWAGGER,
    "docs.js": _OWN,
    "pages.css": _OWN,
}
_POLICY = "; ".join(
    [
        *("default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'"),
        *("img-src 'self' data:", "connect-src 'self'", "base-uri 'none'"),
        *("form-action 'none'", "frame-ancestors 'none'"),
    ]
)


@blueprint.get("/docs")
def show_docs() -> Response:
    """Show the API reference: Swagger UI on `openapi.json`."""
    return _page("docs.html")


@blueprint.get("/docs/fairness")
def show_fairness() -> Response:
    """Show how any reader checks a finished game."""
    return _page("fairness.html")


@blueprint.get("/docs/problems")
def show_problems() -> Response:
    """Show what every `type` of a problem points at."""
    rows = "".join(
        f'<tr id="{code}"><td><code>{code}</code></td><td>{kind.status}</td>'
        f"<td>{escape(kind.title)}</td></tr>"
        for code, kind in KINDS.items()
    )
    template = (_OWN / "problems.html").read_text(encoding="utf-8")
    return _protect(Response(template.replace("{rows}", rows), mimetype="text/html"))


@blueprint.get("/docs/<name>")
def show_docs_file(name: str) -> Response:
    """Send a file of the API reference."""
    if name not in _FILES:
        raise not_found(f"the file {name!r}")
    return _protect(send_from_directory(_FILES[name], name, max_age=3600))


def _page(name: str) -> Response:
    return _protect(send_from_directory(_OWN, name, max_age=0))


def _protect(answer: Response) -> Response:
    answer.headers["Content-Security-Policy"] = _POLICY
    return answer
