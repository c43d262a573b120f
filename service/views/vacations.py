"""The vacations of the caller."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.intervals import Intervals
from cartulary.events.players import Player
from cartulary.events.types import format_time
from cartulary.service.description.schemas.vacations import VacationsAnswer, VacationsRequest
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ

blueprint = Blueprint("vacations", __name__)


@blueprint.get("/players/me/vacations")
@operation(
    "players",
    "One's own vacations",
    {200: AnswerOf("The vacations.", VacationsAnswer)},
    token="required",
)
def show_vacations(here: Parts, who: Player) -> Response:
    """In games whose `pace` allows vacations the clock of a player stands in the vacation."""
    return _answer(here.store.vacations.read(who.id))


@blueprint.put("/players/me/vacations")
@operation(
    "players",
    "Plan one's vacations",
    {200: AnswerOf("The vacations as they are now.", VacationsAnswer)},
    body=VacationsRequest,
    limit="writes",
    token="required",
)
def change_vacations(here: Parts, who: Player, body: dict[str, Any]) -> Response:
    """14 days at a time and 35 days in a calendar year (UTC) at most, from now on.

    A vacation that runs and is missing from the body ends now.
    """
    asked = [(one["since"], one["until"]) for one in body["vacations"]]
    found = here.store.vacations.change(who.id, asked)
    mark_stored(environ())
    return _answer(found)


def _answer(found: Intervals) -> Response:
    shown = [{"from": format_time(begin), "until": format_time(end)} for begin, end in found]
    return set_caching(answer_json({"vacations": shown}), revalidate("private"))
