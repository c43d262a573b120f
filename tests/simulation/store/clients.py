"""What the tests of the model share: a client that speaks in words."""

from __future__ import annotations

import random

from simulation.store.replies import Blocked, ErrorReply, StoreReply
from simulation.store.server import ModelServer
from simulation.store.values.session import ModelSession

NOW = 1_000_000


class Client:
    """A session of a server, at a time that stands still unless a test sets it."""

    def __init__(self, server: ModelServer, now: int = NOW) -> None:
        self.server, self.now = server, now
        self.session: ModelSession = server.connect()

    def ask(self, text: str, *more: str | bytes) -> StoreReply | Blocked:
        """Return the answer to a command: words of a text, then words as they are."""
        words = [word.encode() for word in text.split(" ")]
        words += [word.encode() if isinstance(word, str) else word for word in more]
        return self.server.execute(self.session, words, self.now)

    def refuse(self, text: str, *more: str | bytes) -> str:
        """Return the line of a refusal."""
        reply = self.ask(text, *more)
        assert isinstance(reply, ErrorReply), reply
        return reply.write()


def make_server(appendfsync: str = "always", seed: int = 1, port: int = 6379) -> ModelServer:
    """Return an empty server."""
    return ModelServer(random.Random(seed), appendfsync=appendfsync, port=port)
