"""`cartulary explorer build` as an operator calls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.main import main
from cartulary.events.store import Store
from tests.support.store_with_archive import add_game, archive_all, find_url, open_with_archive

pytestmark = pytest.mark.real


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["explorer", "build", *map(str, arguments)])


@pytest.fixture
def store(
    real_redis: Redis, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """A store with an archived game that was imported, named in the environment."""
    with open_with_archive(real_redis, tmp_path) as store:
        store.claim()
        add_game(store)
        archive_all(store)
        monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
        monkeypatch.setenv("CARTULARY_ARCHIVE_URL", find_url(tmp_path))
        yield store


@pytest.mark.usefixtures("store")
def test_a_build_says_what_it_has_counted(tmp_path: Path) -> None:
    said = "0 games counted, 1 do not count\n"
    assert run("--data", tmp_path).stdout == said
    assert (tmp_path / "explorer.sqlite").exists()
    assert run("--data", tmp_path).stdout == "0 games counted, 0 do not count\n"
    assert run("--data", tmp_path, "--again").stdout == said


@pytest.mark.usefixtures("store")
def test_the_database_of_the_environment_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_EXPLORER_URL", f"sqlite:///{tmp_path}/other.sqlite")
    assert run("--data", tmp_path).exit_code == 0
    assert (tmp_path / "other.sqlite").exists()
    assert not (tmp_path / "explorer.sqlite").exists()


@pytest.mark.usefixtures("store")
def test_a_build_without_a_place_for_its_counts_is_refused(tmp_path: Path) -> None:
    found = run("--data", tmp_path / "missing")
    assert found.exit_code == 2
    assert "CARTULARY_EXPLORER_URL" in found.stderr


@pytest.mark.usefixtures("store")
def test_a_database_that_fails_ends_a_build_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_EXPLORER_URL", f"sqlite:///{tmp_path}/missing/e.sqlite")
    found = run("--data", tmp_path)
    assert found.exit_code == 1
    assert "missing/e.sqlite" in found.stderr
