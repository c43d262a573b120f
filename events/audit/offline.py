"""Verifying the events of a game as they are delivered, without a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson

from cartulary.events.audit.audit import make_report, problem_json
from cartulary.events.audit.proof import FindClosing, find_no_closing
from cartulary.events.model.chain import GENESIS, hash_event
from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Entries, Json

_ADDED = ("hash", "upcast", "masked")


def verify_delivered(
    rules: Rules, events: Sequence[Json], find_closing: FindClosing = find_no_closing
) -> Json:
    """Return the report about the events of a game, from the first one on, as HTTP tells it.

    `find_closing` knows the closed rounds of duplicates.
    An event that says `upcast` or `masked` keeps its hash, and its content cannot be checked.
    """
    broken = list(_chain_problems(events))
    report = make_report(rules, "", _as_entries(events), find_closing)
    # The change that breaks the chain comes first: another secret, for example, fails every draw.
    found = [*broken, *report.problems]
    chained = (n for n, event in enumerate(events, start=1) if "prev" in event)
    return report._replace(
        problems=found,
        head=str(events[-1].get("hash", "")) if events else "",
        chained_from=next(chained, None),
        masked=sum(1 for event in events if event.get("masked") is True),
    ).to_json()


def _chain_problems(events: Sequence[Json]) -> Iterator[Json]:
    """Yield the first event that does not follow the event before, or has not its hash."""
    before = GENESIS
    for version, event in enumerate(events, start=1):
        hash_ = event.get("hash")
        if event.get("prev", before) != before:
            yield problem_json(version, "chain", "`prev` is not the hash of the event before")
            return
        taken = event.get("upcast") is True or event.get("masked") is True
        if not taken and hash_event(event) != hash_:
            yield problem_json(version, "chain", "the event does not have the hash that it names")
            return
        before = str(hash_)


def _as_entries(events: Sequence[Json]) -> Entries:
    """Return the events as they would be stored."""
    return [(f"{event['version']}-0".encode(), {b"event": _as_stored(event)}) for event in events]


def _as_stored(event: Json) -> bytes:
    kind = KINDS.get(event["type"])
    stored = {key: value for key, value in event.items() if key not in _ADDED}
    return orjson.dumps({**stored, "schema": 0 if kind is None else kind.schema})
