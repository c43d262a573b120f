"""Open data: what the operator has published, and its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, request, send_file

from cartulary.events.dumps.card import LICENCE
from cartulary.events.dumps.published import PublishedFile, find_published, list_published
from cartulary.service.api.study.dumps_schema import DumpsAnswer
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found

YEAR_S: Final = 365 * 86_400
MINUTES_S: Final = 300
BYTES: Final = "application/octet-stream"

blueprint = Blueprint("dumps", __name__)


@blueprint.get("/dumps")
@operation(
    "service", "The open data", {200: AnswerOf("All months, the newest first.", DumpsAnswer)}
)
def list_dumps(services: Services) -> Response:
    """Public games as files, a folder for each month, of players who have said yes to that.

    Empty where the operator publishes nothing. The address of a file names its content.
    """
    found: list[dict[str, Any]] = [
        {
            "month": one.month,
            "files": [
                {**file._asdict(), "href": _name_address(one.month, file)} for file in one.files
            ],
        }
        for one in list_published(Path(services.settings.dumps or "/dev/null"))
    ]
    headers = {"Cache-Control": f"public, max-age={MINUTES_S}"}
    return answer_json({"licence": LICENCE, "months": found}, headers=headers)


def _name_address(month: str, file: PublishedFile) -> str:
    """Return where a file is; another content under its name has another address."""
    return f"/api/v1/dumps/{month}/{file.name}?sha256={file.sha256}"


@blueprint.get("/dumps/<dump_month>/<dump_file>")
@operation(
    "service",
    "A file of the open data",
    {200: AnswerOf("The file.", media=(BYTES,), headers=("ETag",))},
    refusals=("not_found",),
    any_query=True,
)
def show_dump(services: Services, dump_month: str, dump_file: str) -> Response:
    """A file of `GET /dumps`, or the `SHA256SUMS` of its month.

    With its `sha256` in the query, as in `href`, it may be cached for ever. Without it only for
    minutes: an operator may take a month away and write it again.
    """
    folder = services.settings.dumps
    found = find_published(Path(folder), dump_month, dump_file) if folder else None
    wanted = request.args.get("sha256")
    if found is None or wanted not in (None, found[1]):
        raise not_found("this file")
    path, digest = found
    answer = send_file(path, mimetype=BYTES, etag=digest or True)
    cached = f"{YEAR_S}, immutable" if wanted else str(MINUTES_S)
    answer.headers["Cache-Control"] = f"public, max-age={cached}"
    return answer
