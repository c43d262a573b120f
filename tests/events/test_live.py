"""Live events: everything, once, in order, whatever happens meanwhile."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from time import monotonic

import orjson
import pytest

from cartulary.events import keys
from cartulary.events.connection import connect
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.ledger import Ledger
from cartulary.events.live import Hub, LiveEvent, Subscription
from cartulary.events.store import Store
from cartulary.events.types import event
from tests.polling import until

GAME = "01J00000000000000000000000"

pytestmark = pytest.mark.real


@pytest.fixture
def ledger(real_redis_url: str) -> Iterator[Ledger]:
    client = connect(real_redis_url)
    yield Ledger(client)
    client.close()


@pytest.fixture
def hub(ledger: Ledger) -> Iterator[Hub]:
    hub = Hub(ledger)
    yield hub
    hub.close()


def append(ledger: Ledger, first: int, last: int | None = None, game: str = GAME) -> None:
    for version in range(first, (last or first) + 1):
        fields = {"seat": 0, "player": {"id": "p", "name": "P"}}
        ledger.append(game, version - 1, [event(version, "seat_taken", **fields)])


def take(subscription: Subscription, last: int, within: float = 15) -> list[int]:
    """The versions that come until `last`."""
    versions: list[int] = []
    deadline = monotonic() + within
    while last not in versions and monotonic() < deadline and not subscription.closed:
        versions += [live.version for live in subscription.get(timeout=1)]
    return versions


def test_the_backlog_comes_first_then_what_is_new(ledger: Ledger, hub: Hub) -> None:
    append(ledger, 1, 3)
    with hub.subscribe(GAME, 1) as subscription:
        assert [live.version for live in subscription.get(1)] == [2, 3]
        append(ledger, 4)
        (live,) = subscription.get(5)
        assert (live.version, live.type) == (4, "seat_taken")
        assert orjson.loads(live.json) == ledger.events(GAME, 3)[0]
        assert subscription.get(0.05) == []


def test_a_new_event_is_there_at_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a stream that was added while the reader was blocked on another one."""
    append(ledger, 1)
    monkeypatch.setattr("cartulary.events.live.WAKE_LIMIT", 5)
    hub = Hub(ledger, block_ms=9000)
    with hub.subscribe("other", 0), hub.subscribe(GAME, 1) as subscription:
        append(ledger, 2)
        assert len(subscription.get(5)) == 1, "the reader was not woken"
    hub.close()


def test_a_stream_may_be_watched_before_its_first_event(ledger: Ledger, hub: Hub) -> None:
    with hub.subscribe(GAME, 0) as subscription:
        append(ledger, 1, 2)
        assert take(subscription, 2) == [1, 2]


def test_versions_up_to_after_are_never_given_out(ledger: Ledger, hub: Hub) -> None:
    append(ledger, 1, 2)
    with hub.subscribe(GAME, 4) as ahead, hub.subscribe(GAME, 0) as all_:
        append(ledger, 3, 6)
        assert take(ahead, 6) == [5, 6]
        assert take(all_, 6) == [1, 2, 3, 4, 5, 6]


def test_subscribers_get_only_their_game(ledger: Ledger, hub: Hub) -> None:
    with hub.subscribe(GAME, 0) as one, hub.subscribe("other", 0) as other:
        append(ledger, 1)
        append(ledger, 1, 2, game="other")
        assert take(one, 1) == [1]
        assert take(other, 2) == [1, 2]


def test_nothing_is_lost_and_nothing_comes_twice_under_concurrency(
    ledger: Ledger, hub: Hub, real_redis_url: str
) -> None:
    """40 subscribers come at any moment, with any version behind them, and leave again."""
    games, last = [GAME, "two", "three"], 150
    writers = [
        Thread(target=append, args=(Ledger(connect(real_redis_url)), 1, last, game))
        for game in games
    ]

    def subscribe(number: int) -> tuple[int, list[int]]:
        rng = random.Random(number)
        game, after = rng.choice(games), rng.randrange(last)
        until(lambda: ledger.version(game) >= rng.randrange(last))
        with hub.subscribe(game, after) as subscription:
            return after, take(subscription, last)

    with ThreadPoolExecutor(40) as pool:
        for writer in writers:
            writer.start()
        for after, versions in pool.map(subscribe, range(40)):
            assert versions == list(range(after + 1, last + 1))
    for writer in writers:
        writer.join()
    assert hub.subscribers == 0


