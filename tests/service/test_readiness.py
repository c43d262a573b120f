"""`/readyz` says whether anybody handles what is appended."""

from __future__ import annotations

from typing import Any

from cartulary.engine.form import FORM
from cartulary.events import keys
from cartulary.events.store import Store
from tests.service.caller import Caller
from tests.service.scene import problem


def test_it_shows_what_waits(anybody: Caller, store: Store) -> None:
    store.reports.write(queued=3, queue_age=1.5, timers=4, timer_age=0.5)
    found: Any = anybody.client.get("/readyz").json
    assert (found["timers_late"], found["timer_late_ms"]) == (4, 500)
    assert (found["status"], found["outbox"], found["outbox_age_ms"]) == ("ready", 0, 0)
    assert (found["queued"], found["queue_age_ms"]) == (3, 1500)
    assert 0 <= found["dispatcher_age_ms"] < 10_000
    assert found["engine"] == FORM


def test_it_shows_for_how_long_the_oldest_append_has_waited(anybody: Caller, store: Store) -> None:
    store.reports.write(queued=0, queue_age=0.0)
    seconds, micros = store.redis.time()
    for game, age_ms in (("g", 7000), ("h", 3000), ("i", 1000)):
        entry = f"{seconds * 1000 + micros // 1000 - age_ms}-0"
        store.redis.xadd(keys.outbox(game), {"game": game, "version": 1, "type": "t"}, id=entry)
    found: Any = anybody.client.get("/readyz").json
    assert found["outbox"] == 3
    assert 7000 <= found["outbox_age_ms"] < 9000


def test_it_is_not_ready_before_any_dispatcher_has_reported(anybody: Caller) -> None:
    answer = anybody.client.get("/readyz")
    assert "no dispatcher has reported yet" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["Retry-After"] == "5"


def test_it_is_not_ready_when_no_dispatcher_reports_any_more(anybody: Caller, store: Store) -> None:
    store.reports.write(queued=0, queue_age=0.0)
    before = float(store.redis.hget(keys.dispatcher(), "at") or 0)
    store.redis.hset(keys.dispatcher(), "at", str(before - 11))
    answer = anybody.client.get("/readyz")
    assert "no dispatcher has reported for 11 s" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["Retry-After"] == "5"
    store.reports.write(queued=0, queue_age=0.0)
    assert anybody.client.get("/readyz").status_code == 200
