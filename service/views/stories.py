"""Stories: what happened, in words, from the facts of the events."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.locales.story import Teller
from cartulary.service.description.schemas.history import StoryAnswer
from cartulary.service.description.schemas.requests import StoryQuery
from cartulary.service.http.bodies import json_response
from cartulary.service.http.compression import packed
from cartulary.service.http.conditions import forever, fresh
from cartulary.service.http.context import caller, parts
from cartulary.service.http.languages import language, names_of, spoken
from cartulary.service.http.operations import WITH_GAME, AnswerOf, operation
from cartulary.service.http.queries import read_query

blueprint = Blueprint("stories", __name__)
_QUERY = StoryQuery()


@blueprint.get("/games/<game:game_id>/story")
@operation(
    "events",
    "What has happened, in words",
    {200: AnswerOf("The story.", StoryAnswer)},
    query=StoryQuery,
    headers=("Accept-Language",),
    refusals=WITH_GAME,
    token="optional",
)
def show_story(game_id: str) -> Response:
    """In the language that `Accept-Language` likes best of those on offer, else English.

    A line belongs to the event of its `version`; an event may have several lines, or none.
    """
    query = read_query(_QUERY)
    who, lang = caller(), language()
    table = parts().store.projector.visible(game_id, who and who.id)
    events = parts().store.ledger.events(table.id, query["after"], query["limit"])
    names = [name or "?" for name in names_of(table, lang)]
    teller = Teller(lang, parts().offers[table.game].words, names)
    story = {
        "language": lang,
        "lines": [line for event in events for line in _lines(teller, event)],
        "next_after": events[-1]["version"] if events else query["after"],
    }
    answer = json_response(story)
    lasting = forever if len(events) == query["limit"] else fresh
    answer.headers["Cache-Control"] = lasting(table.visibility)
    answer.vary.add("Authorization")
    return spoken(packed(answer), lang)


def _lines(teller: Teller, event: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"version": event["version"], "text": text} for text in teller.tell(event)]
