"""A healthy installation on a real Valkey, for tests that plant a fault in it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from cartulary.cli.doctor.looking import examine
from cartulary.cli.doctor.rows import Diagnosis
from cartulary.cli.doctor.site import Site
from cartulary.events.backup.proven import Proven, note_proven
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.draws.keyring import Keyring
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.worker import make_worker
from tests.support.store_with_archive import add_game, archive_all, find_url, tell_all

OTHER_KEY = "a7" * 32
HOUR_MS = 3_600_000


class Installation:
    """A store with a game that runs, one that is open, one that is archived, and all processes.

    The environment names the store and the archive, as that of its processes does.
    """

    def __init__(
        self, url: str, folder: Path, patch: pytest.MonkeyPatch, registry: str = ""
    ) -> None:
        self.url, self.folder, self.patch = url, folder, patch
        self.archive_url = find_url(folder)
        for name in [name for name in os.environ if name.startswith("CARTULARY_")]:
            if name != "CARTULARY_SECRET":
                patch.delenv(name)
        patch.setenv("CARTULARY_EVENTS_URL", url)
        patch.setenv("CARTULARY_ARCHIVE_URL", self.archive_url)
        if registry:
            patch.setenv("CARTULARY_QUEUE_URL", registry)
        self.redis: Any = connect(registry or url)
        self.store = Store.open(StoreSettings.from_env(), OFFERS)
        self._fill()
        self.show_processes(self.store)

    def _fill(self) -> None:
        store = self.store
        store.claim()
        store.since.read()
        self.archived = add_game(store)
        archive_all(store)
        me, others = SeatRequest("me"), SeatRequest("open")
        ada = store.players.create("Bea")[0]
        new = NewGame("carcassonne", (me, me)), NewGame("caylus", (me, others))
        self.running, self.open = (store.commands.create(Intent(ada), one).table.id for one in new)
        tell_all(store)
        store.outbox.ack(store.outbox.read("dispatcher"))
        note_proven(store.registry, Proven(now_ms(), "s3://backups", 3, "0.1.0"))

    def show_processes(self, store: Store) -> None:
        """Show all processes of a service, as they show themselves."""
        for name in ("web", "dispatcher", "notifier"):
            store.show_life(name)
        store.heartbeats.write(queued=0, queue_age=0.0)
        self.workers: list[Any] = [
            make_worker(queues_on(self.redis), thinks) for thinks in (False, True)
        ]
        for worker in self.workers:
            worker.key_mark = store.keyring.mark
            worker.register_birth()

    def hide(self, name: str) -> None:
        """Let a process have shown itself never."""
        shown: Any = self.redis.zrange(keys.processes(), 0, -1)
        self.redis.zrem(keys.processes(), *(one for one in shown if orjson.loads(one)[0] == name))

    def show_with_other_key(self) -> None:
        """Let a web process show itself that has another key of the draws."""
        settings = StoreSettings(self.url, self.url, keys=[bytes.fromhex(OTHER_KEY)])
        other = Store.open(settings, OFFERS)
        assert other.keyring.mark == Keyring.parse(OTHER_KEY).mark
        other.show_life("web")
        other.close()

    def site(self, **changed: Any) -> Site:
        """Return what the doctor looks at; `changed` are arguments of `Site`."""
        found: dict[str, Any] = {
            "data": self.folder,
            "url": self.url,
            "archive_url": os.environ["CARTULARY_ARCHIVE_URL"],
        }
        return Site(**{**found, **changed})

    def examine(self, **changed: Any) -> Diagnosis:
        """Return what the doctor finds."""
        site = self.site(**changed)
        try:
            return examine(site)
        finally:
            site.close()

    def close(self) -> None:
        self.store.close()
        self.redis.close()


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def sign_of(*shown: Any) -> bytes:
    """Return what a process shows of itself, as the store has it."""
    return orjson.dumps(shown)


def read_all(redis: Redis) -> dict[bytes, bytes]:
    """Return everything that is stored."""
    names: Any = redis.keys("*")
    values: Any = [redis.dump(name) for name in names]
    return dict(zip(names, values, strict=True))
