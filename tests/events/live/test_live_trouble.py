"""Live events when connections, publications, readers or the store are lost."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import sleep

import orjson
import pytest

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.stored_events import decode_entry
from cartulary.events.ledger.streams import Last
from cartulary.events.live.feeds import Feed
from cartulary.events.live.live import Hub
from cartulary.events.live.publication import News, Publication, PubSubConnection
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.studies.events import STUDY_KINDS
from tests.events.support.followed_streams import GAME, Gathered, append, take, watching
from tests.support.polling import until

pytestmark = pytest.mark.real


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
        reader.join(60)
        assert subscription.closed
    with hub.subscribe(GAME, 1) as subscription:
        append(ledger, 2)
        assert take(subscription, 2) == [2]


def test_an_event_that_cannot_be_read_ends_its_own_subscriptions_only(
    ledger: Ledger, hub: Hub
) -> None:
    with hub.subscribe(GAME, 0) as broken, hub.subscribe("other", 0) as healthy:
        ledger.redis.xadd(keys.events(GAME), {"event": b"?"}, id="1-0")
        until(lambda: broken.closed)
        append(ledger, 1, game="other")
        assert take(healthy, 1) == [1]


def test_an_entry_that_only_a_newer_release_reads_ends_its_own_feed_only(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 0.05)

    def show(_stream: str, cursor: str, fields: dict[bytes, bytes]) -> bytes:
        return orjson.dumps(decode_entry(STUDY_KINDS, "study", cursor.encode(), fields))

    feed = Feed((keys.study("study"),), keys.study_live("study"), show)
    other = Feed((keys.study("two"),), keys.study_live("two"), lambda *_: b"{}")
    with (
        hub.follow_feed(feed, "0-0") as broken,
        hub.follow_feed(other, "0-0") as healthy,
        hub.subscribe(GAME, 0) as watched,
    ):
        newer = orjson.dumps({"type": "study_created", "schema": 999})
        ledger.redis.xadd(keys.study("study"), {"event": newer}, id="1-0")
        until(lambda: broken.closed)
        append(ledger, 1)
        assert take(watched, 1) == [1]
        assert not healthy.closed


def test_a_feed_with_a_damaged_entry_is_reported_once_and_goes_on_when_it_is_repaired(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 0.02)
    stream, asked = keys.study("study"), list[str]()

    def show(_stream: str, cursor: str, fields: dict[bytes, bytes]) -> bytes:
        asked.append(cursor)
        if fields[b"event"] == b"?":
            raise BrokenHistory("study", 1, "unreadable", "no JSON")
        return fields[b"event"]

    with hub.follow_feed(Feed((stream,), keys.study_live("study"), show), "0-0") as subscription:
        ledger.redis.xadd(stream, {"event": b"?"}, id="1-0")
        until(lambda: len(asked) > 5)
        assert caplog.text.count("feeds: ") == 1
        with ledger.redis.pipeline(transaction=True) as repair:
            repair.delete(stream)
            repair.xadd(stream, {"event": b"{}"}, id="1-0")
            repair.execute()
        until(lambda: subscription.get(1))
    assert caplog.text.count("feeds: ") == 1


class Deaf(PubSubConnection):
    """A line on which the publications of some versions are lost."""

    lost: frozenset[int] = frozenset()
    count = 0

    def receive(self, wait: bool) -> News | None:
        found = super().receive(wait)
        if isinstance(found, Publication) and found.version in self.lost:
            Deaf.count += 1
            return None
        return found


def test_what_a_lost_publication_brought_comes_with_the_next(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 60)
    monkeypatch.setattr("cartulary.events.live.publication.PubSubConnection", Deaf)
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
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 0.05)
    monkeypatch.setattr(
        "cartulary.events.live.live.PubSubConnection.receive", lambda _, wait: sleep(0.01)
    )
    with hub.subscribe(GAME, 0) as subscription, hub.subscribe("other", 0):
        append(ledger, 1, 3)
        assert take(subscription, 3) == [1, 2, 3]


def test_the_looks_at_quiet_games_are_bounded(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 60 games a look asks for four, and a round of 15 looks for all, each once."""
    asked: list[list[str]] = []
    monkeypatch.setattr(hub, "_start_reader", lambda: None)  # it would look while the test does
    held = [hub.subscribe(str(number), 0) for number in range(60)]

    def last(game_ids: list[str]) -> list[Last]:
        asked.append(game_ids)
        return [Last(0, "")] * len(game_ids)

    monkeypatch.setattr(ledger, "last_stored", last)
    for _ in range(15):
        hub._look_at_some()
    assert {len(ids) for ids in asked} == {4}
    assert sorted(int(game) for ids in asked for game in ids) == list(range(60))
    for subscription in held:
        subscription.close()


def test_an_append_between_two_readings_of_a_game_ends_no_stream(
    ledger: Ledger, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A channel may be confirmed twice before the look at its game."""
    monkeypatch.setattr(hub, "_start_reader", lambda: None)  # it would look as well
    append(ledger, 1)
    stored = ledger.last_stored

    def last(game_ids: list[str]) -> list[Last]:
        found = stored(game_ids)
        monkeypatch.undo()
        append(ledger, 3)
        return found

    with hub.subscribe(GAME, 1) as subscription:
        append(ledger, 2)
        monkeypatch.setattr(ledger, "last_stored", last)
        hub._look_at_channels([keys.live(GAME)] * 2)
        assert take(subscription, 3) == [2, 3]
        assert not subscription.closed


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
