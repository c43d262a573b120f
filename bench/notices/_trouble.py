"""Endpoints in trouble: a host that hangs, one that fails for five days, browsers that are gone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bench.notices._receivers import Receivers
from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.kinds import Channel
from cartulary.events.notices.registry import GIVEN_UP_MS
from cartulary.events.notices.rows import StoredSubscription, StoredWebhook
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.store import Store
from cartulary.notices.web_push.subscriptions import encode_url

HANGING: Final = 100
"""Webhooks at the host that hangs."""
FAILING: Final = 100
GONE: Final = 1000
MESSAGES: Final = 5
"""For each webhook in trouble."""
OF_A_PLAYER: Final = 5


class TroubledEndpoint(NamedTuple):
    """An endpoint, and its player."""

    player: str
    channel: Channel
    id: str


class Trouble:
    """Registers endpoints in trouble, and lets messages to them become due."""

    def __init__(self, store: Store, receivers: Receivers) -> None:
        self._store, self._receivers = store, receivers
        self._numbers = itertools.count()
        self._endpoints = [
            *(self._add_webhook("hangs", 0) for _ in range(HANGING)),
            *(self._add_webhook("fails", GIVEN_UP_MS + 1000) for _ in range(FAILING)),
        ]
        self._browsers = [*self._add_browsers()]

    def begin(self, seconds: float) -> None:
        """Let all messages become due, spread over some seconds."""
        now = self._store.clock.now_ms()
        deliveries = open_deliveries(self._store.registry)
        due = [*self._browsers, *(one for one in self._endpoints for _ in range(MESSAGES))]
        for number, endpoint in enumerate(due):
            at = now + int(1000 * seconds * number / len(due))
            deliveries.add(self._make_delivery(endpoint, at).start(at))

    def describe(self) -> Json:
        """Return what became of the endpoints."""
        off = [self._store.notices.find_webhook(one.player, one.id).off for one in self._endpoints]
        left = sum(
            len(self._store.notices.list_browsers(player))
            for player in {one.player for one in self._browsers}
        )
        counts = self._receivers.count()
        return {
            "requests": {name: counts[name] for name in ("hangs", "fails", "gone")},
            "switched_off": off.count("failing"),
            "of_failing": FAILING,
            "browsers_left": left,
            "of_browsers": GONE,
        }

    def _add_webhook(self, conduct: Any, failing_ms: int) -> TroubledEndpoint:
        number, now = next(self._numbers), self._store.clock.now_ms()
        player, id_ = f"{conduct}{number // OF_A_PLAYER}", f"{number:016x}"
        since = now - failing_ms if failing_ms else 0
        webhook = StoredWebhook(
            id_,
            self._receivers.make_url(conduct),
            ("game_over",),
            "slack",
            (),
            now,
            failing_since=since,
        )
        self._store.notices.add_webhook(player, webhook)
        return TroubledEndpoint(player, "webhook", id_)

    def _add_browsers(self) -> Iterator[TroubledEndpoint]:
        key = ec.generate_private_key(ec.SECP256R1()).public_key()
        point = encode_url(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
        for number in range(GONE):
            player, id_ = f"gone{number // OF_A_PLAYER}", f"{next(self._numbers):016x}"
            url = self._receivers.make_url("gone", f"/push/{number}")
            secret = encode_url(bytes(16))
            row = StoredSubscription(id_, url, point, secret, "bench", "en", 0)
            self._store.notices.add_browser(player, row)
            yield TroubledEndpoint(player, "push", id_)

    def _make_delivery(self, endpoint: TroubledEndpoint, at: int) -> Delivery:
        number = next(self._numbers)
        item = {
            "id": f"bench:{number}:game_over:{endpoint.player}",
            "type": "game_over",
            "timestamp": format_time(at),
            "data": {"url": "/", "title": "Bench"},
        }
        id_ = f"{item['id']}:{endpoint.channel}:{endpoint.id}"
        return Delivery(id_, endpoint.player, endpoint.channel, endpoint.id, [item], at)
