"""Hints in practice games: what a strong bot would do, and why."""

from __future__ import annotations

import orjson
from flask import Blueprint, Response, request

from cartulary.events.model.errors import (
    GameNotRunning,
    HintsOff,
    NotSeated,
    NotYourTurn,
    OnLadder,
)
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.locales.reasoning import Sentences
from cartulary.service.api.game.game_writes import GameWrite, describe_written, game_write
from cartulary.service.api.game.tables import find_table, name_seats
from cartulary.service.api.study.analysis_schema import HintAnswer
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.costly_results import WaitingRequest, take_turn
from cartulary.service.http.shared.hints import LIMIT, find_bot, make_key
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.observer import HELD
from cartulary.service.http.wire.problems import not_found
from cartulary.service.schemas.game_bodies import PlainWrite

blueprint = Blueprint("hints", __name__)


@blueprint.get("/games/<game:game_id>/hint")
@operation(
    "analysis",
    "A hint",
    {200: AnswerOf("The move that `hard` would make.", HintAnswer)},
    refusals=(
        *("not_found", "not_seated", "game_not_running", "hints_off", "not_your_turn"),
        *("ladder", "rate_limited"),
    ),
)
def show_hint(services: Services, game_id: str, who: Player, lang: str) -> Response:
    """For the player whose turn it is, in a game that was opened with `hints`.

    A game that counts for the practice rating has no hints until `POST /games/{id}/hints`.
    The hint of a position is always the same. `why` has facts for programs, `text` says them in the
    language that `Accept-Language` likes best. A process computes one hint at a time; a player may
    ask for a bounded number of hints that are not remembered.
    """
    table = find_table(services, game_id, who)
    _must_allow_hints(table, who)
    if table.course.ladder is not None:
        raise OnLadder(
            "the game counts for the practice rating: ask for hints first, which ends that"
        )
    offer = services.offers[table.game]
    bot = find_bot(offer.bots)
    if bot is None:
        raise not_found("a bot for hints")
    key = make_key(table, bot)
    found = services.hints.find(key)
    if found is None:
        if not take_turn(services.limits, services.hints, LIMIT, who.id):
            request.environ[HELD] = True
            return Response(WaitingRequest(services.hints, key), direct_passthrough=True)
        found = services.hints.compute(key, table, bot, offer.reasons)
    return _answer(services, table, found, lang)


@blueprint.post("/games/<game:game_id>/hints")
@game_write(
    "analysis",
    "Ask for hints",
    {
        201: describe_written("The game counts for no rating any more, and has hints."),
        200: describe_written("The game has hints already."),
    },
    body=PlainWrite,
    body_optional=True,
    refusals=("not_found", "not_seated", "game_not_running", "hints_off"),
)
def take_hints(write: GameWrite) -> Response:
    """Before the first hint: a practice game with hints does not count for the practice rating."""
    return write.answer(write.give(write.commands.practice.take_hints))


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


def _answer(services: Services, table: Table, found: bytes, lang: str) -> Response:
    hint = orjson.loads(found)
    words = services.offers[table.game].words
    names = [name or "?" for name in name_seats(table, lang)]
    text = Sentences(lang, names).say(words, hint["why"])
    answer = answer_json({"version": table.version, **hint, "text": text})
    answer.headers["Cache-Control"] = "no-store"
    return mark_language(answer, lang)
