"""`cartulary league`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main


def league(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["league", *arguments, "--out", str(out)])


QUICK = ["carcassonne", "--players", "random,medium,easy", "--pairs", "1", "--seed", "3"]


def test_each_two_players_meet_and_the_best_is_on_top(tmp_path: Path) -> None:
    result = league(tmp_path, *QUICK, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["game"], found["seed"]) == ("carcassonne", "3")
    assert [one["name"] for one in found["ratings"]][-1] == "random"
    assert [one["rating"] for one in found["ratings"] if one["name"] == "medium"] == [1500]
    assert all(one["low"] <= one["rating"] <= one["high"] for one in found["ratings"])
    pairings = [tuple(match["players"]) for match in found["matches"]]
    assert pairings == [("random", "medium"), ("random", "easy"), ("medium", "easy")]
    for match in found["matches"]:
        assert (match["pairs"], match["games"]) == (1, 2)
        assert 0 <= match["low"] <= match["won"] <= match["high"] <= 1
    assert "| medium | 1500 |" in (tmp_path / "table.md").read_text()
    ElementTree.fromstring((tmp_path / "ratings.svg").read_text())


@pytest.mark.slow
def test_a_second_run_plays_the_missing_pairs_alone_and_prints_a_table(tmp_path: Path) -> None:
    assert league(tmp_path, *QUICK).exit_code == 0
    games = (tmp_path / "games.ndjson").read_text()
    result = league(tmp_path, *QUICK)
    assert (tmp_path / "games.ndjson").read_text() == games
    assert result.stdout.splitlines()[0].split() == ["player", "rating", "95", "%", "games"]
    more = league(tmp_path, *QUICK, "--pairs", "2")
    assert more.exit_code == 0
    assert (tmp_path / "games.ndjson").read_text().startswith(games)
    assert len((tmp_path / "games.ndjson").read_text().splitlines()) == 12


@pytest.mark.slow
def test_a_table_of_three_has_options_and_swapped_seats(tmp_path: Path) -> None:
    arguments = ["caylus", "--players", "random,easy", "--pairs", "1", "--seats", "3"]
    result = league(tmp_path, *arguments, "--option", "edition=second", "--json")
    assert result.exit_code == 0, result.output
    (match,) = json.loads(result.stdout)["matches"]
    assert (match["seats"], match["options"]["edition"]) == (3, "second")
    lines = map(json.loads, (tmp_path / "games.ndjson").read_text().splitlines())
    assert [line["seating"] for line in lines] == [[0, 1, 0], [1, 0, 1]]


@pytest.mark.slow
def test_a_sequential_test_ends_a_league_early_and_names_its_hypotheses(tmp_path: Path) -> None:
    arguments = ["caylus", "--players", "easy,random", "--pairs", "99", "--sprt", "0.3,0.8"]
    result = league(tmp_path, *arguments)
    assert result.stdout.splitlines()[-1] == "H0: easy wins 30 %, H1: easy wins 80 %; accepted: H1"
    assert len((tmp_path / "games.ndjson").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["chess", "--players", "random,easy", "--pairs", "1"], "chess"),
        (["caylus", "--players", "random,best", "--pairs", "1"], "no player 'best'"),
        (["caylus", "--players", "random", "--pairs", "1"], "two players or more"),
        (["caylus", "--players", "easy,easy", "--pairs", "1"], "easy is named twice"),
        (["caylus", "--players", "random,hard@0", "--pairs", "1"], "at least one iteration"),
        (["caylus", "--players", "random,easy", "--pairs", "0"], "--pairs"),
        (["caylus", "--players", "random,easy", "--pairs", "1", "--seats", "9"], "seats"),
        (["caylus", "--players", "random,easy", "--pairs", "1", "--option", "x=1"], "x"),
        (["caylus", "--players", "random,easy", "--pairs", "1", "--jobs", "0"], "--jobs"),
        (["caylus", "--players", "random,easy", "--pairs", "1", "--sprt", "0.9,0.5"], "--sprt"),
        (["caylus", "--players", "random,easy", "--pairs", "1", "--sprt", "high"], "--sprt"),
        (["caylus", "--players", "random,easy,hard", "--pairs", "1", "--sprt", "0.5,0.6"], "two"),
    ],
)
def test_what_cannot_be_played_is_refused_before_a_game_begins(
    arguments: list[str], error: str, tmp_path: Path
) -> None:
    result = league(tmp_path / "out", *arguments)
    assert result.exit_code == 2
    assert error in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_directory_with_other_games_is_refused(tmp_path: Path) -> None:
    assert league(tmp_path, *QUICK).exit_code == 0
    result = league(tmp_path, *QUICK[:-1], "4")
    assert result.exit_code == 2
    assert "seed 3, not 4" in result.stderr


def test_a_directory_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = league(tmp_path / "file" / "out", *QUICK)
    assert result.exit_code == 2
    assert "file" in result.stderr


def test_a_table_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.md").mkdir()
    result = league(tmp_path, *QUICK)
    assert (result.exit_code, "table.md: Is a directory" in result.stderr) == (2, True)


@pytest.mark.process
def test_bots_of_others_play_in_a_league_and_a_changed_bot_is_another_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Path(__file__).parents[1] / "outside" / "strange_engine.py"
    bot = tmp_path / "first_bot_of_league.py"
    bot.write_text("def think(state, rng, budget):\n    return state.moves()[0]\n")
    monkeypatch.chdir(tmp_path)
    command = f"command:{sys.executable} -S {engine} resign"
    names = f"random,first_bot_of_league:think,{command}"
    arguments = ["carcassonne", "--players", names, "--pairs", "1", "--json"]
    result = league(tmp_path / "out", *arguments)
    assert result.exit_code == 0, result.output
    rated = {one["name"] for one in json.loads(result.stdout)["ratings"]}
    assert rated == {"random", "first_bot_of_league:think", command}
    assert league(tmp_path / "out", *arguments).exit_code == 0
    bot.write_text("def think(state, rng, budget):\n    return state.moves()[-1]\n")
    changed = league(tmp_path / "out", *arguments)
    assert changed.exit_code == 2
    assert "which is another player now" in changed.stderr


def test_a_bot_that_fails_in_a_league_is_named_and_the_games_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing_bot_of_league.py").write_text("def think(*_): return None\n")
    monkeypatch.chdir(tmp_path)
    arguments = ["caylus", "--players", "random,failing_bot_of_league:think", "--pairs", "1"]
    result = league(tmp_path / "out", *arguments)
    assert result.exit_code == 1
    assert "failing_bot_of_league:think: returned None, which is not one of" in result.stderr
