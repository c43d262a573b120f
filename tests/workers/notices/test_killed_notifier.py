"""A notifier that is killed at the worst moment loses no message and makes no second one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.notices.egress import EgressPolicy
from cartulary.notices.egress.policy import AllowedNetwork
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.conftest import timed_store
from tests.support.fake_clock import FakeClock
from tests.support.local_servers import run_receiver
from tests.workers.notices.house import House

pytestmark = [pytest.mark.real, pytest.mark.process]

DYING = """
import os, signal
from cartulary.events.notices import waiting
from cartulary.workers.notices import notifier, sending

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

{place} = die
notifier.main()
"""
"""A notifier that is killed in place of a step."""

BEFORE_AN_INTENT_IS_SETTLED = "waiting.WaitingList.settle"
BEFORE_A_DELIVERY_IS_SETTLED = "sending.NoticeSending._finish"


@pytest.fixture
def kept(
    real_store: Store, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    """The house on a real server, whose secrets another process can read."""
    monkeypatch.setenv("CARTULARY_SECRET", "5" * 64)
    clock = FakeClock()
    store = timed_store(real_store, clock)
    with run_receiver(certificate) as receiver:
        allowed = AllowedNetwork.read(f"127.0.0.1/32:{receiver.port}")
        policy = EgressPolicy((allowed,), str(certificate[0]))
        dispatcher = Dispatcher(store, queues_on(store.redis))
        people = store.players.create("Ada")[0], store.players.create("Bob")[0]
        yield House(store, clock, dispatcher, *people, receiver, policy, [])
    store.leases.close()


def kill_notifier(house: House, url: str, place: str) -> None:
    """Run a notifier in a process of its own until it is killed; then its leases end."""
    environment = {
        "CARTULARY_EVENTS_URL": url,
        "CARTULARY_EGRESS_ALLOW": str(house.policy.allow[0]),
        "CARTULARY_EGRESS_CA": house.policy.certificates,
    }
    ended = subprocess.run(
        [sys.executable, "-c", DYING.format(place=place)],
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    for times in (keys.intents(), keys.deliveries()):
        names: Any = house.store.registry.zrange(times, 0, -1)
        for name in names:
            house.store.registry.zadd(times, {name: 0})


@pytest.mark.parametrize(
    ("place", "requests"), [(BEFORE_AN_INTENT_IS_SETTLED, 1), (BEFORE_A_DELIVERY_IS_SETTLED, 2)]
)
def test_a_message_goes_out_under_one_id_and_is_settled_once(
    kept: House, real_redis_url: str, place: str, requests: int
) -> None:
    kept.add_webhook("your_turn")
    table = kept.move_until(kept.create(), 0)
    kill_notifier(kept, real_redis_url, place)
    assert len(kept.receiver.requests) == requests - 1
    assert kept.list_outcomes() == []
    for _ in range(2):
        kept.notify()
    assert len(kept.receiver.requests) == requests
    ids = {headers["webhook-id"] for _, headers, _ in kept.receiver.requests}
    assert len(ids) == 1
    assert kept.bodies[0]["data"]["version"] == table.version
    assert kept.list_outcomes() == ["sent"]
