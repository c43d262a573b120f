"""How long a game may be silent, in milliseconds (`docs/living.md`, "What ends by itself").

An age counts from the last event of the game, but never from before the day on which these rules
came into force in this installation: an upgrade ends no game that was silent before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

DAY_MS: Final = 86_400_000

SILENT_MS: Final = 14 * DAY_MS
"""A person who has not answered for so long is overdue: others may claim the seat."""

RESTING_MS: Final = 30 * DAY_MS
"""A game that has rested for so long ends."""

UNTOUCHED_MS: Final = 60 * DAY_MS
"""A running game without an event for so long ends, unless a person has looked at it."""

UNSEEN_MS: Final = 30 * DAY_MS
"""A look at a game keeps the game for so long."""

WAITING_MS: Final = {"public": 14 * DAY_MS}
"""A game waits for its start for so long, by visibility, unless its creation says otherwise."""

WAITING_ELSE_MS: Final = 60 * DAY_MS
"""The same where `WAITING_MS` says nothing."""

WAITING_LIVE_MS: Final = 7_200_000
"""The same for a live table: everybody is there, or will not come."""

ANSWER_MS: Final = 3 * DAY_MS
"""A proposal of an untimed game, or an offer of a seat of a running game, waits for so long."""

ANSWER_LIVE_MS: Final = 300_000
"""A proposal of a live game waits for an answer for so long."""

BOT_MS: Final = 600_000
"""A player of kind bot that has not answered in an untimed game for so long is late."""

WARNED_MS: Final = 7 * DAY_MS
"""The players of a game without activity learn so long before its end that it ends."""

WARNED_UNSTARTED_MS: Final = DAY_MS
"""The host of a game that waits for its start learns it so long before."""


ROUND_START_MS: Final = 120_000
"""The game of a live round starts so long after it was made, also without absent players."""


def find_wait(visibility: str, asked: int | None = None, live: bool = False) -> int:
    """Return for how long a game waits for its start, in ms; `asked` is in seconds."""
    if asked is not None:
        return 1000 * asked
    if live:
        return WAITING_LIVE_MS
    return WAITING_MS.get(visibility, WAITING_ELSE_MS)


def find_answer_wait(pace: Mapping[str, Any] | None) -> int:
    """Return for how long a proposal waits for its answers, in ms; `pace` is that of the game."""
    if pace is None:
        return ANSWER_MS
    return ANSWER_LIVE_MS if pace["mode"] == "live" else 2000 * int(pace["delay"])
