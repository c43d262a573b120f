"""`/readyz` says whether anybody handles what is appended."""

from __future__ import annotations

from typing import Any

from cartulary.events import keys
from cartulary.events.store import Store
from tests.service.caller import Caller
from tests.service.scene import problem


def test_it_shows_what_waits(anybody: Caller, store: Store) -> None:
    assert anybody.client.get("/readyz").json == {"status": "ready", "outbox": 0}
    store.reports.write(queued=3, queue_age=1.5)
    store.outbox.put("g", 1, "game_created")
    found: Any = anybody.client.get("/readyz").json
    assert (found["outbox"], found["queued"], found["queue_age_ms"]) == (1, 3, 1500)
    assert 0 <= found["dispatcher_age_ms"] < 10_000


def test_it_is_not_ready_when_no_dispatcher_reports_any_more(anybody: Caller, store: Store) -> None:
    store.reports.write(queued=0, queue_age=0.0)
    before = float(store.redis.hget(keys.dispatcher(), "at") or 0)
    store.redis.hset(keys.dispatcher(), "at", str(before - 11))
    answer = anybody.client.get("/readyz")
    assert "no dispatcher has reported for 11 s" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["Retry-After"] == "5"
    store.reports.write(queued=0, queue_age=0.0)
    assert anybody.client.get("/readyz").status_code == 200
