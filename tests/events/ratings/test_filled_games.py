"""Games that bots have filled count for no rating; those of before only while one person plays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest
from redis import Redis

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.table.matched import MatchedGame
from cartulary.events.model.effects.fold import fold
from cartulary.events.model.table import Table
from cartulary.events.model.types import SEAT_TAKEN_OVER, Json
from cartulary.events.ratings.finding import find_ladder, find_result
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.support.toy_game import OFFER as BEANS

STORED = Path(__file__).parents[1] / "stored" / "filled_practice" / "beans-over.jsonl"
"""Practice of Ada against `easy`, whose seat Bob has taken over; of a release of before."""

PACE = {"mode": "live", "delay": 30, "bank": 600}
RULES = {"beans": BEANS.rules}


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_a_game_that_bots_have_filled_counts_for_nothing(fake_redis: Redis, game: str) -> None:
    store = Store(fake_redis, OFFERS)
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    wish = MatchedGame([ada], game, {}, PACE, 1, keys.creation("seeks", "filled"))
    table = store.commands.matched.open(wish)
    started = store.ledger.events(table.id, table.course.started - 1, 1)[0]
    assert [seat.bot for seat in table.seats if seat.player is None] == ["medium"]
    assert started.keys().isdisjoint({"ladder", "strengths"})
    assert store.game_ratings.describe(table, ada.id, True)["ladder"] is None
    table = store.commands.arranging.join(Intent(bob), table.id).table
    assert table.course.ladder is None
    store.leases.close()


def read_old(*left_out: str) -> list[Json]:
    events = [orjson.loads(line) for line in STORED.read_bytes().splitlines()]
    return [event for event in events if event["type"] not in left_out]


def fold_old(events: Sequence[Json]) -> Table:
    table = fold(RULES, "OLD", None, events)
    assert table is not None
    assert (table.status.finished, table.course.ladder) == (True, "practice")
    return table


def test_practice_of_before_with_two_persons_has_no_result() -> None:
    events = read_old()
    table = fold_old(events)
    assert find_ladder(table) is None
    assert find_result(table, lambda _id, after, most: events[after : after + most]) is None


def test_practice_of_before_counts_where_nobody_has_come() -> None:
    events = read_old(SEAT_TAKEN_OVER)
    for version, event in enumerate(events, start=1):
        event["version"] = version
    table = fold_old(events)
    assert find_ladder(table) == "practice"
    found = find_result(table, lambda _id, after, most: events[after : after + most])
    assert found is not None
    assert [one.strength for one in found.entrants] == [1204, None]
