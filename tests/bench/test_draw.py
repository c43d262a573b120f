"""The bench of the pictures says what it is about, and the target holds."""

from __future__ import annotations

import pytest

from bench.games import draw


@pytest.mark.slow
def test_pictures_take_less_than_a_hundred_times_the_json(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(draw, "SLICE_SECONDS", 0.05)
    measured = draw.main(1.2)
    assert measured["ratio"] == max(
        row["ratio"] for row in measured.values() if isinstance(row, dict)
    )
    assert measured["ratio"] < 100
