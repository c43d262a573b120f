"""The curve of reliability: tenths of foretold shares, and what chance is good for."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.games._marked import write_between
from bench.games.reliability import (
    BEGIN,
    END,
    RESULTS,
    ForetoldShares,
    compare_cells,
    compare_tenths,
    describe_cell,
    main,
    write_rows,
)


def make_game(rng: random.Random, number: int, *, shift: float = 0.0) -> ForetoldShares:
    """A game of two seats with ten observations, won as often as foretold plus a shift."""
    pairs = []
    share = rng.random()
    won = float(rng.random() < share + shift)
    for _ in range(10):
        pairs += [(share, won), (1 - share, 1 - won)]
    return ForetoldShares("carcassonne", 2, number, pairs)


@pytest.mark.slow
def test_shares_that_are_won_as_foretold_are_off_by_chance_alone() -> None:
    rng = random.Random(1)
    tenths = dict(compare_tenths([make_game(rng, number) for number in range(3000)]))
    assert list(tenths) == list(range(10))
    assert all(one.off <= 1.7 * one.chance for one in tenths.values())
    assert sum(one.shares for one in tenths.values()) == 60_000


def test_the_observations_of_one_game_count_as_one() -> None:
    one, same = (
        dict(
            compare_tenths(
                [
                    ForetoldShares("caylus", 2, n, [(0.55, float(n < 50))] * times)
                    for n in range(100)
                ]
            )
        )
        for times in (1, 30)
    )
    assert one[5].chance == pytest.approx(same[5].chance)
    assert one[5].chance == pytest.approx(2 * 0.0502, rel=0.02)


def test_shares_that_are_won_less_often_are_beyond_chance() -> None:
    rng = random.Random(2)
    found = describe_cell(dict(compare_tenths([make_game(rng, n, shift=-0.4) for n in range(800)])))
    assert found["off"] > 15
    assert found["beyond"] > 10


def test_each_table_size_has_a_row_and_so_have_all_together() -> None:
    cells = compare_cells(
        [ForetoldShares("caylus", seats, 1, [(0.25, 0.0), (0.95, 1.0)]) for seats in (2, 5)]
    )
    assert list(cells) == ["caylus 2", "caylus 5", "caylus all"]
    assert "| caylus all | 4 | 25/0, 95/100 | 25.0 (" in write_rows(cells)


def test_a_run_goes_on_with_the_games_that_it_has(tmp_path: Path) -> None:
    def run(games: int, *, dry: bool = False) -> dict[str, object]:
        out = str(tmp_path)
        return main(0, games, "2", "carcassonne", "easy", every=30, out=out, dry=dry)

    first = run(1)
    lines = (tmp_path / "shares.ndjson").read_text("utf-8")
    assert run(1) == first == run(1, dry=True)
    assert (tmp_path / "shares.ndjson").read_text("utf-8") == lines
    with pytest.raises(SystemExit, match="one in 30 decisions"):
        main(0, 1, "2", "carcassonne", "easy", every=31, out=str(tmp_path))


def test_the_table_stands_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write_between(page, BEGIN, END, "new\n")
    assert page.read_text("utf-8") == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
    page.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="no place for the table"):
        write_between(page, BEGIN, END, "new\n")
    assert END in RESULTS.read_text("utf-8").partition(BEGIN)[2]
