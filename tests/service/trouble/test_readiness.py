"""`/readyz` says whether a dispatcher handles what is appended."""

from __future__ import annotations

from typing import Any

from cartulary.engine.form import FORM
from cartulary.events.server import keys
from cartulary.events.server.heartbeat import Reports
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem


def test_it_shows_what_waits(visitor: Caller, store: Store) -> None:
    store.heartbeats.write(queued=3, queue_age=1.5, timers=4, timer_age=0.5)
    found: Any = visitor.client.get("/readyz").json
    assert (found["timers_late"], found["timer_late_ms"]) == (4, 500)
    assert (found["status"], found["outbox"], found["outbox_age_ms"]) == ("ready", 0, 0)
    assert (found["queued"], found["queue_age_ms"]) == (3, 1500)
    assert 0 <= found["dispatcher_age_ms"] < 10_000
    assert found["engine"] == FORM


def test_it_shows_for_how_long_the_oldest_append_has_waited(visitor: Caller, store: Store) -> None:
    store.heartbeats.write(queued=0, queue_age=0.0)
    seconds, micros = store.redis.time()
    for game, age_ms in (("g", 7000), ("h", 3000), ("i", 1000)):
        entry = f"{seconds * 1000 + micros // 1000 - age_ms}-0"
        store.redis.xadd(keys.outbox(game), {"game": game, "version": 1, "type": "t"}, id=entry)
    found: Any = visitor.client.get("/readyz").json
    assert found["outbox"] == 3
    assert 7000 <= found["outbox_age_ms"] < 9000


def test_it_is_not_ready_before_any_dispatcher_has_reported(visitor: Caller) -> None:
    answer = visitor.client.get("/readyz")
    assert "no dispatcher has reported yet" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["Retry-After"] == "5"


def test_it_is_not_ready_when_no_dispatcher_reports_any_more(visitor: Caller, store: Store) -> None:
    now = 1000.0
    store.heartbeats = Reports(store.registry, lambda: now)
    store.heartbeats.write(queued=0, queue_age=0.0)
    now += 11
    answer = visitor.client.get("/readyz")
    assert "no dispatcher has reported for 11 s" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["Retry-After"] == "5"
    store.heartbeats.write(queued=0, queue_age=0.0)
    assert visitor.client.get("/readyz").status_code == 200
