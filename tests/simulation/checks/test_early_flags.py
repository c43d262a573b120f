"""Flags are reckoned a second time, from the events alone."""

from __future__ import annotations

from typing import Any

from simulation.checks.early_flags import find_early_flags

Json = dict[str, Any]


def make_events(*rows: tuple[str, int, int | None], deadline: int) -> list[Json]:
    """Return events of a game with a delay of 5 s; a row is type, second and seat."""
    made: list[Json] = [{"type": "game_created", "pace": {"delay": 5}, "at": write(0)}]
    for kind, second, seat in rows:
        event: Json = {"type": kind, "at": write(second), "seat": seat}
        made.append({**event, "deadline_at": write(deadline)})
    return [{**event, "version": number} for number, event in enumerate(made, start=1)]


def write(second: int) -> str:
    """Return a moment as events have it."""
    return f"2026-01-01T00:00:{second:02}.000Z"


def test_a_flag_falls_after_the_free_time_of_its_turn_and_its_deadline() -> None:
    moves = [("game_started", 0, None), ("move_made", 10, 0), ("move_made", 12, 1)]
    late = make_events(*moves, ("turn_timed_out", 17, 1), deadline=15)
    assert list(find_early_flags(late)) == []


def test_a_flag_before_its_deadline_or_in_the_free_time_is_found() -> None:
    moves = [("game_started", 0, None), ("move_made", 10, 0)]
    soon = make_events(*moves, ("turn_timed_out", 14, 1), deadline=12)
    assert list(find_early_flags(soon)) == ["version 4: the flag fell after 4.0 s"]
    undue = make_events(*moves, ("turn_timed_out", 17, 1), deadline=18)
    assert list(find_early_flags(undue)) == ["version 4: the flag fell before its deadline"]


def test_after_a_takeback_only_the_deadline_counts() -> None:
    moves = [("game_started", 0, None), ("move_made", 10, 0), ("moves_taken_back", 11, None)]
    back = make_events(*moves, ("turn_timed_out", 12, 0), deadline=12)
    assert list(find_early_flags(back)) == []
