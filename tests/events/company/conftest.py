"""Seekers on a store whose clock stands still."""

from __future__ import annotations

import pytest

from cartulary.events.store import Store
from tests.events.support.seekers import Seekers
from tests.support.fake_clock import FakeClock


@pytest.fixture
def at(timed: Store, clock: FakeClock) -> Seekers:
    return Seekers(timed, clock)
