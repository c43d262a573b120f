"""Packs: puzzles with their answers. What was given away moves no rating, and comes last online."""

from __future__ import annotations

import pytest

from cartulary.events.model.errors import Invalid, NotForBots
from cartulary.events.people.players import Player
from cartulary.events.puzzles.records import DAY_MS, fold_record
from cartulary.events.store import Store
from tests.events.support.handmade_puzzles import (
    CITY,
    NOBODY,
    caylus_puzzle,
    put_puzzles,
    small_puzzle,
)
from tests.support.fake_clock import DAY, FakeClock

PUZZLES = [small_puzzle(number, rating=1400 + 50 * number) for number in range(6)]


@pytest.fixture(autouse=True)
def puzzles(store: Store) -> None:
    put_puzzles(store, *PUZZLES, caylus_puzzle())


def test_a_pack_is_filled_to_its_number_and_no_further(store: Store, ada: Player) -> None:
    ids = store.puzzles.fill_pack(ada, "carcassonne", 3)
    assert len(set(ids)) == 3
    assert sorted(store.puzzles.fill_pack(ada, "carcassonne", 3)) == sorted(ids)
    assert len(list(store.puzzles.book.read_all(ada.id))) == 1
    assert {one.id for one in store.puzzles.read_pack(ada.id, "carcassonne")} == set(ids)
    assert store.puzzles.read_pack(ada.id, "caylus") == []
    assert len(store.puzzles.fill_pack(ada, "carcassonne", 50)) == len(PUZZLES)


def test_what_is_answered_leaves_the_pack_and_another_one_comes(store: Store, ada: Player) -> None:
    first, *rest = store.puzzles.fill_pack(ada, "carcassonne", 3)
    answered = store.puzzles.shelf.find(first)
    assert answered is not None
    store.puzzles.answer(ada, answered, CITY, None)
    again = store.puzzles.fill_pack(ada, "carcassonne", 3)
    assert (len(again), first in again, set(rest) <= set(again)) == (3, False, True)


def test_an_attempt_at_a_packed_puzzle_moves_no_rating_and_keeps_the_day(
    store: Store, ada: Player
) -> None:
    store.puzzles.fill_pack(ada, "carcassonne", 50)
    puzzle = PUZZLES[2]
    before = store.puzzles.rate(puzzle)
    attempt = store.puzzles.answer(ada, puzzle, CITY, None).attempt
    record = store.puzzles.book.read(ada.id)
    assert (attempt.right, attempt.rated, attempt.hints) == (True, False, 0)
    assert (record.skills, record.streak.days) == ({}, 1)
    assert store.puzzles.rate(puzzle) == before
    assert fold_record(store.puzzles.book.read_all(ada.id)) == record


def test_the_next_puzzle_is_one_whose_answer_was_not_given_away(store: Store, ada: Player) -> None:
    packed = store.puzzles.fill_pack(ada, "carcassonne", 5)
    chosen = store.puzzles.choose_next(ada.id, "carcassonne", None)
    assert chosen is not None
    assert chosen.id not in packed
    store.puzzles.answer(ada, chosen, CITY, None)
    last = store.puzzles.choose_next(ada.id, "carcassonne", None)
    assert last is not None
    assert last.id in packed


def test_puzzles_of_a_day_to_come_are_packed_last(store: Store, ada: Player) -> None:
    put_puzzles(store, *(small_puzzle(number) for number in range(40)))
    shelf, today = store.puzzles.shelf, store.puzzles.today()
    days = [shelf.find_daily(day) for day in range(today, today + 30)]
    soon = {one.id for one in days if one is not None and one.game == "carcassonne"}
    rest = len(shelf.list_ids("carcassonne")) - len(soon)
    assert soon
    assert not soon & {*store.puzzles.fill_pack(ada, "carcassonne", rest)}
    assert soon < {*store.puzzles.fill_pack(ada, "carcassonne", 50)}


def test_an_answer_made_without_a_network_counts_on_its_day_after_the_pack(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock(1_795_694_400_000)
    monkeypatch.setattr(store.puzzles, "_clock", clock)
    store.puzzles.fill_pack(ada, "carcassonne", 50)
    packed_at = clock.now_ms()
    clock.advance(3 * DAY)
    made = store.puzzles.answer(ada, PUZZLES[0], CITY, None, seconds_ago=2 * 86_400).attempt
    assert made.at == packed_at + DAY_MS
    early = store.puzzles.answer(ada, PUZZLES[1], CITY, None, seconds_ago=9 * 86_400).attempt
    assert early.at == packed_at


def test_a_time_is_taken_for_puzzles_of_a_pack_alone(store: Store, ada: Player) -> None:
    with pytest.raises(Invalid, match="no pack of yours"):
        store.puzzles.answer(ada, PUZZLES[0], CITY, None, seconds_ago=60)
    assert store.puzzles.book.read(ada.id).events == 0


def test_an_answer_that_is_sent_twice_is_stored_once(store: Store, ada: Player) -> None:
    store.puzzles.fill_pack(ada, "carcassonne", 50)
    first = store.puzzles.answer(ada, PUZZLES[0], NOBODY, "key", seconds_ago=60)
    again = store.puzzles.answer(ada, PUZZLES[0], NOBODY, "key", seconds_ago=65)
    assert (first.replayed, again.replayed, first.attempt) == (False, True, again.attempt)


def test_the_account_of_a_guest_knows_what_the_guest_was_given(
    store: Store, ada: Player, bob: Player
) -> None:
    given = store.puzzles.fill_pack(bob, "carcassonne", 2)
    store.puzzles.fill_pack(ada, "carcassonne", 1)
    store.puzzles.book.move(bob.id, ada.id)
    record = store.puzzles.book.read(ada.id)
    assert set(given) <= record.packed.keys()
    assert fold_record(store.puzzles.book.read_all(ada.id)) == record


def test_bots_get_no_pack(store: Store, ada: Player) -> None:
    with pytest.raises(NotForBots):
        store.puzzles.fill_pack(ada._replace(kind="bot"), "carcassonne", 3)
