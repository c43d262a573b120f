"""The bench of the archive: copies that differ in what a copy could make smaller, and its ratio."""

from __future__ import annotations

import random

import orjson
import pytest

from bench.store._finished import copy, play
from bench.store.archive import NOW, judge
from cartulary.events.archive.dictionaries import Codecs
from cartulary.events.archive.rows import pack_row, unpack_row
from cartulary.events.store import Store


@pytest.mark.slow
def test_copies_of_a_game_differ_in_people_times_and_chain(fake_store: Store) -> None:
    original = play(fake_store, "carcassonne", random.Random(1), with_person=True)
    assert original.summary["status"] == "over"
    assert len(original.requests) > 10
    one, other, again = (copy(original, random.Random(seed), NOW) for seed in (1, 2, 1))
    assert one == again
    assert len({one.id, other.id, original.summary["id"]}) == 3
    assert one.head != other.head
    assert one.people[0].player != other.people[0].player
    assert one.side_keys != other.side_keys
    for text, after in zip(one.texts, other.texts, strict=True):
        assert orjson.loads(text)["at"] != orjson.loads(after)["at"]
    codecs = Codecs()
    assert unpack_row(pack_row(one, codecs), codecs) == one


@pytest.mark.parametrize(
    ("name", "value", "ratio"),
    [("gb_of_a_million", 24, 0.5), ("archived_per_second", 30, 0.3), ("left_in_store", 800, 0.25)],
)
def test_the_ratio_is_the_worst_of_all(name: str, value: float, ratio: float) -> None:
    good = {
        "gb_of_a_million": 6,
        "archived_per_second": 200,
        "left_in_store": 100,
        "rebuild": {"caylus": {"over_store": 1.0}, "carcassonne": {"over_store": 1.2}},
        "moves": {"ratio": 0.95},
    }
    assert judge(good) == pytest.approx(1.0)
    assert judge({**good, name: value}) == pytest.approx(ratio)
    assert judge({**good, "rebuild": {"caylus": {"over_store": 3.0}}}) == pytest.approx(0.5)
