"""How much of the margins luck explains: the figures, and the factors of the parts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.games.luck import FILE, Observed, find_left, fit_parts, main, sum_up


def observe(rng: random.Random, factors: tuple[float, ...], noise: float) -> Observed:
    """A margin that is luck of each part times a factor, and noise."""
    parts = [rng.gauss(0, 5) for _ in factors]
    margin = sum(factor * part for factor, part in zip(factors, parts, strict=True))
    return Observed(margin + rng.gauss(0, noise), sum(parts), parts)


def test_luck_that_is_all_of_the_margin_leaves_nothing() -> None:
    rng = random.Random(1)
    assert find_left([observe(rng, (1.0, 1.0, 1.0), 0.0) for _ in range(50)]) == pytest.approx(0)


@pytest.mark.slow
def test_luck_that_has_nothing_to_do_with_the_margin_leaves_more_than_there_was() -> None:
    rng = random.Random(2)
    found = sum_up([[observe(rng, (0.0, 0.0, 0.0), 9.0)] for _ in range(400)])
    assert found["left"] > 1.2
    assert found["best"] == pytest.approx(1, abs=0.01)
    assert found["low"] < found["left"] < found["high"]


@pytest.mark.slow
def test_the_factors_of_the_parts_are_found_again() -> None:
    rng = random.Random(3)
    games = [observe(rng, (0.5, 0.8, 1.0), 3.0) for _ in range(800)]
    assert fit_parts(games) == pytest.approx([0.5, 0.8, 1.0], abs=0.06)
    assert sum_up([[one] for one in games])["factor"] == pytest.approx(0.77, abs=0.06)


def test_a_run_goes_on_with_its_games_and_no_others(tmp_path: Path) -> None:
    line = '{"task": [2, 7000, ["%s"]], "observed": [[9.0, 6.0, [1.0, 2.0, 3.0]]]}\n'
    (tmp_path / FILE).write_text(line % "medium" + line % "easy", encoding="utf-8")
    found = main(0, 5, players="medium", out=str(tmp_path), dry=True)
    assert (found["games"], found["left"]) == (1, pytest.approx(1 / 3))
    with pytest.raises(ValueError, match="no games"):
        main(0, 5, seats=3, players="medium", out=str(tmp_path), dry=True)
