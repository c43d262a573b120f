"""The bench of the puzzles judges what ships, and says which puzzles fail."""

from __future__ import annotations

from typing import Any

import pytest

from bench.games import puzzles
from cartulary.puzzles.judging import JudgedLine, LineJudge


def measure() -> dict[str, Any]:
    found: dict[str, Any] = puzzles.main(sample=2, times=1, seed="test", game="carcassonne")
    return found


@pytest.mark.slow
def test_a_sample_of_a_pack_is_judged_again() -> None:
    found = measure()["carcassonne"]
    assert found["judged"] == 2
    assert 0 <= found["clear"] <= found["best"] <= 1
    assert len(found["failed"].split()) == round(2 * (1 - found["best"]))


def test_a_puzzle_whose_best_line_is_another_by_now_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judge = LineJudge.judge

    def turn_over(self: LineJudge, *arguments: Any) -> list[JudgedLine]:
        return judge(self, *arguments)[::-1]

    monkeypatch.setattr(LineJudge, "judge", turn_over)
    found = measure()["carcassonne"]
    assert found["best"] == 0
    assert len(found["failed"].split()) == 2
