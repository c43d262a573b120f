"""Proposals: bodies of requests, and answers."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.events.overdue import REMEDIES
from cartulary.events.proposals import ANSWERS, KINDS
from cartulary.service.description.schemas.base import (
    Answer,
    Request,
    list_of,
    moment,
    nullable,
    seat,
    text,
    time,
    version,
    whole,
)

_EXPECTED = {
    "description": "The version that the game must have now; without it the service decides by the "
    "game as it stands."
}


class ProposalRequest(Request):
    """What to propose to the others."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(KINDS),
        metadata={
            "description": "`takeback`: take moves back. `pause`: the clocks stand. `abort`: no "
            "result. `end`: count the game as it stands."
        },
    )
    to_version = version(
        metadata={
            "description": "With `takeback`: the position to go back to. Any version from the "
            "position before a move up to that move means the position before the move. Without "
            "it: before the caller's own last move."
        }
    )
    until = moment("With `pause`: its end, at most 30 days from now.")
    expected_version = version(metadata=_EXPECTED)


class AnswerRequest(Request):
    """An answer to a proposal."""

    answer = fields.String(required=True, validate=validate.OneOf(ANSWERS))
    expected_version = version(metadata=_EXPECTED)


class AnswerOfSeat(Answer):
    """An answer to a proposal."""

    seat = seat(required=True)
    answer = fields.String(required=True, validate=validate.OneOf(["accept", "decline"]))


class ProposalAnswer(Answer):
    """The open proposal: something that other players have to agree to."""

    id = version(required=True, metadata={"description": "The version of its event."})
    seat = seat(required=True, metadata={"description": "The seat that asks."})
    kind = fields.String(
        required=True, validate=validate.OneOf(["takeback", "pause", "abort", "end", "forfeit"])
    )
    needs = fields.List(
        whole(0, 4), required=True, metadata={"description": "The seats that have to agree."}
    )
    answers = list_of(AnswerOfSeat)
    expires_at = time()
    to_version = version(
        required=True,
        allow_none=True,
        metadata={"description": "Takebacks: the version to go back to."},
    )
    moves = fields.List(
        version(),
        required=True,
        metadata={"description": "Takebacks: the versions of the moves; otherwise empty."},
    )
    target = whole(
        0, 4, required=True, allow_none=True, metadata={"description": "Claims: the seat claimed."}
    )
    until = text("Pauses: until when.", allow_none=True)


class TakebackAnswer(Answer):
    """What may be taken back without asking anybody."""

    seat = seat(required=True, metadata={"description": "The seat whose player may."})
    free_to = version(
        required=True, metadata={"description": "The earliest version to go back to."}
    )


class TakebackChoice(Answer):
    """What the caller may take back."""

    free_to = whole(
        1,
        required=True,
        allow_none=True,
        metadata={
            "description": "The earliest position to which the caller may go back without asking; "
            "null: nothing is free."
        },
    )
    ask = fields.Boolean(
        required=True, metadata={"description": "Whether the caller may ask for a takeback."}
    )
    why_not = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The code with which the service would refuse to ask; else null."},
    )


class ClaimChoice(Answer):
    """A seat whose player is silent."""

    seat = seat(required=True)
    from_ = fields.String(
        required=True,
        data_key="from",
        metadata={"format": "date-time", "description": "From then on; it may lie ahead."},
    )
    remedies = fields.List(
        fields.String(validate=validate.OneOf(REMEDIES)),
        required=True,
        metadata={"description": "What the caller may claim."},
    )


class ProposalChoices(Answer):
    """What the caller may propose now."""

    takeback = fields.Nested(TakebackChoice, required=True)
    pause = fields.Boolean(
        required=True, metadata={"description": "False as well in an untimed game."}
    )
    abort = fields.Boolean(required=True)
    end = fields.Boolean(required=True)
    claim = nullable(ClaimChoice)


class ProposalsAnswer(Answer):
    """The open proposal, and what the caller may propose."""

    open = nullable(ProposalAnswer)
    may = fields.Nested(ProposalChoices, required=True)
