"""Sending mails, one after the other in a thread of their own.

There is one mail server, so many mails at once would not be faster; when it hangs, mails wait in
their own line and nothing else does.

A mail is settled in the store when the server has taken it. SMTP has no id by which a server drops
a mail that it has already (RFC 5321, section 6.1; RFC 1047), so one window stays: a process that
dies after the server has taken a mail and before the store knows, or an answer that is lost, sends
that mail a second time. Both have the same `Message-ID`, by which many programs show one of them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import random
from threading import Event
from time import monotonic, sleep
from typing import Final

from redis import RedisError

from cartulary.events.lists.inbox import make_item
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import WrongKey
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.kinds import CONFIRMATION
from cartulary.events.notices.rows import StoredAddress
from cartulary.events.notices.waiting import LEASE_MS, WaitingEntry, open_deliveries
from cartulary.events.store import Store
from cartulary.notices.mail.server import MAIL_S, MailReply, MailServer, MailServerSilent
from cartulary.notices.mail.settings import MailSettings
from cartulary.workers.notices.answers import follow_mail
from cartulary.workers.notices.digests import DigestWriter
from cartulary.workers.notices.judging import NoticeJudge
from cartulary.workers.notices.outcomes import DeliveryOutcomes

AT_ONCE: Final = 20
"""Mails that are taken at once."""

STORE_WITHIN_S: Final = 6.0
"""For so long the store is asked again that does not answer after a mail: else the mail comes
twice."""

STORE_PAUSE_S: Final = 0.2

WITHIN_MS: Final = LEASE_MS - int((MAIL_S + STORE_WITHIN_S) * 1000)
"""A mail that was taken longer ago is not begun: its lease might end under way."""

SILENT_MS: Final = 60_000
"""For so long mails wait when the server does not answer the first of them."""

REFUSED: Final = "the mail server refuses this address"

log = logging.getLogger("cartulary.notices")


class MailSending:
    """Takes mails that are due and sends them; for one thread, `stop` for another one."""

    def __init__(self, store: Store, settings: MailSettings) -> None:
        self._store, self._settings = store, settings
        self._mails = open_deliveries(store.registry, "email")
        self._outcomes = DeliveryOutcomes(store, self._mails)
        self._judge = NoticeJudge(store)
        self._server = MailServer(settings)
        self._writer = DigestWriter(settings.public_url)
        self._stopped = Event()

    def step(self) -> int:
        """Send what is due now; returns how many mails were taken. Raises `RedisError`."""
        taken_at = self._store.clock.now_ms()
        taken = self._mails.take_as(Delivery.read, taken_at, AT_ONCE)
        is_silent = False
        for entry, delivery in taken:
            now = self._store.clock.now_ms()
            if is_silent or self._stopped.is_set() or now - taken_at > WITHIN_MS:
                self._mails.put_off(entry, now + SILENT_MS if is_silent else now)
            else:
                is_silent = not self._try(entry, delivery)
        if not taken:
            self._server.close()
        return len(taken)

    def stop(self) -> None:
        """End soon: a mail that the server may take just now gets its answer, no other begins."""
        self._stopped.set()
        self._server.interrupt()

    def _try(self, entry: WaitingEntry, delivery: Delivery) -> bool:
        try:
            return self._handle(entry, delivery)
        except RedisError:
            raise
        except Exception:
            # The lease ends, and the mail is tried again: one that always fails must not end the
            # thread for all others.
            log.exception("the mail %s has failed", delivery.id)
            return True

    def _handle(self, entry: WaitingEntry, delivery: Delivery) -> bool:
        """Send one mail; returns False when the server does not answer."""
        try:
            mail = self._compose(delivery)
        except NotFound:
            self._outcomes.end(entry, delivery, "gone")
            return True
        except (WrongKey, ValueError) as error:
            self._outcomes.end(entry, delivery, "refused", error=str(error))
            return True
        if mail is None:
            self._outcomes.end(entry, delivery, "taken")
            return True
        reply: MailReply | None = None
        error_text = ""
        try:
            reply = self._server.send(*mail)
        except MailServerSilent as error:
            error_text = str(error)
            log.warning("%s", error)
        self._insist(lambda: self._finish(entry, delivery, reply, error_text))
        return reply is not None

    def _insist(self, ask: Callable[[], None]) -> None:
        """Ask the store, again while it does not answer. Raises `RedisError`."""
        until = monotonic() + STORE_WITHIN_S
        while True:
            try:
                ask()
            except RedisError:
                if monotonic() > until:
                    raise
            else:
                return
            sleep(STORE_PAUSE_S)

    def _compose(self, delivery: Delivery) -> tuple[str, bytes] | None:
        """Return the address and the mail, None when nothing of it holds any longer.

        Raises `NotFound` when the address may not be written to, `WrongKey`, `ValueError`.
        """
        address = self._find_address(delivery)
        secret = self._store.keyring.decrypt(address.encrypted.encode(), address.id)
        now = self._store.clock.now_ms()
        if delivery.type == CONFIRMATION:
            letter = self._writer.write_confirmation(delivery, address, secret, now)
            return address.address, letter.write(self._settings)
        items = delivery.items
        if not delivery.forced:
            items = [item for item in items if self._judge.is_true(delivery.player, item)]
        if not items:
            return None
        zone = self._store.notices.read_settings(delivery.player).timezone
        true = delivery._replace(items=items)
        letter = self._writer.write_digest(true, address, secret, zone, now)
        return address.address, letter.write(self._settings)

    def _find_address(self, delivery: Delivery) -> StoredAddress:
        found = self._store.notices.emails.find(delivery.player)
        asks = delivery.type == CONFIRMATION
        if found is None or found.id != delivery.endpoint or found.off:
            raise NotFound("the address was removed or switched off")
        if asks == bool(found.confirmed_at):
            raise NotFound("the address is confirmed already, or not yet")
        return found

    def _finish(
        self, entry: WaitingEntry, delivery: Delivery, reply: MailReply | None, error: str
    ) -> None:
        now = self._store.clock.now_ms()
        step = follow_mail(delivery.attempt, reply, random())
        status = 0 if reply is None else reply.code
        if step.course == "again":
            self._outcomes.put_off(entry, delivery, now + step.pause_ms, status, error)
            return
        if step.course == "gone":
            error = REFUSED
            self._switch_off(delivery)
        self._outcomes.end(entry, delivery, step.course, status, error)

    def _switch_off(self, delivery: Delivery) -> None:
        """Write to an address no more that the server refuses, and say so in the inbox."""
        if not self._store.notices.emails.switch_off(delivery.player, delivery.endpoint, "refused"):
            return
        at = format_time(self._store.clock.now_ms())
        data = {"url": "/settings?notices"}
        item = make_item(delivery.endpoint, "email_disabled", delivery.player, at, data)
        self._store.inbox.add(delivery.player, [item])
