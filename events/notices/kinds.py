"""The channels, and of what they notify a player who has chosen nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from cartulary.events.lists.inbox import Type

Channel = Literal["push", "webhook"]
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
    "security": 0,
}
"""Delays in seconds; a type that is missing here is not told by push."""
