"""Signals: named events next to the events of a game, for the subscribers who ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread
from typing import Any

import pytest
from redis import Redis

from cartulary.events.ledger.ledger import Ledger
from cartulary.events.live import publication
from cartulary.events.live.live import Hub
from cartulary.events.live.signals import Signals
from cartulary.events.live.subscriptions import Form, LiveEvent, Subscription
from cartulary.events.server import keys
from tests.events.support.followed_streams import GAME, append
from tests.support.polling import until

pytestmark = pytest.mark.real

CLOCK = {keys.signals(GAME): frozenset({"clock"})}


def count_hearers(redis: Redis, channel: str) -> int:
    found = redis.execute_command("PUBSUB", "SHARDNUMSUB", channel)  # type: ignore[no-untyped-call]
    return int(found[1])


def wait_for_hearers(redis: Redis, channel: str, number: int) -> None:
    until(lambda: count_hearers(redis, channel) == number)


def fetch(subscription: Subscription, number: int) -> list[LiveEvent]:
    found: list[LiveEvent] = []
    while len(found) < number:
        more = subscription.get(5)
        assert more, found
        found += more
    return found


def test_a_subscriber_gets_the_signals_that_it_asks_for_between_the_events(
    ledger: Ledger, hub: Hub, real_redis: Redis
) -> None:
    signals = Signals(real_redis)
    with hub.subscribe(GAME, 0, CLOCK) as subscription:
        wait_for_hearers(real_redis, keys.signals(GAME), 1)
        signals.publish_to_game(GAME, "presence", b"{}")
        signals.publish_to_game(GAME, "clock", b'{"seat":1}')
        (signal,) = fetch(subscription, 1)
        assert (signal.version, signal.type, signal.json) == (0, "clock", b'{"seat":1}')
        append(ledger, 1)
        assert [live.version for live in fetch(subscription, 1)] == [1]


def test_a_subscriber_who_asks_for_nothing_gets_no_signal_and_no_channel_is_heard(
    ledger: Ledger, hub: Hub, real_redis: Redis
) -> None:
    with hub.subscribe(GAME, 0) as plain, hub.subscribe("other", 0, CLOCK) as hearing:
        wait_for_hearers(real_redis, keys.signals(GAME), 1)
        assert count_hearers(real_redis, keys.signals("other")) == 0
        Signals(real_redis).publish_to_game(GAME, "clock", b"{}")
        assert [live.type for live in fetch(hearing, 1)] == ["clock"]
        assert plain.get(0.05) == []


def test_a_channel_that_nobody_hears_any_more_is_left(hub: Hub, real_redis: Redis) -> None:
    channel = keys.inbox_live("ada")
    wanted = {channel: frozenset({"inbox"})}
    with hub.subscribe(GAME, 0, wanted):
        with hub.subscribe("other", 0, wanted):
            wait_for_hearers(real_redis, channel, 1)
        assert count_hearers(real_redis, channel) == 1
    wait_for_hearers(real_redis, channel, 0)


def test_signals_arrive_again_after_the_connection_was_lost(hub: Hub, real_redis: Redis) -> None:
    channel = keys.signals(GAME)
    with hub.subscribe(GAME, 0, CLOCK) as subscription:
        wait_for_hearers(real_redis, channel, 1)
        real_redis.client_kill_filter(_type="pubsub")
        wait_for_hearers(real_redis, channel, 1)
        Signals(real_redis).publish_to_game(GAME, "clock", b"{}")
        assert [live.type for live in fetch(subscription, 1)] == ["clock"]


class Gathering:
    def __init__(self) -> None:
        self.calls: list[tuple[int, list[str]]] = []

    def hand_over(self, listeners: Sequence[Any], events: Sequence[LiveEvent]) -> None:
        self.calls.append((len(listeners), [event.type for event in events]))


class Ear:
    def __init__(self, form: Form) -> None:
        self._form = form

    @property
    def form(self) -> Form:
        return self._form

    def end(self) -> None:
        pass


def test_listeners_of_one_form_get_a_signal_in_one_call(hub: Hub, real_redis: Redis) -> None:
    form = Gathering()
    held = [hub.subscribe(GAME, 0, CLOCK) for _ in range(3)]
    for subscription in held:
        subscription.listen(Ear(form))
    wait_for_hearers(real_redis, keys.signals(GAME), 1)
    Signals(real_redis).publish_to_game(GAME, "clock", b"{}")
    until(lambda: bool(form.calls))
    assert form.calls == [(3, ["clock"])]
    for subscription in held:
        subscription.close()


def test_a_subscriber_who_fetches_nothing_is_dropped(ledger: Ledger, real_redis: Redis) -> None:
    hub = Hub(ledger, queue_size=10)
    subscription = hub.subscribe(GAME, 0, CLOCK)
    wait_for_hearers(real_redis, keys.signals(GAME), 1)
    signals = Signals(real_redis)
    for _ in range(20):
        signals.publish_to_game(GAME, "clock", b"{}")
    until(lambda: subscription.dropped)
    wait_for_hearers(real_redis, keys.signals(GAME), 0)
    hub.close()


def test_a_waiting_subscriber_is_woken_by_a_signal(hub: Hub, real_redis: Redis) -> None:
    found: list[LiveEvent] = []
    with hub.subscribe(GAME, 0, CLOCK) as subscription:
        waiting = Thread(target=lambda: found.extend(subscription.get(10)))
        waiting.start()
        wait_for_hearers(real_redis, keys.signals(GAME), 1)
        Signals(real_redis).publish_to_game(GAME, "clock", b"{}")
        waiting.join(60)
    assert [live.type for live in found] == ["clock"]


def test_a_silence_costs_neither_the_connection_nor_what_comes_after_it(
    real_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publication, "WAITS", 0.05)
    channel = keys.signals(GAME)
    with publication.PubSubConnection(real_redis) as connection:
        connection.subscribe([channel])
        assert until(lambda: connection.receive(True)) == publication.Confirmation(channel)
        assert connection.receive(True) is None
        Signals(real_redis).publish_to_game(GAME, "clock", b"{}")
        said = publication.Signal(channel, "clock", b"{}")
        assert until(lambda: connection.receive(True)) == said
