"""The journal: what the service has acknowledged, kept in the process that no fault kills.

Moments are those of `time.monotonic`.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import orjson

Json = dict[str, Any]

ON_DELIVERY = ("hash", "upcast", "masked")
"""Keys that the service adds to an event when it delivers the event."""


def digest(event: Json) -> str:
    """Return a fingerprint of an event as it was stored."""
    stored = {key: value for key, value in event.items() if key not in ON_DELIVERY}
    return sha256(orjson.dumps(stored, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Acknowledged(NamedTuple):
    """An event that an answer has promised; `sent` is when the last attempt was sent.

    `seen` says that no answer promised the event: the client found it in the stream after a request
    without an answer and without an idempotency key.
    """

    version: int
    digest: str
    sent: float
    came: float
    seen: bool = False


class MoveRound(NamedTuple):
    """A move of a person (when it was sent) and, some time later, the answers of the bots."""

    sent: float
    answered: float


class Fallback(NamedTuple):
    """A loss of the end of the store: what was acknowledged between the two may be lost."""

    copied: float
    killed: float


@dataclass
class OpenedGame:
    """A game that the service has acknowledged, and which of its seats the clients hold."""

    game: str
    seats: frozenset[int]
    sent: float
    came: float
    events: list[Acknowledged] = field(default_factory=list)
    vanished: bool = False
    """Whether a client got 404 for the game: a fall-back of the store took it."""


class Journal:
    """What all clients have been promised. Thread-safe; `file` gets a line for each promise."""

    def __init__(self, file: Path) -> None:
        self.games: dict[str, OpenedGame] = {}
        self.rounds: list[MoveRound] = []
        self.moved: list[tuple[float, float]] = []
        """Of each move that was acknowledged: when it was sent, when it was answered."""
        self.fallbacks: list[Fallback] = []
        self.trouble: list[str] = []
        """Answers that the service must not give."""
        self.retries = 0
        self.longest_wait = 0.0
        self._lock = threading.Lock()
        self._file = file.open("ab")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def open(self, game: Json, seats: frozenset[int], sent: float) -> None:
        """Note a game that was created."""
        opened = OpenedGame(game["id"], seats, sent, time.monotonic())
        with self._lock:
            self.games.setdefault(opened.game, opened)
            self._write("opened", game=opened.game, seats=sorted(seats), sent=sent)

    def acknowledge(self, game: str, event: Json, sent: float, seen: bool = False) -> None:
        """Note an event that an answer has promised, or that was found in place of an answer."""
        found = Acknowledged(event["version"], digest(event), sent, time.monotonic(), seen)
        with self._lock:
            self.games[game].events.append(found)
            self.moved.append((sent, found.came))
            self._write("seen" if seen else "acknowledged", game=game, sent=sent, event=event)

    def note_round(self, game: str, sent: float) -> None:
        """Note that the bots of a game have answered a move that was sent at a moment."""
        with self._lock:
            self.rounds.append(MoveRound(sent, time.monotonic()))
            self._write("round", game=game, sent=sent)

    def note_wait(self, seconds: float) -> None:
        """Note how long a person has waited for the answer to a move, all repetitions included."""
        with self._lock:
            self.longest_wait = max(self.longest_wait, seconds)

    def note_retry(self) -> None:
        """Note that a request had to be repeated."""
        with self._lock:
            self.retries += 1

    def note_vanished(self, game: str) -> bool:
        """Note that the service knows a game no more; returns whether a fall-back explains it."""
        with self._lock:
            opened = self.games[game]
            opened.vanished = self.may_be_lost(opened.sent, opened.came)
            return opened.vanished

    def note_trouble(self, line: str) -> None:
        """Note an answer that the service must not give."""
        with self._lock:
            self.trouble.append(line)
            self._write("trouble", line=line)

    def note_fault(self, kind: str, began: float, lifted: float) -> None:
        """Note a fault for those who read the file."""
        with self._lock:
            self._write("fault", kind=kind, began=began, lifted=lifted)

    def note_fallback(self, copied: float, killed: float) -> None:
        """Note that the store went on from a copy that was made at a moment."""
        with self._lock:
            self.fallbacks.append(Fallback(copied, killed))
            self._write("fallback", copied=copied, killed=killed)

    def may_be_lost(self, sent: float, came: float) -> bool:
        """Return whether a fall-back of the store explains the loss of what was acknowledged."""
        return any(came > lost.copied and sent < lost.killed for lost in self.fallbacks)

    def fell_back_since(self, moment: float) -> bool:
        """Return whether the store fell back after a moment."""
        return any(lost.killed > moment for lost in self.fallbacks)

    def recovered_after(self, moment: float, since: int = 0) -> float | None:
        """Return the first moment when bots had answered a move that was sent after `moment`.

        Looks at `rounds` from number `since` on. None: not yet.
        """
        return min((r.answered for r in self.rounds[since:] if r.sent >= moment), default=None)

    def _write(self, what: str, **fields: Any) -> None:
        line = {"at": time.monotonic(), "what": what, **fields}
        self._file.write(orjson.dumps(line) + b"\n")
