"""Ranks at the end of a game (`docs/living.md`, "Ranks")."""

from __future__ import annotations

import pytest

from cartulary.engine.ranking import ranks, winners


def test_who_stays_is_ranked_by_the_final_score() -> None:
    assert ranks([30, 50, 40], ["finished", "finished", "bot"], []) == [3, 1, 2]


def test_equal_scores_share_a_rank_and_the_next_rank_counts_them() -> None:
    assert ranks([40, 50, 40, 10, 50], ["finished"] * 5, []) == [3, 1, 3, 5, 1]


def test_scores_may_be_negative_or_zero() -> None:
    assert ranks([0, -3, 0], ["finished", "bot", "finished"], []) == [1, 3, 1]


@pytest.mark.parametrize("outcome", ["resigned", "timed_out", "removed", "left", "stand_in"])
def test_a_seat_that_left_comes_after_all_that_stay_whatever_its_score(outcome: str) -> None:
    assert ranks([90, 20, 10], [outcome, "finished", "bot"], [0]) == [3, 1, 2]


def test_the_last_to_leave_comes_first_among_those_who_left() -> None:
    outcomes = ["resigned", "finished", "timed_out", "finished", "left"]
    assert ranks([90, 20, 80, 30, 70], outcomes, [2, 0, 4]) == [4, 2, 5, 1, 3]


def test_a_seat_away_at_the_end_is_ranked_by_the_order_of_leaving_like_a_forfeited_seat() -> None:
    assert ranks([9, 8, 7], ["stand_in", "resigned", "finished"], [0, 1]) == [3, 2, 1]
    assert ranks([9, 8, 7], ["stand_in", "resigned", "finished"], [1, 0]) == [2, 3, 1]


def test_seats_that_left_do_not_share_a_rank_when_their_scores_are_equal() -> None:
    assert ranks([5, 5, 5], ["resigned", "left", "bot"], [1, 0]) == [2, 3, 1]


def test_two_players_and_one_resigns_so_the_other_wins() -> None:
    outcomes = ["resigned", "finished"]
    found = ranks([60, 3], outcomes, [0])
    assert (found, winners(found, outcomes)) == ([2, 1], [1])


def test_alone_against_bots_the_bots_win_when_the_person_resigns() -> None:
    outcomes = ["resigned", "bot", "bot"]
    found = ranks([60, 3, 3], outcomes, [0])
    assert (found, winners(found, outcomes)) == ([3, 1, 1], [1, 2])


def test_winners_are_all_seats_of_rank_one_in_order() -> None:
    assert winners([3, 1, 4, 1], ["finished"] * 4) == [1, 3]


def test_where_all_have_forfeited_there_is_no_winner() -> None:
    outcomes = ["left", "left"]
    found = ranks([4, 4], outcomes, [0, 1])
    assert (found, winners(found, outcomes)) == ([2, 1], [])


def test_the_slowest_comes_last_of_those_that_stay_and_before_those_that_left() -> None:
    outcomes = ["finished", "left", "finished", "bot"]
    assert ranks([90, 99, 5, 7], outcomes, [1], slowest=0) == [3, 4, 2, 1]
    assert ranks([5, 99, 5, 5], outcomes, [1], slowest=2) == [1, 4, 3, 1]


def test_a_forfeited_seat_never_wins_even_if_everybody_else_is_away_and_it_left_last() -> None:
    outcomes = ["stand_in", "stand_in", "resigned"]
    found = ranks([1, 2, 3], outcomes, [1, 0, 2])
    assert (found, winners(found, outcomes)) == ([1, 3, 2], [0])


def test_where_nobody_stays_the_last_to_leave_wins_unless_it_forfeited() -> None:
    assert ranks([9, 8, 7], ["stand_in", "resigned", "stand_in"], [0, 1, 2]) == [3, 2, 1]


def test_where_somebody_stays_a_seat_that_is_away_has_no_advantage_over_a_forfeited_seat() -> None:
    assert ranks([1, 2, 3], ["stand_in", "finished", "resigned"], [0, 2]) == [3, 1, 2]


@pytest.mark.parametrize(
    ("outcomes", "left", "fault"),
    [
        (["finished"], [], "1 outcomes for 2 scores"),
        (["finished", "won"], [], "'won' is no outcome"),
        (["finished", "left"], [], r"the order of leaving is \[\], but the outcomes name \[1\]"),
        (["finished", "left"], [0], "but the outcomes name"),
        (["finished", "left"], [1, 1], "but the outcomes name"),
        (["left", "left"], [0, 2], "but the outcomes name"),
        (["finished", "bot"], [1], "but the outcomes name"),
    ],
)
def test_scores_outcomes_and_order_of_leaving_must_fit_together(
    outcomes: list[str], left: list[int], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        ranks([1, 2], outcomes, left)
