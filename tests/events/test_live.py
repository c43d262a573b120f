"""Live events: everything, once, in order, whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import orjson
import pytest

from cartulary.events import keys
from cartulary.events.connection import connect
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.ledger import Last, Ledger
from cartulary.events.live import Hub
from cartulary.events.publication import Confirmation, Line, Publication
from cartulary.events.store import Store
from cartulary.events.subscriptions import LiveEvent, Subscription
from cartulary.events.types import event
from tests import chains
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
        chains.append(ledger, game, version - 1, [event(version, "seat_taken", **fields)])


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
        assert orjson.loads(live.json) == ledger.deliver(GAME, 3)[0]
        assert subscription.get(0.05) == []


def test_a_new_event_is_there_at_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a game that was added while the reader was waiting for another game."""
    append(ledger, 1)
    monkeypatch.setattr("cartulary.events.live.LOOK", 60)
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
        assert ledger.redis.client_kill_filter(_type="pubsub") == 1
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
        patched.delattr(Hub, "_hand_over")
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


def test_fakeredis_publishes_as_a_server_does(
    fake_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.LOOK", 60)
    hub = Hub(fake_store.ledger)
    with hub.subscribe(GAME, 0) as subscription:
        append(fake_store.ledger, 1, 3)
        assert take(subscription, 3) == [1, 2, 3]
        append(fake_store.ledger, 4)
        assert take(subscription, 4) == [4]
    hub.close()


class Deaf(Line):
    """A line on which the publications of some versions are lost."""

    lost: frozenset[int] = frozenset()
    count = 0

    def receive(self, wait: bool) -> Publication | Confirmation | None:
        found = super().receive(wait)
        if isinstance(found, Publication) and found.version in self.lost:
            Deaf.count += 1
            return None
        return found


def test_what_a_lost_publication_brought_comes_with_the_next(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.LOOK", 60)
    monkeypatch.setattr("cartulary.events.live.Line", Deaf)
    monkeypatch.setattr(Deaf, "lost", frozenset({2, 3}))
    with hub.subscribe(GAME, 0) as subscription:
        append(ledger, 1)
        assert take(subscription, 1) == [1]
        until(lambda: watching(ledger) == 1)
        sleep(0.2)  # the look that follows the confirmation is over
        append(ledger, 2, 3)
        assert subscription.get(0.2) == []
        append(ledger, 4)
        assert take(subscription, 4) == [2, 3, 4]
    assert Deaf.count == 2


def test_a_lost_publication_of_a_quiet_game_is_noticed(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.LOOK", 0.05)
    monkeypatch.setattr("cartulary.events.live.Line.receive", lambda _, wait: sleep(0.01))
    with hub.subscribe(GAME, 0) as subscription, hub.subscribe("other", 0):
        append(ledger, 1, 3)
        assert take(subscription, 3) == [1, 2, 3]


def test_the_looks_at_quiet_games_are_bounded(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 60 games a look asks for four, and a round of 15 looks for all, each once."""
    asked: list[list[str]] = []
    held = [hub.subscribe(str(number), 0) for number in range(60)]

    def last(game_ids: list[str]) -> list[Last]:
        asked.append(game_ids)
        return [Last(0, "")] * len(game_ids)

    monkeypatch.setattr(ledger, "last", last)
    for _ in range(15):
        hub._look_at_some()
    assert {len(ids) for ids in asked} == {4}
    assert sorted(int(game) for ids in asked for game in ids) == list(range(60))
    for subscription in held:
        subscription.close()


def watching(ledger: Ledger) -> int:
    """The number of channels that the server publishes to somebody."""
    return len(ledger.redis.pubsub_shardchannels())


def test_only_games_with_watchers_are_subscribed_to(ledger: Ledger, hub: Hub) -> None:
    with hub.subscribe(GAME, 0) as one:
        with hub.subscribe(GAME, 0), hub.subscribe("other", 0):
            until(lambda: watching(ledger) == 2)
        until(lambda: watching(ledger) == 1)
        append(ledger, 1)
        assert take(one, 1) == [1]
    until(lambda: watching(ledger) == 0)
    assert hub.watched == 0


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
    monkeypatch.setattr("cartulary.events.live.LOOK", 60)
    name = "P" * 40_000
    with hub.subscribe(GAME, 0) as subscription:
        until(lambda: watching(ledger) == 1)
        player = {"seat": 0, "player": {"id": "p", "name": name}}
        chains.append(ledger, GAME, 0, [event(1, "seat_taken", **player)])
        (live,) = subscription.get(5)
        assert orjson.loads(live.json)["player"]["name"] == name


def test_events_of_one_append_come_together(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.LOOK", 60)
    fields = {"seat": 0, "player": {"id": "p", "name": "P\n\u2028Q"}}
    with hub.subscribe(GAME, 0) as subscription:
        until(lambda: watching(ledger) == 1)
        chains.append(
            ledger, GAME, 0, [event(version, "seat_taken", **fields) for version in (1, 2, 3)]
        )
        assert [live.version for live in subscription.get(5)] == [1, 2, 3]


def test_a_store_that_has_lost_the_end_of_a_game_ends_its_streams(
    ledger: Ledger, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    """Their clients come back with an id beyond the end, and get a reset."""
    append(ledger, 1, 3)
    append(ledger, 1, game="other")
    with hub.subscribe(GAME, 3) as subscription, hub.subscribe("other", 1) as healthy:
        until(lambda: watching(ledger) == 2)
        ledger.redis.xdel(keys.events(GAME), "3-0")
        ledger.redis.client_kill_filter(_type="pubsub")
        until(lambda: subscription.closed)
        assert not healthy.closed
    assert f"the store has lost the end of game {GAME}" in caplog.text


class Gathered:
    """A listener that keeps what it gets, and a form that counts how often events are written."""

    def __init__(self) -> None:
        self.form = self
        self.versions: list[int] = []
        self.handed: list[tuple[int, int]] = []
        self.ended = 0

    def hand_over(self, listeners: Sequence[Gathered], events: Sequence[LiveEvent]) -> None:
        self.handed.append((len(listeners), len(events)))
        for listener in listeners:
            listener.versions += [live.version for live in events]

    def end(self) -> None:
        self.ended += 1


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


def test_the_age_of_an_event_is_reported(ledger: Ledger, hub: Hub) -> None:
    ages: list[float] = []
    hub.report = ages.append
    with hub.subscribe(GAME, 0) as subscription:
        append(ledger, 1)
        assert take(subscription, 1) == [1]
    assert len(ages) == 1
    assert 0 <= ages[0] < 10


def test_two_thousand_streams_of_400_games_survive_a_store_that_is_killed(tmp_path: Path) -> None:
    """Each gets every event once and in order, whether it was published or not."""
    games = [f"game-{number}" for number in range(400)]
    with EmbeddedValkey(tmp_path) as valkey:
        ledger = Ledger(connect(str(valkey.url)))
        hub = Hub(ledger)
        form = Gathered()
        listeners = [Gathered() for _ in range(5 * len(games))]
        for number, listener in enumerate(listeners):
            listener.form = form
            hub.subscribe(games[number % len(games)], 0).listen(listener)
        for version in range(1, 5):
            for game in games:
                append(ledger, version, game=game)
            if version == 2:
                ledger.redis.waitaof(1, 0, 5000)
                os.kill(valkey.pid or 0, signal.SIGKILL)
                valkey.stop()
                valkey.start()
            if version == 3:
                ledger.redis.client_kill_filter(_type="pubsub")
        until(lambda: all(len(listener.versions) == 4 for listener in listeners), 60)
        assert all(listener.versions == [1, 2, 3, 4] for listener in listeners)
        hub.close()


def test_a_live_event_is_shared_not_copied(ledger: Ledger, hub: Hub) -> None:
    with hub.subscribe(GAME, 0) as one, hub.subscribe(GAME, 0) as two:
        append(ledger, 1)
        first: LiveEvent = one.get(5)[0]
        assert first.json is two.get(5)[0].json
