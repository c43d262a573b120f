"""Attempts: one counts, ratings of both sides follow from what is stored, hints cost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cartulary.events.model.errors import (
    IdempotencyMismatch,
    IllegalMoveRefused,
    Invalid,
    LineUnfinished,
    NotForBots,
    PuzzleAnswered,
)
from cartulary.events.people.players import Player
from cartulary.events.people.tokens import TokenGone
from cartulary.events.puzzles.forms import read_results, read_skill
from cartulary.events.puzzles.records import fold_puzzle, fold_record
from cartulary.events.server import keys
from cartulary.events.server.key_catalogue import is_carried
from cartulary.events.store import Store
from tests.events.support.handmade_puzzles import (
    CITY,
    NOBODY,
    SOUTH,
    caylus_puzzle,
    put_puzzles,
    small_puzzle,
)
from tests.support.fake_clock import DAY, FakeClock

PUZZLES = [small_puzzle(number, rating=1400 + 50 * number) for number in range(4)]
NOON = 1_795_694_400_000


@pytest.fixture(autouse=True)
def puzzles(store: Store) -> None:
    put_puzzles(store, *PUZZLES, caylus_puzzle())


def must_be_refolded(store: Store, *players: Player) -> None:
    """Hold that what is kept of players and puzzles follows from their entries."""
    book = store.puzzles.book
    for player in players:
        assert fold_record(book.read_all(player.id)) == book.read(player.id)
    for puzzle in PUZZLES:
        entries: Any = store.registry.lrange(keys.puzzle_results(puzzle.id), 0, -1)
        kept: Any = store.registry.hget(keys.puzzle_skills(), puzzle.id)
        if entries:
            found = fold_puzzle(*read_results(entries))
            assert found == store.puzzles.rate(puzzle)
            assert kept is None or read_skill(kept) == (len(entries), found)


def test_a_right_answer_wins_a_rated_game_against_the_puzzle(store: Store, ada: Player) -> None:
    puzzle = PUZZLES[2]
    before = store.puzzles.rate(puzzle)
    judged = store.puzzles.answer(ada, puzzle, CITY, None)
    attempt = judged.attempt
    assert (attempt.right, attempt.rated, attempt.hints, judged.replayed) == (True, True, 0, False)
    assert attempt.after.rating > attempt.before.rating == 1500
    assert store.puzzles.rate(puzzle).rating < before.rating == puzzle.rating
    assert store.puzzles.book.read(ada.id).find_skill("carcassonne") == attempt.after


def test_what_is_kept_of_players_and_puzzles_follows_from_what_is_stored(
    store: Store, ada: Player, bob: Player
) -> None:
    for number, puzzle in enumerate(PUZZLES):
        store.puzzles.answer(ada, puzzle, CITY if number % 2 else NOBODY, None)
        store.puzzles.answer(bob, puzzle, NOBODY if number % 3 else CITY, None)
    must_be_refolded(store, ada, bob)
    kept = store.puzzles.book.read(ada.id), [store.puzzles.rate(one) for one in PUZZLES]
    store.registry.delete(keys.puzzle_record(ada.id), keys.puzzle_skills())
    assert (store.puzzles.book.read(ada.id), [store.puzzles.rate(one) for one in PUZZLES]) == kept
    store.puzzles.answer(ada, caylus_puzzle(), caylus_puzzle().best[0], None)
    must_be_refolded(store, ada, bob)


def test_what_is_missing_is_made_again_once(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a backup is restored, which carries neither: else each request folds all again."""
    for puzzle in PUZZLES[:2]:
        store.puzzles.answer(ada, puzzle, CITY, None)
    wanted = store.puzzles.book.read(ada.id), [store.puzzles.rate(one) for one in PUZZLES]
    kept = keys.puzzle_record(ada.id), keys.puzzle_skills()
    store.registry.delete(*kept)
    for _ in range(2):
        found = store.puzzles.book.read(ada.id), [store.puzzles.rate(one) for one in PUZZLES]
        assert found == wanted
        for fold in ("fold_record", "fold_puzzle"):
            monkeypatch.delattr(f"cartulary.events.puzzles.book.{fold}", raising=False)
    assert store.registry.exists(*kept) == 2
    assert store.registry.hlen(keys.puzzle_skills()) == 2


def test_a_puzzle_is_answered_once(store: Store, ada: Player) -> None:
    first = store.puzzles.answer(ada, PUZZLES[0], NOBODY, "k1")
    again = store.puzzles.answer(ada, PUZZLES[0], NOBODY, "k1")
    assert (again.attempt, again.replayed) == (first.attempt, True)
    with pytest.raises(IdempotencyMismatch):
        store.puzzles.answer(ada, PUZZLES[0], CITY, "k1")
    for key in (None, "k2"):
        with pytest.raises(PuzzleAnswered):
            store.puzzles.answer(ada, PUZZLES[0], NOBODY, key)
    with pytest.raises(PuzzleAnswered):
        store.puzzles.give_hint(ada, PUZZLES[0], 1)
    assert len(list(store.puzzles.book.read_all(ada.id))) == 1


