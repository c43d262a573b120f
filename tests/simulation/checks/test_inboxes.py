"""Inboxes against the items that a fold of the streams leads to."""

from __future__ import annotations

from simulation.checks.inboxes import find_wrong_items


def test_an_inbox_with_exactly_the_items_of_the_fold_is_right() -> None:
    items = {"A:1:your_turn:ada", "A:7:game_over:ada"}
    assert list(find_wrong_items("A", items, items | {"B:3:your_turn:ada"})) == []


def test_an_item_that_is_missing_and_one_of_no_event_are_found() -> None:
    expected = {"A:1:your_turn:ada", "A:7:game_over:ada"}
    said = list(find_wrong_items("A", expected, {"A:1:your_turn:ada", "A:5:your_turn:ada"}))
    assert said == [
        "A:7:game_over:ada is missing in an inbox",
        "A:5:your_turn:ada is in an inbox and follows from no event",
    ]


def test_of_a_game_that_was_met_late_only_later_items_are_expected() -> None:
    expected = {"A:1:your_turn:ada", "A:3:your_turn:bob", "A:9:game_over:ada"}
    assert list(find_wrong_items("A", expected, {"A:4:your_turn:bob", "A:9:game_over:ada"})) == []


def test_a_mistake_that_has_come_back_is_no_item_of_an_event() -> None:
    items = {"A:4:your_turn:ada", "A:7:game_over:ada"}
    assert list(find_wrong_items("A", items, items | {"A:2:mistake_returned:ada"})) == []
