"""Proposals: ask the others for something, answer, withdraw."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.proposals import (
    AnswerRequest,
    ProposalRequest,
    ProposalsAnswer,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.views.game_writes import GameWrite, describe_written, game_write
from cartulary.service.views.tables import find_table

blueprint = Blueprint("proposals", __name__)
_REFUSALS = ("not_found", "not_seated", "game_not_running", "seat_forfeited")


@blueprint.post("/games/<game:game_id>/proposals")
@game_write(
    "proposals",
    "Propose something to the others, or take a move back",
    {201: describe_written("Proposed; or done, if nobody is to agree.")},
    body=ProposalRequest,
    refusals=(
        *_REFUSALS,
        *("nothing_to_take_back", "takebacks_off", "proposal_open", "asked_before"),
        "untimed",
    ),
)
def propose(asked: GameWrite) -> Response:
    """A takeback that needs no consent is done at once; other things wait for the answers.

    A `pause` stops the clocks until its end; moves stay legal, and a move ends it.

    What was drawn in the moves that are taken back is drawn again, in the same order.
    """
    command, body = asked.commands.proposals.propose, asked.body
    kind, to_version, until = body["kind"], body.get("to_version"), body.get("until")
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, kind, to_version, at, asked.key, body, until)
    )


@blueprint.get("/games/<game:game_id>/proposals")
@operation(
    "proposals",
    "The open proposal, and what one may propose",
    {200: AnswerOf("What is open, and what the caller may do.", ProposalsAnswer)},
    refusals=("not_found",),
    token="optional",
)
def show_proposals(here: Parts, game_id: str, who: Player | None) -> Response:
    """No cache keeps the answer: it depends on preferences, which may change at any time."""
    table = find_table(here, game_id, who)
    shown = here.store.commands.proposals.describe(table, who)
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
def answer_proposal(asked: GameWrite, version: int) -> Response:
    """One `decline` closes a proposal. `version` is that of its event."""
    command, body = asked.commands.proposals.answer, asked.body
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, version, body["answer"], at, asked.key, body)
    )


@blueprint.delete("/games/<game:game_id>/proposals/<whole:version>")
@game_write(
    "proposals",
    "Withdraw one's own proposal",
    {200: describe_written("Withdrawn.")},
    refusals=(*_REFUSALS, "proposal_closed"),
)
def withdraw_proposal(asked: GameWrite, version: int) -> Response:
    """Only the player who has proposed it withdraws a proposal."""
    withdraw = asked.commands.proposals.withdraw
    return asked.answer(
        lambda at: withdraw(asked.who, asked.game_id, version, at, asked.key, {}), 200
    )
