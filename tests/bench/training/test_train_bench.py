"""The learned leaf of Caylus: what its tables are fitted from, and that a seed makes them again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.training import _games, _matches, leaves, train
from bench.training._beginning import list_beginnings
from bench.training._fitting import begin_weights, fit
from bench.training._games import TrainingGame, TrainingPosition, TrainingTask, play_step
from bench.training._judging import judge_leaf
from bench.training._matches import (
    LEVELS,
    OPTIONS,
    LeafEntrant,
    MatchResult,
    is_decided,
    play_matches,
)
from bench.training._sums import compare_seats, list_cells
from bench.training._tables import STORED, read_tables, write_tables
from bench.training.train import add_up, begin_sums, main, wins
from cartulary.bots.caylus.features import NAMES, SCORE
from cartulary.bots.caylus.leaf import KNOT, KNOTS, UNIT, Tables, look_out
from cartulary.bots.caylus.outlook import tabulate
from cartulary.bots.caylus.weights import MEDIUM
from cartulary.league.matches import LeagueMatch
from cartulary.league.ratings import RatedResult
from cartulary.league.tables import Score

SHORT = Path(__file__).with_name("short_leaf.txt")
"""What the short form of the command makes: `python -m bench train caylus --seed 33 --steps 2
--games 2 --iterations 1 --matches 0`, written as `learned.py` into `--out`."""


def make_games(count: int) -> list[TrainingGame]:
    """Games in which early in a game a food is worth 9 points, and not even points count."""
    rng, food = random.Random(1), NAMES.index("food")
    games = []
    for number in range(count):
        rows = [[0] * len(NAMES) for _ in range(2)]
        for row in rows:
            row[SCORE], row[food] = 20 + rng.randrange(3), rng.randrange(8)
        scores = [20 + 9 * row[food] for row in rows]
        position = TrainingPosition(3, 12, rows, [20.0, 20.0])
        games.append(TrainingGame(number, "table", [position], scores))
    return games


def sum_up(games: list[TrainingGame]) -> train.AllSums:
    sums = begin_sums()
    add_up(games, sums)
    return sums


def find_weight(tables: Tables, key: tuple[int, str], name: str, knot: int) -> float:
    return tables[key][knot][NAMES.index(name)] / UNIT


def test_a_seat_is_compared_with_the_mean_of_the_others() -> None:
    assert compare_seats([[4, 0], [1, 3], [1, 0]]) == [[6, -3], [-3, 6], [-3, -3]]


@pytest.mark.slow
def test_the_order_of_the_games_does_not_matter() -> None:
    games = make_games(20)
    assert fit(sum_up(games)) == fit(sum_up(games[::-1]))


def test_a_fit_finds_what_decides_games_it_has_not_seen() -> None:
    sums = begin_sums()
    aside = add_up(make_games(1500), sums)
    tables = fit(sums)
    assert find_weight(tables, (2, "table"), "food", 2) == pytest.approx(9, abs=1)
    (found,) = judge_leaf(aside, tables)
    assert (found.first, found.rows) == (2, 2 * len(aside))
    assert found.outlook == 0
    assert found.learned > 0.95


def test_a_point_is_worth_a_point_whatever_became_of_the_seats_that_had_it() -> None:
    tables = fit(sum_up(make_games(300)))
    assert {row[SCORE] for rows in tables.values() for row in rows} == {UNIT}


def test_what_no_game_says_anything_of_is_worth_what_medium_believes() -> None:
    tables = fit(sum_up(make_games(30)))
    assert set(tables) == set(list_cells())
    assert {len(rows) for rows in tables.values()} == {KNOTS}
    assert find_weight(tables, (2, "table"), "gold", 0) == 3
    assert find_weight(tables, (2, "table"), "inn", 2) == pytest.approx(MEDIUM.inn_guest, abs=0.001)


def test_the_weights_before_the_first_step_rate_the_purse_as_medium_does() -> None:
    """The rows lie where `medium` has as many rounds to go, and two cubes are worth two steps."""
    for knot, row in enumerate(list_beginnings()):
        found = dict(zip(NAMES, row, strict=True))
        left = round(KNOT * knot / MEDIUM.pace)
        purse = tabulate(MEDIUM, left).purse
        two = 2 * (found["a_food"] + found["food"]) - found["a_food"] + 2 * found["two_food"]
        assert two == pytest.approx(purse[0][2], abs=0.1)


@pytest.mark.slow
def test_a_fit_of_no_games_is_what_medium_believes() -> None:
    weights = [round(UNIT * weight) for weight in begin_weights()]
    for rows in fit(begin_sums()).values():
        assert [weight for row in rows for weight in row] == weights


def test_each_step_is_fitted_to_the_games_of_all_steps_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = make_games(40)
    halves = iter((games[:20], games[20:]))
    monkeypatch.setattr(train, "play_step", lambda *_: next(halves))
    main("caylus", steps=2, matches=0, out=str(tmp_path))
    assert read_tables(tmp_path / "step-1.py") == fit(sum_up(games[:20]))
    assert read_tables(tmp_path / "step-2.py") == fit(sum_up(games))


def test_written_tables_are_read_again(tmp_path: Path) -> None:
    tables = fit(sum_up(make_games(30)))
    file = tmp_path / "tables.py"
    file.write_text(write_tables(tables, "a command"), "utf-8")
    assert read_tables(file) == tables
    assert max(map(len, file.read_text("utf-8").splitlines())) <= 100


def test_a_run_that_was_killed_goes_on_with_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, games, played = tmp_path / "games.ndjson", make_games(3), list[int]()

    def play(task: TrainingTask) -> TrainingGame:
        played.append(task.number)
        return games[task.number]

    monkeypatch.setattr(_games, "play_training_game", play)
    tasks = [TrainingTask(1, 1, number, None, 1, 10) for number in range(3)]
    assert list(play_step(tasks, file, 1)) == games
    text = file.read_text("utf-8")
    file.write_text(text[:-10], "utf-8")
    assert list(play_step(tasks, file, 1)) == games
    assert file.read_text("utf-8") == text
    assert played == [0, 1, 2, 2]


@pytest.mark.slow
def test_the_short_form_of_the_command_makes_the_stored_tables_again(tmp_path: Path) -> None:
    found = main("caylus", seed=33, steps=2, games="2", iterations=1, matches=0, out=str(tmp_path))
    assert set(found) == {"step_1", "step_2"}
    assert (tmp_path / "learned.py").read_text("utf-8") == SHORT.read_text("utf-8")


def result(seats: int, won: float) -> MatchResult:
    match = LeagueMatch("caylus", "new", "old", seats)
    nothing, even = (0.0, 0.0), RatedResult(("new", "old"), (0.5, 0.5))
    return MatchResult(Score(match, 1, 10, won, 0.0, nothing, nothing, nothing), [even])


def test_a_sequential_test_ends_a_match_between_two_multiples_of_the_even_share() -> None:
    """With two seats 1.2 and 1.6 times the even share are 60 and 80 % of the games."""
    bounds = leaves.read_bounds("1.2,1.6", 2)
    assert is_decided(bounds, result(2, 3).score)
    assert not is_decided(None, result(2, 3).score)
    assert not is_decided(bounds, result(2, 7).score)
    assert not is_decided(bounds, result(5, 3).score), "with five seats three of ten are 1.5 times"


@pytest.mark.parametrize("text", ["high", "1.2", "1.6,1.2", "0,1", "1.2,2"])
def test_bounds_that_no_match_can_decide_are_refused(text: str) -> None:
    with pytest.raises(SystemExit, match="--sprt takes two numbers"):
        leaves.read_bounds(text, 2)


def test_tables_win_when_they_take_more_than_their_share_over_all_tables() -> None:
    assert wins([result(2, 5), result(4, 2.6)])
    assert not wins([result(2, 5), result(4, 2.5)])


@pytest.mark.slow
def test_steps_end_with_the_tables_before_when_the_new_ones_do_not_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        train, "play_step", lambda tasks, file, jobs: make_games(10 * tasks[0].step)
    )
    monkeypatch.setattr(train, "play_matches", lambda *_, **__: [result(2, 4)])
    found = main("caylus", steps=5, out=str(tmp_path))
    assert list(found) == ["step_1", "step_2"]
    stored = read_tables(tmp_path / "learned.py")
    assert stored == read_tables(tmp_path / "step-1.py") != read_tables(tmp_path / "step-2.py")


def test_a_directory_with_games_of_another_run_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "play_step", lambda *_: make_games(10))
    main("caylus", steps=1, matches=0, out=str(tmp_path))
    with pytest.raises(SystemExit, match="games of another run"):
        main("caylus", seed=2, steps=1, matches=0, out=str(tmp_path))


def test_the_games_of_greedy_seats_may_be_more_than_those_of_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = list[int]()

    def play(tasks: list[TrainingTask], *_: object) -> list[TrainingGame]:
        played.append(len(tasks))
        return []

    monkeypatch.setattr(train, "play_step", play)
    monkeypatch.setattr(train, "fit", lambda *_: read_tables(STORED))
    main("caylus", steps=3, games="15,3", matches=0, out=str(tmp_path))
    assert played == [15, 3, 3]


@pytest.mark.parametrize("games", ["", "few", "0", "15,", "15,-3"])
def test_games_that_are_no_numbers_are_refused(games: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="--games takes"):
        main("caylus", games=games, out=str(tmp_path))


def test_only_a_game_with_a_learned_leaf_can_be_trained() -> None:
    with pytest.raises(SystemExit, match="carcassonne has no learned leaf"):
        main("carcassonne")


@pytest.mark.slow
def test_equal_leaves_share_the_wins_of_a_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seats are swapped and the draws are the same, so what one wins the other loses."""
    monkeypatch.setitem(LEVELS, "hard", 1)
    monkeypatch.setattr(_matches, "OPTIONS", OPTIONS[:1])
    one, two = LeafEntrant("hard"), LeafEntrant("hard", {})
    monkeypatch.setattr(_matches, "LearnedLeaf", lambda _tables: look_out)
    (found,) = play_matches(one, two, 1, 7, tmp_path, seats=(2,))
    assert (found.score.games, found.score.deals) == (2, 1)
    assert found.score.won == 1
    monkeypatch.setattr(_matches, "run_each", lambda _run, tasks, _jobs: iter(tasks))
    (again,) = play_matches(one, two, 1, 7, tmp_path, seats=(2,))
    assert again.outcomes == found.outcomes, "no game was missing"
