"""The search for weights, on a game whose best weights are known."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cartulary.bots import Budget, Think, Thought
from cartulary.league import tuning
from cartulary.league.matches import PlayedMatch, Work
from cartulary.league.records import OtherLeague, open_lines
from cartulary.league.tuning import TuningPlan, TuningStep, list_fields, scale_fields, tune


class Weights(NamedTuple):
    good: float = 1.0
    pairs: tuple[tuple[str, float], ...] = (("a", 1.0), ("b", 2.0))
    turns: int = 3


def make(weights: Any) -> Think:
    def think(state: Any, rng: random.Random, budget: Budget) -> Thought:
        return Thought((state.moves()[0],), 1, ())

    return think


PLAN = TuningPlan("caylus", Weights(), make, ["random"], ["good", "pairs"])


def play_pool(
    plan: TuningPlan, factors: dict[str, float], pool: Any, seed: str, deals: Any
) -> list[PlayedMatch]:
    """A made-up game: the lead is largest when `good` is twice and `pairs` half of the start."""
    off = (factors["good"] - 2) ** 2 + (factors["pairs"] - 0.5) ** 2
    return [PlayedMatch("", 0, 0, (0, 1), (round(1000 - 1000 * off / 40), 990), (Work(), Work()))]


def test_the_search_finds_the_weights_that_win_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "play_pool", play_pool)
    last = tune(PLAN, 1500, "seed", tmp_path / "steps", lambda step: None)
    assert last.factors["good"] == pytest.approx(2, abs=0.15)
    assert last.factors["pairs"] == pytest.approx(0.5, abs=0.15)


def test_a_search_goes_on_with_its_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "play_pool", play_pool)
    whole = tune(PLAN, 9, "seed", tmp_path / "whole", lambda step: None)
    shown: list[TuningStep] = []
    tune(PLAN, 4, "seed", tmp_path / "parts", shown.append)
    parts = tune(PLAN, 9, "seed", tmp_path / "parts", shown.append)
    assert parts == whole
    assert [step.number for step in shown] == [*range(9)]
    with pytest.raises(ValueError, match="seed seed, not other"):
        tune(PLAN, 9, "other", tmp_path / "parts", lambda step: None)


def test_half_a_step_of_a_killed_search_is_taken_again_and_two_searches_have_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "play_pool", play_pool)
    file = tmp_path / "steps"
    whole = tune(PLAN, 4, "seed", file, lambda step: None)
    file.write_text(file.read_text()[:-20])
    assert tune(PLAN, 4, "seed", file, lambda step: None) == whole
    with open_lines(file), pytest.raises(OtherLeague, match="another run"):
        tune(PLAN, 5, "seed", file, lambda step: None)


def test_numbers_are_scaled_and_what_counts_things_is_left_alone() -> None:
    assert list_fields(Weights()) == ["good", "pairs"]
    scaled = scale_fields(Weights(), {"pairs": 2.0})
    assert scaled == Weights(pairs=(("a", 2.0), ("b", 4.0)))


def test_trials_play_the_same_deals_against_each_of_the_pool() -> None:
    plan = PLAN._replace(pool=["random", "random@2"])
    games = tuning.play_pool(plan, {"good": 1.5}, plan.pool, "seed", [0, 1])
    assert len(games) == 8
    assert [game.scores for game in games[:4]] == [game.scores for game in games[4:]]
