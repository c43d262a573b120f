"""`cartulary explorer build` as an operator calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main

pytestmark = pytest.mark.real


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["explorer", "build", *map(str, arguments)])


@pytest.mark.usefixtures("imported")
def test_a_build_says_what_it_has_counted(tmp_path: Path) -> None:
    said = "0 games counted, 1 do not count\n"
    assert run("--data", tmp_path).stdout == said
    assert (tmp_path / "explorer.sqlite").exists()
    assert run("--data", tmp_path).stdout == "0 games counted, 0 do not count\n"
    assert run("--data", tmp_path, "--again").stdout == said


@pytest.mark.usefixtures("imported")
def test_the_database_of_the_environment_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_EXPLORER_URL", f"sqlite:///{tmp_path}/other.sqlite")
    assert run("--data", tmp_path).exit_code == 0
    assert (tmp_path / "other.sqlite").exists()
    assert not (tmp_path / "explorer.sqlite").exists()


@pytest.mark.usefixtures("imported")
def test_a_build_without_a_place_for_its_counts_is_refused(tmp_path: Path) -> None:
    found = run("--data", tmp_path / "missing")
    assert found.exit_code == 2
    assert "CARTULARY_EXPLORER_URL" in found.stderr


@pytest.mark.usefixtures("imported")
def test_a_database_that_fails_ends_a_build_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_EXPLORER_URL", f"sqlite:///{tmp_path}/missing/e.sqlite")
    found = run("--data", tmp_path)
    assert found.exit_code == 1
    assert "missing/e.sqlite" in found.stderr
