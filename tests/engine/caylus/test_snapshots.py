"""A snapshot holds the whole position, also what is under way and seldom there."""

from __future__ import annotations

import json
import random

import pytest

from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.core import State
from tests.engine.caylus.busy import choose
from tests.engine.caylus.position import DECLINE, Table, batch, convert, favour, take

SLOTS = [name for name in (*Position.__slots__, *State.__slots__) if name != "facts"]


def reload(table: Table) -> Table:
    """Return a table with the state that the snapshot gives, through the text that is stored."""
    again = Table(table.state.seats)
    again.state = CAYLUS.load(json.loads(json.dumps(table.state.dump())))
    return again


def test_a_reloaded_snapshot_remembers_pending_residences() -> None:
    table = Table(3).scored(1).markers(0, buildings=4).put(0, "joust_field").put(1, "road-2")
    table.purse(0, cloth=2, deniers=1).begin("special_buildings")
    table.play({"type": "joust"}, favour("buildings"), convert("road-2", cloth=1))
    loaded = reload(table)
    assert loaded.space(2)["pending_residence"] == 0
    assert loaded.asked == (1, "produce")
    loaded.play(take(cloth=1))
    assert (loaded.space(2)["building"], loaded.space(2)["owner"]) == ("residence", 0)


def test_a_reloaded_snapshot_remembers_the_batches_of_this_castle_phase() -> None:
    table = Table(3).put(0, "castle").put(1, "castle")
    table.purse(0, food=1, wood=1, stone=1).purse(1, food=1, wood=1, stone=1).begin("castle")
    table.play(batch(wood=1, stone=1))
    loaded = reload(table)
    assert loaded.asked == (1, "castle")
    loaded.play(DECLINE)
    assert loaded.asked == (0, "favour")


@pytest.mark.parametrize("seed", range(3))
def test_a_reloaded_snapshot_is_equal_in_every_part(seed: int) -> None:
    rng = random.Random(seed)
    state = CAYLUS.new(4, {"edition": "second"}, CAYLUS.draw_setup(4, {}, rng))
    while not state.over:
        loaded = CAYLUS.load(json.loads(json.dumps(state.dump())))
        assert loaded.moves() == state.moves()
        assert parts(loaded) == parts(state)
        state.play(choose(state, rng))


def parts(state: CaylusState) -> dict[str, object]:
    return {name: getattr(state, name) for name in SLOTS}
