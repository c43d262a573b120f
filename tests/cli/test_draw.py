"""`cartulary draw`: the picture of any moment of a transcript."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from click.testing import CliRunner, Result

from cartulary.cli.main import main

CASES = Path(__file__).parent.parent / "cases"
GAME = CASES / "carcassonne" / "scenario-small-city.json"


def draw(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["draw", *map(str, arguments)], input=stdin)


def tiles(svg: str) -> int:
    return sum("data-tile" in element.attrib for element in ElementTree.fromstring(svg).iter())


def test_the_end_is_drawn_when_no_move_is_named(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    result = draw(GAME, "--out", out)
    assert (result.exit_code, result.output) == (0, "")
    placed = sum(m["move"]["type"] == "place_tile" for m in json.loads(GAME.read_text())["moves"])
    assert tiles(out.read_text(encoding="utf-8")) == placed + 1


def test_the_start_is_drawn_after_no_move() -> None:
    assert tiles(draw(GAME, "--move", "0").stdout) == 1


def test_caylus_is_drawn_from_stdin_for_a_phone() -> None:
    text = (CASES / "caylus" / "game-00-2p-builder.json").read_text()
    result = draw("-", "--layout", "tall", "--theme", "dark", "--move", "30", stdin=text)
    assert result.exit_code == 0
    assert 'viewBox="0 0 360 ' in result.stdout


def test_more_moves_than_there_are_is_a_no() -> None:
    result = draw(GAME, "--move", "4000")
    assert result.exit_code == 1
    assert "moves, not 4000" in result.stderr


def test_an_illegal_move_before_the_moment_is_a_no(tmp_path: Path) -> None:
    value = json.loads(GAME.read_text())
    value["moves"][0]["move"]["x"] = 99
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(value))
    result = draw(file)
    assert result.exit_code == 1
    assert "move 0" in result.stderr
    assert draw(file, "--move", "0").exit_code == 0


def test_what_cannot_be_read_or_written_is_unusable(tmp_path: Path) -> None:
    junk = tmp_path / "junk.json"
    junk.write_text("[]")
    assert draw(junk).exit_code == 2
    assert draw(tmp_path / "missing.json").exit_code == 2
    assert draw(GAME, "--out", tmp_path / "no" / "x.svg").exit_code == 2
