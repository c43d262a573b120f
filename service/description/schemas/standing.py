"""Standing answers: the body of a request, and the answer."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.events.standing import GAME, UNTIL
from cartulary.service.description.schemas.base import Answer, Request, list_of
from cartulary.service.description.schemas.references import move, refer

_UNTIL_TEXT = (
    "`game`: to the end of the game. `round`: to the end of the round that is being played, in a "
    "game with rounds."
)


class StandingAnswerRequest(Request):
    """An answer to every question of a kind."""

    kind = fields.String(required=True, metadata=refer("DecisionKind"))
    move = move()
    until = fields.String(
        load_default=GAME, validate=validate.OneOf(UNTIL), metadata={"description": _UNTIL_TEXT}
    )


class StandingAnswersRequest(Request):
    """All standing answers of the caller in a game: those from before are gone."""

    answers = fields.List(fields.Nested(StandingAnswerRequest), required=True)


class StandingAnswerAnswer(Answer):
    """An answer to every question of a kind."""

    kind = fields.String(required=True, metadata=refer("DecisionKind"))
    move = move()
    until = fields.String(
        required=True, validate=validate.OneOf(UNTIL), metadata={"description": _UNTIL_TEXT}
    )


class StandingAnswersAnswer(Answer):
    """The standing answers of the caller that hold now."""

    answers = list_of(StandingAnswerAnswer)
