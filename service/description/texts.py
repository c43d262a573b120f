"""What the description says beside operations and schemas: introduction, tags, parameters."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

INTRODUCTION = """\
People and bots play Caylus and Carcassonne; every move is an event that stays.

A **game** waits for a **decision**: one seat is asked one kind of question. A **move** answers
it and becomes an **event**. Events are numbered from 1 without gaps; the number of the last one
is the `version` of the game, its `ETag`, and the id in the live stream.

Register with `POST /api/v1/players`, open a game, ask for its legal moves, and send one of them
back unchanged. Every refusal is `application/problem+json` with a stable `code`; after a 4xx
nothing has changed. Fields and types of events may be added: ignore what you do not know.

## What is asked, and what answers it

{decisions}
"""

TAGS = {
    "players": "Who is playing, and their tokens.",
    "catalogue": "What can be played.",
    "games": "Opening a game, the lobby, a game as it stands.",
    "seats": "Sitting down and leaving before the start.",
    "moves": "The legal moves, and making one.",
    "events": "What has happened: pages, long-poll, live streams.",
    "states": "The table as it stood at any time.",
    "transcripts": "A game as a file, out and in.",
    "verification": "Does a game follow from its events?",
    "service": "About the service itself.",
}

REQUEST_HEADERS: dict[str, Json] = {
    "If-None-Match": {
        "description": "The `ETag` of an earlier answer: 304 when nothing has changed.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": "The `ETag` that the game must have now, else 412.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "description": "The same key with the same body gets the stored answer again. "
        "Scoped to player and game.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    },
    "Accept-Language": {
        "description": "English, Polish, Croatian, Dutch and Russian are on offer.",
        "schema": {"type": "string"},
    },
    "Last-Event-ID": {
        "description": "The version after which a stream goes on; empty: none. A page ignores it.",
        "schema": {"type": "string"},
    },
}

ANSWER_HEADERS: dict[str, Json] = {
    "Location": {"description": "Where it is.", "schema": {"type": "string"}},
    "ETag": {"description": "Names this form of it.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {
        "description": "`true` when this is the stored answer to an earlier request.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
}

PATH_PARAMETERS: dict[str, Json] = {
    "game_id": {"description": "Id of a game.", "schema": {"type": "string"}},
    "player_id": {"description": "Id of a player.", "schema": {"type": "string"}},
    "seat": {"schema": {"type": "integer", "minimum": 0, "maximum": 4}},
    "version": {
        "description": "Number of an event.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
    },
}

SECURITY: dict[str, list[Json] | None] = {
    "none": None,
    "required": [{"token": []}],
    "optional": [{}, {"token": []}],
}
