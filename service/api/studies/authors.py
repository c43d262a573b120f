"""Who writes in a study: asked by its owner, with a yes of one's own."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.people.players import Player
from cartulary.service.api.studies.reading import DONE, SAME, answer_study_written
from cartulary.service.http.endpoints import operation
from cartulary.service.http.shared.services import Services

blueprint = Blueprint("study_authors", __name__)


@blueprint.put("/studies/<study_id>/authors/<player_id>")
@operation(
    "studies",
    "Ask a player to write in a study, or say yes",
    {200: SAME, 201: DONE},
    limit="writes",
    refusals=(
        "not_found",
        "not_author",
        "muted",
        "quota_exceeded",
        "stale_version",
        "invalid",
    ),
)
def add_study_author(
    services: Services, study_id: str, player_id: str, who: Player, key: str | None
) -> Response:
    """The owner asks another player, who reads the study then and finds it in the inbox.

    The player becomes an author with the same call, and counts no study before. One who blocks the
    owner or is blocked, or is a bot, is 404 like a missing player. A study that the operators hide
    takes no new author.
    """
    done = services.store.studies.authors.add(Intent(who, key=key), study_id, player_id)
    return answer_study_written(services, study_id, done, who)


@blueprint.delete("/studies/<study_id>/authors/<player_id>")
@operation(
    "studies",
    "Take an author out of a study, or end an invitation",
    {201: DONE},
    limit="writes",
    while_suspended=True,
    refusals=("not_found", "not_author", "stale_version", "invalid"),
)
def remove_study_author(
    services: Services, study_id: str, player_id: str, who: Player, key: str | None
) -> Response:
    """The owner removes others and withdraws invitations; one may leave, or decline.

    The owner stays, or deletes the study.
    """
    done = services.store.studies.authors.remove(Intent(who, key=key), study_id, player_id)
    return answer_study_written(services, study_id, done, who)
