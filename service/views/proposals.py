"""Proposals: ask the others for something, answer, withdraw."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.history import WrittenAnswer
from cartulary.service.description.schemas.proposals import (
    AnswerRequest,
    ProposalRequest,
    ProposalsAnswer,
)
from cartulary.service.http.answers import answer_json, answer_written
from cartulary.service.http.conditions import Versions, write_at
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.views.tables import find_table

blueprint = Blueprint("proposals", __name__)
_HEADERS = ("ETag", "Idempotency-Replayed")
_REFUSALS = ("not_found", "not_seated", "game_not_running", "seat_forfeited")


@blueprint.post("/games/<game:game_id>/proposals")
@operation(
    "proposals",
    "Propose something to the others, or take a move back",
    {201: AnswerOf("Proposed; or done, if nobody is to agree.", WrittenAnswer, headers=_HEADERS)},
    body=ProposalRequest,
    headers=("Idempotency-Key", "If-Match"),
    limit="writes",
    refusals=(
        *_REFUSALS,
        *("nothing_to_take_back", "takebacks_off", "proposal_open", "asked_before"),
    ),
    token="required",
)
def propose(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """A takeback that needs no consent is done at once; other things wait for the answers.

    What was drawn in the moves that are taken back is drawn again, in the same order.
    """
    commands, kind, to_version = here.store.commands.proposals, body["kind"], body.get("to_version")
    done = write_at(
        here,
        game_id,
        if_match,
        lambda at: commands.propose(who, game_id, kind, to_version, at, key, body),
        body.get("expected_version"),
    )
    return answer_written(here, done)


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
@operation(
    "proposals",
    "Answer a proposal",
    {
        200: AnswerOf("The caller has given this answer before.", WrittenAnswer, headers=_HEADERS),
        201: AnswerOf(
            "Answered; the last `accept` carries the proposal out.", WrittenAnswer, headers=_HEADERS
        ),
    },
    body=AnswerRequest,
    headers=("Idempotency-Key", "If-Match"),
    limit="writes",
    refusals=(*_REFUSALS, "proposal_closed", "not_asked"),
    token="required",
)
def answer_proposal(
    here: Parts,
    game_id: str,
    version: int,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """One `decline` closes a proposal. `version` is that of its event."""
    commands, answer = here.store.commands.proposals, body["answer"]
    done = write_at(
        here,
        game_id,
        if_match,
        lambda at: commands.answer(who, game_id, version, answer, at, key, body),
        body.get("expected_version"),
    )
    return answer_written(here, done)


@blueprint.delete("/games/<game:game_id>/proposals/<whole:version>")
@operation(
    "proposals",
    "Withdraw one's own proposal",
    {200: AnswerOf("Withdrawn.", WrittenAnswer, headers=_HEADERS)},
    headers=("Idempotency-Key", "If-Match"),
    limit="writes",
    refusals=(*_REFUSALS, "proposal_closed"),
    token="required",
)
def withdraw_proposal(
    here: Parts, game_id: str, version: int, who: Player, key: str | None, if_match: Versions | None
) -> Response:
    """Only the player who has proposed it withdraws a proposal."""
    withdraw = here.store.commands.proposals.withdraw
    done = write_at(
        here, game_id, if_match, lambda at: withdraw(who, game_id, version, at, key, {})
    )
    return answer_written(here, done, 200)
