"""Texts and tables of the description: introduction, tags, headers, parameters."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

API_VERSION = "1.4.0"
"""`info.version`: the version of the API, not of the package. `docs/versions.md` has the policy."""

INTRODUCTION = """\
People and bots play {titles}; the service stores every move as an event.

A **game** waits for a **decision**: the game asks one seat one kind of question. A **move**
answers the decision and becomes an **event**. Events are numbered from 1 without gaps; the number
of the last event is the `version` of the game, its `ETag`, and the id in the live stream.

Register with `POST /api/v1/players`, open a game, get its legal moves, and send one of these
moves back unchanged. Every refusal is `application/problem+json` with a stable `code`; after a 4xx
nothing has changed. Later releases may add fields and types of events: ignore what you do not
know.

## What a game asks, and what answers it

{decisions}
"""

TAGS = {
    "players": "Who is playing, and their tokens.",
    "bots": "Bots of others: which are connected, and what one accepts.",
    "catalogue": "What can be played.",
    "games": "Open a game; list games; show a game.",
    "seeks": "Look for players for a game.",
    "tournaments": "Tournaments: streams of events of their own.",
    "studies": "Studies: trees of positions with texts and questions, streams of their own.",
    "seats": "Take a seat; leave a seat before the start.",
    "fair": "Draws that players can check.",
    "moves": "List the legal moves; make a move.",
    "analysis": "Learn: hints in practice games, the analysis of a game that is over.",
    "explorer": "What was played in a position, how it ended, by rating.",
    "puzzles": "Positions in which one idea is much better than all others.",
    "proposals": "Take moves back; ask the others to end or abort the game.",
    "ratings": "How well players play: ratings, their curves, leaderboards.",
    "inbox": "What a player should know: turns, offers, proposals; and where it is their turn.",
    "talk": "Messages at the table, private notes, muted players.",
    "operators": "For the operators alone: reports, decisions about players, their log.",
    "events": "What has happened: pages, long polls, live streams.",
    "states": "The table after any event.",
    "transcripts": "Export a game as a file; import a game.",
    "verification": "Check that a game follows from its events.",
    "service": "The service itself.",
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
        "description": "The same key with the same body returns the stored answer. A key belongs "
        "to a player and a game.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    },
    "Accept-Language": {
        "description": (
            "The service has English, German, Spanish, French, Croatian, Dutch, Polish and Russian."
        ),
        "schema": {"type": "string"},
    },
    "Prefer": {
        "description": "`return=minimal`: an answer without `game`, `board` and `moves`.",
        "schema": {"type": "string"},
    },
    "Last-Event-ID": {
        "description": "The version after which a stream continues; empty counts as missing. "
        "A page ignores this header.",
        "schema": {"type": "string"},
    },
}

ANSWER_HEADERS: dict[str, Json] = {
    "Location": {"description": "The path of the resource.", "schema": {"type": "string"}},
    "ETag": {"description": "The tag of this representation.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {
        "description": "`true`: this is the stored answer to an earlier request.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Preference-Applied": {
        "description": "The preference of the request that the answer follows.",
        "schema": {"type": "string", "enum": ["return=minimal"]},
    },
    "RateLimit": {
        "description": (
            "What is left (`r`), and in how many seconds there is more (`t`), for each policy: "
            "draft-ietf-httpapi-ratelimit-headers-10."
        ),
        "schema": {"type": "string"},
        "example": '"games";r=599;t=60',
    },
    "RateLimit-Policy": {
        "description": "How many requests (`q`) a caller may send in a window (`w`, seconds).",
        "schema": {"type": "string"},
        "example": '"games";q=600;w=60',
    },
    "Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
    "Deprecation": {
        "description": "Since when the operation is deprecated (RFC 9745): `@` and Unix seconds.",
        "schema": {"type": "string"},
    },
    "Sunset": {
        "description": "When the operation ceases to work (RFC 8594).",
        "schema": {"type": "string"},
    },
}

PATH_PARAMETERS: dict[str, Json] = {
    "game_id": {"description": "Id of a game.", "schema": {"type": "string"}},
    "game_name": {"description": "Name of a game on offer.", "schema": {"type": "string"}},
    "dump_month": {
        "description": "A month of the open data, as `2026-10`.",
        "schema": {"type": "string"},
    },
    "dump_file": {"description": "Name of a file of that month.", "schema": {"type": "string"}},
    "message_id": {"description": "Id of a message.", "schema": {"type": "string"}},
    "local_id": {
        "description": "The id that a device chose: 8 to 64 letters, digits and `-`.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9-]{8,64}$"},
    },
    "passkey_id": {"description": "Id of a passkey.", "schema": {"type": "string"}},
    "player_id": {"description": "Id of a player.", "schema": {"type": "string"}},
    "token_id": {"description": "Id of a token.", "schema": {"type": "string"}},
    "subscription_id": {"description": "Id of a push subscription.", "schema": {"type": "string"}},
    "tournament_id": {"description": "Id of a tournament.", "schema": {"type": "string"}},
    "study_id": {"description": "Id of a study.", "schema": {"type": "string"}},
    "node_number": {
        "description": "Number of a node of a study.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
    },
    "chapter_number": {
        "description": "Number of a chapter of a study.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
    },
    "calendar_secret": {
        "description": "The secret of an address from `POST /api/v1/players/me/calendar`.",
        "schema": {"type": "string"},
    },
    "round_number": {
        "description": "Number of a round, from 1 on.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
    },
    "table_number": {
        "description": "Number of a table, counted over the whole tournament from 1 on.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
    },
    "puzzle_id": {"description": "Id of a puzzle.", "schema": {"type": "string"}},
    "seek_id": {"description": "Id of a seek.", "schema": {"type": "string"}},
    "webhook_id": {"description": "Id of a webhook.", "schema": {"type": "string"}},
    "delivery_id": {
        "description": "Id of a delivery, as in the list of deliveries.",
        "schema": {"type": "string"},
    },
    "report_id": {"description": "Id of a report.", "schema": {"type": "string"}},
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
