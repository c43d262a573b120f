"""The channels, and of what they notify a player who has chosen nothing else."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Final, Literal, get_args

from cartulary.events.lists.inbox import Type

Channel = Literal["push", "webhook", "email"]
CHANNELS: Final[tuple[Channel, ...]] = get_args(Channel)
TYPES: Final[tuple[Type, ...]] = get_args(Type)

MOST_DELAY_S: Final = 24 * 3600

PUSH_DELAYS_S: Final[Mapping[Type, int]] = {
    # A player who looks at the table takes the turn before the minute is over.
    "your_turn": 60,
    "turn_reminder": 0,
    "timed_out": 0,
    "game_started": 30,
    "game_over": 60,
    "game_aborted": 60,
    "seat_offered": 0,
    "seat_requested": 0,
    "proposal_made": 15,
    "rematch_opened": 0,
    "message_mention": 30,
    "seek_matched": 0,
    "tournament_starts": 0,
    "table_ready": 0,
    "round_closed": 60,
    "tournament_over": 60,
    "times_proposed": 60,
    "study_invited": 60,
    "security": 0,
}
"""Delays in seconds; a type that is missing here is not told by push."""

EMAIL_DELAYS_S: Final[Mapping[Type, int]] = {"your_turn": 0, "seat_offered": 0}
"""The same for the e-mail of the day: by default it comes only when a game waits."""

EMAIL_DIGEST: Final = datetime.time(8)
"""When the e-mail of the day comes, local time, unless the player has chosen a time."""

CONFIRMATION: Final[str] = "email_confirmation"
"""The type of the one mail that an address gets before it is confirmed; no item has it."""
