"""The fold: what a result does to ratings, and how they are shown."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from math import log
from pathlib import Path

import pytest

from cartulary.ratings.fold import follow, move, predict_first, preview
from cartulary.ratings.results import Bucket, Entrant, GameResult
from cartulary.ratings.scale import LOGIT, MU, START, Standing, place_level

ADA, BOB, EVE = (Entrant(name) for name in ("ada", "bob", "eve"))
ROOT = Path(__file__).parents[2]


def level(strength: int) -> Entrant:
    return Entrant(None, strength)


def play(entrants: Sequence[Entrant], ranks: Sequence[int], times: int = 1) -> dict[str, Standing]:
    known: dict[str, Standing] = {}
    for _ in range(times):
        known.update(move(entrants, ranks, known))
    return known


def test_who_is_first_gains_what_the_other_loses_at_the_start() -> None:
    known = play([ADA, BOB], [1, 2])
    assert known["ada"].rating > 1500 > known["bob"].rating
    assert known["ada"].rating + known["bob"].rating == 3000


def test_a_tie_of_equals_moves_no_rating() -> None:
    known = play([ADA, BOB], [1, 1])
    assert (known["ada"].rating, known["bob"].rating) == (1500, 1500)
    assert known["ada"].sigma < START.sigma


def test_each_rank_of_a_larger_table_counts() -> None:
    known = play([ADA, BOB, EVE], [3, 1, 2])
    assert known["bob"].mu > known["eve"].mu > known["ada"].mu


def test_only_the_person_moves_beside_levels() -> None:
    assert play([level(1500), ADA], [2, 1]).keys() == {"ada"}


def test_a_level_stands_where_the_league_has_measured_it() -> None:
    assert Standing(place_level(1500)).rating == 1500
    assert Standing(place_level(1900)).rating == 2314
    known = {"ada": Standing(place_level(1900), 0.0)}
    assert predict_first([ADA, level(1500)], known)[0] == pytest.approx(10 / 11)


@pytest.mark.parametrize("others", [1, 4])
def test_814_points_are_ten_times_the_chance_at_tables_of_every_size(others: int) -> None:
    known = {"ada": Standing(MU + log(10) * LOGIT, 0.0)}
    assert known["ada"].rating == 1500 + 814
    chances = predict_first([ADA, *[level(1500)] * others], known)
    assert chances[0] == pytest.approx(10 * chances[1])
    assert sum(chances) == pytest.approx(1)


def test_an_uncertain_rating_predicts_less() -> None:
    sure, unsure = (
        predict_first([ADA, level(1500)], {"ada": Standing(MU + LOGIT, sigma)})[0]
        for sigma in (0.0, 5.0)
    )
    assert sure > unsure > 0.5


def test_a_player_who_beats_a_level_as_often_as_not_comes_to_stand_there() -> None:
    known: dict[str, Standing] = {}
    for game in range(200):
        ranks = [1, 2] if game % 2 else [2, 1]
        known.update(move([ADA, level(2014)], ranks, known))
    far = known["ada"].rating - Standing(place_level(2014)).rating
    assert abs(far) <= known["ada"].deviation


def test_a_rating_is_provisional_until_eight_games_or_a_small_spread() -> None:
    assert START.provisional
    assert Standing(sigma=4.0, games=7).provisional
    assert not Standing(sigma=3.99, games=1).provisional
    assert not Standing(sigma=8.0, games=8).provisional


def test_the_best_rating_is_not_one_of_the_first_leap() -> None:
    first = START.after_game(40.0, 7.0)
    assert (first.rating, first.best) == (2400, 2400)
    second = first.after_game(30.0, 3.0)
    assert (second.rating, second.best) == (1800, 1800)
    assert second.after_game(28.0, 2.5).best == 1800
    assert second.after_game(31.0, 2.5).best == 1860


def test_a_preview_says_what_each_rank_would_change() -> None:
    known = {"bob": Standing(30.0, 2.0), "eve": Standing(20.0, 2.0)}
    changes = preview([EVE, ADA, BOB], known, 1)
    assert changes == sorted(changes, reverse=True)
    last = move([EVE, ADA, BOB], [2, 3, 1], known)["ada"]
    assert changes[2] == last.rating - 1500
    assert preview([level(1500), ADA], known, 0) == []


def test_the_steps_name_what_was_known_before_and_after() -> None:
    bucket = Bucket("people", "beans", "2")
    results = [GameResult(at, f"g{at}", bucket, (ADA, BOB), (1, 2)) for at in (1, 2)]
    standings: dict[str, Standing] = {}
    first, second = follow(results, standings)
    assert first.before == {"ada": START, "bob": START}
    assert second.before == first.after
    assert second.after == standings


def test_a_result_reads_back_as_it_was_written() -> None:
    bucket = Bucket("practice", "beans", "many")
    result = GameResult(7, "g", bucket, (ADA, level(1204), level(1500)), (2, 1, 2))
    assert GameResult.from_json(result.to_json()) == result
    assert Bucket.parse(bucket.text()) == bucket


def test_the_library_is_loaded_by_the_first_game_that_is_rated() -> None:
    """A process that rates nothing, such as one that answers moves, does not pay for it."""
    for path in (ROOT / "ratings").glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            assert "openskill" not in ast.dump(node) or not isinstance(
                node, (ast.Import, ast.ImportFrom)
            )
