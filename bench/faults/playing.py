"""The threads of a run that play: each one game after the other, to the end."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

from bench.faults.clients import PlayedTable, ReconnectingClient, Vanished
from bench.faults.journal import Journal
from bench.faults.people import AwaitsTurns, Habits


class PlayingThreads:
    """Threads that each play one game after the other until `stop`, and finish what they began.

    With `notices` people move when they are notified of their turn; `welcome` is called with the
    token of each of them.
    """

    def __init__(
        self,
        port: int,
        journal: Journal,
        count: int,
        seed: int,
        habits: Habits,
        notices: AwaitsTurns | None = None,
        welcome: Callable[[ReconnectingClient, str], None] = lambda _caller, _token: None,
    ) -> None:
        self._port, self._journal, self._habits = port, journal, habits
        self._notices, self._welcome = notices, welcome
        self._stopping = threading.Event()
        self._tokens: list[list[str]] = []
        self._threads = [
            threading.Thread(target=self._play, args=(number, seed), daemon=True)
            for number in range(count)
        ]

    def start(self) -> None:
        """Register the people and let them play."""
        caller = ReconnectingClient(self._port, self._journal)
        for number in range(len(self._threads)):
            names = [f"person {number} {letter}" for letter in "ab"]
            made = [caller.insist("POST", "/players", {"name": name}) for name in names]
            self._tokens.append([answer.body["token"] for answer in made])
            for token in self._tokens[-1]:
                self._welcome(caller, token)
                if self._habits.rated:
                    # A rated game asks for accounts that cannot be lost.
                    caller.insist("POST", "/players/me/recovery_codes", {}, token)
        caller.close()
        for thread in self._threads:
            thread.start()

    def stop(self, within: float) -> int:
        """Let every client finish its game; returns how many have not after `within` seconds."""
        self._stopping.set()
        deadline = time.monotonic() + within
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return sum(thread.is_alive() for thread in self._threads)

    def _play(self, number: int, seed: int) -> None:
        rng = random.Random(f"client {number} of {seed}")
        caller = ReconnectingClient(self._port, self._journal)
        tables: list[PlayedTable] = []
        while not self._stopping.is_set():
            tokens = self._tokens[number]
            table = PlayedTable(caller, self._journal, tokens, rng, self._habits, self._notices)
            guard(self._journal, table.open)
            if table.id:
                tables.append(table)
                guard(self._journal, table.play)
        for table in tables:  # a fall-back may have taken the end of a game that was over
            guard(self._journal, table.play)
        caller.close()


def guard(journal: Journal, play: Callable[[], None]) -> None:
    """Play; whatever goes wrong is in the journal, and the play goes on."""
    try:
        play()
    except Vanished:
        pass
    except Exception as error:
        journal.note_trouble(f"{type(error).__name__}: {error}")
