"""Why a move is not legal: the reason of the engine in the words of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response

from cartulary.engine.errors import IllegalMove, Reason
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.locales.reasons import Reasons
from cartulary.service.api.game.tables import find_table, name_seats
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.bodies import parse_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, text

blueprint = Blueprint("why", __name__)


class WhyQuery(Request):
    """A move that a caller asks about."""

    move = fields.String(
        load_default=None, description='The move as JSON: `{"type":"pass"}`. It must be given.'
    )


class WhyAnswer(Answer):
    """Whether a move is legal now, and why not."""

    legal = fields.Boolean(required=True)
    rule = fields.String(
        required=True,
        allow_none=True,
        description="The broken rule, for programs: for example `cannot_pay`. More may be "
        "added. Null for a legal move.",
    )
    reason = text("The reason as the engine says it, in English; empty for a legal move.")
    text = text("The reason in the language asked for.")


@blueprint.get("/games/<game:game_id>/why")
@operation(
    "moves",
    "Why is a move not legal?",
    {200: AnswerOf("Whether the move is legal now, and why not.", WhyAnswer)},
    query=WhyQuery,
    refusals=("not_found",),
)
def explain_move(
    services: Services, game_id: str, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    """Judges the move for the seat that is asked, not for the caller; it stores nothing.

    `text` is in the language that `Accept-Language` likes best. `reason` is the same in English, as
    `illegal_move` says it; `rule` names the broken rule for programs.
    """
    table = find_table(services, game_id, who)
    move = _read_move(query["move"])
    names = [name or "?" for name in name_seats(table, lang)]
    reasons = Reasons(lang, services.offers[table.game].words, names)
    answer = answer_json(_explain(table, move, reasons))
    return mark_language(set_caching(answer, revalidate(table.visibility)), lang)


def _read_move(text: str | None) -> dict[str, Any]:
    """Return the move of the query; raises `Invalid` for what is no JSON object."""
    if text is None:
        raise invalid("/move", "is missing")
    try:
        move = parse_json(text.encode("utf-8", "replace"))
    except Problem as error:
        raise invalid("/move", "must be a move as JSON") from error
    if not isinstance(move, dict):
        raise invalid("/move", "must be an object")
    return move


def _explain(table: Table, move: dict[str, Any], reasons: Reasons) -> dict[str, Any]:
    if table.decision is None or table.state is None:
        sentence: str = Reason("nothing is asked now: the game is not running", "play_over")
    else:
        try:
            table.state.find(move)
        except IllegalMove as error:
            sentence = error.reason
        else:
            return {"legal": True, "rule": None, "reason": "", "text": reasons.tell("legal", {})}
    rule, details = _read_reason(sentence)
    told = reasons.tell(rule, details, sentence)
    return {"legal": False, "rule": rule, "reason": str(sentence), "text": told}


def _read_reason(sentence: str) -> tuple[str, Mapping[str, Any]]:
    """Return the rule and the details of a reason; a game may give a bare sentence."""
    if isinstance(sentence, Reason):
        return sentence.rule, sentence.details
    return "not_legal", {}
