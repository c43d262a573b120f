"""Where studies come from: the game of an id becomes its transcript, another study a file."""

from __future__ import annotations

from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.errors import GameRunning
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import find_table
from cartulary.service.api.studies.reading import find_study
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found
from cartulary.studies.writing import write_document


def read_copy(services: Services, body: Json, who: Player, lang: str) -> Json:
    """Return the study that a body names as a study file; raises `NotFound`.

    A lesson of the house is copied in a language, or in English where it lacks it.
    """
    found = find_study(services, body["copy_of"], who, lang)
    document = write_document(found.study)
    return {**document, "title": body.get("title", document["title"])}


def read_source(services: Services, change: Json, who: Player) -> Json:
    """Return a change with the transcript in the place of the id of a game.

    Raises `NotFound` for a game that the caller may not see, `GameRunning`, and `Problem` 404 for
    a private game: it appears nowhere, and a study may become public.
    """
    if change.get("type") != "chapter_added" or "game" not in change:
        return change
    table = find_table(services, change["game"], who)
    if not table.status.finished:
        raise GameRunning(table.status)
    if table.visibility == "private" or table.state is None:
        raise not_found("a game that a study may show")
    events = services.store.ledger.events(table.id, 0, table.version)
    rest = {key: value for key, value in change.items() if key != "game"}
    return {**rest, "transcript": transcript_of(table, events, {}).to_json()}
