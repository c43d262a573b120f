"""`cartulary simulate`: whole games in process, deterministic per seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bots.catalogue import BOTS
from cli.main import main
from engine.games import GAMES
from engine.transcript import read, verify


def simulate(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["simulate", *arguments, "--out", str(out)])


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_and_bot_plays_valid_finished_games(game: str, tmp_path: Path) -> None:
    for name in BOTS[game]:
        out = tmp_path / name
        result = simulate(out, game, "--seats", "3", "--players", name, "--games", "2")
        assert result.exit_code == 0, result.stderr
        for text in contents(out).values():
            transcript = read(text, GAMES)
            assert transcript.players == [name] * 3
            assert transcript.result is not None
            assert verify(transcript, GAMES).valid


def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    arguments = ["carcassonne", "--seats", "2", "--players", "greedy,random", "--games", "2"]
    for name, seed in [("a", "7"), ("b", "7"), ("c", "8")]:
        assert simulate(tmp_path / name, *arguments, "--seed", seed).exit_code == 0
    a, b, c = (contents(tmp_path / name) for name in "abc")
    assert sorted(a) == ["carcassonne-0001.json", "carcassonne-0002.json"]
    assert a == b
    assert a != c
    assert a["carcassonne-0001.json"] != a["carcassonne-0002.json"]


def test_players_are_given_to_the_seats_in_turn(tmp_path: Path) -> None:
    simulate(tmp_path, "carcassonne", "--seats", "5", "--players", "random,greedy")
    players = json.loads((tmp_path / "carcassonne-0001.json").read_text())["players"]
    assert players == ["random", "greedy", "random", "greedy", "random"]


def test_option_values_are_read_in_the_type_of_the_option(tmp_path: Path) -> None:
    arguments = ["carcassonne", "--seats", "2", "--players", "random", "--option", "tiny_city=2"]
    simulate(tmp_path, *arguments)
    text = (tmp_path / "carcassonne-0001.json").read_text()
    assert json.loads(text)["options"] == {"tiny_city": 2}


def test_the_summary_tells_wins_and_average_points_per_player(tmp_path: Path) -> None:
    arguments = ["carcassonne", "--seats", "2", "--players", "greedy,random", "--games", "3"]
    result = simulate(tmp_path, *arguments)
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    assert rows[0] == ["player", "seats", "wins", "average"]
    scores = [json.loads(text)["result"]["scores"] for text in contents(tmp_path).values()]
    average = sum(pair[0] for pair in scores) / 3
    assert rows[1] == ["greedy", "3", "3", f"{average:.1f}"]
    assert rows[2][:3] == ["random", "3", "0"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess", "--seats", "2", "--players", "random"], "no game 'chess'"),
        (["carcassonne", "--seats", "6", "--players", "random"], "2 to 5 seats"),
        (["carcassonne", "--seats", "2", "--players", "deep_blue"], "no player 'deep_blue'"),
        (["carcassonne", "--seats", "2", "--players", "random,random,random"], "3 players"),
        (
            ["carcassonne", "--seats", "2", "--players", "random", "--option", "tiny_city=3"],
            "takes one of",
        ),
        (["carcassonne", "--seats", "2", "--players", "random", "--option", "tiny"], "KEY=VALUE"),
        (["carcassonne", "--seats", "2", "--players", "random", "--option", "x=1"], "no option"),
    ],
)
def test_what_there_is_not_is_refused_with_exit_2(
    tmp_path: Path, arguments: list[str], reason: str
) -> None:
    result = simulate(tmp_path / "out", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert reason in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("out", ["/dev/null/x", "/proc/foo", "plain/below"])
def test_a_directory_that_cannot_be_made_is_refused_with_exit_2(tmp_path: Path, out: str) -> None:
    (tmp_path / "plain").touch()
    result = simulate(tmp_path / out, "carcassonne", "--seats", "2", "--players", "random")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{tmp_path / out}: it cannot be written: " in result.stderr


def test_a_transcript_that_cannot_be_written_is_refused_with_exit_2(tmp_path: Path) -> None:
    (tmp_path / "carcassonne-0001.json").mkdir()
    result = simulate(tmp_path, "carcassonne", "--seats", "2", "--players", "random")
    assert (result.exit_code, result.stdout) == (2, "")
