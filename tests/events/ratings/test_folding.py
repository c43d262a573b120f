"""Results in the store: noted, folded in their order, folded again, voided."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from redis import Redis

from cartulary.events.ratings import folding, reading, stored
from cartulary.events.ratings.folding import RatingFolder
from cartulary.events.ratings.reading import PAGE, POINTS, BadBoardCursor, RatingReader
from cartulary.events.server import keys
from cartulary.ratings.fold import follow
from cartulary.ratings.results import Bucket, Entrant, GameResult
from cartulary.ratings.scale import ACTIVE_MS, START, Standing
from tests.support.fake_clock import DAY, FakeClock

BUCKET = Bucket("people", "beans", "2")
PLAYERS = [f"player {number}" for number in range(6)]
NOW = 1_800_000_000_000


def make_result(at: int, game: str, *players: str, ranks: Sequence[int] = (1, 2)) -> GameResult:
    entrants = tuple(Entrant(player) for player in players)
    return GameResult(at, game, BUCKET, entrants, tuple(ranks))


def make_results(rng: random.Random, number: int) -> list[GameResult]:
    """Results in their order; some have the same time."""
    found = [
        make_result(NOW + rng.randrange(number // 2), f"game {one}", *rng.sample(PLAYERS, 2))
        for one in range(number)
    ]
    return sorted(found, key=lambda result: result.place)


class Scene:
    def __init__(self, redis: Redis) -> None:
        self.redis, self.clock = redis, FakeClock(NOW + DAY)
        self.folder = RatingFolder(redis, self.clock)
        self.reader = RatingReader(redis, self.clock)

    def note(self, *results: GameResult) -> list[bool]:
        return [self.folder.note(result) for result in results]

    def holds(self, results: Sequence[GameResult]) -> None:
        """Hold that the store has what a fold of these results from nothing gives."""
        standings: dict[str, Standing] = {}
        steps = list(follow(results, standings))
        rows = list(self.reader.list_results(BUCKET))
        assert [result for result, _ in rows] == list(results)
        for step, (_, changes) in zip(steps, rows, strict=True):
            assert changes is not None
            assert {one: change.before for one, change in changes.items()} == step.before
            assert {one: change.after for one, change in changes.items()} == step.after
        assert self.reader.read_standings(PLAYERS, BUCKET) == {
            player: standings.get(player, START) for player in PLAYERS
        }
        order = sorted(standings, key=lambda one: (standings[one].order, one), reverse=True)
        assert [one.player for one in self.reader.read_board(BUCKET).players] == order


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.real)])
def scene(request: pytest.FixtureRequest) -> Scene:
    return Scene(request.getfixturevalue(f"{request.param}_redis"))


@pytest.mark.slow
def test_the_order_of_arrival_never_shows(scene: Scene, rng: random.Random) -> None:
    results = make_results(rng, 40)
    arriving = rng.sample(results, len(results))
    for number, result in enumerate(arriving):
        scene.note(result, rng.choice(arriving[: number + 1]))  # some come twice
        if rng.random() < 0.5:
            scene.folder.fold(BUCKET, most=rng.randint(1, 5))
        if rng.random() < 0.3:
            scene.folder.fold_newest(BUCKET)
    scene.folder.fold_all(most=3)
    scene.holds(results)


def test_while_much_is_folded_again_ratings_stay_and_a_new_result_shows_at_once(
    scene: Scene, rng: random.Random
) -> None:
    late, *results = make_results(rng, 40)
    scene.folder.note_all(results)
    scene.folder.fold_all()
    before = scene.reader.read_standings(PLAYERS, BUCKET)
    new = make_result(NOW + DAY, "new", *PLAYERS[:2])
    scene.note(late, new)
    assert scene.folder.fold(BUCKET, most=3) == 3
    assert scene.reader.read_standings(PLAYERS, BUCKET) == before
    assert scene.folder.count_waiting(BUCKET) >= 38
    assert scene.folder.fold_newest(BUCKET) == 1
    assert scene.folder.fold_newest(BUCKET) == 0
    after = scene.reader.read_standings(PLAYERS, BUCKET)
    assert after[PLAYERS[0]].games == before[PLAYERS[0]].games + 1
    assert after[PLAYERS[0]].rating > before[PLAYERS[0]].rating
    assert {one: after[one] for one in PLAYERS[2:]} == {one: before[one] for one in PLAYERS[2:]}
    scene.folder.fold_all(most=3)
    assert scene.folder.count_waiting(BUCKET) == 0
    scene.holds([late, *results, new])


def test_a_result_that_is_known_changes_nothing(scene: Scene) -> None:
    result = make_result(NOW, "game", "ada", "bob")
    assert scene.note(result, result) == [True, False]
    assert scene.folder.fold(BUCKET) == 1
    assert scene.note(result) == [False]
    assert scene.folder.fold(BUCKET) == 0


def test_a_game_that_has_ended_again_counts_as_it_ended_last(
    scene: Scene, rng: random.Random
) -> None:
    results = make_results(rng, 12)
    again = results[3]._replace(at=NOW + 1_000_000, ranks=(2, 1))
    scene.note(*results)
    scene.folder.fold_all()
    scene.note(again)
    scene.folder.fold_all(most=1)  # no piece finds what followed from the first end
    scene.holds([*(one for one in results if one.id != again.id), again])
    earlier = again._replace(at=NOW - 1)
    scene.note(earlier)
    scene.folder.fold_all(most=1)
    scene.holds([earlier, *(one for one in results if one.id != again.id)])


def test_a_result_that_comes_while_others_are_folded_is_not_lost(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, late = make_result(NOW, "one", "ada", "bob"), make_result(NOW + 1, "two", "ada", "bob")
    read = scene.folder._read  # noqa: SLF001  the moment between reading and writing
    waiting = [late]

    def read_slowly(*arguments: Any) -> Any:
        found = read(*arguments)
        if waiting:
            assert scene.note(waiting.pop())
        return found

    monkeypatch.setattr(scene.folder, "_read", read_slowly)
    scene.note(first)
    scene.folder.fold_all()
    assert scene.reader.read_standings(["ada"], BUCKET)["ada"].games == 2


def test_a_voided_game_is_as_if_it_had_never_been(scene: Scene, rng: random.Random) -> None:
    results = make_results(rng, 20)
    gone = results[4]
    scene.note(*results)
    scene.folder.fold_all()
    assert scene.folder.void(gone.id, "agreed before the game")
    scene.folder.fold_all(most=4)
    assert not scene.note(gone)[0]
    scene.holds([one for one in results if one.id != gone.id])
    assert scene.reader.is_voided(gone.id)


def test_a_game_that_is_folded_while_it_is_voided_does_not_count(
    scene: Scene, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, *results = make_results(rng, 10)
    scene.note(*results)
    scene.folder.fold_all()
    before = scene.reader.read_standings(PLAYERS, BUCKET)
    scene.note(late, make_result(NOW + DAY, "newest", *PLAYERS[:2]))
    find = stored.find_last_games
    waiting, folded = ["a fold"], list[int]()

    def find_before_a_fold(*arguments: Any) -> Any:
        found = find(*arguments)
        if waiting:
            waiting.clear()
            folded.append(scene.folder.fold_newest(BUCKET))
        return found

    monkeypatch.setattr(folding, "NEWEST", 5)
    monkeypatch.setattr(folding, "find_last_games", find_before_a_fold)
    assert scene.folder.void("newest", "a test")
    assert folded == [1]
    assert scene.reader.read_standings(PLAYERS, BUCKET) == before
    scene.folder.fold_all()
    scene.holds([late, *results])


def test_a_player_whose_only_game_is_voided_has_no_rating(scene: Scene) -> None:
    scene.note(make_result(NOW, "game", "ada", "bob"))
    scene.folder.fold_all()
    scene.folder.void("game", "a test")
    assert scene.reader.read_player("ada", [BUCKET]) == []
    assert scene.reader.read_board(BUCKET).players == []
    assert scene.reader.read_history("ada", BUCKET) == []


def test_a_game_may_be_voided_before_it_is_over(scene: Scene) -> None:
    assert not scene.folder.void("game", "a test")
    assert scene.note(make_result(NOW, "game", "ada", "bob")) == [False]


def test_who_has_not_played_for_long_is_on_no_leaderboard(scene: Scene) -> None:
    scene.note(
        make_result(NOW, "old", "ada", "bob"), make_result(NOW + 2 * DAY, "new", "bob", "eve")
    )
    scene.folder.fold_all()
    scene.clock.now = NOW + ACTIVE_MS + DAY
    ada, bob = (scene.reader.read_player(one, [BUCKET])[0] for one in ("ada", "bob"))
    assert (ada.rank, bob.rank is None) == (None, False)
    assert {one.player for one in scene.reader.read_board(BUCKET).players} == {"bob", "eve"}
    scene.note(make_result(NOW + ACTIVE_MS + DAY, "back", "ada", "eve"))
    scene.folder.fold_all()
    assert scene.reader.read_player("ada", [BUCKET])[0].rank == 1


def test_a_leaderboard_is_read_page_by_page(scene: Scene) -> None:
    pairs = [(f"a{number:03}", f"b{number:03}") for number in range(PAGE)]
    scene.note(*(make_result(NOW + n, f"g{n}", *pair) for n, pair in enumerate(pairs)))
    scene.folder.fold_all()
    first = scene.reader.read_board(BUCKET)
    assert len(first.players) == PAGE
    second = scene.reader.read_board(BUCKET, first.next_cursor)
    assert second.next_cursor is None
    ranks = [one.rank for one in (*first.players, *second.players)]
    assert ranks == list(range(1, 2 * PAGE + 1))
    assert len({one.player for one in (*first.players, *second.players)}) == 2 * PAGE


@pytest.mark.parametrize("cursor", ["", "7", "x~ada", "nan~ada", "inf~ada", f"1~{'a' * 200}"])
def test_a_forged_cursor_is_refused(fake_redis: Redis, cursor: str) -> None:
    with pytest.raises(BadBoardCursor):
        Scene(fake_redis).reader.read_board(BUCKET, cursor)


def test_a_long_history_is_thinned_evenly_and_keeps_the_last_game(
    fake_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.ratings.reading.POINTS", 5)
    assert POINTS == 1000
    scene = Scene(fake_redis)
    scene.note(*(make_result(NOW + at, f"game {at}", "ada", "bob") for at in range(13)))
    scene.folder.fold_all()
    points = scene.reader.read_history("ada", BUCKET)
    assert [point.at - NOW for point in points] == [0, 3, 6, 9, 12]
    assert points[-1].standing == scene.reader.read_standings(["ada"], BUCKET)["ada"]


def test_only_what_an_operator_has_voided_is_no_projection(fake_redis: Redis) -> None:
    scene = Scene(fake_redis)
    scene.note(make_result(NOW, "game", "ada", "bob"))
    scene.folder.fold_all()
    scene.folder.void("other", "a test")
    every: Any = fake_redis.keys("*")
    found = {key.decode() for key in every}
    assert {key for key in found if not key.startswith(keys.PROJECTIONS)} == {"voided"}


def test_results_are_read_in_pieces_and_each_comes_once(
    rng: random.Random, fake_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "READ", 2)
    scene, results = Scene(fake_redis), make_results(rng, 5)
    scene.note(*results)
    assert [result for result, _ in scene.reader.list_results(BUCKET)] == results
