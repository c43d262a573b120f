"""What a webhook bot is asked, and what it answers. Pure but for keys and the clock."""

from __future__ import annotations

from typing import Any, Final

import orjson

from cartulary.events.lists.inbox_items import describe
from cartulary.events.model.clock import format_time
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.notices.payloads import WANTED, WantedMove
from cartulary.events.outside_bots.questions import BotQuestion
from cartulary.notices.egress import Reply
from cartulary.workers.notices.texts import clean

ANSWER_S: Final = 10.0
"""So long a bot may think before it answers."""

PAUSES_MS: Final = (5_000, 15_000)
"""The pauses after the first two attempts: with three answers that do not come, 50 s in all."""

LATER: Final = 202
"""With this status a bot says that it makes its move over the API."""

_SCHEMA: Final = WantedMove()


class NoMoveAnswered(Exception):
    """A bot has not answered, or what it has answered is no move; the text says why."""


def write_question(
    question: BotQuestion, table: Table, deadline_at: str | None, address: str, now_ms: int
) -> bytes:
    """Return the body with the decision that a table waits for; the table has started."""
    state, decision = table.state, table.decision
    assert state is not None
    assert decision is not None
    data = describe(table, question.bot, question.version, question.seat, deadline_at)
    body = {
        "type": WANTED,
        "timestamp": format_time(now_ms),
        "data": {
            **data,
            "title": clean(data["title"]),
            "url": f"{address}{data['url']}",
            "decision": decision.to_json(),
            "moves": [*state.legal_moves()],
            "position": table.rules.write_position(state, table.course.remembered),
        },
    }
    return orjson.dumps(_SCHEMA.dump(body))


def name_question(question: BotQuestion) -> str:
    """Return the id by which the bot recognises a repeated question, the key of its move."""
    return f"msg_{question.name}"


def read_answer(reply: Reply | None, error: str) -> Json | None:
    """Return the move that a bot has answered, None when it makes its move over the API.

    `error`: why there is no reply. Raises `NoMoveAnswered`.
    """
    if reply is None:
        raise NoMoveAnswered(error)
    if reply.status == LATER:
        return None
    if not reply.accepted:
        raise NoMoveAnswered(f"The bot answered {reply.status}.")
    answer = _read_json(reply.body)
    move = answer.get("move") if isinstance(answer, dict) else None
    if not isinstance(move, dict):
        raise NoMoveAnswered('The answer is no JSON object with a "move".')
    return move


def _read_json(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise NoMoveAnswered("The answer is no JSON, or longer than 64 KiB.") from error


def describe_question(question: BotQuestion, at: str) -> Json:
    """Return the question as the list of deliveries shows it, without the position."""
    data = {"game": question.game, "version": question.version, "seat": question.seat}
    return {
        "id": question.name,
        "type": WANTED,
        "timestamp": at,
        "data": {**data, "url": f"/games/{question.game}"},
    }
