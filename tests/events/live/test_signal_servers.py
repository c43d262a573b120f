"""Signals of games go through the server of the games, those of players through the registry."""

from __future__ import annotations

from threading import Lock
from types import SimpleNamespace
from typing import Any

from cartulary.events.live.signals import Signals
from cartulary.events.live.subscriptions import Subscription
from cartulary.events.server import keys


class Heard:
    """A server that notes on which channels something is published."""

    def __init__(self) -> None:
        self.channels: list[str] = []

    def spublish(self, channel: str, _data: bytes) -> None:
        self.channels.append(channel)


def test_each_signal_takes_the_server_of_its_channel() -> None:
    games, registry = Heard(), Heard()
    servers: tuple[Any, Any] = games, registry
    signals = Signals(*servers)
    signals.publish_to_game("g", "clock", b"{}")
    signals.publish(keys.inbox_live("ada"), "inbox", b"{}")
    assert games.channels == [keys.signals("g")]
    assert registry.channels == [keys.inbox_live("ada")]


def test_one_server_serves_both() -> None:
    both: Any = Heard()
    Signals(both).publish(keys.inbox_live("ada"), "inbox", b"{}")
    assert both.channels == [keys.inbox_live("ada")]


def test_who_listens_to_a_closed_subscription_learns_its_end_at_once() -> None:
    hub, ended = SimpleNamespace(lock=Lock()), list[bool]()
    made: Any = Subscription
    subscription = made(hub, "g", 0, [])
    listener = SimpleNamespace(end=lambda: ended.append(True))
    subscription.listen(listener)
    assert ended == []
    subscription.closed = True
    subscription.listen(listener)
    assert ended == [True]
