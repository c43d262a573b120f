"""Sending what is due, many at once over kept connections, so that no target holds up another.

The store is asked in threads, again while it does not answer. Whatever is taken is sent within its
lease, or put off at once: so no second process sends the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from random import random
from typing import Final, TypeVar

from redis import RedisError

from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import WrongKey
from cartulary.events.model.types import Json
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.waiting import WaitingEntry, open_deliveries
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.notices.egress import DeliveryFailed, EgressPolicy, Reply, Sender, TargetRefused
from cartulary.notices.web_push import PushServerKey
from cartulary.workers.notices.answers import Course, follow
from cartulary.workers.notices.composing import (
    OutgoingRequest,
    compose_push,
    compose_webhook,
)
from cartulary.workers.notices.judging import OF_A_TURN, NoticeJudge
from cartulary.workers.notices.outcomes import DeliveryOutcomes
from cartulary.workers.notices.places import Places
from cartulary.workers.notices.side_by_side import SideBySide
from cartulary.workers.notices.switched_off import tell_of_failed

AT_ONCE: Final = 150
"""Deliveries that are under way at the same time."""

BEHIND_MS: Final = 500
"""For so long a delivery waits whose game has events that the dispatcher has not followed yet."""

STORE_WITHIN_S: Final = 6.0
"""For so long the store is asked again, before and after the request (15 s): within the lease."""

STORE_PAUSE_S: Final = 0.2

T = TypeVar("T")

log = logging.getLogger("cartulary.notices")


class NoticeSending:
    """Takes deliveries that are due and sends them; for one event loop."""

    def __init__(
        self,
        store: Store,
        sender: Sender,
        policy: EgressPolicy,
        push_key: PushServerKey | None,
        address: str,
    ) -> None:
        self._store, self._registry = store, store.notices
        self._deliveries = open_deliveries(store.registry)
        self._sender, self._policy = sender, policy
        self._push_key, self._address = push_key, address
        self._judge = NoticeJudge(store)
        self._places = Places()
        self._side_by_side = SideBySide(
            *(self._deliveries, store.clock, AT_ONCE, Delivery.read, self._find_pause_ms)
        )
        self._failing: set[str] = set()
        """Webhooks whose last message did not arrive: a success has to be noted."""
        self._outcomes = DeliveryOutcomes(store, self._deliveries)

    async def step(self) -> int:
        """Begin to send what is due; returns how many deliveries were taken."""
        return await self._side_by_side.step(self._start)

    async def _start(self, taken: Sequence[tuple[WaitingEntry, Delivery]]) -> None:
        items = [item for _, delivery in taken for item in delivery.items]
        fresh = await asyncio.to_thread(self._find_fresh, items)
        for entry, delivery in taken:
            self._side_by_side.begin(self._send(entry, delivery, fresh))

    def _find_pause_ms(self, delivery: Delivery) -> int:
        if self._places.take(delivery.endpoint):
            return 0
        return self._places.find_pause_ms(delivery.endpoint)

    def _find_fresh(self, items: Sequence[Json]) -> frozenset[str]:
        """Return the items that surely stand; none while the store does not answer."""
        try:
            return self._judge.find_fresh(items)
        except RedisError as error:
            log.warning("the server does not answer, each delivery asks again: %s", error)
            return frozenset()

    async def drain(self) -> None:
        """Wait for what is under way."""
        await self._side_by_side.drain()

    async def _send(self, entry: WaitingEntry, delivery: Delivery, fresh: frozenset[str]) -> None:
        try:
            try:
                request = await asyncio.to_thread(self._compose, entry, delivery, fresh)
            except RedisError:
                request = await _insist(partial(self._compose, entry, delivery))
            if request is not None:
                await self._send_composed(entry, delivery, request)
        except Exception:
            # The lease ends, and the delivery is tried again: one that always fails must not end
            # the process for all others.
            log.exception("the delivery %s has failed", delivery.id)
        finally:
            self._places.free(delivery.endpoint)

    async def _send_composed(
        self, entry: WaitingEntry, delivery: Delivery, request: OutgoingRequest
    ) -> None:
        """Send a request when its host has a place, else put it off."""
        host = request.target.authority
        if not self._places.enter(delivery.endpoint, host):
            until = self._store.clock.now_ms() + self._places.find_pause_ms(delivery.endpoint)
            await _insist(partial(self._deliveries.put_off, entry, until))
            return
        reply = None
        try:
            reply, error = await self._post(request)
        finally:
            self._places.leave(host, None if reply is None else reply.accepted)
        await _insist(partial(self._finish, entry, delivery, request.url, reply, error))

    async def _post(self, request: OutgoingRequest) -> tuple[Reply | None, str]:
        try:
            return await self._sender.post(request.target, request.headers, request.body), ""
        except (DeliveryFailed, TargetRefused) as error:
            return None, str(error)

    # -- before -----------------------------------------------------------------------------------

    def _compose(
        self, entry: WaitingEntry, delivery: Delivery, fresh: frozenset[str] = frozenset()
    ) -> OutgoingRequest | None:
        """Return the request of a delivery; settle one that is out of date or has no endpoint.

        Items that are `fresh` stand: they were looked at a moment ago.
        """
        items = delivery.items
        if not delivery.forced:
            found = [
                (item["id"] in fresh or self._judge.stands(delivery.player, item), item)
                for item in items
            ]
            if any(stands is None for stands, _ in found):
                self._deliveries.put_off(entry, self._store.clock.now_ms() + BEHIND_MS)
                return None
            items = [item for stands, item in found if stands]
        if not items:
            self._outcomes.end(entry, delivery, "taken")
            return None
        try:
            return self._write(delivery._replace(items=items))
        except NotFound:
            self._outcomes.end(entry, delivery, "gone")
        except (TargetRefused, WrongKey, ValueError) as error:
            self._outcomes.end(entry, delivery, "refused", error=str(error))
        return None

    def _write(self, delivery: Delivery) -> OutgoingRequest:
        now = self._store.clock.now_ms()
        if delivery.channel == "webhook":
            webhook = self._registry.find_webhook(delivery.player, delivery.endpoint)
            if webhook.failing_since:
                self._failing.add(webhook.id)
            return compose_webhook(
                delivery, webhook, self._policy, self._store.keyring, self._address, now
            )
        if self._push_key is None:
            raise NotFound("this service has no key for push messages")
        browser = self._registry.find_browser(delivery.player, delivery.endpoint)
        deadline = None
        if delivery.type in OF_A_TURN:
            score = self._judge.find_deadline(delivery.player, delivery.items[0]["data"]["game"])
            deadline = None if score is None or score >= keys.UNTIMED else score
        badge = len(self._store.turns.list(delivery.player))
        return compose_push(
            delivery, browser, self._policy, self._push_key, self._address, deadline, badge, now
        )

    # -- after ------------------------------------------------------------------------------------

    def _finish(
        self, entry: WaitingEntry, delivery: Delivery, url: str, reply: Reply | None, error: str
    ) -> None:
        now = self._store.clock.now_ms()
        step = follow(delivery.channel, delivery.attempt, reply, now, random())
        status = 0 if reply is None else reply.status
        if delivery.channel == "webhook":
            self._note_webhook(delivery, url, step.course)
        if step.course == "again":
            self._outcomes.put_off(entry, delivery, now + step.pause_ms, status, error)
            return
        if step.course == "gone" and delivery.channel == "push":
            self._forget_browser(delivery)
        self._outcomes.end(entry, delivery, step.course, status, error)

    def _forget_browser(self, delivery: Delivery) -> None:
        try:
            self._registry.remove_browser(delivery.player, delivery.endpoint)
        except NotFound:
            return  # The player has removed it in the meantime: that is what was wanted.

    def _note_webhook(self, delivery: Delivery, url: str, course: Course) -> None:
        succeeded = course == "sent"
        if succeeded and delivery.endpoint not in self._failing:
            return
        self._failing.discard(delivery.endpoint)
        player, endpoint = delivery.player, delivery.endpoint
        try:
            if course == "gone":
                webhook = self._registry.note_gone(player, endpoint, url)
            else:
                webhook = self._registry.note_outcome(player, endpoint, url, succeeded)
        except NotFound:
            return  # The player has removed it in the meantime.
        if not succeeded:
            tell_of_failed(self._store, player, webhook)


async def _insist(ask: Callable[[], T]) -> T:
    """Ask the store in a thread, again while it does not answer, for `STORE_WITHIN_S` at most.

    Raises `RedisError`.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + STORE_WITHIN_S
    while True:
        try:
            return await asyncio.to_thread(ask)
        except RedisError:
            if clock() > until:
                raise
        await asyncio.sleep(STORE_PAUSE_S)
