"""What a key was answered with binds the next answer, unless the store fell back in between."""

from __future__ import annotations

from simulation.checks.history import CallHistory

FIRST, OTHER = ("a",), ("b",)


def test_a_key_is_answered_with_the_same_events() -> None:
    history = CallHistory(lambda: 0)
    assert history.check_key("k", FIRST, 1) == ""
    assert history.check_key("k", FIRST, 2) == ""
    assert "other events" in history.check_key("k", OTHER, 3)


def test_an_answer_that_was_on_its_way_through_a_fall_back_binds_nothing() -> None:
    """Seed A-2 of profile asleep: two taps, and one was answered with the event that is lost."""
    history = CallHistory(lambda: 5)
    history.forget_answers()
    assert history.check_key("k", FIRST, 5) == ""
    assert history.check_key("k", OTHER, 6) == ""
    assert "other events" in history.check_key("k", FIRST, 7)
