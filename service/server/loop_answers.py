"""Requests that the event loop answers itself, without a thread.

A thread would cost more than the work: the request is handed over, the interpreter lock changes
hands at each system call, and so it does around each command for the store. The app says what it
can answer at once, and sends one command to the store (`app_interface.Later`). What it cannot
answer so goes to a thread, whose answer is the same.

After `loop.TURN` seconds of one round of sockets the rest of such requests are jobs of the loop, so
that the other sockets have their turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from cartulary.service.server.answer_writing import AnswerWriter
from cartulary.service.server.app_interface import AT_ONCE, Later, Marks, NotAtOnce
from cartulary.service.server.connection_host import Host
from cartulary.service.server.connections import ClientConnection
from cartulary.service.server.request_reading import Input

LONGEST = 16 * 1024
"""Bytes; the loop reads no longer body."""
_IN_THE_LOOP: Marks = {AT_ONCE: True}


class AtOnce:
    """Answers in the loop what the app can answer there, and hands the rest to the threads."""

    def __init__(self, server: Host) -> None:
        self._server = server
        self._claims: Callable[[str, str], bool] = getattr(
            server.app, "answers_at_once", _claim_nothing
        )

    def open(self) -> None:
        """Let the app prepare: it gets the loop, and what runs a function in a thread."""
        join = getattr(self._server.app, "join_loop", None)
        if join is not None:
            join(self._server.loop, self._server.pool.put)

    def close(self) -> None:
        """Let the app end what it has prepared."""
        leave = getattr(self._server.app, "leave_loop", None)
        if leave is not None:
            leave()

    def take(self, connection: ClientConnection, request: Any, body: Input) -> None:
        """Answer a request: soon in this thread where the app claims it, else in another."""
        if not (self._claims(request.method, request.path) and body.is_short(LONGEST)):
            self._server.run(connection, request, body)
        elif self._server.loop.late:
            self._server.loop.call(self._begin, connection, request, body)
        else:
            self._begin(connection, request, body)

    def _begin(self, connection: ClientConnection, request: Any, body: Input) -> None:
        server = self._server
        keep = not (request.should_close() or connection.closing or connection.spare)
        answer = AnswerWriter(request.method, request.version, keep)
        try:
            later: Later = server.caller.call(
                request, body, connection.client, connection.local, answer, _IN_THE_LOOP
            )
        except NotAtOnce as refused:
            self._hand_over(connection, request, body, refused.marks)
        else:
            later.follow(partial(self._finish, connection, request, body, answer))

    def _finish(
        self,
        connection: ClientConnection,
        request: Any,
        body: Input,
        answer: AnswerWriter,
        found: Iterable[bytes] | None,
        marks: Marks,
    ) -> None:
        if found is None:
            self._hand_over(connection, request, body, marks)
            return
        answer.keep = answer.keep and not self._server.stopping
        connection.finish(memoryview(answer.finish(found)), answer.keep)

    def _hand_over(
        self, connection: ClientConnection, request: Any, body: Input, marks: Marks
    ) -> None:
        body.seek(0)
        self._server.run(connection, request, body, marks=marks)


def _claim_nothing(_method: str, _path: str) -> bool:
    return False
