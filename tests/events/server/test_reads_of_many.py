"""What is read of many games is no transaction: in a cluster their keys lie in several slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.lists.inbox import follow_inbox
from cartulary.events.live.feeds import Feeds
from cartulary.events.store import Store

READS: dict[str, Callable[[Store], Any]] = {
    "the last events": lambda store: store.ledger.last_stored(["one", "two"]),
    "the ends of feeds": lambda store: Feeds(store.redis)._find_ends(  # noqa: SLF001
        [follow_inbox("ada"), follow_inbox("bob")]
    ),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_each_key_is_read_on_its_own(
    fake_store: Store, monkeypatch: pytest.MonkeyPatch, read: Callable[[Store], Any]
) -> None:
    used: list[bool] = []
    pipeline = fake_store.redis.pipeline

    def note(transaction: bool = True) -> Any:
        used.append(transaction)
        return pipeline(transaction=transaction)

    monkeypatch.setattr(fake_store.redis, "pipeline", note)
    read(fake_store)
    assert used
    assert not any(used)
