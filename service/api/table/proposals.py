"""Proposals: ask the others for something, answer, withdraw."""

from __future__ import annotations

from flask import Blueprint, Response
from marshmallow import validate

from cartulary.events.commands.game.overdue import REMEDIES
from cartulary.events.commands.game.proposals import ANSWERS, KINDS
from cartulary.events.people.players import Player
from cartulary.service.api.game.game_writes import GameWrite, describe_written, game_write
from cartulary.service.api.game.games_schema import ProposalAnswer
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Request,
    moment,
    nullable,
    seat,
    text,
    version,
    whole,
)

blueprint = Blueprint("proposals", __name__)
_REFUSALS = ("not_found", "not_seated", "not_for_bots", "game_not_running", "seat_forfeited")


_EXPECTED = {
    "description": "The version that the game must have now; without it the service decides by the "
    "game as it stands."
}


class ProposalRequest(Request):
    """What to propose to the others."""

    kind = text(
        "`takeback`: take moves back. `pause`: the clocks stand. `abort`: no "
        "result. `end`: count the game as it stands.",
        validate=validate.OneOf(KINDS),
    )
    to_version = version(
        description="With `takeback`: the position to go back to. Any version from the "
        "position before a move up to that move means the position before the move. Without "
        "it: before the caller's own last move."
    )
    until = moment("With `pause`: its end, at most 30 days from now.")
    expected_version = version(metadata=_EXPECTED)


class AnswerRequest(Request):
    """An answer to a proposal."""

    answer = text(validate=validate.OneOf(ANSWERS))
    expected_version = version(metadata=_EXPECTED)


class TakebackChoice(Answer):
    """What the caller may take back."""

    free_to = whole(
        1,
        required=True,
        allow_none=True,
        description="The earliest position to which the caller may go back without asking; "
        "null: nothing is free.",
    )
    ask = fields.Boolean(required=True, description="Whether the caller may ask for a takeback.")
    why_not = text(
        "The code with which the service would refuse to ask; else null.", allow_none=True
    )
    own = fields.Boolean(
        required=True,
        description="Whether a move of the caller stands. Without it a takeback needs `to_version`:"
        " there is no own last move before which it would go.",
    )


class ClaimChoice(Answer):
    """A seat whose player is silent."""

    seat = seat(required=True)
    from_ = text(
        data_key="from",
        metadata={"format": "date-time", "description": "From then on; it may lie ahead."},
    )
    remedies = fields.List(
        fields.String(validate=validate.OneOf(REMEDIES)),
        required=True,
        description="What the caller may claim.",
    )


class ProposalChoices(Answer):
    """What the caller may propose now."""

    takeback = fields.Nested(TakebackChoice, required=True)
    pause = fields.Boolean(required=True, description="False as well in an untimed game.")
    abort = fields.Boolean(required=True)
    end = fields.Boolean(required=True)
    claim = nullable(ClaimChoice)


class ProposalsAnswer(Answer):
    """The open proposal, and what the caller may propose."""

    open = nullable(ProposalAnswer)
    may = fields.Nested(ProposalChoices, required=True)


@blueprint.post("/games/<game:game_id>/proposals")
@game_write(
    "proposals",
    "Propose something to the others, or take a move back",
    {201: describe_written("Proposed; or done, if no other player has to agree.")},
    body=ProposalRequest,
    refusals=(
        *_REFUSALS,
        *("nothing_to_take_back", "takebacks_off", "proposal_open", "asked_before"),
        *("untimed", "too_late", "rated_game", "round_open"),
    ),
)
def propose(write: GameWrite) -> Response:
    """A takeback that needs no consent is done at once; other things wait for the answers.

    In a timed game with others it costs time like a move: 409 `too_late` when the time is used up.

    A `pause` stops the clocks until its end; moves stay legal, and a move ends it.

    What was drawn in the moves that are taken back is drawn again, in the same order.
    """
    propose, body = write.commands.proposals.propose, write.body
    done = write.give(propose, body["kind"], body.get("to_version"), body.get("until"))
    return write.answer(done)


@blueprint.get("/games/<game:game_id>/proposals")
@operation(
    "proposals",
    "The open proposal, and what one may propose",
    {200: AnswerOf("What is open, and what the caller may do.", ProposalsAnswer)},
    refusals=("not_found",),
)
def show_proposals(services: Services, game_id: str, who: Player | None) -> Response:
    """No cache keeps the answer: it depends on preferences, which may change at any time."""
    table = find_table(services, game_id, who)
    shown = services.store.commands.proposals.describe(table, who)
    return answer_json(shown, headers={"Cache-Control": "no-store"})


@blueprint.post("/games/<game:game_id>/proposals/<whole:version>/answers")
@game_write(
    "proposals",
    "Answer a proposal",
    {
        200: describe_written("The caller has given this answer before."),
        201: describe_written("Answered; the last `accept` carries the proposal out."),
    },
    body=AnswerRequest,
    refusals=(*_REFUSALS, "proposal_closed", "not_asked"),
)
def answer_proposal(write: GameWrite, version: int) -> Response:
    """One `decline` closes a proposal. `version` is that of its event."""
    answer = write.commands.proposals.answer
    return write.answer(write.give(answer, version, write.body["answer"]))


@blueprint.delete("/games/<game:game_id>/proposals/<whole:version>")
@game_write(
    "proposals",
    "Withdraw one's own proposal",
    {200: describe_written("Withdrawn.")},
    refusals=(*_REFUSALS, "proposal_closed"),
)
def withdraw_proposal(write: GameWrite, version: int) -> Response:
    """Only the player who has proposed it withdraws a proposal."""
    return write.answer(write.give(write.commands.proposals.withdraw, version), 200)
