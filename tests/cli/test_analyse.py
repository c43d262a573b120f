"""`cartulary analyse`: the judgement of each decision of a transcript, as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.engine.core import Json

CASES = Path(__file__).parent.parent / "cases"
GAME = CASES / "carcassonne" / "scenario-small-city.json"


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["analyse", *map(str, arguments)], input=stdin)


def read() -> Json:
    value: Json = json.loads(GAME.read_text(encoding="utf-8"))
    return value


@pytest.mark.parametrize("level", [(), ("--level", "hard")])
def test_every_move_is_judged_and_every_seat_summed_up(level: tuple[str, ...]) -> None:
    result = run(GAME, *level)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert (found["status"], found["progress"], found["level"]) == ("done", 1.0, "hard")
    moves = [{"seat": one["seat"], "move": one["move"]} for one in found["decisions"]]
    assert moves == read()["moves"]
    assert [one["version"] for one in found["decisions"]] == list(range(3, 3 + len(moves)))
    for seat in found["seats"]:
        assert set(seat) == {"accuracy", "loss", "luck", "turning_points"}


def test_the_same_file_gives_the_same_json_on_stdout_and_in_a_file(tmp_path: Path) -> None:
    out = tmp_path / "analysis.json"
    result = run("-", "--out", out, stdin=GAME.read_text(encoding="utf-8"))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8") == run(GAME).stdout


@pytest.mark.slow
@pytest.mark.process
def test_two_processes_give_the_same_json_as_one() -> None:
    assert run(GAME, "--jobs", "2").stdout == run(GAME).stdout


def test_the_parts_of_an_analysis_are_all_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "cartulary.cli.games.analyse.run_each", lambda run, tasks, jobs: map(run, [*tasks][::-1])
    )
    assert run(GAME, "--jobs", "2").stdout == run(GAME).stdout


def test_an_illegal_move_is_a_no(tmp_path: Path) -> None:
    value = read()
    value["moves"][0]["move"]["x"] = 99
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(value))
    result = run(file)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "move 0" in result.stderr


def test_another_result_is_a_no(tmp_path: Path) -> None:
    value = {**read(), "result": {"scores": [99, 0], "winners": [0]}}
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(value))
    assert run(file).exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [("missing.json",), (GAME, "--level", "medium"), (GAME, "--out", "missing/x.json"), ()],
)
def test_a_missing_file_or_level_is_unusable(arguments: tuple[str | Path, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_a_directory_that_is_missing_is_reported_before_the_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "cartulary.cli.games.analyse.read_file", lambda _: pytest.fail("work has begun")
    )
    result = run(GAME, "--out", tmp_path / "missing" / "x.json")
    assert result.exit_code == 2
    assert "is not a directory" in result.stderr


def test_a_file_that_is_no_transcript_is_unusable(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("{}")
    result = run(file)
    assert result.exit_code == 2
    assert "format" in result.stderr
