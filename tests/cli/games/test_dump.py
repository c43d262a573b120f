"""`cartulary dump` as an operator calls it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.main import main
from cartulary.events.dumps import decisions
from cartulary.events.store import Store
from tests.support.store_with_archive import add_game, archive_all, find_url, open_with_archive

pytestmark = pytest.mark.real

LONG_AGO = "2020-02"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["dump", *map(str, arguments)])


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
def test_a_dump_of_a_month_without_games_is_whole_and_never_written_again(tmp_path: Path) -> None:
    found = run("--month", LONG_AGO, "--to", tmp_path / "dumps")
    assert (found.exit_code, found.stdout) == (
        *(0, f"{tmp_path}/dumps/{LONG_AGO}: 0 games of 0 players\n"),
    )
    again = run("--month", LONG_AGO, "--to", tmp_path / "dumps")
    assert again.exit_code == 1
    assert "never changes" in again.stderr


def test_a_month_that_is_not_over_is_refused(store: Store, tmp_path: Path) -> None:
    month = f"{datetime.fromtimestamp(store.clock.now_ms() / 1000, UTC):%Y-%m}"
    found = run("--month", month, "--to", tmp_path / "dumps")
    assert found.exit_code == 2
    assert "not over yet" in found.stderr
    assert not (tmp_path / "dumps").exists()


def test_what_is_no_month_is_refused(tmp_path: Path) -> None:
    found = run("--month", "October", "--to", tmp_path)
    assert found.exit_code == 2
    assert "2026-10" in found.stderr


@pytest.mark.usefixtures("store")
def test_without_pyarrow_a_dump_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "find_spec", lambda _name: None)
    found = run("--month", LONG_AGO, "--to", tmp_path)
    assert found.exit_code == 0
    assert "cartulary-games[dumps]" in found.stderr
    assert not (tmp_path / LONG_AGO / "decisions.parquet").exists()
    assert (tmp_path / LONG_AGO / "games.jsonl.zst").exists()
