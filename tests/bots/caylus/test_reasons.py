"""What the reasons of a move say about the workers of rivals."""

from __future__ import annotations

import random

import pytest

from cartulary.bots.caylus.reasons import Comparison, Future
from cartulary.engine.caylus.game import CAYLUS
from cartulary.engine.core import Json


def compare(idle: list[str]) -> list[Json]:
    """Return what is said about idle workers where rival 1 has idle workers in these buildings."""
    options = CAYLUS.check(2, {})
    state = CAYLUS.new(2, options, CAYLUS.draw_setup(2, options, random.Random(1)))
    facts = [{"type": "building_idle", "seat": 1, "building": name} for name in idle]
    mine, other = Future(state, facts), Future(state, [])
    comparison = Comparison(state, state.moves()[0], mine, other, [])
    return [one for one in comparison.list_reasons() if one["type"] == "strands"]


@pytest.mark.parametrize(
    ("idle", "said"),
    [
        ([], []),
        (["farm"], [{"type": "strands", "seat": 1, "building": "farm"}]),
        (["farm", "quarry", "peddler"], [{"type": "strands", "seat": 1, "workers": 3}]),
    ],
)
def test_the_workers_that_a_rival_loses_are_told_once(idle: list[str], said: list[Json]) -> None:
    assert compare(idle) == said
