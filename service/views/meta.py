"""The service itself: health, metrics, the description of the API."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

from flask import Blueprint, Response, current_app
from werkzeug.datastructures import ETags

from cartulary.engine.form import FORM
from cartulary.events.connection import find_missing
from cartulary.events.coverage import write_slots
from cartulary.events.durability import read_durability
from cartulary.events.types import Json
from cartulary.service.description.document import Description
from cartulary.service.description.openapi import describe
from cartulary.service.description.schemas.health import HealthAnswer, ReadinessAnswer
from cartulary.service.http.answers import answer_json, set_tag
from cartulary.service.http.callers import read_token
from cartulary.service.http.conditions import is_known
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.problems import Problem, not_found
from cartulary.service.shortcuts import environ

blueprint = Blueprint("meta", __name__)
_CACHED = "cartulary-openapi"
DISPATCHER_WITHIN_S = 10.0
"""A dispatcher reports once a second; without a report for so long bots do not move."""
_NO_STORE = {"Cache-Control": "no-store"}


@blueprint.get("/livez")
@operation(
    "service", "Is the process alive?", {200: AnswerOf("It is.", HealthAnswer)}, any_query=True
)
def show_liveness() -> Response:
    """Asks nobody else: a process that cannot answer this is to be started again."""
    return answer_json({"status": "alive"}, headers=_NO_STORE)


@blueprint.get("/readyz")
@operation("service", "Can it serve?", {200: AnswerOf("It can.", ReadinessAnswer)}, any_query=True)
def show_readiness(here: Parts) -> Response:
    """503 while the store cannot be reached, or no dispatcher works: send no requests then."""
    here.store.ping()
    outbox = here.store.outbox.depth()
    backlog = here.store.reports.read()
    if backlog is None or backlog.age > DISPATCHER_WITHIN_S:
        since = "yet" if backlog is None else f"for {backlog.age:.0f} s"
        detail = f"no dispatcher has reported {since}; {outbox} appends wait"
        raise Problem("unavailable", detail, headers={"Retry-After": "5"})
    durability = here.settings.durability or read_durability(here.store.redis)
    here.metrics.show_durability(durability)
    answer: dict[str, Any] = {
        "status": "ready",
        "engine": FORM,
        "durability": durability,
        "outbox": outbox,
        "outbox_age_ms": round(1000 * here.store.outbox.read_age()),
        "dispatcher_age_ms": round(1000 * backlog.age),
        "queued": backlog.queued,
        "queue_age_ms": round(1000 * backlog.queue_age),
        "timers_late": backlog.timers,
        "timer_late_ms": round(1000 * backlog.timer_age),
        **_judge_archive(here),
        "missing_slots": write_slots(find_missing(here.store.redis)),
    }
    return answer_json(answer, headers=_NO_STORE)


def _judge_archive(here: Parts) -> Json:
    """Return how the archive fares: `ok`, `off` without an archive, `failing`, and what fails.

    It fails for this process, whose URL may be wrong or missing, or for the archiver.
    """
    archive = here.store.archive
    if not archive.is_set:
        return {"archive": "off", "archive_problem": None}
    noted, problem = here.store.archive_state.read(), archive.find_problem()
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
def show_metrics(here: Parts) -> Response:
    """For the bearer token of `CARTULARY_METRICS_TOKEN`; without that setting: not found.

    Those of all web processes together when `PROMETHEUS_MULTIPROC_DIR` is set.
    """
    expected = here.settings.metrics_token
    if not expected:
        raise not_found("the page /metrics")
    token = read_token(environ())
    if token is None:
        raise Problem("token_missing", "send the token of the metrics")
    if not compare_digest(token.encode(), expected.encode()):
        raise Problem("token_unknown", "this is not the token of the metrics")
    return Response(here.metrics.text(), content_type=here.metrics.content_type)


@blueprint.get("/openapi.yaml")
@operation(
    "service",
    "This description, as YAML",
    {
        200: AnswerOf("OpenAPI 3.1.", media=("text/yaml",), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match",),
    any_query=True,
)
def show_openapi_yaml(here: Parts, known: ETags) -> Response:
    """The file that is also at the top of the repository."""
    description = _describe(here)
    return _answer_description(known, description.digest, "text/yaml", description.yaml)


@blueprint.get("/openapi.json")
@operation(
    "service",
    "This description, as JSON",
    {
        200: AnswerOf("OpenAPI 3.1.", headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match",),
    any_query=True,
)
def show_openapi_json(here: Parts, known: ETags) -> Response:
    """The same as `openapi.yaml`."""
    description = _describe(here)
    return _answer_description(known, description.digest, "application/json", description.json)


def _answer_description(known: ETags, digest: str, mimetype: str, text: str | bytes) -> Response:
    tag = f'"{digest}-{mimetype.rpartition("/")[2]}"'
    answer = Response(status=304) if is_known(known, tag) else Response(text, mimetype=mimetype)
    return set_tag(answer, tag, "no-cache")


def _describe(here: Parts) -> Description:
    """Return the description, made once per process: code and games on offer do not change."""
    app = current_app
    found: Description | None = app.extensions.get(_CACHED)
    if found is None:
        found = app.extensions[_CACHED] = describe(app, here.store.rules)
    return found
