"""The rows of the table of strength: played, gone on with, summed up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.games import strength
from bench.games.strength import StrengthRow, list_rows, measure, weigh
from cartulary.games import OFFERS
from cartulary.league.matches import ALONE, LeagueMatch
from cartulary.league.records import GAMES
from cartulary.league.tables import Score

QUICK = {
    "carcassonne-quick": StrengthRow(
        "`medium` against `random`", [LeagueMatch("carcassonne", "medium", "random")], 0.8, 0.9, 6
    ),
    "caylus-quick": StrengthRow(
        "`medium` first, all others `random`",
        [LeagueMatch("caylus", "medium", "random", seats, shape=ALONE) for seats in (2, 3)],
        *(1.0, 1.5),
        10,
        times_even=True,
    ),
}


def score(match: LeagueMatch, won: float, games: int) -> Score:
    return Score(match, games, games, won, 1.0, (5.0, 1.0), (3.0, 1.0), (9.0, 2.0))


def test_every_row_plays_bots_on_offer_on_tables_that_there_are() -> None:
    rows = list_rows()
    assert {"carcassonne-hard", "carcassonne-seats", "caylus-hard", "caylus-three"} <= rows.keys()
    for row in rows.values():
        assert 0 < row.least < row.aim
        assert len({match.name for match in row.matches}) == len(row.matches)
        for match in row.matches:
            OFFERS[match.game].rules.check(match.seats, dict(match.options))


@pytest.mark.slow
def test_rows_are_played_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "list_rows", lambda: QUICK)
    strength.main(0, row="carcassonne-quick", out=str(tmp_path), games=2, full=True)
    measured = strength.main(0, out=str(tmp_path), full=True)
    found = measured["rows"]
    assert (found["carcassonne-quick"]["games"], found["caylus-quick"]["games"]) == (6, 10)
    assert found["carcassonne-quick"]["value"] == 1
    assert found["caylus-quick"]["value"] == pytest.approx(2.5)
    assert measured["ratio"] == pytest.approx(1 / 0.8)
    lines = (tmp_path / "carcassonne-quick" / GAMES).read_text().splitlines()
    assert strength.main(0, out=str(tmp_path), dry=True) == measured
    assert (tmp_path / "carcassonne-quick" / GAMES).read_text().splitlines() == lines
    assert json.loads((tmp_path / "strength.json").read_text()) == measured
    assert "| `caylus-quick`: " in (tmp_path / "strength.md").read_text()


def test_the_table_replaces_the_last_table_of_the_page_about_bots(tmp_path: Path) -> None:
    folder, docs = tmp_path / "out", tmp_path / "docs"
    folder.mkdir()
    docs.mkdir()
    (docs / "bots.md").write_text(f"before\n{strength.BEGIN}\nold\n{strength.END}\nafter\n")
    (folder / "strength.md").write_text("new\n")
    (folder / "strength.json").write_text("{}")
    for _ in range(2):
        strength.write_docs(folder, docs)
        page = (docs / "bots.md").read_text()
        assert page == f"before\n{strength.BEGIN}\nnew\n{strength.END}\nafter\n"
    assert (docs / "strength" / "strength.json").read_text() == "{}"
    page = (strength.DOCS / "bots.md").read_text("utf-8")
    assert page.index(strength.BEGIN) < page.index(strength.END)


def test_a_row_that_nobody_has_played_says_so() -> None:
    line = strength.describe_row("row", QUICK["carcassonne-quick"], None)
    assert "not measured" in line
    assert len(line) == len(strength.HEAD)


def test_an_unknown_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no row nobody; there are "):
        strength.main(0, row="nobody", out=str(tmp_path))


def test_a_row_has_the_mean_of_its_cells_and_ends_when_it_is_decided() -> None:
    row = QUICK["caylus-quick"]
    even = [score(match, 0.5 * 40, 40) for match in row.matches]
    assert measure(row, even).mean.value == pytest.approx((1 + 1.5) / 2)
    strong = [score(match, 0.95 * 400, 400) for match in row.matches]
    assert measure(row, strong).verdict == "H1"
    weak = [score(match, 0.2 * 400, 400) for match in row.matches]
    assert measure(row, weak).verdict == "H0"
    assert weigh(row, []) == 0