def test_a_lost_connection_loses_no_event(ledger: Ledger, hub: Hub) -> None:
    append(ledger, 1)
    with hub.subscribe(GAME, 1) as subscription:
        append(ledger, 2)
        assert take(subscription, 2) == [2]
        ledger.redis.client_kill_filter(_id=str(hub._client_id))
        append(ledger, 3, 5)
        assert take(subscription, 5) == [3, 4, 5]


def test_a_server_that_is_away_for_a_while_loses_no_event(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        ledger = Ledger(connect(str(valkey.url)))
        hub = Hub(ledger)
        append(ledger, 1)
        with hub.subscribe(GAME, 1) as subscription:
            append(ledger, 2)
            assert take(subscription, 2) == [2]
            valkey.stop()
            until(lambda: caplog.text.count("trying again") > 1)
            valkey.start()
            append(ledger, 3, 5)
            assert take(subscription, 5) == [3, 4, 5]
        hub.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_reader_that_fails_ends_all_subscriptions_and_the_next_one_starts_another(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub.subscribe(GAME, 0) as subscription, monkeypatch.context() as patched:
        patched.delattr(Hub, "_fan_out")
        reader = hub._reader
        assert reader is not None
        append(ledger, 1)
        reader.join(15)
        assert subscription.closed
    with hub.subscribe(GAME, 1) as subscription:
        append(ledger, 2)
        assert take(subscription, 2) == [2]


def test_a_subscriber_that_is_too_slow_is_dropped(ledger: Ledger) -> None:
    hub = Hub(ledger, queue_size=3)
    slow, quick = hub.subscribe(GAME, 0), hub.subscribe(GAME, 0)
    versions: list[int] = []
    for version in range(1, 10):
        append(ledger, version)
        versions += take(quick, version)
    until(lambda: slow.dropped)
    assert slow.closed
    assert not quick.closed
    assert versions == list(range(1, 10))
    assert [live.version for live in slow.get(0)] == [1, 2, 3, 4]
    assert slow.get(5) == []
    assert hub.subscribers == 1
    hub.close()


def test_a_long_backlog_is_no_sign_of_a_slow_subscriber(ledger: Ledger) -> None:
    append(ledger, 1, 20)
    hub = Hub(ledger, queue_size=3)
    with hub.subscribe(GAME, 0) as subscription:
        assert take(subscription, 20) == list(range(1, 21))
    hub.close()


def test_waiting_answers_with_what_is_there_or_comes(ledger: Ledger, hub: Hub) -> None:
    append(ledger, 1)
    assert [live.version for live in hub.wait(GAME, 0, 5)] == [1]
    assert hub.wait(GAME, 1, 0.05) == []
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(hub.wait, GAME, 1, 10)
        until(lambda: hub.subscribers == 1)
        append(ledger, 2)
        assert [live.version for live in waiting.result()] == [2]
    assert hub.subscribers == 0


def test_closing_the_hub_wakes_and_closes_everyone(ledger: Ledger, hub: Hub) -> None:
    with ThreadPoolExecutor(1) as pool:
        subscription = hub.subscribe(GAME, 0)
        waiting = pool.submit(subscription.get, 30)
        started = monotonic()
        hub.close()
        assert waiting.result() == []
        assert monotonic() - started < 10
    assert subscription.closed
    assert hub.subscribe(GAME, 0).closed
    assert hub._reader is None


def test_an_event_that_cannot_be_read_ends_its_own_subscriptions_only(
    ledger: Ledger, hub: Hub
) -> None:
    with hub.subscribe(GAME, 0) as broken, hub.subscribe("other", 0) as healthy:
        ledger.redis.xadd(keys.events(GAME), {"event": b"?"}, id="1-0")
        until(lambda: broken.closed)
        append(ledger, 1, game="other")
        assert take(healthy, 1) == [1]


def test_it_works_on_fakeredis_which_cannot_be_unblocked(fake_store: Store) -> None:
    hub = Hub(fake_store.ledger, block_ms=20)
    with hub.subscribe(GAME, 0) as subscription:
        append(fake_store.ledger, 1, 3)
        assert take(subscription, 3) == [1, 2, 3]
    hub.close()


def test_a_live_event_is_shared_not_copied(ledger: Ledger, hub: Hub) -> None:
    with hub.subscribe(GAME, 0) as one, hub.subscribe(GAME, 0) as two:
        append(ledger, 1)
        first: LiveEvent = one.get(5)[0]
        assert first.json is two.get(5)[0].json
