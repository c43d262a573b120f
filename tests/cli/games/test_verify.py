"""`cartulary verify`: exit codes, one line per file, `--json` and `--trace`."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import cartulary
from cartulary.cli.main import main
from tests.support.games import COMPLETE

CASES = Path(__file__).parents[2] / "cases" / "carcassonne"
SMALL_CITY = CASES / "scenario-small-city.json"


def verify(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)], input=stdin)


def transcript(path: Path = SMALL_CITY) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text())
    return value


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(name: str, value: Any) -> Path:
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return write


@pytest.fixture
def illegal(write: Any) -> Path:
    """A transcript whose move 1 is illegal."""
    value = transcript()
    value["moves"][1]["move"] = {"type": "place_follower", "segment": "c7"}
    path: Path = write("illegal.json", value)
    return path


def test_all_cases_are_valid_one_line_each() -> None:
    files = sorted(CASES.glob("*.json"))
    result = verify(*files)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(files) >= 25
    assert [line.split(": ")[0] for line in lines] == [str(file) for file in files]
    assert all(": valid, " in line for line in lines)
    assert result.stderr == ""


def test_an_illegal_move_is_named_with_its_index_and_what_was_legal(illegal: Path) -> None:
    result = verify(SMALL_CITY, illegal)
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
    line = result.stdout.splitlines()[1]
    assert line.startswith(f"{illegal}: invalid: move 1 of seat 0: ")
    assert '; legal: {"segment":"c0","type":"place_follower"}' in line


def test_a_wrong_result_is_invalid(write: Any) -> None:
    value = transcript()
    value["result"] = {"scores": [5, 0], "winners": [0]}
    result = verify(write("wrong.json", value))
    assert result.exit_code == 1
    assert "[4,0]" in result.stdout.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[]", "JSON object"),
        ('{"format":"cartulary/2"}', "'format'"),
        ('{"format":"cartulary/1","game":"chess","seats":2,"moves":[]}', 'no game "chess"'),
        ('{"format":"cartulary/1","game":"carcassonne","seats":6,"moves":[]}', "2 to 5 seats"),
    ],
)
def test_what_is_no_transcript_exits_2_and_says_why(write: Any, text: str, reason: str) -> None:
    result = verify(write("bad.json", text))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "bad.json: " in result.stderr
    assert reason in result.stderr


def test_an_unreadable_file_outweighs_an_invalid_one(illegal: Path, tmp_path: Path) -> None:
    result = verify(illegal, tmp_path / "missing.json", SMALL_CITY)
    assert result.exit_code == 2
    assert [": valid" in line for line in result.stdout.splitlines()] == [False, True]
    assert "missing.json: the file cannot be read" in result.stderr


def test_stdin_is_read_for_a_dash() -> None:
    result = verify("-", stdin=SMALL_CITY.read_text())
    assert (result.exit_code, result.stdout[:9]) == (0, "-: valid,")


def test_json_prints_one_object_per_file(illegal: Path, write: Any) -> None:
    bad = write("bad.json", "nonsense")
    result = verify("--json", SMALL_CITY, illegal, bad)
    assert result.exit_code == 2
    good, broken, unreadable = map(json.loads, result.stdout.splitlines())
    keys = {"file", "valid", "moves", "scores", "winners", "breakdown", "error"}
    assert good.keys() == broken.keys() == unreadable.keys() == keys
    assert good["valid"] is True
    assert (good["scores"], good["winners"], good["error"]) == ([4, 0], [0], None)
    assert broken["valid"] is False
    assert broken["error"]["index"] == 1
    assert {"type": "place_follower", "segment": "c0"} in broken["error"]["legal_moves"]
    assert unreadable["valid"] is False
    assert unreadable["error"]["reason"]


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no such names")
def test_json_is_json_whatever_the_name_of_the_file(tmp_path: Path) -> None:
    names = [
        os.fsdecode(os.fsencode(tmp_path) + name) for name in (b"/a\xff.json", b"/\xc5\x81.json")
    ]
    shutil.copy(SMALL_CITY, names[0])
    result = verify("--json", *names)
    good, missing = map(json.loads, result.stdout_bytes.decode("utf-8").splitlines())
    assert (good["file"], good["valid"]) == (f"{tmp_path}/a\\xff.json", True)
    assert (missing["file"], missing["valid"]) == (f"{tmp_path}/Ł.json", False)


def trace(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    result = verify("--trace", *arguments)
    return (
        result.exit_code,
        [json.loads(line) for line in result.stdout.splitlines()],
        result.stderr,
    )


def test_the_trace_of_a_finished_game_has_a_line_per_decision_and_the_result() -> None:
    code, (*lines, last), errors = trace(CASES / "game-10.json")
    recorded = transcript(CASES / "game-10.json")
    assert (code, errors) == (0, "")
    assert [line["index"] for line in lines] == list(range(len(recorded["moves"])))
    assert [{"seat": line["seat"], "move": line["move"]} for line in lines] == recorded["moves"]
    for line in lines:
        assert list(line) == ["index", "seat", "kind", "legal", "move", "view"]
        assert line["move"] in line["legal"]
        assert line["kind"] == line["move"]["type"].replace("skip", "place")
    assert list(last) == ["view", "scores", "winners", "breakdown"]
    assert last["scores"] == recorded["result"]["scores"]


def test_the_trace_shows_the_view_before_the_move() -> None:
    _, lines, _ = trace(SMALL_CITY)
    assert [len(line["view"]["board"]) for line in lines] == [1, 2, 2]


def test_the_trace_of_an_unfinished_game_ends_with_what_it_waits_for(write: Any) -> None:
    value = transcript(CASES / "game-10.json")
    value["moves"] = value["moves"][:3]
    del value["result"]
    drawn = 3
    value["bag"] = {}
    for letter in value["draws"][drawn:]:
        value["bag"][letter] = value["bag"].get(letter, 0) + 1
    value["draws"] = value["draws"][:drawn]
    code, lines, _ = trace(write("unfinished.json", value))
    assert code == 0
    assert list(lines[-1]) == ["index", "seat", "kind", "legal", "move", "view"]
    assert lines[-1]["index"] == 3
    assert lines[-1]["move"] is None
    assert lines[-1]["legal"]


def test_the_trace_of_a_game_that_ended_by_forfeits_ends_with_its_result(write: Any) -> None:
    match = cartulary.new_game("carcassonne", 2, seed=1, players=["Ada", "Bo"])
    for _ in range(9):
        match.play_bot("random")
    scores = list(match.state.scores)
    value = {
        **match.transcript().to_json(),
        "result": {"scores": scores, "winners": [1]},
        "ending": {
            "by": "forfeits",
            "outcomes": ["resigned", "finished"],
            "ranks": [2, 1],
            "left": [{"seat": 0, "before": 9}],
        },
    }
    code, (*lines, last), _ = trace(write("forfeits.json", value))
    assert (code, len(lines)) == (0, 9)
    assert {key: last[key] for key in last if key != "view"} == {
        "scores": scores,
        "winners": [1],
        "breakdown": [],
    }
    assert "valid, 9 moves" in verify(write("again.json", value)).stdout


def test_the_trace_ends_before_an_illegal_move_with_the_error_on_stderr(illegal: Path) -> None:
    code, lines, errors = trace(illegal)
    assert code == 1
    assert [line["index"] for line in lines] == [0]
    assert "move 1: " in errors


def test_the_trace_of_an_unreadable_file_exits_2(write: Any) -> None:
    code, lines, errors = trace(write("bad.json", "{}"))
    assert (code, lines) == (2, [])
    assert "bad.json" in errors


def test_the_trace_takes_one_file() -> None:
    assert trace(SMALL_CITY, SMALL_CITY)[0] == 2


def test_usage_errors_exit_2() -> None:
    assert verify().exit_code == 2
    assert verify("--unknown").exit_code == 2


def test_the_cases_of_every_game_can_be_verified() -> None:
    games = {path.parent for path in CASES.parent.glob("*/*.json")}
    assert {folder.name for folder in games} >= {*COMPLETE}
    assert all(verify(min(folder.glob("*.json"))).exit_code == 0 for folder in games)
