"""The processes that a notice passes through: store, web, dispatcher, notifier, receivers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bench.notices._receivers import Receivers
from bench.service._served import CONFIGURATION, Served, cpu_seconds, post, run_module, serve
from bench.service.http import GeneratedTable
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.notices.web_push import PushServerKey

DISPATCHER: Final = "cartulary.workers.dispatcher"
NOTIFIER: Final = "cartulary.workers.notices.notifier"


class CpuSpent(NamedTuple):
    """Seconds of CPU of the processes."""

    web: float
    store: float
    dispatcher: float
    notifier: float

    def since(self, before: CpuSpent) -> CpuSpent:
        """Return what was spent after an earlier reading."""
        return CpuSpent(*(now - then for now, then in zip(self, before, strict=True)))

    def plus(self, other: CpuSpent) -> CpuSpent:
        """Return the sum."""
        return CpuSpent(*(one + more for one, more in zip(self, other, strict=True)))


class NoticeHouse(NamedTuple):
    """What runs; `store` is its store as this process sees it, the others are ids of processes."""

    served: Served
    store: Store
    receivers: Receivers
    valkey: int
    dispatcher: int
    notifier: int

    def read_cpu(self) -> CpuSpent:
        """Return the CPU time that the processes have used."""
        others = map(cpu_seconds, (self.valkey, self.dispatcher, self.notifier))
        return CpuSpent(self.served.cpu_seconds(), *others)

    def open_tables(self, number: int) -> tuple[list[GeneratedTable], list[str]]:
        """Open so many games, each of a player of its own; return them and the tokens."""
        port = self.served.port
        made = [post(port, "/players", {"name": f"bench {one}"}) for one in range(number)]
        tokens = [str(one["token"]) for one in made]
        return [GeneratedTable(port, token) for token in tokens], tokens

    def add_webhooks(self, tokens: Sequence[str], each: int) -> None:
        """Let the receiver that takes messages know of the turns of players, `each` time."""
        body = {"url": self.receivers.make_url("takes"), "types": ["your_turn"]}
        for token in tokens:
            for _ in range(each):
                post(self.served.port, "/players/me/webhooks", body, token)


@contextmanager
def open_house() -> Iterator[NoticeHouse]:
    """Start all processes, with one web process, and end them."""
    with ExitStack() as held:
        directory = Path(held.enter_context(tempfile.TemporaryDirectory()))
        valkey = held.enter_context(EmbeddedValkey(directory / "valkey"))
        receivers = held.enter_context(Receivers())
        key = directory / "push.key"
        key.write_bytes(PushServerKey.make("mailto:bench@example.org").pem)
        environment = {
            "CARTULARY_EVENTS_URL": str(valkey.url),
            "CARTULARY_RATE_WRITES": "1000000000/minute",
            "CARTULARY_RATE_ACCOUNTS": "",
            "CARTULARY_LOG_REQUESTS": "0",
            "CARTULARY_PUSH_KEY": str(key),
            "CARTULARY_PUBLIC_URL": "https://games.example",
            **receivers.environment,
        }
        served = held.enter_context(serve(["-c", CONFIGURATION], environment))
        dispatcher, notifier = (
            held.enter_context(run_module(module, environment)) for module in (DISPATCHER, NOTIFIER)
        )
        store = Store(connect(str(valkey.url)), OFFERS)
        held.callback(store.close)
        assert valkey.pid is not None
        yield NoticeHouse(served, store, receivers, valkey.pid, dispatcher, notifier)
