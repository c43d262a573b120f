"""The names of the event types, and how a new event is made.

An event is a JSON object. Each event has `version`, `type` and `at`; a stored event has `schema` as
well. What else a type has, and what it does, stands in its row (`events.model.effects.kinds`).
"""

from __future__ import annotations

from typing import Any

from cartulary.events.model.clock import now

Json = dict[str, Any]

Entries = list[tuple[bytes, dict[bytes, bytes]]]
"""Stream entries as the client of the store gives them: (id, fields)."""

GAME_CREATED = "game_created"
SEAT_TAKEN = "seat_taken"
SEAT_LEFT = "seat_left"
SEAT_OFFERED = "seat_offered"
SEAT_DECLINED = "seat_declined"
SEAT_ASSIGNED = "seat_assigned"
SEAT_OPENED = "seat_opened"
SEATS_DROPPED = "seats_dropped"
HOST_CHANGED = "host_changed"
SEAT_READIED = "seat_readied"
GAME_STARTED = "game_started"
MOVE_MADE = "move_made"
SEAT_FORFEITED = "seat_forfeited"
STAND_IN_SEATED = "stand_in_seated"
SEAT_RETURNED = "seat_returned"
SEAT_TAKEN_OVER = "seat_taken_over"
TURN_TIMED_OUT = "turn_timed_out"
TIME_GIVEN = "time_given"
GAME_PAUSED = "game_paused"
GAME_RESUMED = "game_resumed"
PROPOSAL_MADE = "proposal_made"
PROPOSAL_ANSWERED = "proposal_answered"
PROPOSAL_CLOSED = "proposal_closed"
MOVES_TAKEN_BACK = "moves_taken_back"
LADDER_LEFT = "ladder_left"
PLAY_ENDED = "play_ended"
DRAWS_RENEWED = "draws_renewed"
GAME_SCORED = "game_scored"
GAME_ABORTED = "game_aborted"


def event(version: int, type_: str, at: str = "", /, **fields: Any) -> Json:
    """Return an event in the form of the HTTP contract; without a time it is of now."""
    return {"version": version, "type": type_, "at": at or now(), **fields}
