"""The bench of open data measures what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.store import dumps
from cartulary.events.dumps.decisions import is_installed

pytestmark = [pytest.mark.real, pytest.mark.slow]


@pytest.mark.skipif(not is_installed(), reason="the extra `dumps` is not installed")
def test_the_bench_writes_a_dump_without_who_has_not_said_yes(tmp_path: Path) -> None:
    measured = dumps.main(games=3, level="random", folder=str(tmp_path))
    assert (measured["played"], measured["games"]) == (3, 2)
    assert measured["decisions"] > 100
    assert measured["ratio"] > 1
    (month,) = tmp_path.iterdir()
    assert (month / "decisions.parquet").is_file()
