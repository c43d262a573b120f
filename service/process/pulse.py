"""The pulse of a web process: it notes its heartbeat all the time (`events.outages`).

The first heartbeat comes before the first request is served, and with each heartbeat the process
reads the outages again: so no move is measured without the outage that has just ended.
"""

from __future__ import annotations

import logging
from threading import Event, Thread

from redis import RedisError

from cartulary.events.errors import UnusableStore
from cartulary.events.outages import EVERY_S
from cartulary.events.store import Store

RETRY_S = 0.5
"""Pause when the store does not answer: moves wait for it as well."""

FIRST_WITHIN_S = 3.0
"""A process that starts waits for its first heartbeat for so long at most."""

log = logging.getLogger("cartulary.service")


class Pulse:
    """The thread that notes the heartbeat."""

    def __init__(self, store: Store, every: float = EVERY_S) -> None:
        self._store, self._every = store, every
        self._stopping, self._beaten = Event(), Event()
        self._silent = False
        self._thread = Thread(target=self._run, name="pulse", daemon=True)
        store.calendar.before_look = store.outages.beat

    def start(self) -> None:
        """Note the heartbeat from now on in a thread, and wait for the first."""
        self._thread.start()
        self._beaten.wait(FIRST_WITHIN_S)

    def stop(self) -> None:
        """End the thread; waits for a heartbeat under way for a second at most."""
        self._stopping.set()
        self._thread.join(timeout=1.0)

    def _run(self) -> None:
        pause = 0.0
        while not self._stopping.wait(pause):
            pause = self._beat()
            self._beaten.set()

    def _beat(self) -> float:
        """Note a heartbeat; return how long to wait for the next, in seconds."""
        try:
            self._store.claim()
            self._store.calendar.look()
        except (RedisError, UnusableStore) as error:
            if not self._silent:
                log.warning("no heartbeat, trying again: %s", error)
            self._silent = True
            return RETRY_S
        self._silent = False
        return self._every


def start_pulse(store: Store) -> Pulse:
    """Start the pulse of this process."""
    pulse = Pulse(store)
    pulse.start()
    return pulse
