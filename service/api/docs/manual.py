"""The documentation as a site, which `script/docs` makes of docs/ and `openapi.yaml`.

A wheel has it, `script/serve` makes it; without it a page says so and leads to what is there.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, redirect, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from cartulary.service.api.docs.policy import protect
from cartulary.service.http.wire.problems import not_found

blueprint = Blueprint("manual", __name__)

_SITE = Path(__file__).parent / "site"
_SCRIPTS = "scripts.json"
_UNBUILT = Path(__file__).parent / "static"


@blueprint.get("/docs")
def lead_to_manual() -> AnyResponse:
    """Lead to the first page: the links of the pages are relative to its slash."""
    return redirect("/docs/", 308)


@blueprint.get("/docs/", defaults={"name": ""})
@blueprint.get("/docs/<path:name>")
def show_manual(name: str) -> AnyResponse:
    """Send a page or a file of the documentation.

    A page has a slash at its end; the address without it leads there.
    """
    if not (_SITE / _SCRIPTS).is_file():
        return _show_unbuilt(name)
    if name.endswith("/") or not name:
        return _send(f"{name}index.html")
    if os.path.isfile(_SITE / name / "index.html"):
        return redirect(f"/docs/{name}/", 308)
    return _send(name)


def _send(name: str) -> Response:
    """Send a file of the site; it may change with every release, so a cache asks again."""
    if name == _SCRIPTS or not os.path.isfile(_SITE / name):
        raise not_found(f"the page {name!r} of the documentation")
    answer = send_from_directory(_SITE, name, max_age=0 if name.endswith(".html") else 3600)
    return protect(answer, read_digests())


def _show_unbuilt(name: str) -> Response:
    if name:
        raise not_found(f"the page {name!r} of the documentation, which is not built here,")
    return protect(send_from_directory(_UNBUILT, "unbuilt.html", max_age=0))


@cache
def read_digests() -> tuple[str, ...]:
    """Return the digests of the scripts in the pages.

    They are read once: a site that is made again while the service runs needs a restart.
    """
    return tuple(json.loads((_SITE / _SCRIPTS).read_text(encoding="utf-8")))
