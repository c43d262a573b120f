"""The miner: which games it looks at, and where it goes on after whatever has stopped it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.mining import miner
from cartulary.events.mining.log import MinedGame, MiningState, read_state, write_state
from cartulary.events.mining.miner import NOTHING_LEFT_MS, TRIES, Miner, list_turns
from cartulary.events.mining.public_games import may_be_mined
from cartulary.events.model.table import Table
from cartulary.events.server import keys
from cartulary.games import OFFERS
from cartulary.puzzles.walking import WalkStart
from tests.events.mining.conftest import CPU_MS, PUZZLE_AT, QUESTIONS, Mine

pytestmark = pytest.mark.real

WHOLE = [*range(QUESTIONS)]


def test_a_public_game_is_looked_at_once_and_its_puzzles_are_on_the_shelf(mine: Mine) -> None:
    game, _ = mine.add()
    assert [mine.run(), mine.run()] == [1, 0]
    assert mine.looked == [(game, index) for index in WHOLE]
    assert mine.store.puzzles.shelf.find(f"carcassonne-{game}") is not None
    assert (mine.state.games, mine.state.puzzles) == (1, 1)


def test_the_next_puzzle_of_a_player_is_one_that_was_mined(mine: Mine) -> None:
    game, player = mine.add()
    mine.run()
    found = mine.store.puzzles.choose_next(player.id, "carcassonne", None)
    assert found is not None
    assert found.id == f"carcassonne-{game}"
    assert "players" not in found.transcript


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_game_that_is_not_public_is_never_mined(mine: Mine, visibility: str) -> None:
    mine.add(visibility=visibility)
    assert mine.run() == 0
    assert (mine.looked, mine.state.under_way) == ([], None)


def test_a_game_of_a_round_that_is_open_is_never_mined(
    mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = mine.add()
    table = mine.store.projector.table(game)
    assert may_be_mined(mine.store, table)
    monkeypatch.setattr(Table, "sealed", property(lambda _: True))
    assert not may_be_mined(mine.store, table)


def test_a_game_of_a_deleted_person_is_never_mined(mine: Mine) -> None:
    game, _ = mine.add()
    _, gone = mine.add("Bob")
    mine.store.accounts.deletion.delete(gone, "Bob")
    assert (mine.run(), mine.run()) == (1, 0)
    assert {one for one, _ in mine.looked} == {game}


def test_a_game_under_way_is_left_when_its_person_deletes_the_account(mine: Mine) -> None:
    _, gone = mine.add()
    mine.run(1)
    mine.store.accounts.deletion.delete(gone, "Ada")
    assert mine.run() == 0
    assert (len(mine.looked), mine.state.under_way) == (1, None)


def test_a_game_that_is_on_offer_no_more_is_left(mine: Mine) -> None:
    mine.add()
    mine.run(1)
    mine.miner = Miner(mine.store, {"caylus": OFFERS["caylus"]})
    assert mine.run() == 0
    assert (len(mine.looked), mine.state.under_way) == (1, None)


def test_slices_go_on_where_the_last_one_has_stopped(mine: Mine) -> None:
    mine.add()
    assert [mine.run(2) for _ in range(4)] == [0, 1, 0, 0]
    assert [index for _, index in mine.looked] == WHOLE
    assert mine.state.games == 1


def test_a_game_of_a_killed_worker_goes_on_and_gives_no_puzzle_twice(mine: Mine) -> None:
    game, _ = mine.add()
    mine.run(2)
    mine.dies_at = PUZZLE_AT + 1
    with pytest.raises(KeyboardInterrupt):
        mine.run()
    mine.dies_at = -1
    while not mine.state.games:
        mine.run()
    assert [index for _, index in mine.looked] == [0, 1, 2, 3, 2, 3, 4]
    assert mine.store.puzzles.shelf.list_ids("carcassonne") == [f"carcassonne-{game}"]
    assert mine.state.puzzles == 1


def test_a_log_that_is_lost_costs_time_and_adds_no_puzzle_twice(mine: Mine) -> None:
    mine.add()
    assert mine.run() == 1
    mine.store.registry.delete(keys.mining())
    assert mine.run() == 0
    assert mine.state.games == 1


@pytest.mark.parametrize("bad", [0, 2])
def test_a_question_that_kills_its_worker_is_given_up_and_no_other(mine: Mine, bad: int) -> None:
    mine.add()
    mine.dies_at = bad
    for _ in range(3 * TRIES):
        if not mine.state.games:
            try:
                mine.run()
            except KeyboardInterrupt:
                continue
    assert (mine.state.games, mine.state.passed) == (1, 1)
    ended = {index for _, index in mine.looked} - {bad}
    assert ended == {*WHOLE} - {bad}


def test_a_question_that_people_interrupt_is_begun_again_and_then_given_up(mine: Mine) -> None:
    mine.add()
    mine.ends_at = 1
    for _ in range(TRIES + 3):
        mine.run()
    assert mine.state.passed == 1
    assert [index for _, index in mine.looked].count(1) == TRIES
    assert mine.state.under_way is None


def test_of_two_miners_the_slice_of_one_counts(mine: Mine) -> None:
    mine.add()
    mine.run(1)

    def overtake() -> None:
        mine.meanwhile = lambda: None
        taken = mine.state
        assert taken.under_way is not None
        ahead = taken.under_way._replace(start=WalkStart(4))
        assert mine.miner.log.replace(taken, taken._replace(under_way=ahead))

    mine.meanwhile = overtake
    mine.run(1)
    under_way = mine.state.under_way
    assert under_way is not None
    assert under_way.start.done == 4, "the slower one takes nothing back"
    assert mine.state.spent_ms == CPU_MS


def test_an_archive_that_fails_passes_over_no_game(
    mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.add()
    mine.run(1)
    before = mine.state

    def fail(*_: Any) -> None:
        raise ArchiveUnavailable("it is away")

    with monkeypatch.context() as patch:
        patch.setattr(Archive, "texts", fail)
        mine.store.archive.forget(mine.looked[0][0])
        mine.run()
    assert mine.state.error == "it is away"
    assert mine.state.under_way == before.under_way
    mine.run()
    assert [index for _, index in mine.looked] == WHOLE


def test_a_failing_archive_is_noted_until_it_works(
    mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.add()
    with monkeypatch.context() as patch:
        patch.setattr(Archive, "find_newest", lambda *_: _raise(ArchiveUnavailable("it is away")))
        assert mine.run() == 0
    assert mine.state.error == "it is away"
    assert mine.state.idle_until > mine.store.clock.now_ms()
    assert mine.run() == 1
    assert (mine.state.error, mine.state.idle_until) == ("", 0)


def _raise(error: Exception) -> None:
    raise error


def test_where_nothing_is_left_it_rests(mine: Mine) -> None:
    now = mine.store.clock.now_ms()
    assert mine.run() == 0
    assert mine.state.idle_until >= now + NOTHING_LEFT_MS


def test_many_games_that_may_not_be_mined_cost_several_slices_and_no_rest(
    mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(miner, "LOOKED_AT", 2)
    game, _ = mine.add()
    for name in ("Bob", "Cem", "Dan"):
        mine.store.accounts.deletion.delete(mine.add(name)[1], name)
    assert mine.run() == 0
    assert mine.state.idle_until <= mine.store.clock.now_ms()
    assert [mine.run(), mine.run()] == [0, 1]
    assert {one for one, _ in mine.looked} == {game}


def test_a_game_that_ended_today_waits(mine: Mine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    mine.add()
    assert (mine.run(), mine.looked) == (0, [])


def test_the_games_on_offer_take_turns() -> None:
    games = ["caylus", "carcassonne"]
    assert list_turns(games, "") == ["carcassonne", "caylus"]
    assert list_turns(games, "carcassonne") == ["caylus", "carcassonne"]
    assert list_turns(games, "caylus") == ["carcassonne", "caylus"]


def test_what_was_used_counts_for_its_day(mine: Mine) -> None:
    mine.add()
    mine.run(2)
    day = mine.state.day
    assert mine.state.read_spent(day) == 2 * CPU_MS
    assert mine.state.read_spent(day + 1) == 0
    next_day = mine.state.spend(30, day + 1)
    assert (next_day.read_spent(day + 1), next_day.cpu_ms) == (30, 2 * CPU_MS + 30)


@pytest.mark.parametrize(
    "change",
    [lambda one: one, lambda one: one._replace(under_way=None), lambda _: MiningState()],
)
def test_a_state_is_read_as_it_was_stored(
    mine: Mine, change: Callable[[MiningState], MiningState]
) -> None:
    mine.add()
    mine.run(2)
    state = change(mine.state)
    assert read_state(write_state(state)) == state


def test_what_a_later_release_has_added_to_the_state_is_left_out() -> None:
    game = MinedGame("caylus", "01K", WalkStart(3, 1, 20))
    state = MiningState(game, last="caylus")
    text = write_state(state).replace(b'"last"', b'"more":1,"last"').replace(b'"id"', b'"x":0,"id"')
    assert read_state(text) == state
