"""Answer every exception of a view with a problem."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from flask import Flask, Response, request
from redis.exceptions import BusyLoadingError, NoScriptError, ResponseError
from redis.exceptions import ConnectionError as StoreUnreachable
from redis.exceptions import TimeoutError as StoreTooSlow
from werkzeug.exceptions import HTTPException

from cartulary.events.archive.errors import (
    ArchiveError,
    ArchiveTooOld,
    ArchiveUnavailable,
    InvalidArchiveUrl,
)
from cartulary.events.model.errors import QuotaExceeded, RateLimited, Refused
from cartulary.events.model.failures import (
    BrokenHistory,
    DrawsUnavailable,
    InvariantBroken,
    NewerRelease,
)
from cartulary.events.people.quotas import ANALYSES, ANALYSES_MS, IMPORTS, IMPORTS_MS
from cartulary.events.server.connection import FellBack, Unconfirmed, takes_no_writes
from cartulary.events.server.format import HalfRestored
from cartulary.events.server.servers import Moving, is_missing
from cartulary.service.http.shared.services import current_services
from cartulary.service.http.wire.observer import request_id
from cartulary.service.http.wire.problem_kinds import KINDS
from cartulary.service.http.wire.problems import Problem, choose_code
from cartulary.service.http.wire.rate_limit_headers import RateLimitStanding, note_standing
from cartulary.service.http.write_outcome import describe_outcome, is_stored

_WINDOWS = {IMPORTS: IMPORTS_MS, ANALYSES: ANALYSES_MS}
"""The windows of those quotas that have a window, in ms."""

log = logging.getLogger("cartulary.service")

NO_WRITES_S = 5
"""After this many seconds a client may repeat a write that the store did not take."""

UPGRADE_S = 30
"""After this many seconds a client may repeat a request that an old process cannot answer."""

_AWAY: Mapping[type[Exception], str] = {
    BusyLoadingError: "the store loads its data",
    NoScriptError: "the store forgot its scripts",
    Moving: "the game is on its way to another node of the store",
    Unconfirmed: "no replica of the store has confirmed the change in time",
    FellBack: "the store fell back to an earlier copy of itself",
}
"""Why a store does not do what it is asked, by the error; any other error means no answer."""


def register(app: Flask, show_missing_page: Callable[[], Response]) -> None:
    """Make every exception of the app a problem, foreseen or not.

    A person who opens an address that does not exist gets `show_missing_page()` instead.
    """

    def answer_problem(error: Problem) -> Response:
        answer = _answer_problem(error)
        return show_missing_page() if answer.status_code == 404 and _is_person() else answer

    def answer_framework(error: HTTPException) -> Response | HTTPException:
        return (
            show_missing_page() if error.code == 404 and _is_person() else _answer_framework(error)
        )

    app.register_error_handler(Problem, answer_problem)
    app.register_error_handler(Refused, _answer_refused)
    app.register_error_handler(NewerRelease, _answer_newer)
    app.register_error_handler(HalfRestored, _answer_half_restored)
    app.register_error_handler(DrawsUnavailable, _answer_no_draws)
    for kind in (ArchiveUnavailable, ArchiveTooOld, InvalidArchiveUrl):
        app.register_error_handler(kind, _answer_no_archive)
    app.register_error_handler(BrokenHistory, _answer_damaged)
    app.register_error_handler(InvariantBroken, _answer_invariant)
    app.register_error_handler(HTTPException, answer_framework)
    app.register_error_handler(StoreUnreachable, _answer_unavailable)
    app.register_error_handler(StoreTooSlow, _answer_unavailable)
    app.register_error_handler(NoScriptError, _answer_unavailable)
    app.register_error_handler(ResponseError, _answer_refusal_of_the_store)
    app.register_error_handler(Exception, _answer_unforeseen)


def _is_person() -> bool:
    """Return whether a browser asks for a page: programs do not name HTML, nor does the API."""
    if request.method not in ("GET", "HEAD") or request.path.startswith("/api/"):
        return False
    return any(kind == "text/html" and quality for kind, quality in request.accept_mimetypes)


def _answer_problem(error: Problem) -> Response:
    # A 4xx promises that nothing has changed, so after an append it would be untrue.
    return _answer_unforeseen(error) if is_stored() else error.response()


def _answer_refused(error: Refused) -> Response:
    if is_stored():
        return _answer_unforeseen(error)
    headers = {}
    if isinstance(error, QuotaExceeded):
        headers = _show_quota(error)
    elif isinstance(error, RateLimited):
        headers = {"Retry-After": str(error.retry_after)}
    detail = str(error) or KINDS[error.code].title
    return Problem(error.code, detail, headers=headers, **error.members()).response()


def _show_quota(error: QuotaExceeded) -> dict[str, str]:
    """Note where the caller stands with a quota; return the headers of the refusal."""
    window = _WINDOWS.get(error.quota, 0) // 1000
    name = f"quota-{error.quota}"
    note_standing(request.environ, RateLimitStanding(name, error.limit, window, 0, error.wait or 0))
    return {"Retry-After": str(error.retry_after)}


def _answer_framework(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if status < 400:
        return error
    if is_stored():
        return _answer_unforeseen(error)
    code = choose_code(status)
    detail = KINDS[code].title if status == 404 else error.description or KINDS[code].title
    answer = Problem(code, detail, status=status).response()
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after"):
            answer.headers[name] = value
    return answer


def _answer_unavailable(error: Exception) -> Response:
    log.error("store unavailable", exc_info=error, extra={"request_id": request_id()})
    reason = _find_reason(error)
    detail = f"{reason}{describe_outcome()}"
    return Problem("unavailable", detail, headers={"Retry-After": "1"}).response()


def _find_reason(error: Exception) -> str:
    """Return why the store does not do what it is asked."""
    game_id = (request.view_args or {}).get("game_id")
    if game_id is not None and is_missing(current_services().store.redis, str(game_id)):
        return "the part of the store that has this game does not answer"
    return _AWAY.get(type(error), "the store does not answer")


def _answer_refusal_of_the_store(error: ResponseError) -> Response:
    """Answer 503 where the store takes no writes for now, else as for any failure."""
    if not takes_no_writes(error):
        return _answer_unforeseen(error)
    log.error("the store takes no writes", exc_info=error, extra={"request_id": request_id()})
    detail = f"the store takes no writes{describe_outcome()}"
    headers = {"Retry-After": str(NO_WRITES_S)}
    return Problem("unavailable", detail, headers=headers).response()


def _answer_newer(error: NewerRelease) -> Response:
    """Answer for what a newer release has written: this process waits for its upgrade."""
    log.error("not readable by this release: %s", error, extra={"request_id": request_id()})
    detail = "a newer release of the service has written this"
    headers = {"Retry-After": str(UPGRADE_S)}
    return Problem(error.code, f"{detail}{describe_outcome()}", headers=headers).response()


def _answer_half_restored(error: HalfRestored) -> Response:
    """Answer while the store is incomplete: the operator has to complete the restore."""
    log.error("%s", error, extra={"request_id": request_id()})
    headers = {"Retry-After": str(UPGRADE_S)}
    return Problem("unavailable", "the store is being restored", headers=headers).response()


def _answer_no_draws(error: DrawsUnavailable) -> Response:
    """Answer for a game whose draws cannot be computed: the operator has to help."""
    log.error("the draws are not available: %s", error, extra={"request_id": request_id()})
    detail = "the secret of the draws is not available to this process"
    headers = {"Retry-After": str(UPGRADE_S)}
    return Problem(error.code, f"{detail}{describe_outcome()}", headers=headers).response()


def _answer_no_archive(error: ArchiveError) -> Response:
    """Answer for a game that may be in an archive that cannot be asked: it may well exist."""
    log.error("the archive is unavailable: %s", error, extra={"request_id": request_id()})
    detail = f"{error.told}{describe_outcome()}"
    headers = {"Retry-After": str(NO_WRITES_S)}
    return Problem("archive_unavailable", detail, headers=headers).response()


def _answer_damaged(error: BrokenHistory) -> Response:
    """Answer for a game that cannot be read as it was stored: the operator has to restore it."""
    log.error("a stored game is damaged: %s", error, extra={"request_id": request_id()})
    current_services().metrics.damaged_games.inc()
    detail = f"the game is not as it was stored: its verification says why{describe_outcome()}"
    headers = {"Retry-After": str(UPGRADE_S)}
    return Problem("game_damaged", detail, headers=headers).response()


def _answer_invariant(error: InvariantBroken) -> Response:
    """Answer for a defect of the service that it has noticed itself, mostly before an append."""
    log.critical("an invariant is broken: %s", error, extra={"request_id": request_id()})
    current_services().metrics.broken_invariants.labels(error.check).inc()
    is_stored_now = error.is_stored or is_stored() or request.method in ("GET", "HEAD")
    outcome = describe_outcome() if is_stored_now else "; nothing was stored"
    detail = f"the service has found a defect of itself; the log has it under this id{outcome}"
    return Problem(error.code, detail).response()


def _answer_unforeseen(error: Exception) -> Response:
    log.error("unforeseen", exc_info=error, extra={"request_id": request_id()})
    detail = f"the log has the failure under the id of this request{describe_outcome()}"
    return Problem("internal_error", detail).response()
