"""`/llms.txt`: one page for language models about what there is (the form of llmstxt.org)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from flask import Blueprint, Response, request

from cartulary.service.http.conditions import is_known, read_if_none_match, tag_content
from cartulary.service.http.shared.services import current_services

blueprint = Blueprint("llms", __name__)

PAGE: Final = (Path(__file__).parent / "static" / "llms.txt").read_bytes()


@blueprint.get("/llms.txt")
def show_page_for_models() -> Response:
    """Send the page; its links lead to this service."""
    tag = tag_content(PAGE)
    if is_known(read_if_none_match(request.environ, current_services()), tag):
        answer = Response(status=304)
    else:
        answer = Response(PAGE, mimetype="text/plain")
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "no-cache"
    return answer
