"""What the benches of the store change in the process of the tests."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture
def usual_garbage_collection() -> Iterator[None]:
    """Collect garbage after the test as before it: a sweep sets it as a process of the service."""
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()
