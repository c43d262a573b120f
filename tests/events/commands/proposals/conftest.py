"""A table of three people who may take moves back with the consent of the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.opened_tables import At
from tests.events.support.takeback_tables import KEEP, sit
from tests.support.fake_clock import FakeClock


@pytest.fixture
def store(fake_redis: Redis, clock: FakeClock) -> Iterator[Store]:
    store = Store(fake_redis, OFFERS, clock=clock)
    yield store
    store.leases.close()


@pytest.fixture
def at(store: Store, ada: Player, bob: Player, eve: Player) -> At:
    """Three people; Ada has kept her beans (version 3), which drew the roll of the next seat."""
    at = sit(store, ada, bob, eve, takebacks="consent")
    at.move(KEEP)
    return at
