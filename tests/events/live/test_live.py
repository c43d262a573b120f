"""Live events: everything, once, in order, whatever happens meanwhile."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Thread

import orjson
import pytest

from cartulary.events.ledger.ledger import Ledger
from cartulary.events.live.live import Hub
from cartulary.events.live.subscriptions import LiveEvent
from cartulary.events.model.failures import UnknownEvent
from cartulary.events.model.types import event
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from tests.events.support.followed_streams import GAME, Gathered, append, take, watching
from tests.support import handmade_events
from tests.support.polling import until

pytestmark = pytest.mark.real


def test_the_backlog_comes_first_then_what_is_new(ledger: Ledger, hub: Hub) -> None:
    append(ledger, 1, 3)
    with hub.subscribe(GAME, 1) as subscription:
        assert [live.version for live in subscription.get(1)] == [2, 3]
        append(ledger, 4)
        (live,) = subscription.get(5)
        assert (live.version, live.type) == (4, "seat_taken")
        assert orjson.loads(live.json) == ledger.deliver(GAME, 3)[0]
        assert subscription.get(0.05) == []


def test_a_new_event_is_there_at_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a game that was added while the reader was waiting for another game."""
    append(ledger, 1)
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 60)
    hub = Hub(ledger)
    with hub.subscribe("other", 0), hub.subscribe(GAME, 1) as subscription:
        append(ledger, 2)
        assert len(subscription.get(5)) == 1
        until(lambda: hub._line is not None)
        append(ledger, 3)
        assert len(subscription.get(5)) == 1
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


@pytest.mark.parametrize("after", [2, 3])
def test_a_subscription_to_a_game_reads_it_once(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """The last event that the reader has already tells the hash of the end."""
    append(ledger, 1, 3)
    monkeypatch.setattr(hub, "_start_reader", lambda: None)  # it would look as well
    before = ledger.redis.info("commandstats")
    with hub.subscribe(GAME, after) as subscription:
        read = ledger.redis.info("commandstats")
        assert [live.version for live in subscription.get(0)] == [*range(after + 1, 4)]
    calls = {
        name: read.get(name, {"calls": 0})["calls"] - before.get(name, {"calls": 0})["calls"]
        for name in ("cmdstat_xrange", "cmdstat_xrevrange")
    }
    assert calls == {"cmdstat_xrange": 1, "cmdstat_xrevrange": 0}


def test_an_event_that_only_a_newer_release_reads_stops_no_reader_who_has_it(
    ledger: Ledger, hub: Hub
) -> None:
    append(ledger, 1)
    newer = orjson.dumps({"type": "seat_taken", "schema": 999, "hash": "e" * 64})
    ledger.redis.xadd(keys.events(GAME), {"event": newer}, id="2-0")
    with pytest.raises(UnknownEvent):
        hub.subscribe(GAME, 1)
    with hub.subscribe(GAME, 2) as subscription:
        assert subscription.get(0.05) == []
        assert not subscription.closed


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


def test_a_subscription_answers_with_what_is_there_or_comes(ledger: Ledger, hub: Hub) -> None:
    append(ledger, 1)
    with hub.subscribe(GAME, 0) as subscription:
        assert [live.version for live in subscription.get(5)] == [1]
    with hub.subscribe(GAME, 1) as subscription, ThreadPoolExecutor(1) as pool:
        assert subscription.get(0.05) == []
        waiting = pool.submit(subscription.get, 10)
        append(ledger, 2)
        assert [live.version for live in waiting.result()] == [2]
    assert hub.subscribers == 0


def test_closing_the_hub_wakes_and_closes_everyone(ledger: Ledger, hub: Hub) -> None:
    with ThreadPoolExecutor(1) as pool:
        subscription = hub.subscribe(GAME, 0)
        waiting = pool.submit(subscription.get, 3600)
        hub.close()
        assert waiting.result(60) == []
    assert subscription.closed
    assert hub.subscribe(GAME, 0).closed
    assert hub._reader is None


def test_fakeredis_publishes_as_a_server_does(
    fake_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 60)
    hub = Hub(fake_store.ledger)
    with hub.subscribe(GAME, 0) as subscription:
        append(fake_store.ledger, 1, 3)
        assert take(subscription, 3) == [1, 2, 3]
        append(fake_store.ledger, 4)
        assert take(subscription, 4) == [4]
    hub.close()


def test_only_games_with_watchers_are_subscribed_to(ledger: Ledger, hub: Hub) -> None:
    with hub.subscribe(GAME, 0) as one:
        with hub.subscribe(GAME, 0), hub.subscribe("other", 0):
            until(lambda: watching(ledger) == 2)
        until(lambda: watching(ledger) == 1)
        append(ledger, 1)
        assert take(one, 1) == [1]
    until(lambda: watching(ledger) == 0)
    assert hub.count_watchers() == {}


def test_a_game_that_is_watched_again_at_once_loses_no_event(ledger: Ledger, hub: Hub) -> None:
    """The confirmation of the first subscription must not pass for that of the second."""
    last = 0
    for _ in range(40):
        hub.subscribe(GAME, last).close()
        with hub.subscribe(GAME, last) as subscription:
            append(ledger, last + 1, last + 3)
            assert take(subscription, last + 3) == [last + 1, last + 2, last + 3]
            last += 3


def test_long_events_are_read_from_the_stream(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 60)
    name = "P" * 40_000
    with hub.subscribe(GAME, 0) as subscription:
        until(lambda: watching(ledger) == 1)
        player = {"seat": 0, "player": {"id": "p", "name": name}}
        handmade_events.append(ledger, GAME, 0, [event(1, "seat_taken", **player)])
        (live,) = subscription.get(5)
        assert orjson.loads(live.json)["player"]["name"] == name


def test_events_of_one_append_come_together(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 60)
    fields = {"seat": 0, "player": {"id": "p", "name": "P\n\u2028Q"}}
    with hub.subscribe(GAME, 0) as subscription:
        until(lambda: watching(ledger) == 1)
        handmade_events.append(
            ledger, GAME, 0, [event(version, "seat_taken", **fields) for version in (1, 2, 3)]
        )
        assert [live.version for live in subscription.get(5)] == [1, 2, 3]


def test_listeners_of_one_form_get_an_event_together(ledger: Ledger, hub: Hub) -> None:
    append(ledger, 1)
    form = Gathered()
    listeners = [Gathered() for _ in range(50)]
    held = []
    for listener in listeners:
        listener.form = form
        held.append(hub.subscribe(GAME, 0))
        held[-1].listen(listener)
    assert form.handed == [(1, 1)] * 50
    form.handed.clear()
    append(ledger, 2, 4)
    until(lambda: listeners[0].versions[-1] == 4)
    assert {count for count, _ in form.handed} == {50}
    assert all(listener.versions == [1, 2, 3, 4] for listener in listeners)
    hub.close()
    assert [listener.ended for listener in listeners] == [1] * 50


def test_the_age_of_an_event_is_reported(ledger: Ledger) -> None:
    ages: list[float] = []
    hub = Hub(ledger, report=ages.append)
    with closing(hub), hub.subscribe(GAME, 0) as subscription:
        append(ledger, 1)
        assert take(subscription, 1) == [1]
    assert len(ages) == 1
    assert 0 <= ages[0] < 10


def test_a_live_event_is_shared_not_copied(ledger: Ledger, hub: Hub) -> None:
    with hub.subscribe(GAME, 0) as one, hub.subscribe(GAME, 0) as two:
        append(ledger, 1)
        first: LiveEvent = one.get(5)[0]
        assert first.json is two.get(5)[0].json
