"""What an author sets and reads below `/rehearsal`; the same addresses are 404 everywhere else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, TypeGuard

from cartulary.rehearsal.report import RehearsalReport
from cartulary.rehearsal.scripts import Prompter
from cartulary.rehearsal.settable import SettableClock, set_seed

LONGEST_S: Final = 10 * 366 * 86400
"""Seconds by which the clock may be set forward, all in all: there is no year 10000."""

_HELP: Final = {
    "/rehearsal": "GET: the steps that have not come yet",
    "/rehearsal/draws": 'PUT {"seed": n}: the draws of the games that are opened from now on',
    "/rehearsal/clock": 'GET; PUT {"advance": seconds}: set the clock of the service forward',
    "/rehearsal/applied": 'PUT {"game": id, "versions": [...]}: what the client has applied',
    "/rehearsal/report": "GET: the report so far",
}


class EdgeAnswer(NamedTuple):
    """An answer of the edge."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


class Control:
    """Answers the addresses of a rehearsal."""

    def __init__(
        self, folder: Path, prompter: Prompter, report: RehearsalReport, file: Path
    ) -> None:
        self._folder, self._prompter, self._report, self._file = folder, prompter, report, file
        self._clock = SettableClock(folder)
        self._lock = Lock()

    def answer(self, method: str, path: str, body: bytes) -> EdgeAnswer:
        """Answer a request; what is invalid gets 422, what does not exist 404."""
        if path not in _HELP:
            return make_problem(404, "not_found", "a rehearsal has: " + "; ".join(_HELP), path)
        if method == "GET":
            return self._show(path)
        if method != "PUT" or path in ("/rehearsal", "/rehearsal/report"):
            return make_problem(405, "method_not_allowed", _HELP[path], path)
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            return make_problem(400, "malformed_json", "the body is no JSON", path)
        try:
            return self._set(path, found if isinstance(found, dict) else {})
        except ValueError as error:
            return make_problem(422, "invalid", f"{error}; {_HELP[path]}", path)

    def _show(self, path: str) -> EdgeAnswer:
        if path == "/rehearsal/report":
            ndjson = [("Content-Type", "application/x-ndjson")]
            return EdgeAnswer(200, ndjson, self._file.read_bytes())
        if path == "/rehearsal/clock":
            return self._show_clock()
        return _say({"waiting": self._prompter.list_waiting(), "help": _HELP})

    def _set(self, path: str, found: dict[str, Any]) -> EdgeAnswer:
        if path == "/rehearsal/draws":
            with self._lock:
                set_seed(self._folder, _take_whole(found, "seed"))
            return EdgeAnswer(204, [], b"")
        if path == "/rehearsal/clock":
            seconds = found.get("advance")
            with self._lock:
                left = LONGEST_S - self._clock.read_ahead() / 1000
                if not _is_number(seconds) or not 0 <= seconds <= left:
                    raise ValueError(f"`advance` is a number of seconds, 0 to {left:.0f} by now")
                self._clock.advance(round(1000 * seconds))
            return self._show_clock()
        versions = found.get("versions")
        if not isinstance(versions, list) or not all(type(one) is int for one in versions):
            raise ValueError("`versions` is a list of whole numbers")
        self._report.note("applied", game=str(found.get("game", "")), versions=versions)
        return EdgeAnswer(204, [], b"")

    def _show_clock(self) -> EdgeAnswer:
        now = datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC)
        ahead = self._clock.read_ahead() / 1000
        return _say({"now": now.isoformat(timespec="milliseconds"), "ahead": ahead})


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _take_whole(found: dict[str, Any], name: str) -> int:
    value = found.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"`{name}` is a whole number")  # noqa: TRY004  a member of a body
    return value


def _say(found: Any) -> EdgeAnswer:
    body = json.dumps(found, ensure_ascii=False).encode()
    return EdgeAnswer(200, [("Content-Type", "application/json")], body)


def make_problem(
    status: int,
    code: str,
    detail: str,
    path: str,
    retry_after: float | None = None,
    more: dict[str, Any] | None = None,
) -> EdgeAnswer:
    """Return a refusal in the form of those of the service (RFC 9457)."""
    found = {
        "type": f"/docs/problems#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": path.partition("?")[0],
        "code": code,
        "request_id": "rehearsal",
        **(more or {}),
    }
    headers = [("Content-Type", "application/problem+json")]
    if retry_after is not None:
        # Whole seconds, as RFC 9110 has them.
        headers.append(("Retry-After", str(max(1, round(retry_after)))))
    return EdgeAnswer(status, headers, json.dumps(found).encode())
