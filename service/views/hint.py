"""Hints in practice games: what a strong bot would do, and why."""

from __future__ import annotations

import orjson
from flask import Blueprint, Response

from cartulary.events.errors import GameNotRunning, NotSeated, NotYourTurn
from cartulary.events.players import Player
from cartulary.events.refusals import HintsOff
from cartulary.events.table import Table
from cartulary.locales.reasoning import Sentences
from cartulary.service.description.schemas.analysis import HintAnswer
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.hints import LIMIT, find_bot, make_key
from cartulary.service.http.languages import mark_language
from cartulary.service.http.observe import HELD
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.problems import not_found
from cartulary.service.http.results import Turn, take_turn
from cartulary.service.shortcuts import environ
from cartulary.service.views.tables import find_table, name_seats

blueprint = Blueprint("hint", __name__)


@blueprint.get("/games/<game:game_id>/hint")
@operation(
    "analysis",
    "A hint",
    {200: AnswerOf("The move that `hard` would make.", HintAnswer)},
    headers=("Accept-Language",),
    refusals=(
        *("not_found", "not_seated", "game_not_running", "hints_off", "not_your_turn"),
        "rate_limited",
    ),
    token="required",
)
def show_hint(here: Parts, game_id: str, who: Player, lang: str) -> Response:
    """For the player whose turn it is, in a game that was opened with `hints`.

    The hint of a position is always the same. `why` has facts for programs, `text` says them in the
    language that `Accept-Language` likes best. A process computes one hint at a time; a player may
    ask for a bounded number of hints that are not remembered.
    """
    table = find_table(here, game_id, who)
    _must_allow_hints(table, who)
    bot = find_bot(here.offers[table.game].bots)
    if bot is None:
        raise not_found("a bot for hints")
    key = make_key(table, bot)
    found = here.hints.find(key)
    if found is None:
        if not take_turn(here, here.hints, LIMIT, who.id):
            environ()[HELD] = True
            return Response(Turn(here.hints, key), direct_passthrough=True)
        found = here.hints.compute(key, table, bot)
    return _answer(here, table, found, lang)


def _must_allow_hints(table: Table, who: Player) -> None:
    """Raise `NotSeated`, `GameNotRunning`, `HintsOff`, `NotYourTurn`, in this order."""
    seats = table.seats_of(who.id)
    if not seats:
        raise NotSeated("you have no seat in this game")
    if not table.running:
        raise GameNotRunning(table.status)
    if not table.hints:
        raise HintsOff
    decision = table.decision
    assert decision is not None
    if decision.seat not in seats:
        raise NotYourTurn(decision.to_json())


def _answer(here: Parts, table: Table, found: bytes, lang: str) -> Response:
    hint = orjson.loads(found)
    words = here.offers[table.game].words
    names = [name or "?" for name in name_seats(table, lang)]
    text = Sentences(lang, names).say(words, hint["why"])
    answer = answer_json({"version": table.version, **hint, "text": text})
    answer.headers["Cache-Control"] = "no-store"
    return mark_language(answer, lang)
