"""The bench of calls measures each of them, and two checkouts are compared figure by figure."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from bench.others import paired
from bench.store import calls


@pytest.mark.real
def test_each_call_takes_some_time() -> None:
    measured = calls.main(0.0)
    assert set(measured) == set(paired.FIGURES["calls"].figures)
    assert all(taken > 0 for taken in measured.values())


def test_a_ratio_above_one_says_that_less_is_needed_now() -> None:
    bench = paired.PairedBench("file", ("moves.cpu_us", "read_us"), {})
    before = {"moves": {"cpu_us": 300.0}, "read_us": 10.0}
    now = {"moves": {"cpu_us": 200.0}, "read_us": 20.0}
    assert paired.compare(bench, before, now) == {"moves.cpu_us": 1.5, "read_us": 0.5}


def test_many_pairs_are_their_median_and_quartiles() -> None:
    found = paired.summarize([1.4, 1.0, 1.1, 0.9, 1.2])
    assert found == {"ratio": 1.1, "least": 1.0, "most": 1.2, "pairs": 5}
    assert paired.summarize([0.9]) == {"ratio": 0.9, "least": 0.9, "most": 0.9, "pairs": 1}


@pytest.mark.parametrize("bench", paired.FIGURES.values(), ids=paired.FIGURES)
def test_what_is_compared_is_a_bench(bench: paired.PairedBench) -> None:
    assert (Path(paired.ROOT) / "bench" / bench.file).is_file()
    module = importlib.import_module(f"bench.{bench.file.removesuffix('.py').replace('/', '.')}")
    names = module.main.__annotations__
    assert bench.arguments.keys() <= names.keys()