def test_an_attempt_that_another_request_has_stored_meanwhile_is_refused(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.puzzles.answer(ada, PUZZLES[0], NOBODY, "k1")
    find = store.puzzles.book.find_attempt
    seen = iter([None])
    monkeypatch.setattr(store.puzzles.book, "find_attempt", lambda *about: next(seen, find(*about)))
    with pytest.raises(PuzzleAnswered):
        store.puzzles.answer(ada, PUZZLES[0], CITY, "k2")
    assert len(list(store.puzzles.book.read_all(ada.id))) == 1


def test_of_two_requests_in_one_millisecond_without_a_key_one_is_refused(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.puzzles, "_clock", FakeClock(NOON))
    store.puzzles.answer(ada, PUZZLES[0], NOBODY, None)
    find = store.puzzles.book.find_attempt
    seen = iter([None])
    monkeypatch.setattr(store.puzzles.book, "find_attempt", lambda *about: next(seen, find(*about)))
    with pytest.raises(PuzzleAnswered):
        store.puzzles.answer(ada, PUZZLES[0], NOBODY, None)
    assert len(list(store.puzzles.book.read_all(ada.id))) == 1


def test_a_hint_that_comes_while_an_attempt_is_stored_is_refused(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, answers = FakeClock(NOON), iter([store.puzzles.answer])

    class AnsweringClock:
        """Another request answers when the hint asks for the time: after its first look."""

        def now_ms(self) -> int:
            if answer := next(answers, None):
                answer(ada, PUZZLES[0], CITY, None)
            return clock.now_ms()

    monkeypatch.setattr(store.puzzles, "_clock", AnsweringClock())
    with pytest.raises(PuzzleAnswered):
        store.puzzles.give_hint(ada, PUZZLES[0], 2)
    assert [event["type"] for event in store.puzzles.book.read_all(ada.id)] == ["attempt"]


def test_an_account_that_is_deleted_while_it_answers_is_gone(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.puzzles.book, "add_attempt", lambda *_: None)
    with pytest.raises(TokenGone):
        store.puzzles.answer(ada, PUZZLES[0], CITY, None)


def test_a_refused_answer_is_no_attempt(store: Store, ada: Player) -> None:
    puzzle = PUZZLES[0]
    with pytest.raises(IllegalMoveRefused) as refused:
        store.puzzles.answer(ada, puzzle, [{"type": "pass"}], None)
    assert SOUTH in refused.value.members()["legal_moves"]
    with pytest.raises(IllegalMoveRefused) as refused:
        store.puzzles.answer(ada, puzzle, [SOUTH, SOUTH], None)
    assert refused.value.members()["decision"]["kind"] == "place_follower"
    with pytest.raises(LineUnfinished) as unfinished:
        store.puzzles.answer(ada, puzzle, [SOUTH], None)
    assert CITY[1] in unfinished.value.members()["legal_moves"]
    with pytest.raises(Invalid, match="/moves/2"):
        store.puzzles.answer(ada, puzzle, [*CITY, SOUTH], None)
    assert not store.registry.exists(keys.puzzle_events(ada.id))


def test_whether_an_answer_is_whole_does_not_depend_on_whether_it_is_right(
    store: Store, ada: Player
) -> None:
    placements = [one for one in store.puzzles.start(PUZZLES[0]).legal_moves() if one != SOUTH]
    for placement in placements[:3]:
        with pytest.raises(LineUnfinished):
            store.puzzles.answer(ada, PUZZLES[0], [placement], None)


def test_a_hint_costs_the_ratings_and_the_day(store: Store, ada: Player) -> None:
    puzzle = PUZZLES[0]
    assert store.puzzles.give_hint(ada, puzzle, 1)["candidates"] is None
    candidates = store.puzzles.give_hint(ada, puzzle, 2)["candidates"]
    assert sorted(str(one["moves"]) for one in candidates) == sorted(map(str, [CITY, NOBODY]))
    store.puzzles.give_hint(ada, puzzle, 1)
    attempt = store.puzzles.answer(ada, puzzle, CITY, None).attempt
    assert (attempt.hints, attempt.rated, attempt.before) == (2, False, attempt.after)
    record = store.puzzles.book.read(ada.id)
    assert (record.skills, record.streak.days, record.events) == ({}, 0, 3)
    assert store.puzzles.rate(puzzle).rating == puzzle.rating


def test_bots_have_no_attempts(store: Store, ada: Player) -> None:
    bot = ada._replace(kind="bot")
    with pytest.raises(NotForBots):
        store.puzzles.answer(bot, PUZZLES[0], CITY, None)
    with pytest.raises(NotForBots):
        store.puzzles.give_hint(bot, PUZZLES[0], 1)


def test_a_streak_counts_days_and_lasts_until_a_day_is_over(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock(NOON)
    monkeypatch.setattr(store.puzzles, "_clock", clock)
    for puzzle in PUZZLES[:2]:
        store.puzzles.answer(ada, puzzle, CITY, None)
    clock.advance(DAY)
    store.puzzles.answer(ada, PUZZLES[2], CITY, None)
    streak = store.puzzles.book.read(ada.id).streak
    today = store.puzzles.today()
    assert [streak.count_until(day) for day in (today, today + 1, today + 2)] == [2, 2, 0]
    clock.advance(2 * DAY)
    store.puzzles.answer(ada, PUZZLES[3], CITY, None)
    streak = store.puzzles.book.read(ada.id).streak
    assert (streak.days, streak.best) == (1, 2)


def test_the_history_has_pages_without_hints(store: Store, ada: Player) -> None:
    for puzzle in PUZZLES:
        store.puzzles.give_hint(ada, puzzle, 1)
        store.puzzles.answer(ada, puzzle, CITY, None)
    book = store.puzzles.book
    first = book.list_attempts(ada.id, None, 3)
    rest = book.list_attempts(ada.id, first[-1][0], 3)
    newest_first = [one.id for one in reversed(PUZZLES)]
    assert [one.puzzle for _, one in [*first, *rest]] == newest_first


def test_the_attempts_of_a_guest_follow_and_those_of_the_account_stay(
    store: Store, ada: Player
) -> None:
    guest, token = store.players.create("Phone")
    store.puzzles.answer(ada, PUZZLES[0], CITY, None)
    store.puzzles.answer(guest, PUZZLES[0], NOBODY, None)
    store.puzzles.give_hint(guest, PUZZLES[1], 1)
    store.puzzles.answer(guest, PUZZLES[1], CITY, None)
    store.puzzles.answer(guest, PUZZLES[2], CITY, None)
    store.accounts.merging.merge(ada, token)
    record = store.puzzles.book.read(ada.id)
    assert sorted(record.attempts) == [one.id for one in PUZZLES[:3]]
    first, helped, last = (store.puzzles.book.find_attempt(ada.id, one.id) for one in PUZZLES[:3])
    assert first
    assert helped
    assert last
    assert (first.right, helped.hints, helped.rated) == (True, 1, False)
    assert (last.before, record.find_skill("carcassonne")) == (first.after, last.after)
    must_be_refolded(store, ada)
    assert not store.registry.exists(keys.puzzle_events(guest.id), keys.puzzle_record(guest.id))
    with pytest.raises(TokenGone):
        store.puzzles.answer(guest, PUZZLES[3], CITY, None)


def test_who_is_deleted_leaves_results_that_name_no_player(
    store: Store, ada: Player, bob: Player
) -> None:
    store.puzzles.answer(ada, PUZZLES[0], CITY, None)
    store.puzzles.answer(bob, PUZZLES[0], CITY, None)
    rated = store.puzzles.rate(PUZZLES[0])
    store.accounts.deletion.delete(ada, "Ada")
    assert not store.registry.exists(keys.puzzle_events(ada.id), keys.puzzle_record(ada.id))
    assert store.puzzles.rate(PUZZLES[0]) == rated
    entries: Any = store.registry.lrange(keys.puzzle_results(PUZZLES[0].id), 0, -1)
    assert ada.id not in str(entries)
    must_be_refolded(store, bob)
    with pytest.raises(TokenGone):
        store.puzzles.answer(ada, PUZZLES[1], CITY, None)


def test_a_backup_carries_what_was_answered_and_leaves_out_what_follows_from_it(
    store: Store, ada: Player
) -> None:
    store.puzzles.answer(ada, PUZZLES[0], CITY, None)
    store.puzzles.shelf.add([small_puzzle(9)])
    stored: Any = store.registry.keys("*puzzle*")
    found = {key.decode() for key in stored}
    carried = {key for key in found if is_carried(key)}
    assert carried == {
        *(keys.own_puzzles(), keys.puzzle_events(ada.id)),
        keys.puzzle_results(PUZZLES[0].id),
    }
    assert found - carried == {keys.puzzle_record(ada.id), keys.puzzle_skills()}


def test_the_export_has_hints_and_attempts_and_no_key(store: Store, ada: Player) -> None:
    store.puzzles.give_hint(ada, PUZZLES[0], 1)
    store.puzzles.answer(ada, PUZZLES[0], CITY, "secret")
    lines = map(json.loads, store.accounts.exporting.export(ada, ""))
    hint, attempt = (line for line in lines if line["type"] == "puzzle")
    assert (hint["event"], hint["step"]) == ("hint", 1)
    assert (attempt["event"], attempt["moves"], attempt["right"]) == ("attempt", CITY, True)
    assert "key" not in attempt
