"""The notebook of the examples: its code runs on a dump and answers its questions."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from cartulary.events.dumps.decisions import DecisionFile, list_decisions
from cartulary.games import GAMES
from tests.events.dumps.notebook import NOTEBOOK, list_code, read_notebook, run_notebook
from tests.events.explorer.played import play

ROOT = Path(__file__).parents[3]
LARGEST = 150_000
LIBRARIES = ("pyarrow", "polars", "matplotlib")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the decisions of three games of each kind."""
    for name in LIBRARIES:
        pytest.importorskip(name, reason=f"the notebook needs {name}")
    file = DecisionFile(tmp_path / "decisions.parquet")
    for number, name in enumerate(["caylus", "carcassonne"] * 3):
        summary, events = play(name, 5, number)
        setup, options = events[1]["setup"], events[0]["options"]
        moves = [one for one in events if one["type"] == "move_made"]
        transcript = {
            "format": "cartulary/1",
            "game": name,
            "options": options,
            "seats": 5,
            "setup": GAMES[name].setup_to_transcript(setup),
            "draws": [drawn for one in events[1:] for drawn in one["chance"]],
            "moves": [{"seat": one["seat"], "move": one["move"]} for one in moves],
        }
        seats = [{"player": 1 + seat} for seat in range(5)]
        line = {"number": number, "seats": seats, "transcript": transcript}
        file.write(list_decisions({**line, "result": summary["result"]}, GAMES[name], {}))
    file.close()
    return tmp_path


@pytest.mark.slow
def test_the_notebook_answers_its_three_questions(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPEN_DATA", "")
    names: dict[str, Any] = {}
    shown = run_notebook(folder, names)
    assert names["places"]["place"].to_list() == [1, 2, 3, 4, 5]
    assert names["places"]["games"].to_list() == [3] * 5
    assert abs(names["leads"]["lead"].sum()) < 1e-6
    assert names["places"].columns == ["place", "score", "lead", "error", "wins", "games"]
    assert 0 < names["first"]["times"].sum() <= 15
    assert names["first"].columns == ["answer", "times", "lead", "give_or_take", "wins"]
    assert names["first"].height <= 10, "the most frequent ones"
    assert set(names["followers"]["stage"]) == {"opening", "middle", "end"}
    assert names["followers"].columns == ["tile", "stage", "placed", "asked"]
    assert names["followers"]["placed"].is_between(0, 1).all()
    answer = "".join(shown[1][0]["text"]).splitlines()[-1]
    assert re.fullmatch(
        r"The first seat is worth [+-]\d+\.\d points, give or take \d+\.\d\.", answer
    )
    kinds = [[one["output_type"] for one in cell] for cell in shown]
    kept = [[one["output_type"] for one in cell["outputs"]] for cell in list_code(read_notebook())]
    assert kinds == kept


def test_the_notebook_shows_three_pictures_and_says_of_whose_games() -> None:
    notebook = read_notebook()
    shown = [one for cell in list_code(notebook) for one in cell["outputs"]]
    pictures = [one["data"]["image/png"] for one in shown if "image/png" in one.get("data", {})]
    assert len(pictures) == 3
    assert all(base64.b64decode(one).startswith(b"\x89PNG") for one in pictures)
    assert len(NOTEBOOK.read_bytes()) < LARGEST
    head = "".join(notebook["cells"][0]["source"])
    assert "games of bots" in head
    (command,) = re.findall(r"python -m bench (\w+)", head)
    assert (ROOT / "bench" / "store" / f"{command}.py").is_file()


@pytest.mark.slow
def test_the_lines_of_the_page_read_a_dump(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "dumps.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (folder / "2026-10").symlink_to(folder)
    monkeypatch.chdir(folder)
    exec(code, {})
    assert "round-1/seat-5" in capsys.readouterr().out
