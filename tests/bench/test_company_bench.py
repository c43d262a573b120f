"""The benches of a large site: what they make, what they count, and a small run of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import fakeredis
import pytest
from redis import Redis

from bench.company import lobby, profiles, refold, results, seeks, tournament_pages
from bench.company._originals import RatedOriginal, play_originals
from bench.company._world import WorldPlan, fill, find_world
from bench.company.profiles import BUCKET, list_kinds
from bench.company.seeks import MadeSeek
from bench.company.tournament import Evening, check
from cartulary.events.company.seeks import NewSeek
from cartulary.events.ratings.stored import write_place
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.replaying import replay
from cartulary.games import OFFERS
from tests.support.night import at_night
from tests.support.store_with_archive import find_url, open_with_archive

PLAN = WorldPlan(games=60, players=12, copies=3, stored=100)


@pytest.fixture(scope="module")
def originals() -> list[RatedOriginal]:
    store = Store(fakeredis.FakeRedis(), OFFERS, rng=Random(1))
    played = play_originals(store, Random(1), 2)
    store.leases.close()
    return played


@pytest.fixture
def site(originals: list[RatedOriginal], fake_redis: Redis, tmp_path: Path) -> Iterator[Store]:
    """A small site in a store with an archive."""
    with open_with_archive(fake_redis, tmp_path) as store:
        plan = PLAN._replace(archive=find_url(tmp_path))
        assert fill(store, plan, originals, lambda _: 7)["fold_s"] > 0
        yield store


@pytest.mark.slow
def test_the_service_reads_the_site_and_its_ratings_follow_from_its_games(site: Store) -> None:
    assert site.archive.archive.count() == 54
    assert len(list(site.ledger.game_ids())) == 6
    assert site.registry.zcard(keys.names()) == PLAN.players
    found = replay(site, lambda _done, _total: None)
    assert (found.results, found.faults) == (PLAN.games, [])
    page = site.rating_reader.read_board(BUCKET)
    assert 2 <= len(page.players) <= PLAN.players
    refold.measure(list, 1)
    assert set(list_kinds(site, Random(1))) >= {"profile", "page_deep", "history"}


def test_a_directory_with_another_site_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "other").touch()
    with pytest.raises(RuntimeError, match="not empty"):
        find_world(data, PLAN)
    (data / "world.json").write_text(
        '{"plan": {"games": 1, "players": 2}, "secret": "", "figures": {}}'
    )
    with pytest.raises(RuntimeError, match="another --directory"):
        find_world(data, PLAN)
    assert find_world(data, PLAN._replace(games=1, players=2)).plan.games == 1


@pytest.mark.slow
def test_a_bucket_is_marked_as_by_a_result_before_all_others(site: Store) -> None:
    first, _ = next(site.rating_reader.list_results(BUCKET))
    results.mark_all(site)
    assert site.ratings.count_waiting(BUCKET) == site.rating_reader.count_results(BUCKET)
    marked: Any = site.registry.hget(keys.ratings_pending(), BUCKET.text())
    assert marked.decode() == write_place(first.place)


def test_a_seek_that_waits_on_beside_its_game_is_served_twice(fake_store: Store) -> None:
    ada, bob = (fake_store.players.create(name)[0] for name in ("Ada", "Bob"))
    matchmaker = fake_store.matchmaker
    for player in (ada, bob):
        matchmaker.seek(player, matchmaker.check(player, NewSeek("carcassonne", {}, (2,))))
    made = [MadeSeek(ada.id, 3.0, None), MadeSeek(bob.id, 5.0, "game")]
    assert seeks.find_served_twice(fake_store, made) == 0
    fake_store.seeks.add(ada.id, NewSeek("caylus", {}, (2,)))
    assert seeks.find_served_twice(fake_store, made) == 1
    found = seeks.describe(made, [1000, 2000], [10_000], 1)
    assert (found["games"], found["twice"], found["ratio"]) == (1, 1, 0.5)


@at_night(
    "tests/bench/test_company_bench.py::"
    "test_the_service_reads_the_site_and_its_ratings_follow_from_its_games"
)
@pytest.mark.process
@pytest.mark.real
def test_requests_of_a_small_site_are_measured(tmp_path: Path) -> None:
    found = profiles.main(games=60, players=12, requests=3, directory=str(tmp_path / "data"))
    assert found["world"]["store_bytes_each"] > found["world"]["noted_bytes_each"] > 0
    for kind in ("profile", "ratings", "history", "page_first", "page_deep", "games"):
        assert 0 < found[kind]["p50_ms"] <= found[kind]["p95_ms"] <= found[kind]["max_ms"]
    folded = refold.main(games=60, players=12, read=10, directory=str(tmp_path / "data"))
    assert (folded["results"], folded["fold"]["found"]) == (60, 0)
    assert folded["find"]["found"] == 10


@at_night(
    "tests/bench/test_company_bench.py::test_a_seek_that_waits_on_beside_its_game_is_served_twice"
)
@pytest.mark.process
@pytest.mark.real
def test_seeks_readers_and_results_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    found = seeks.main(players=60, clients=4)
    assert found["matched"]["number"] + found["waiting"]["number"] == 60
    assert (found["twice"], found["crowded"]["number"]) == (0, 20)
    monkeypatch.setattr(lobby, "ROUNDS", 2)
    watched = lobby.main(seconds=4, readers=20)
    assert 0 < watched["lines_per_second"] <= 3
    assert watched["beside"]["ratio"] > 0
    rated = results.main(games=200, players=12, rounds=3)
    assert 0 < rated["late"]["p50_ms"] <= rated["late"]["max_ms"]
    assert rated["folding"]["folded"] > 0


@at_night(
    "tests/bench/test_company_bench.py::test_a_small_evening_is_played_to_its_end_and_a_double_result_is_noticed"
)
@pytest.mark.process
@pytest.mark.real
def test_the_page_and_the_watchers_of_a_tournament_are_measured() -> None:
    found = tournament_pages.main(seconds=4, entrants=12, watchers=10, requests=20)
    assert 0 < found["standings"]["p50_ms"] <= found["slowest_p95_ms"]
    assert found["watchers"]["received"] == 10 * found["watchers"]["events"] > 0
    assert found["beside"]["ratio"] > 0


@pytest.mark.slow
def test_a_small_evening_is_played_to_its_end_and_a_double_result_is_noticed() -> None:
    redis = partial(fakeredis.FakeRedis, server=fakeredis.FakeServer())
    evening = Evening(redis, 4, "round_robin", faults=0, seed=1)
    evening.clock.now += 1
    tournament = evening.play()
    evening.faults.end()
    assert tournament.status == "over"
    assert check(evening, tournament) == len(tournament.tables)
    game = evening.store.ledger.draw_id()
    evening.store.redis.xadd(f"{{{game}}}:events", {"event": b"{}"}, "1-0")
    with pytest.raises(RuntimeError, match="two games"):
        check(evening, tournament)
