"""People who move when they are notified: each waits for the message about the turn."""

from __future__ import annotations

import threading
import time
from typing import Final, NamedTuple

from bench.faults.clients import ReconnectingClient
from bench.faults.notice_receiver import NoticeReceiver

PATIENCE_S: Final = 60.0
"""Longer than the lease of a delivery whose notifier has died, and a request that hangs."""


class AwaitedTurn(NamedTuple):
    """A person waited for the message about a turn; moments of `time.monotonic`."""

    game: str
    version: int
    began: float
    ended: float
    told: bool


class TurnNotices:
    """What a webhook tells the people of a run. Thread-safe."""

    def __init__(self, receiver: NoticeReceiver, patience: float = PATIENCE_S) -> None:
        self._receiver, self._patience = receiver, patience
        self._lock = threading.Lock()
        self.waits: list[AwaitedTurn] = []

    def subscribe(self, caller: ReconnectingClient, token: str) -> None:
        """Let the receiver know of the turns of a player."""
        body = {"url": self._receiver.url, "types": ["your_turn"]}
        answer = caller.insist("POST", "/players/me/webhooks", body, token)
        if answer.status != 201:
            raise RuntimeError(f"a webhook was refused: {answer.body}")

    def await_turn(self, game: str, version: int) -> None:
        """Wait until the message about a turn has come, for `patience` seconds at most."""
        began = time.monotonic()
        told = self._receiver.await_notice(game, version, self._patience)
        with self._lock:
            self.waits.append(AwaitedTurn(game, version, began, time.monotonic(), told))
