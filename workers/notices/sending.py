"""Sending what is due, many at once over kept connections, so that no target holds up another.

The store is asked in threads. Whatever is taken is sent within its lease, or put off at once: so no
second process sends the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from random import random
from typing import Final

from cartulary.events.lists.inbox import make_item
from cartulary.events.model.errors import NotFound, WrongKey
from cartulary.events.model.types import format_time
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.log import LoggedNotice, NoticeOutcome
from cartulary.events.notices.waiting import WaitingEntry, open_deliveries
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.notices.egress import DeliveryFailed, EgressPolicy, Reply, Sender, TargetRefused
from cartulary.notices.web_push import PushServerKey
from cartulary.workers.notices.answers import follow
from cartulary.workers.notices.composing import (
    OutgoingRequest,
    compose_push,
    compose_webhook,
)
from cartulary.workers.notices.judging import OF_A_TURN, NoticeJudge

AT_ONCE: Final = 150
"""Deliveries that are under way at the same time."""

OF_ONE_ENDPOINT: Final = 2
"""So a target that hangs for 15 s holds two places and no more."""

BUSY_MS: Final = 1000
"""For so long a delivery waits whose endpoint is busy."""

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
        self._store, self._registry, self._log = store, store.notices, store.notice_log
        self._deliveries = open_deliveries(store.registry)
        self._sender, self._policy = sender, policy
        self._push_key, self._address = push_key, address
        self._judge = NoticeJudge(store)
        self._under_way: set[asyncio.Task[None]] = set()
        self._busy: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    async def step(self) -> int:
        """Begin to send what is due; returns how many deliveries were taken."""
        free = AT_ONCE - len(self._under_way)
        if free <= 0:
            return 0
        now = self._store.clock.now_ms()
        entries = await asyncio.to_thread(self._deliveries.take, now, free)
        for entry in entries:
            delivery = Delivery.read(entry)
            if self._busy[delivery.endpoint] >= OF_ONE_ENDPOINT:
                until = now + BUSY_MS
                await asyncio.to_thread(self._deliveries.put_off, entry, until)
                continue
            self._busy[delivery.endpoint] += 1
            task = asyncio.create_task(self._send(entry, delivery))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return len(entries)

    async def drain(self) -> None:
        """Wait for what is under way."""
        if self._under_way:
            await asyncio.gather(*self._under_way)

    async def _send(self, entry: WaitingEntry, delivery: Delivery) -> None:
        try:
            request = await asyncio.to_thread(self._compose, entry, delivery)
            if request is None:
                return
            reply, error = await self._post(request)
            await asyncio.to_thread(self._finish, entry, delivery, reply, error)
        except Exception:
            # The lease ends, and the delivery is tried again: one that always fails must not end
            # the process for all others.
            log.exception("the delivery %s has failed", delivery.id)
            self.counts["error"] += 1
        finally:
            self._busy[delivery.endpoint] -= 1
            if self._busy[delivery.endpoint] <= 0:
                del self._busy[delivery.endpoint]

    async def _post(self, request: OutgoingRequest) -> tuple[Reply | None, str]:
        try:
            return await self._sender.post(request.target, request.headers, request.body), ""
        except (DeliveryFailed, TargetRefused) as error:
            return None, str(error)

    # -- before -----------------------------------------------------------------------------------

    def _compose(self, entry: WaitingEntry, delivery: Delivery) -> OutgoingRequest | None:
        """Return the request of a delivery; settle one that is out of date or has no endpoint."""
        items = delivery.items
        if not delivery.forced:
            items = [item for item in items if self._judge.is_true(delivery.player, item)]
        if not items:
            self._end(entry, delivery, "taken")
            return None
        try:
            return self._write(delivery._replace(items=items))
        except NotFound:
            self._end(entry, delivery, "gone")
        except (TargetRefused, WrongKey, ValueError) as error:
            self._end(entry, delivery, "refused", error=str(error))
        return None

    def _write(self, delivery: Delivery) -> OutgoingRequest:
        now = self._store.clock.now_ms()
        if delivery.channel == "webhook":
            webhook = self._registry.find_webhook(delivery.player, delivery.endpoint)
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
        self, entry: WaitingEntry, delivery: Delivery, reply: Reply | None, error: str
    ) -> None:
        now = self._store.clock.now_ms()
        step = follow(delivery.channel, delivery.attempt, reply, now, random())
        status = 0 if reply is None else reply.status
        if delivery.channel == "webhook":
            self._note_webhook(delivery, step.course == "sent", step.course == "gone")
        if step.course == "again":
            later = delivery._replace(attempt=delivery.attempt + 1)
            self._deliveries.put_off(entry, now + step.pause_ms, later.text())
            self._write_log(delivery, "retrying", status, error, now + step.pause_ms)
            return
        if step.course == "gone" and delivery.channel == "push":
            self._forget_browser(delivery)
        outcome: NoticeOutcome = step.course
        self._end(entry, delivery, outcome, status, error)

    def _forget_browser(self, delivery: Delivery) -> None:
        try:
            self._registry.remove_browser(delivery.player, delivery.endpoint)
        except NotFound:
            return  # The player has removed it in the meantime: that is what was wanted.

    def _note_webhook(self, delivery: Delivery, succeeded: bool, gone: bool) -> None:
        try:
            if gone:
                self._registry.switch_off(delivery.player, delivery.endpoint, "gone")
            elif not self._registry.note_outcome(delivery.player, delivery.endpoint, succeeded):
                return
        except NotFound:
            return  # The player has removed it in the meantime.
        at = format_time(self._store.clock.now_ms())
        data = {"webhook": delivery.endpoint, "url": "/"}
        item = make_item(delivery.endpoint, "webhook_disabled", delivery.player, at, data)
        self._store.inbox.add(delivery.player, [item])

    def _end(
        self,
        entry: WaitingEntry,
        delivery: Delivery,
        outcome: NoticeOutcome,
        status: int = 0,
        error: str = "",
    ) -> None:
        self._deliveries.settle([entry])
        self._write_log(delivery, outcome, status, error)

    def _write_log(
        self,
        delivery: Delivery,
        outcome: NoticeOutcome,
        status: int,
        error: str,
        again_at: int = 0,
    ) -> None:
        self.counts[outcome] += 1
        line = LoggedNotice(
            delivery.id,
            self._store.clock.now_ms(),
            outcome,
            delivery.channel,
            delivery.items[0],
            status,
            delivery.attempt,
            again_at,
            error,
        )
        self._log.write((delivery.player, delivery.endpoint), line)
