"""`cartulary dump` as an operator calls it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.events.dumps import decisions
from cartulary.events.store import Store

pytestmark = pytest.mark.real

LONG_AGO = "2020-02"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["dump", *map(str, arguments)])


@pytest.mark.usefixtures("imported")
def test_a_dump_of_a_month_without_games_is_whole_and_written_again_when_asked(
    tmp_path: Path,
) -> None:
    found = run("--month", LONG_AGO, "--to", tmp_path / "dumps")
    assert (found.exit_code, found.stdout) == (
        *(0, f"{tmp_path}/dumps/{LONG_AGO}: 0 games of 0 players\n"),
    )
    again = run("--month", LONG_AGO, "--to", tmp_path / "dumps")
    assert again.exit_code == 1
    assert "is there already: --again" in again.stderr
    assert run("--month", LONG_AGO, "--to", tmp_path / "dumps", "--again").exit_code == 0


@pytest.mark.usefixtures("imported")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = run("--month", LONG_AGO, "--to", tmp_path / "file" / "dumps")
    assert found.exit_code == 1
    assert f"nothing is written to {tmp_path}/file/dumps" in found.stderr


def test_a_month_that_is_not_over_is_refused(imported: Store, tmp_path: Path) -> None:
    month = f"{datetime.fromtimestamp(imported.clock.now_ms() / 1000, UTC):%Y-%m}"
    found = run("--month", month, "--to", tmp_path / "dumps")
    assert found.exit_code == 2
    assert "not over yet" in found.stderr
    assert not (tmp_path / "dumps").exists()


def test_what_is_no_month_is_refused(tmp_path: Path) -> None:
    found = run("--month", "October", "--to", tmp_path)
    assert found.exit_code == 2
    assert "2026-10" in found.stderr


@pytest.mark.usefixtures("imported")
def test_without_pyarrow_a_dump_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "find_spec", lambda _name: None)
    found = run("--month", LONG_AGO, "--to", tmp_path)
    assert found.exit_code == 0
    assert "cartulary-games[dumps]" in found.stderr
    assert not (tmp_path / LONG_AGO / "decisions.parquet").exists()
    assert (tmp_path / LONG_AGO / "games.jsonl.zst").exists()
