"""A round on fakeredis."""

from __future__ import annotations

import pytest

from tests.events.support.rounds import Round


@pytest.fixture
def played() -> Round:
    return Round()
