"""Where a chapter may come from: the game of an id becomes its transcript."""

from __future__ import annotations

from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.errors import GameRunning
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found


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
