"""Answers: the health of the service."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.engine.form import COMPILED, PURE
from cartulary.events.archive.errors import PROBLEMS
from cartulary.service.description.schemas.base import Answer, count, text


class HealthAnswer(Answer):
    """The health of the service."""

    status = text()


class ReadinessAnswer(HealthAnswer):
    """What waits behind the service."""

    engine = fields.String(
        required=True,
        validate=validate.OneOf((COMPILED, PURE)),
        metadata={
            "description": "The form of the rules and the bots in this process; both forms play "
            "alike, and the compiled form is quicker."
        },
    )
    outbox = count("Appends that no dispatcher has handled yet.", required=True)
    outbox_age_ms = count("Milliseconds for which the oldest of these has waited.", required=True)
    durability = fields.String(
        required=True,
        metadata={
            "description": "When an answer is on the disk: `always` before it is given, `everysec` "
            "within a second, `replicated` when a replica has it before it is given, `no` when "
            "the system of the store writes it, `off` never, `unknown` where "
            "the store does not show its configuration."
        },
    )
    dispatcher_age_ms = count("Milliseconds since the last report of a dispatcher.", required=True)
    queued = count("Games that waited for a worker at that report.", required=True)
    queue_age_ms = count("Milliseconds for which the first of these waited.", required=True)
    timers_late = count(
        "Games whose timers were due and not judged yet at that report.", required=True
    )
    timer_late_ms = count("Milliseconds for which the first of these waited.", required=True)
    archive = fields.String(
        required=True,
        validate=validate.OneOf(("ok", "failing", "off")),
        metadata={
            "description": "Whether finished games go to the archive: `failing` when the last "
            "attempt has failed, or this process could not open the archive; `off` without an "
            "archive. Games that have not been archived are served all the same."
        },
    )
    archive_problem = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(PROBLEMS),
        metadata={
            "description": "What fails while `archive` is `failing`: the database does not answer, "
            "it is read-only or full, a newer or an earlier release has written it, or it is "
            "`foreign`: another database than that which has the games. Null otherwise."
        },
    )
    missing_slots = fields.String(
        required=True,
        metadata={
            "description": "The slots of the cluster without a master, `0-5460,7000`: the games "
            "in these slots get 503 `unavailable`. Empty when no slot is missing, and without a "
            "cluster."
        },
    )
