"""The bench of the pictures says what it is about, and the target holds."""

from __future__ import annotations

from bench import draw


def test_pictures_take_less_than_a_hundred_times_the_json() -> None:
    measured = draw.main(0.1)
    assert measured["ratio"] == max(
        row["ratio"] for row in measured.values() if isinstance(row, dict)
    )
    assert measured["ratio"] < 100
