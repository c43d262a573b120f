"""The process that tells players outside: `python -m cartulary.workers.notices.notifier`."""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # nothing of what follows is garbage

import asyncio
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Final

from redis import RedisError

from cartulary.events.model.offers import Offers
from cartulary.events.server.heartbeat import EVERY_S, make_beat
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.notices.egress import EgressPolicy, Sender
from cartulary.notices.mail.settings import MailSettings
from cartulary.notices.web_push import PushServerKey
from cartulary.settings.environment import Environment
from cartulary.settings.garbage import keep_what_is_loaded
from cartulary.workers.notices.bot_requests import ANSWER_S
from cartulary.workers.notices.bot_turns import BotTurns
from cartulary.workers.notices.mailing import MailSending
from cartulary.workers.notices.notifying import Notifying
from cartulary.workers.notices.sending import NoticeSending
from cartulary.workers.process.log import configure_logging
from cartulary.workers.process.store_claim import exit_when_unusable

IDLE_S: Final = 0.25
"""Pause while nothing is due: bounds how late a notice is."""

BATCH_S: Final = 0.02
"""Pause after something was due: what comes meanwhile is handled together."""

SILENT_S: Final = 0.5
"""Pause while the store does not answer."""

log = logging.getLogger("cartulary.notices")


class Notifier:
    """Turns intents into deliveries, sends them, and asks webhook bots, until `stop`."""

    def __init__(
        self,
        store: Store,
        sender: Sender,
        policy: EgressPolicy,
        push_key: PushServerKey | None,
        address: str,
        bot_turns: BotTurns | None = None,
        mail: MailSettings | None = None,
    ) -> None:
        self._store, self._bot_turns = store, bot_turns
        self.notifying = Notifying(store)
        self.sending = NoticeSending(store, sender, policy, push_key, address)
        self.mailing = None if mail is None else MailSending(store, mail)
        self._allowed = ", ".join(map(str, policy.allow))
        self._stopping = asyncio.Event()
        self._beat = make_beat()
        self._noted = False
        self._show_at = 0.0

    def stop(self) -> None:
        """Let `run` end after what is under way."""
        self._stopping.set()

    async def run(self) -> None:
        """Run until `stop`; goes on when the store is back. Raises `UnusableStore`."""
        mailing = asyncio.create_task(self._send_mails())
        try:
            await self._run()
        finally:
            self.stop()  # also where the store turned out to be unusable: the thread has to end
            if self.mailing is not None:
                self.mailing.stop()
            await mailing
        await self.sending.drain()
        if self._bot_turns is not None:
            await self._bot_turns.drain()

    async def _send_mails(self) -> None:
        """Send mails in a thread of their own: one that waits for the server holds up no other."""
        if self.mailing is None:
            return
        with ThreadPoolExecutor(1, "mail") as thread:
            loop = asyncio.get_running_loop()
            while not self._stopping.is_set():
                try:
                    pause = 0.0 if await loop.run_in_executor(thread, self.mailing.step) else IDLE_S
                except RedisError as error:
                    log.warning("the server does not answer, trying again: %s", error)
                    pause = SILENT_S
                await self._wait(pause)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._beat()
            try:
                pause = BATCH_S if await self.step() else IDLE_S
            except RedisError as error:
                log.warning("the server does not answer, trying again: %s", error)
                pause = SILENT_S
            await self._wait(pause)

    async def step(self) -> int:
        """Handle what is due now; returns how much that was."""
        await asyncio.to_thread(self._claim)
        asked = 0 if self._bot_turns is None else await self._bot_turns.step()
        judged = await asyncio.to_thread(self.notifying.step)
        return asked + judged + await self.sending.step()

    def _claim(self) -> None:
        self._store.claim()
        if (now := monotonic()) >= self._show_at:
            self._show_at = now + EVERY_S
            self._store.show_life("notifier")
        if not self._noted:
            self._store.notice_log.note_policy(self._allowed)
            self._noted = True

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return


def read_push_key(environment: dict[str, str]) -> PushServerKey | None:
    """Return the key with which push services know this service, None: no push messages.

    `CARTULARY_PUSH_KEY` names a file in PEM, which `serve` makes at its first start;
    `CARTULARY_PUSH_CONTACT` says whom a push service may write to.
    """
    file = environment.get("CARTULARY_PUSH_KEY", "")
    if not file or not Path(file).exists():
        return None
    contact = environment.get("CARTULARY_PUSH_CONTACT", "mailto:operator@localhost")
    return PushServerKey(Path(file).read_bytes(), contact)


async def run_notifier(store: Store, environment: dict[str, str]) -> None:
    """Run a notifier until SIGTERM or SIGINT."""
    policy = EgressPolicy.from_environment(environment)
    address = environment.get("CARTULARY_PUBLIC_URL", "").rstrip("/")
    async with Sender(policy) as sender, Sender(policy, seconds=ANSWER_S) as asking:
        bots = BotTurns(store, asking, policy, address)
        key, mail = read_push_key(environment), MailSettings.from_environment(environment)
        notifier = Notifier(store, sender, policy, key, address, bots, mail)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, notifier.stop)
        await notifier.run()


def main(open_store: Callable[[StoreSettings, Offers], Store] = Store.open) -> None:
    """Run a notifier; `open_store` opens the store of the settings."""
    configure_logging()
    store = open_store(StoreSettings.from_env(), OFFERS)
    with exit_when_unusable():
        asyncio.run(run_notifier(store, Environment.of_process().resolve()))
    store.close()


if __name__ == "__main__":
    keep_what_is_loaded()
    main()
