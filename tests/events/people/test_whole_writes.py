"""What is counted for a player is written whole: no other process sees a part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.model.clock import SYSTEM
from cartulary.events.people.leaver_cooldown import LeaverCooldown
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.support.fake_clock import FakeClock

WRITES: dict[str, Callable[[Store], Any]] = {
    "a request for a seat": lambda store: store.seat_requests._count("ada", "game"),  # noqa: SLF001
    "a game that was left": lambda store: LeaverCooldown(store.registry, SYSTEM).note(
        "ada", "game"
    ),
    "tokens that are revoked": lambda store: store.tokens._revoke("ada", ["0" * 64]),  # noqa: SLF001
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_it_is_one_transaction(
    fake_store: Store, monkeypatch: pytest.MonkeyPatch, write: Callable[[Store], Any]
) -> None:
    used: list[bool] = []
    pipeline = fake_store.registry.pipeline

    def note(transaction: bool = True) -> Any:
        used.append(transaction)
        return pipeline(transaction=transaction)

    monkeypatch.setattr(fake_store.registry, "pipeline", note)
    write(fake_store)
    assert used
    assert all(used)


def test_a_game_that_was_left_counts_from_the_first_time_on(fake_store: Store) -> None:
    clock = FakeClock()
    cooldown = LeaverCooldown(fake_store.registry, clock)
    cooldown.note("ada", "game")
    first = clock.now
    clock.advance(1_000)
    cooldown.note("ada", "game")
    assert fake_store.registry.zscore(keys.early("ada"), "game") == first
