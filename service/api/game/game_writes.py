"""Views that write to a game: what they all read, and how they all write.

A view of a game write gets a `GameWrite`, and by name what its path holds besides the game. All
commands take the same `Intent`, so it is made here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from inspect import Parameter, Signature, signature
from typing import Any, Concatenate, NamedTuple, ParamSpec

from flask import Response

from cartulary.events.commands.commands import Commands, Intent
from cartulary.events.ledger.writer import Written
from cartulary.events.people.players import Player
from cartulary.service.api.game.games_schema import GameAnswer
from cartulary.service.http.answers import answer_written
from cartulary.service.http.conditions import Versions, write_at
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf, View
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, JsonObject, version
from cartulary.service.schemas.references import refer

WRITTEN = ("ETag", "Idempotency-Replayed")
"""Headers of the answer to a write."""

Own = ParamSpec("Own")
"""What a command takes after the intent and the game."""


class GameWrite(NamedTuple):
    """A request that writes to a game: who asks for what, and at which versions."""

    services: Services
    game_id: str
    intent: Intent
    if_match: Versions | None

    @property
    def body(self) -> dict[str, Any]:
        """The body of the request, {} without one."""
        body: dict[str, Any] = self.intent.body
        return body

    @property
    def commands(self) -> Commands:
        """The commands of the store."""
        return self.services.store.commands

    def give(
        self,
        command: Callable[Concatenate[Intent, str, Own], Written],
        *own: Own.args,
        **more: Own.kwargs,
    ) -> Written:
        """Give a command with its own arguments; raises what `write_at` raises."""
        return write_at(
            *(self.services, self.game_id, self.if_match, self.intent),
            lambda intent: command(intent, self.game_id, *own, **more),
        )

    def answer(self, done: Written, status: int = 201) -> Response:
        """Answer with the events; `status` is that of an answer with events."""
        return answer_written(self.services, done, status)


class WrittenAnswer(Answer):
    """What a command of a game's life has done."""

    version = version(required=True)
    events = fields.List(
        JsonObject(metadata=refer("Event")),
        required=True,
        description="All events that the command has added, in order; none with 200.",
    )
    game = fields.Nested(GameAnswer, required=True, description="The game after these events.")


def describe_written(text: str) -> AnswerOf:
    """Return the answer of a write that shows its events and the game."""
    return AnswerOf(text, WrittenAnswer, headers=WRITTEN)


def game_write(
    tag: str, summary: str, answers: dict[int, AnswerOf], **more: Any
) -> Callable[[Callable[..., Response]], View]:
    """Describe a view that writes to a game, and read what such a view needs; see `operation`."""
    describe = operation(
        tag,
        summary,
        answers,
        limit="writes",
        token="required",
        **more,
    )

    def decorate(view: Callable[..., Response]) -> View:
        def perform(
            services: Services,
            game_id: str,
            who: Player,
            key: str | None,
            if_match: Versions | None,
            received: int | None,
            body: dict[str, Any] | None = None,
            **own: Any,
        ) -> Response:
            given = body or {}
            intent = Intent(who, given.get("expected_version"), key, given, received)
            return view(GameWrite(services, game_id, intent, if_match), **own)

        update_wrapper(perform, view)
        # `operation` hands over what the signature names, and `update_wrapper` would lead it to the
        # signature of the view, which names no part of a `GameWrite`.
        names = [
            *_READ,
            *(["body"] if "body" in more else []),
            *list(signature(view).parameters)[1:],
        ]
        perform.__dict__["__signature__"] = Signature(
            [Parameter(name, Parameter.KEYWORD_ONLY) for name in names]
        )
        return describe(perform)

    return decorate


_READ = ("services", "game_id", "who", "key", "if_match", "received")
