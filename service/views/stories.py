"""Stories: what happened, in words, from the facts of the events."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.events.table import Table
from cartulary.events.types import MOVE_MADE
from cartulary.locales.story import FormerName, Teller
from cartulary.locales.thread import CONTEXT
from cartulary.service.description.schemas.history import StoryAnswer
from cartulary.service.description.schemas.requests import StoryQuery
from cartulary.service.http.answers import answer_json, cache_for_a_day, revalidate
from cartulary.service.http.compression import compress
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.views.tables import find_table, name_seats

blueprint = Blueprint("stories", __name__)


@blueprint.get("/games/<game:game_id>/story")
@operation(
    "events",
    "What has happened, in words",
    {200: AnswerOf("The story.", StoryAnswer)},
    query=StoryQuery,
    headers=("Accept-Language",),
    refusals=("not_found",),
    token="optional",
)
def show_story(
    here: Parts, game_id: str, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    """In the language that `Accept-Language` likes best of those on offer, else English.

    A line belongs to the event of its `version`; an event may have several lines, or none. Lines of
    a move that was taken back are marked `taken_back`: show them struck through.
    """
    table = find_table(here, game_id, who)
    found = here.store.ledger.events(table.id, query["after"], query["limit"])
    events = here.store.masks.mask_events(found)
    next_after = events[-1]["version"] if events else query["after"]
    before = _read_before(here, table, query["after"])
    lines = _tell(here, table, before, events, lang)
    answer = answer_json({"language": lang, "lines": lines, "next_after": next_after})
    # A takeback marks lines of earlier pages, so no page is final before the game is.
    final = table.status.finished and len(events) == query["limit"]
    lasting = cache_for_a_day if final else revalidate
    answer.headers["Cache-Control"] = lasting(table.visibility)
    answer.vary.add("Authorization")
    return mark_language(compress(answer), lang)


def _read_before(here: Parts, table: Table, after: int) -> list[dict[str, Any]]:
    """Return the events before a page to which its events may refer."""
    if not after:
        return []
    first = max(0, after - CONTEXT)
    return here.store.ledger.events(table.id, first, after - first)


def _tell(
    here: Parts,
    table: Table,
    before: list[dict[str, Any]],
    events: list[dict[str, Any]],
    lang: str,
) -> list[dict[str, Any]]:
    names = [name or "?" for name in name_seats(table, lang)]
    former = [
        FormerName(tenure.seat, tenure.player["name"], tenure.version)
        for tenure in table.course.tenures
    ]
    teller = Teller(lang, here.offers[table.game].words, names, former)
    for event in before:
        teller.follow(event)
    return [
        {"version": event["version"], "text": text, **_mark(table, event)}
        for event in events
        for text in teller.tell(event)
    ]


def _mark(table: Table, event: dict[str, Any]) -> dict[str, Any]:
    """Return the mark of a line about a move that was taken back."""
    taken_back = event["type"] == MOVE_MADE and not table.stands(event["version"])
    return {"taken_back": True} if taken_back else {}
