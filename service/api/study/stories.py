"""Stories: what happened, in words, from the facts of the events."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary import locales
from cartulary.events.model.table import Table
from cartulary.events.model.types import MOVE_MADE
from cartulary.events.people.players import Player
from cartulary.locales.story import FormerName, StoryTeller
from cartulary.locales.thread import CONTEXT
from cartulary.service.api.game.events_schema import EVENTS_MAX
from cartulary.service.api.game.tables import find_table, name_seats
from cartulary.service.http.answers import answer_json, cache_for_a_day, revalidate
from cartulary.service.http.compression import compress
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text, version, whole

blueprint = Blueprint("stories", __name__)


class StoryLine(Answer):
    """A line of the story; it describes the event `version`."""

    version = version(required=True)
    text = text()
    taken_back = fields.Boolean(
        description="True: about a move that was taken back. Show it struck through."
    )


class StoryAnswer(Answer):
    """What has happened, in words."""

    language = text("Of the lines: `en`, `pl`, `hr`, `nl`, `ru`.")
    lines = list_of(StoryLine)
    next_after = whole(0, required=True, description="The value of `after` for the next page.")


class StoryQuery(Request):
    """A part of the story."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)
    limit = whole(1, EVENTS_MAX, text=True, load_default=EVENTS_MAX)


@blueprint.get("/games/<game:game_id>/story")
@operation(
    "events",
    "What has happened, in words",
    {200: AnswerOf("The story.", StoryAnswer)},
    query=StoryQuery,
    refusals=("not_found",),
)
def show_story(
    services: Services, game_id: str, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    """In the language that `Accept-Language` likes best of those on offer, else English.

    A line belongs to the event of its `version`; an event may have several lines, or none. Lines of
    a move that was taken back are marked `taken_back`: show them struck through.
    """
    table = find_table(services, game_id, who)
    found = services.store.ledger.events(table.id, query["after"], query["limit"])
    events = services.store.masks.mask_events(found)
    next_after = events[-1]["version"] if events else query["after"]
    before = _read_before(services, table, query["after"])
    lines = _tell(services, table, before, events, lang)
    answer = answer_json({"language": lang, "lines": lines, "next_after": next_after})
    # A takeback marks lines of earlier pages, so no page is final before the game is.
    final = table.status.finished and len(events) == query["limit"]
    lasting = cache_for_a_day if final else revalidate
    answer.headers["Cache-Control"] = lasting(table.visibility)
    answer.vary.add("Authorization")
    return mark_language(compress(answer), lang)


def _read_before(services: Services, table: Table, after: int) -> list[dict[str, Any]]:
    """Return the events before a page to which its events may refer."""
    if not after:
        return []
    first = max(0, after - CONTEXT)
    return services.store.ledger.events(table.id, first, after - first)


def _tell(
    services: Services,
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
    bots = locales.terms(lang)["bots"]
    former += [
        FormerName(one.seat, bots.get(one.bot, one.bot), one.version)
        for one in table.course.replaced
    ]
    former.sort(key=lambda one: one.version)
    teller = StoryTeller(lang, services.offers[table.game].words, names, former)
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
