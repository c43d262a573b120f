"""The service itself: health and metrics."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.engine.form import COMPILED, FORM, PURE
from cartulary.events.archive.errors import PROBLEMS
from cartulary.events.model.types import Json
from cartulary.events.server.conditions import read_durability
from cartulary.events.server.servers import find_missing, write_slots
from cartulary.service.http.answers import answer_json
from cartulary.service.http.callers import read_token
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, not_found
from cartulary.service.schemas.base import Answer, count, text

blueprint = Blueprint("health", __name__)
DISPATCHER_WITHIN_S = 10.0
"""A dispatcher reports once a second; without a report for so long bots do not move."""
_NO_STORE = {"Cache-Control": "no-store"}


class HealthAnswer(Answer):
    """The health of the service."""

    status = text()


class ReadinessAnswer(HealthAnswer):
    """What waits behind the service."""

    engine = text(
        "The form of the rules and the bots in this process; both forms play "
        "alike, and the compiled form is quicker.",
        validate=validate.OneOf((COMPILED, PURE)),
    )
    outbox = count("Appends that no dispatcher has handled yet.", required=True)
    outbox_age_ms = count("Milliseconds for which the oldest of these has waited.", required=True)
    durability = text(
        "When an answer is on the disk: `always` before it is given, `everysec` "
        "within a second, `replicated` when a replica has it before it is given, `no` when "
        "the system of the store writes it, `off` never, `unknown` where "
        "the store does not show its configuration."
    )
    dispatcher_age_ms = count("Milliseconds since the last report of a dispatcher.", required=True)
    queued = count("Games that waited for a worker at that report.", required=True)
    queue_age_ms = count("Milliseconds for which the first of these waited.", required=True)
    timers_late = count(
        "Games whose timers were due and not judged yet at that report.", required=True
    )
    timer_late_ms = count("Milliseconds for which the first of these waited.", required=True)
    archive = text(
        "Whether finished games go to the archive: `failing` when the last "
        "attempt has failed, or this process could not open the archive; `off` without an "
        "archive. Games that have not been archived are served all the same.",
        validate=validate.OneOf(("ok", "failing", "off")),
    )
    archive_problem = text(
        "What fails while `archive` is `failing`: the database does not answer, "
        "it is read-only or full, a newer or an earlier release has written it, or it is "
        "`foreign`: another database than that which has the games. Null otherwise.",
        allow_none=True,
        validate=validate.OneOf(PROBLEMS),
    )
    missing_slots = text(
        "The slots of the cluster without a master, `0-5460,7000`: the games "
        "in these slots get 503 `unavailable`. Empty when no slot is missing, and without a "
        "cluster."
    )


@blueprint.get("/livez")
@operation(
    "service", "Is the process alive?", {200: AnswerOf("It is.", HealthAnswer)}, any_query=True
)
def show_liveness() -> Response:
    """Asks no other process: a process that cannot answer this is to be started again."""
    return answer_json({"status": "alive"}, headers=_NO_STORE)


@blueprint.get("/readyz")
@operation("service", "Can it serve?", {200: AnswerOf("It can.", ReadinessAnswer)}, any_query=True)
def show_readiness(services: Services) -> Response:
    """503 while the store cannot be reached, or no dispatcher works: send no requests then."""
    services.store.ping()
    outbox = services.store.outbox.depth()
    backlog = services.store.heartbeats.read()
    if backlog is None or backlog.age > DISPATCHER_WITHIN_S:
        since = "yet" if backlog is None else f"for {backlog.age:.0f} s"
        detail = f"no dispatcher has reported {since}; {outbox} appends wait"
        raise Problem("unavailable", detail, headers={"Retry-After": "5"})
    durability = services.settings.durability or read_durability(services.store.redis)
    services.metrics.show_durability(durability)
    answer: dict[str, Any] = {
        "status": "ready",
        "engine": FORM,
        "durability": durability,
        "outbox": outbox,
        "outbox_age_ms": round(1000 * services.store.outbox.read_age()),
        "dispatcher_age_ms": round(1000 * backlog.age),
        "queued": backlog.queued,
        "queue_age_ms": round(1000 * backlog.queue_age),
        "timers_late": backlog.timers,
        "timer_late_ms": round(1000 * backlog.timer_age),
        **_judge_archive(services),
        "missing_slots": write_slots(find_missing(services.store.redis)),
    }
    return answer_json(answer, headers=_NO_STORE)


def _judge_archive(services: Services) -> Json:
    """Return how the archive fares: `ok`, `off` without an archive, `failing`, and what fails.

    It fails for this process, whose URL may be wrong or missing, or for the archiver.
    """
    archive = services.store.archive
    if not archive.is_set:
        return {"archive": "off", "archive_problem": None}
    noted, problem = services.store.archive_state.read(), archive.find_problem()
    if problem is None and noted.works:
        return {"archive": "ok", "archive_problem": None}
    return {"archive": "failing", "archive_problem": problem or noted.problem or "unreachable"}


@blueprint.get("/metrics")
@operation(
    "service",
    "Metrics for Prometheus",
    {200: AnswerOf("Metrics.", media=("text/plain",))},
    refusals=("not_found", "token_missing", "token_unknown"),
    any_query=True,
)
def show_metrics(services: Services) -> Response:
    """For the bearer token of `CARTULARY_METRICS_TOKEN`; without that setting: not found.

    Those of all web processes together when `PROMETHEUS_MULTIPROC_DIR` is set.
    """
    expected = services.settings.metrics_token
    if not expected:
        raise not_found("the page /metrics")
    token = read_token(request.environ)
    if token is None:
        raise Problem("token_missing", "send the token of the metrics")
    if not compare_digest(token.encode(), expected.encode()):
        raise Problem("token_unknown", "this is not the token of the metrics")
    return Response(services.metrics.text(), content_type=services.metrics.content_type)
