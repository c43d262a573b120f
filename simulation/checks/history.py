"""What clients asked, what the answers said, and the moments between which it happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Json = dict[str, Any]


class NotedCall(NamedTuple):
    """A call to a game: when it was sent and answered (virtual ns), and what the answer said.

    `first` and `last` are the versions of the events that it has appended (0: none), `seen` the
    version that a read has shown, or that a refusal was judged at (0: not said).
    """

    game: str
    who: str
    what: str
    key: str
    called: int
    returned: int
    first: int = 0
    last: int = 0
    seen: int = 0
    code: str = ""


@dataclass
class CallHistory:
    """All calls of a run. `now` tells the virtual time in ns."""

    now: Callable[[], int]
    calls: list[NotedCall] = field(default_factory=list)
    answers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What a key was answered with: the digests of the events."""

    promised: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    """Keys with the digests of the events that they were answered with, never forgotten."""

    fell_back_at: int = -1
    """When the store fell back the last time, in virtual ns; -1 before it did."""

    def is_first(self, key: str, digests: tuple[str, ...]) -> bool:
        """Note an answer; return whether it promises something new.

        The second of two requests with one key may be answered late, after the store fell back.
        """
        if key and (key, digests) in self.promised:
            return False
        self.promised.add((key, digests))
        return True

    def note(self, call: NotedCall) -> None:
        """Note a call that was answered."""
        self.calls.append(call)

    def check_key(self, key: str, digests: tuple[str, ...], called: int) -> str:
        """Compare the answer to a key with the first one; returns what is wrong with it.

        What was asked before the store fell back, and answered after, may be of what is lost.
        """
        if called <= self.fell_back_at:
            return ""
        first = self.answers.setdefault(key, digests)
        return "" if first == digests else f"key {key} was answered with other events than before"

    def forget_answers(self) -> None:
        """Note that the store fell back: a key may be answered another time."""
        self.fell_back_at = self.now()
        self.answers.clear()
