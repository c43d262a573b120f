"""Kept chance in the events: a record must agree with what a takeback has kept."""

from __future__ import annotations

import pytest

from cartulary.engine.chance import Chance
from cartulary.engine.errors import ChanceError
from cartulary.engine.kept import Kept
from cartulary.events.model.failures import Misfit
from cartulary.events.model.kept import KeptRecord


def bag(letters: str) -> Chance:
    """A draw among the letters, each as often as it stands there; `A` to `D` are always listed."""
    return Chance("tile", tuple("ABCD"), tuple(letters.count(letter) for letter in "ABCD"))


def test_a_record_with_the_kept_outcomes_is_read_like_any_other() -> None:
    kept = Kept(("B", "A"))
    record = KeptRecord(["B", "A", "D"], kept)
    assert [record.draw(bag("ABCD")) for _ in range(3)] == ["B", "A", "D"]
    assert record.exhausted
    assert (kept.left, kept.taken) == ((), 2)


def test_a_record_with_another_outcome_than_the_kept_one_is_refused() -> None:
    with pytest.raises(Misfit) as refused:
        KeptRecord(["A"], Kept(("B",))).draw(bag("AB"))
    assert refused.value.problem == "chance"


def test_a_record_with_an_impossible_outcome_is_refused() -> None:
    with pytest.raises(ChanceError):
        KeptRecord(["B"], Kept(("B",))).draw(bag("A"))
