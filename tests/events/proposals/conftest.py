"""A table of three people who may take moves back with the consent of the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from cartulary.events.players import Player
from cartulary.events.store import Store
from tests.clocks import FakeClock
from tests.conftest import OFFERS
from tests.events.tables import At
from tests.events.test_takebacks import KEEP, sit


@pytest.fixture
def store(fake_redis: Redis, clock: FakeClock) -> Iterator[Store]:
    store = Store(fake_redis, OFFERS, clock=clock)
    yield store
    store.hub.close()
    store.leases.close()


@pytest.fixture
def at(store: Store, ada: Player, bob: Player, eve: Player) -> At:
    """Three people; Ada has kept her beans (version 3), which drew the roll of the next seat."""
    at = sit(store, ada, bob, eve, takebacks="consent")
    at.move(KEEP)
    return at
