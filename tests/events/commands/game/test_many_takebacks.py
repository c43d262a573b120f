"""Many random takebacks: no player gets other outcomes; fold, cached table and audit stay equal."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from redis import Redis

from cartulary.events.ledger.writer import Written
from cartulary.events.model.errors import NothingToTakeBack
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.games import OFFERS as ON_OFFER
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move
from tests.events.support.opened_tables import At, open_table
from tests.support.night import short_or_long

TAKEBACKS = short_or_long(60, 200)
GAMES = [
    *(("carcassonne", 2, 1), ("carcassonne", 5, 2)),
    *(("caylus", 2, 1), ("caylus", 4, 2)),
    *(("beans", 2, 1), ("beans", 4, 2)),
]


@pytest.fixture
def store(fake_redis: Redis, rng: random.Random) -> Iterator[Store]:
    store = Store(fake_redis, {**OFFERS, **ON_OFFER}, rng=rng)
    yield store
    store.leases.close()


class Seen(At):
    """A table, and what was drawn in each move."""

    def __init__(self, store: Store, table: Table, player: Player) -> None:
        super().__init__(store, table, [player])
        self.drawn: dict[int, list[str]] = {}
        self.longest: list[str] = []

    def move(self, move: Json | None = None) -> Written:
        written = super().move(move)
        for event in written.events:
            self.drawn[event["version"]] = event["chance"]
        return written

    def must_draw_as_before(self) -> None:
        """Check the order of the draws: those of the moves that stand, then those that are kept."""
        course = self.now.course
        known = [x for version in self.drawn if course.stands(version) for x in self.drawn[version]]
        known += course.remembered
        shorter, longer = sorted((known, self.longest), key=len)
        assert longer[: len(shorter)] == shorter
        self.longest = longer


@pytest.mark.parametrize(("game", "seats", "seed"), GAMES)
@pytest.mark.slow
def test_nobody_gets_another_outcome_by_taking_back(
    store: Store, ada: Player, game: str, seats: int, seed: int
) -> None:
    rng = random.Random(seed)
    taken = draws = 0
    while taken < TAKEBACKS:
        at = Seen(store, open_table(store, [ada] * seats, game=game), ada)
        while at.now.status == "running" and taken < TAKEBACKS:
            for _ in range(rng.randint(1, 6)):
                if at.now.status == "running":
                    at.move(any_move(at.now, rng))
            if at.now.status == "running":  # no player goes back behind the end of the play
                taken += take_back(at, ada, rng)
            at.must_draw_as_before()
        at.must_hold()
        draws += len(at.longest)
    assert game == "caylus" or draws > TAKEBACKS / 10


def take_back(at: At, player: Player, rng: random.Random) -> bool:
    """Take back to a random version, mostly not far; check that the old position is back."""
    version = at.now.version
    to_version = max(2, version - int(rng.expovariate(0.15)))
    try:
        written = at.propose(player, to_version=to_version)
    except NothingToTakeBack:  # it stands no more
        return False
    earlier = at.store.projector.table(at.id, written.events[0]["to_version"])
    now = written.table
    assert (now.view_text(), now.state_hash) == (earlier.view_text(), earlier.state_hash)
    assert now.decision == earlier.decision
    return True
