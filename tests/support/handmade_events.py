"""Events that a test makes by hand, appended as a command appends its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cartulary.events.ledger.ledger import Idempotency, Ledger
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.chain import GENESIS, Sealed, seal
from cartulary.events.model.effects.kinds import KINDS


def seal_all(events: Sequence[Mapping[str, Any]], prev: str = GENESIS) -> list[Sealed]:
    """Return events as they are appended after the event with the hash `prev`."""
    sealed: list[Sealed] = []
    for event in events:
        sealed.append(seal({**event, "prev": prev}, KINDS[event["type"]].schema))
        prev = sealed[-1].hash
    return sealed


def append(
    ledger: Ledger,
    game_id: str,
    version: int,
    events: Sequence[Mapping[str, Any]],
    idempotency: Idempotency | None = None,
) -> IdempotencyRecord | None:
    """Append events after the last event of a stream, of which `version` is expected."""
    prev = ledger.last([game_id])[0].hash or GENESIS
    return ledger.append(game_id, version, seal_all(events, prev), idempotency)
