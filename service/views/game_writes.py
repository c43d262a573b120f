"""Views that write to a game: what they all read, and how they all write.

A view of a game write gets a `GameWrite`, and by name what its path holds beside the game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from inspect import Parameter, Signature, signature
from typing import Any, NamedTuple

from flask import Response

from cartulary.events.commands import Commands
from cartulary.events.players import Player
from cartulary.events.writer import Written
from cartulary.service.description.schemas.history import WrittenAnswer
from cartulary.service.http.answers import answer_written
from cartulary.service.http.conditions import Versions, write_at
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf, View

WRITTEN = ("ETag", "Idempotency-Replayed")
"""Headers of the answer to a write."""


class GameWrite(NamedTuple):
    """A request that writes to a game: who asks for what, with which key, at which versions."""

    here: Parts
    game_id: str
    who: Player
    key: str | None
    body: dict[str, Any]
    if_match: Versions | None

    @property
    def commands(self) -> Commands:
        """The commands of the store."""
        return self.here.store.commands

    def write(self, command: Callable[[int | None], Written]) -> Written:
        """Give a command the version that the request expects; raises what `write_at` raises."""
        expected = self.body.get("expected_version")
        return write_at(self.here, self.game_id, self.if_match, command, expected)

    def answer(self, command: Callable[[int | None], Written], status: int = 201) -> Response:
        """Write, and answer with the events; `status` is that of an answer with events."""
        return answer_written(self.here, self.write(command), status)


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
        headers=("Idempotency-Key", "If-Match"),
        limit="writes",
        token="required",
        **more,
    )
    read = [*_READ, *(["body"] if "body" in more else [])]

    def decorate(view: Callable[..., Response]) -> View:
        def perform(**arguments: Any) -> Response:
            asked = {name: arguments.pop(name) for name in read}
            return view(GameWrite(**{"body": {}, **asked}), **arguments)

        update_wrapper(perform, view)
        # `operation` hands over what the signature names, and `update_wrapper` would lead it to the
        # signature of the view, which names no part of a `GameWrite`.
        names = [*read, *list(signature(view).parameters)[1:]]
        perform.__dict__["__signature__"] = Signature(
            [Parameter(name, Parameter.KEYWORD_ONLY) for name in names]
        )
        return describe(perform)

    return decorate


_READ = ("here", "game_id", "who", "key", "if_match")
