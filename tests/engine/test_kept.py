"""Kept chance: what was drawn before a takeback is drawn again.

The rule is in `docs/living.md`, "What was drawn stays drawn".
"""

from __future__ import annotations

from cartulary.engine.chance import Chance, RecordedSource
from cartulary.engine.kept import Kept, KeptSource

BAG = Chance("tile", ("A", "B", "C"), (1, 1, 1))
WITHOUT_A = Chance("tile", ("A", "B", "C"), (0, 1, 1))


def test_kept_outcomes_are_drawn_again_in_their_order() -> None:
    kept = Kept(("B", "A", "C"))
    assert [kept.take(BAG), kept.take(BAG)] == ["B", "A"]
    assert (kept.left, kept.taken) == (("C",), 2)


def test_an_impossible_outcome_is_dropped_and_the_next_possible_one_is_taken() -> None:
    kept = Kept(("A", "X", "B", "C"))
    assert kept.take(WITHOUT_A) == "B"
    assert (kept.left, kept.taken) == (("C",), 1)


def test_where_no_kept_outcome_is_possible_a_fresh_one_is_drawn() -> None:
    kept = Kept(("A", "A"))
    source = KeptSource(kept, RecordedSource(["C", "B"]))
    assert [source.draw(WITHOUT_A), source.draw(BAG)] == ["C", "B"]
    assert (kept.left, kept.taken) == ((), 0)


def test_kept_outcomes_come_before_fresh_ones() -> None:
    source = KeptSource(Kept(("C",)), RecordedSource(["A"]))
    assert [source.draw(BAG), source.draw(BAG)] == ["C", "A"]
