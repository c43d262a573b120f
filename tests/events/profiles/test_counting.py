"""Games in the store: counted once, in any order; the figures that come of them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from redis import Redis

from cartulary.events.people.players import Player
from cartulary.events.profiles.counting import STEADY
from cartulary.events.profiles.reading import AGAINST
from cartulary.events.profiles.tallies import GAME, MOST_GAMES, Best, Record, Reliability
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.ratings.results import TABLES
from tests.events.support.finished_games import MINUTE, FinishedGame, move, points


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.real)])
def store(request: pytest.FixtureRequest) -> Store:
    return Store(request.getfixturevalue(f"{request.param}_redis"), OFFERS)


@pytest.fixture
def players(store: Store) -> list[Player]:
    return [store.players.create(name)[0] for name in ("Ada", "Bob", "Cid")]


def count(store: Store, game: FinishedGame) -> bool:
    return store.statistics.count(game.summary(), game.events)


def read(store: Store, player: Player, own: bool = False, tables: Any = TABLES) -> Any:
    return store.profiles.read(player.id, "carcassonne", tables, own)


def make_games(rng: random.Random, players: list[Player]) -> list[FinishedGame]:
    games = []
    for number in range(30):
        seated = rng.sample(players, rng.choice([2, 3]))
        scores = [rng.randrange(20) for _ in seated]
        game = FinishedGame(f"game {number:03}", [one.id for one in seated], scores)
        game.ended = rng.randrange(100) * MINUTE
        game.visibility = rng.choice(["public", "private"])
        game.add(move(2, 0, rng.randrange(90_000), points(0, scores[0], "city")))
        if rng.random() < 0.2:
            game.end(rng.randrange(len(seated)), "timed_out")
        games.append(game)
    return games


def dump(redis: Redis) -> dict[str, Any]:
    """Everything that was counted."""
    store: Any = redis
    shapes = {
        b"hash": store.hgetall,
        b"zset": lambda key: store.zrange(key, 0, -1, withscores=True),
    }
    found = {
        key.decode(): shapes[store.type(key)](key)
        for key in store.scan_iter(match=f"{keys.PROJECTIONS}*")
    }
    assert len(found) > 10
    return found


def test_the_order_in_which_games_are_counted_never_shows(
    store: Store, players: list[Player], rng: random.Random
) -> None:
    games = make_games(rng, players)
    assert all(count(store, game) for game in games)
    first = dump(store.registry)
    store.projections.clear()
    for game in rng.sample(games, len(games)):
        assert count(store, game)
    assert dump(store.registry) == first


def test_a_game_that_arrives_twice_counts_once(store: Store, players: list[Player]) -> None:
    ada, bob, _ = players
    game = FinishedGame("game", [ada.id, bob.id], [7, 3])
    assert (count(store, game), count(store, game)) == (True, False)
    assert store.statistics.has("game")
    assert read(store, ada).tally.games == 1
    assert read(store, ada).against[0].record == Record(1, 1, 0)
    assert store.profiles.read_reliability(ada.id).games == 1


def test_others_see_public_games_and_the_player_all(store: Store, players: list[Player]) -> None:
    ada, bob, cid = players
    count(store, FinishedGame("shown", [ada.id, bob.id], [7, 3]))
    hidden = FinishedGame("hidden", [ada.id, cid.id], [9, 3])
    hidden.visibility = "unlisted"
    count(store, hidden)
    shown, own = read(store, ada), read(store, ada, own=True)
    assert (shown.tally.games, shown.tally.best) == (1, Best(7, "shown"))
    assert (own.tally.games, own.tally.best) == (2, Best(9, "hidden"))
    assert [one.player.id for one in shown.against] == [bob.id]
    assert {one.player.id for one in own.against} == {bob.id, cid.id}
    assert store.profiles.find_public(["shown", "hidden", "unknown"]) == {"shown"}


def test_sizes_of_tables_are_counted_apart_and_together(
    store: Store, players: list[Player]
) -> None:
    ada, bob, cid = (one.id for one in players)
    count(store, FinishedGame("two", [ada, bob], [7, 3]))
    count(store, FinishedGame("three", [ada, bob, cid], [1, 3, 2]))
    asked = [read(store, players[0], tables=tables).tally for tables in (["2"], ["many"], TABLES)]
    assert [list(tally.ranks) for tally in asked] == [[1], [0, 0, 1], [1, 0, 1]]
    assert [tally.score for tally in asked] == [7, 1, 8]
    both = read(store, players[0]).against
    assert [(one.player.id, one.record) for one in both] == [
        (bob, Record(2, 1, 0)),
        (cid, Record(1, 0, 0)),
    ]


def test_the_best_score_is_the_first_of_equals(store: Store, players: list[Player]) -> None:
    ada, bob, _ = players
    for game_id, score in (("b", 7), ("c", 7), ("a", 5)):
        count(store, FinishedGame(game_id, [ada.id, bob.id], [score, 3]))
    assert read(store, ada).tally.best == Best(7, "b")


def test_a_voided_game_keeps_its_place_and_a_rebuild_counts_it_as_well(
    store: Store, players: list[Player]
) -> None:
    ada, bob, cid = players
    games = [
        FinishedGame("one", [ada.id, bob.id], [7, 3]),
        FinishedGame("two", [ada.id, bob.id, cid.id], [4, 5, 6]),
    ]
    for game in games:
        count(store, game)
    counted = dump(store.registry)
    store.ratings.void("one", "a test")
    assert read(store, ada).tally.games == len(games)
    store.registry.delete(*counted)
    for game in games:
        count(store, game)
    assert dump(store.registry) == counted


def test_results_against_levels_stand_apart(store: Store, players: list[Player]) -> None:
    ada, _, _ = players
    count(store, FinishedGame("one", [ada.id, "bot:medium", "bot:medium"], [7, 3, 9]))
    found = read(store, ada)
    assert found.tally.levels == {"medium": Record(2, 1, 0)}
    assert found.against == []


def test_who_hides_or_is_gone_is_against_no_player(store: Store, players: list[Player]) -> None:
    ada, bob, cid = players
    for number, other in enumerate((bob, cid)):
        count(store, FinishedGame(f"game {number}", [ada.id, other.id], [7, 3]))
    store.preferences.change(bob.id, {"visibility": "hidden"})
    assert [one.player.id for one in read(store, ada).against] == [cid.id]
    store.accounts.deletion.delete(cid, "Cid")
    assert read(store, ada).against == []
    assert read(store, cid, own=True).tally.games == 0
    assert store.profiles.read_reliability(cid.id).games == 0
    # A game that ends later makes no profile of a deleted player again.
    count(store, FinishedGame("late", [ada.id, cid.id], [7, 3]))
    assert read(store, cid, own=True).tally.games == 0
    assert read(store, ada).tally.games == 3


def test_the_ten_most_frequent_opponents_are_shown(store: Store, players: list[Player]) -> None:
    ada = players[0]
    others = [store.players.create(f"Other {number}")[0] for number in range(AGAINST + 2)]
    for number, other in enumerate(others):
        for turn in range(number + 1):
            count(store, FinishedGame(f"{number} {turn}", [ada.id, other.id], [7, 3]))
    found = read(store, ada).against
    assert [one.player.id for one in found] == [one.id for one in reversed(others[2:])]
    assert found[0].record == Record(12, 12, 0)


def test_results_stay_readable_however_often_two_players_meet(
    store: Store, players: list[Player]
) -> None:
    ada, bob, _ = players
    met = keys.opponents(ada.id, "carcassonne", "2", "shown")
    store.registry.zadd(met, {bob.id: (GAME + 1) * MOST_GAMES})
    count(store, FinishedGame("one more", [ada.id, bob.id], [3, 3]))
    assert read(store, ada).against[0].record == Record(MOST_GAMES, 0, MOST_GAMES)


def test_reliability_counts_the_games_since_the_last_time_out(
    store: Store, players: list[Player]
) -> None:
    ada, bob, _ = players
    assert store.profiles.read_reliability(ada.id) == Reliability(0, 0, 0, 0, None, None)
    for number in range(STEADY + 5):
        game = FinishedGame(f"game {number:03}", [ada.id, bob.id], [7, 3])
        game.ended = number * MINUTE
        count(store, game)
    assert store.profiles.read_reliability(ada.id).since_timeout is None
    for game_id, minutes, outcome in (
        ("late", STEADY + 2, "timed_out"),
        ("early", 3, "timed_out"),
        ("last", 90, "resigned"),
    ):
        game = FinishedGame(game_id, [ada.id, bob.id], [7, 3])
        game.ended = minutes * MINUTE
        game.end(0, outcome)
        count(store, game)
    found = store.profiles.read_reliability(ada.id)
    assert found[:4] == (STEADY + 8, STEADY + 5, 2, 1)
    assert found.since_timeout == 3
    assert store.profiles.read_reliability(bob.id).since_timeout is None
