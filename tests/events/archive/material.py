"""Games to archive: stored streams of this and earlier releases, and games made for one test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.rows import Archived, ListedPerson
from cartulary.events.model.chain import hash_or_none
from tests.support.handmade_events import seal_all

STREAMS = sorted((Path(__file__).parents[1] / "stored").glob("*/*.jsonl"))
"""Streams that releases have stored."""

ADA, BOB = "01ADA", "01BOB"
AT = 1_790_000_000_000


def open_by_months(url: str) -> Archive:
    """Open an archive whose games have partitions, where the database is PostgreSQL."""
    archive = Archive.open(url)
    archive.tend(AT)
    return archive


def make_texts(moves: int, seed: int = 1) -> tuple[bytes, ...]:
    """Return the texts of a short stream whose events no test folds."""
    at = "2026-11-23T00:40:55.503Z"
    events: list[dict[str, Any]] = [
        {"type": "game_created", "version": 1, "at": at, "game": "beans", "created_by": ADA},
        {"type": "game_started", "version": 2, "at": at, "rules_version": 3, "chance": []},
    ]
    for number in range(moves):
        state_hash = f"{seed * 1000 + number:064x}"
        events.append(
            {
                "type": "move_made",
                "version": number + 3,
                "at": at,
                "seat": number % 2,
                "move": {"type": "take", "beans": number % 3},
                "state_hash": state_hash,
                "bot": {"level": "random", "seed": f"{seed + number:016x}", "version": 1},
            }
        )
    return tuple(sealed.text for sealed in seal_all(events))


def make_game(game_id: str = "01GAME", moves: int = 5, **more: Any) -> Archived:
    """Return a finished game between Ada and Bob."""
    texts = more.pop("texts", None) or make_texts(moves, sum(game_id.encode()))
    fields: dict[str, Any] = {
        "id": game_id,
        "game": "beans",
        "status": "over",
        "visibility": "public",
        "pace": None,
        "created_by": ADA,
        "created_at": AT,
        "ended_at": AT + 60_000,
        "version": len(texts),
        "head": hash_or_none(texts[-1]) or "",
        "texts": texts,
        "form": 4,
        "side_keys": {"idempotency": b"\x00\x01\xff" * 9, "notes": b'{"a":"b"}'},
        "people": (ListedPerson(ADA, 0, 1, 12), ListedPerson(BOB, 1, 2, 7)),
        "summary": orjson.dumps({"id": game_id, "status": "over", "seats": [ADA, BOB]}),
    }
    return Archived(**{**fields, **more})
