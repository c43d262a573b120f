"""A part of the store of the world, copied, with a store of the product that talks to it at once.

It answers outside of the world: no time passes, no step is taken, nothing comes back to the world.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from simulation.store.server import ModelServer
from simulation.store.values.keyspace import Keyspace
from simulation.store.values.snapshot import copy_value
from simulation.world import connection
from simulation.world.network import Words

HOST: Final = "copy"


class CopiedStore:
    """A server that is filled again for each look. `now_ms` tells the time of the world's store."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.now_ms = now_ms
        self.server = ModelServer(random.Random("copy"), host=HOST)
        self._url = connection.reach(HOST, self)

    def open(self, _within: float) -> CopyLink:
        """Return a connection to the copy, as a network does."""
        return CopyLink(self)

    def fill(self, sources: Iterable[Keyspace], wants: Callable[[bytes], bool]) -> Keyspace:
        """Copy the keys that are wanted from some databases, in place of what was here."""
        space = self.server.spaces[0] = Keyspace(0, self.server.rng)
        for source in sources:
            for key in filter(wants, source.serials):
                space.put(key, copy_value(source.data[key]))
                if key in source.expires:
                    space.expires[key] = source.expires[key]
        return space

    def open_store(self) -> Store:
        """Return a store of the product that remembers nothing."""
        return Store(connect(self._url), OFFERS)


class CopyLink:
    """A connection that is answered at once."""

    is_cut = False

    def __init__(self, copied: CopiedStore) -> None:
        self._copied = copied
        self._session = copied.server.connect()
        self.arrived: deque[Any] = deque()

    def send(self, words: Words) -> None:
        """Let the copy do a command."""
        server = self._copied.server
        self.arrived.append(server.execute(self._session, words, self._copied.now_ms()))

    def receive(self, _within: float | None) -> Any:
        """Return the next answer. Raises `TimeoutError` where the command waits."""
        if not self.arrived:
            raise TimeoutError("a copy answers at once")
        return self.arrived.popleft()

    def close(self) -> None:
        """End the connection."""
        self._copied.server.close(self._session)
