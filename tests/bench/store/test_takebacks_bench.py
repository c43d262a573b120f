"""The bench of the takebacks says what it is about, and the target holds."""

from __future__ import annotations

import pytest

from bench.store import takebacks
from tests.support.night import short_or_long

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("usual_garbage_collection")]


def test_a_takeback_at_version_400_takes_less_than_20_ms_of_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(takebacks, "GAMES", short_or_long(("caylus",), takebacks.GAMES))
    measured = takebacks.main(0.5)
    assert measured.keys() == {*takebacks.GAMES, "cpu_ms"}
    assert 0 < measured["cpu_ms"] < 20
