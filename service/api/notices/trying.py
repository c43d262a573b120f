"""Sending a message now because its player asks for it: a test, or once more."""

from __future__ import annotations

from secrets import token_hex

from flask import Response, request

from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.kinds import Channel
from cartulary.events.notices.payloads import TEST
from cartulary.events.notices.waiting import open_deliveries
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored


def send_test(services: Services, player_id: str, channel: Channel, endpoint: str) -> Response:
    """Let a test be sent to an endpoint; returns the answer 202."""
    name = token_hex(8)
    item = {
        "id": f"test:{name}:{player_id}",
        "type": TEST,
        "timestamp": format_time(services.store.clock.now_ms()),
        "data": {"url": "/", "title": ""},
    }
    return send_now(services, player_id, channel, endpoint, item, f"test:{name}")


def send_now(
    services: Services, player_id: str, channel: Channel, endpoint: str, item: Json, name: str
) -> Response:
    """Let an item be sent to an endpoint, whatever has become of its turn."""
    now = services.store.clock.now_ms()
    delivery = Delivery(name, player_id, channel, endpoint, [item], now, forced=True)
    open_deliveries(services.store.registry, channel).add(delivery.start(now))
    mark_stored(request.environ)
    return Response(status=202)
