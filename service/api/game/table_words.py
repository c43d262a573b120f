"""The table in words, for players who see no picture: language models, terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.features_schema import FeaturesQuery
from cartulary.service.api.game.tables import (
    describe_decision,
    find_table,
    list_legal_moves,
    name_seats,
)
from cartulary.service.http.answers import cache_for_a_day, revalidate
from cartulary.service.http.compression import compress
from cartulary.service.http.conditions import is_known, name_shown
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.words.speaker import SeenTable, say_moves, tell_table

blueprint = Blueprint("table_words", __name__)

TEXT = "text/plain"


@blueprint.get("/games/<game:game_id>/position.txt")
@operation(
    "states",
    "The table in words",
    {
        200: AnswerOf("The table in words.", media=(TEXT,), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=FeaturesQuery,
    refusals=("not_found",),
)
def show_position_text(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """At most 2 000 characters, in the language that `Accept-Language` likes best.

    Who sits where and has what, whose decision it is, what lies on the board. What matters least is
    left out of a text that would be longer; `… +3` says how many things of a line are missing.
    Names of players stand in quotation marks. Nothing is in it that the caller may not see.
    """
    version: int | None = query["version"]
    table = find_table(services, game_id, who, version)
    own = table.seats_of(who.id) if who is not None else ()
    tag = tag_words(services, table, lang, own)
    if is_known(known, tag):
        answer = Response(status=304)
    else:
        answer = compress(Response(_tell(services, table, lang, own), mimetype=TEXT))
    lasting = revalidate if version is None else cache_for_a_day
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = lasting(table.visibility)
    answer.vary.add("Authorization")
    return mark_language(answer, lang)


def tag_words(services: Services, table: Table, lang: str, own: Any = ()) -> str:
    """Return the tag of what is said of a table in a language, to the owner of some seats."""
    seats = "".join(f"-{seat}" for seat in own)
    shown = name_shown(services, table)
    return f'W/"{shown}-words-{lang}{seats}"'


def list_move_words(services: Services, table: Table, lang: str) -> list[dict[str, Any]]:
    """Return the legal moves, each with its number and its sentence."""
    moves = list_legal_moves(table)
    said = say_some(services, table, lang, moves)
    return [
        {"number": number, "text": text, "move": move}
        for number, (text, move) in enumerate(zip(said, moves, strict=True), 1)
    ]


def say_some(services: Services, table: Table, lang: str, moves: Sequence[Any]) -> list[str]:
    """Return some of the legal moves of a table as sentences."""
    offer = services.offers[table.game]
    return say_moves(offer.speaker, offer.words, lang, _see(table, lang, (), moves, ()))


def _tell(services: Services, table: Table, lang: str, own: Any) -> str:
    offer = services.offers[table.game]
    features = () if table.state is None else table.state.list_features()
    seen = _see(table, lang, own, list_legal_moves(table), features)
    return tell_table(offer.speaker, offer.words, lang, seen)


def _see(
    table: Table, lang: str, own: Any, moves: Sequence[Any], features: Sequence[Any]
) -> SeenTable:
    state = table.state
    return SeenTable(
        status=str(table.status),
        names=name_seats(table, lang),
        own=own,
        view=None if state is None else state.view(),
        decision=describe_decision(table),
        features=features,
        moves=moves,
        result=table.result,
    )
