"""What the cache of tables believes a table to weigh, against what the interpreter allocates."""

from __future__ import annotations

import gc
import random
import tracemalloc

import orjson
import pytest

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Game
from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.projector import WEIGHED_EVERY, weigh
from cartulary.events.model.effects.fold import fold
from cartulary.events.model.table import Table
from cartulary.events.model.types import GAME_CREATED
from cartulary.events.store import Store
from tests.support.games import ALL_GAMES
from tests.support.small_transcript import small

GAMES = 8
"""Tables that are measured together."""
WITHIN = 1.6
"""The factor that an estimate may be off."""
CASES = [
    (name, seats)
    for name, game in ALL_GAMES.items()
    for seats in sorted({game.seats_from, game.seats_to})
]


@pytest.fixture(autouse=True)
def freeze_what_is_there() -> None:
    """Let the collector look at what a test makes, not at all that the process holds."""
    gc.freeze()


def play(game: Game, seats: int, seed: int, most: int) -> list[bytes]:
    """A game at random, as its stored events."""
    rng = random.Random(seed)
    source = RandomSource(rng)
    draft = Draft(ALL_GAMES, "01ARZ3NDEKTSV4RRFFQ69G5FAV")
    player = {"id": "01ARZ3NDEKTSV4RRFFQ69G5FAW", "name": "Ada"}
    draft.add(
        GAME_CREATED,
        game=game.name,
        options=game.check(seats, {}),
        seats=[{"seat": number, "player": player, "bot": None} for number in range(seats)],
        visibility="public",
        created_by=player["id"],
    )
    draft.start(lambda _table: source)
    while draft.table.version < most and (state := draft.table.state) and not state.over:
        draft.play(rng.choice(list(state.moves())), lambda _table: source)
    return [orjson.dumps(event) for event in draft.events]


def tables_of(played: list[list[bytes]]) -> list[Table]:
    tables = [fold(ALL_GAMES, "x", None, list(map(orjson.loads, events))) for events in played]
    return [table for table in tables if table is not None]


@pytest.mark.parametrize("most", [10, 50, 1000])
@pytest.mark.parametrize(("name", "seats"), CASES)
@pytest.mark.slow
def test_a_table_weighs_what_the_interpreter_allocates_for_it(
    name: str, seats: int, most: int
) -> None:
    played = [play(ALL_GAMES[name], seats, seed, most) for seed in range(GAMES)]
    [table.view_text() for table in tables_of(played)]  # the engine remembers some things
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tables = tables_of(played)
        for table in tables:
            table.view_text()
        gc.collect()
        allocated = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    estimated = sum(map(weigh, tables))
    assert allocated / WITHIN < estimated < allocated * WITHIN, estimated / allocated


def test_a_table_without_a_view_keeps_its_estimate_for_a_while() -> None:
    (table,) = tables_of([play(ALL_GAMES["beans"], 2, 1, 4)])
    assert table.play is not None
    assert not table.play.view
    assert weigh(table, 12345) == 12345
    assert not table.play.view
    later = table._replace(life=table.life._replace(version=WEIGHED_EVERY))
    assert weigh(later, 12345) == weigh(table) != 12345


@pytest.mark.real
def test_an_import_of_a_megabyte_leaves_no_more_in_the_process_than_its_table(
    real_store: Store,
) -> None:
    ada = real_store.players.create("Ada")[0]
    transcript = {**small(), "comment": "x" * 1_000_000, "values": [[] for _ in range(20_000)]}
    for _ in range(2):
        real_store.commands.import_transcript(Intent(ada), transcript)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        held = real_store.projector.cached_bytes
        for _ in range(5):
            real_store.commands.import_transcript(Intent(ada), transcript)
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0] - before
        held = real_store.projector.cached_bytes - held
    finally:
        tracemalloc.stop()
    assert kept < 5 * 20_000
    assert 0 < held < 5 * 20_000
