"""`cartulary backup --follow` as a process: it ships, and ends when it is asked to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.cli.backups.following import EVERY_S
from cartulary.events.backup.targets.folder import BackupFolder
from cartulary.events.server.connection import connect
from cartulary.events.shipping.chains import list_chains
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.cli.backups.commands import run
from tests.support.night import at_night
from tests.support.polling import until

CARTULARY = (sys.executable, "-m", "cartulary.cli")

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.process]


@at_night("tests/cli/backups/test_following.py::test_everything_that_changes_arrives")
def test_a_process_that_is_asked_to_end_has_shipped_the_last_change(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, data = tmp_path / "target", tmp_path / "data"
    folder.mkdir()
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*CARTULARY, "backup", str(folder), "--follow", "--data", str(data)],
            env=dict(os.environ),
            stderr=log,
        )
        try:
            until(lambda: "is proven" in (tmp_path / "log").read_text())
            assert run("backup", folder).exit_code == 1, "the folder is held"
            store = Store(connect(url), OFFERS)
            store.players.create("Bob")
            store.close()
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()
    (chain,) = list_chains(BackupFolder(folder))
    assert chain.segments
    monkeypatch.delenv("CARTULARY_EVENTS_URL")
    checked = run("restore", "--check", folder)
    assert "2 games, 64 events, 2 players" in checked.stderr
    assert EVERY_S <= 2.5, "half of the 5 s are for reading and sending"


def test_without_a_service_there_is_nothing_to_follow(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    found = run("backup", f"{tmp_path}/target/", "--follow", "--data", tmp_path / "data")
    assert (found.exit_code, "start it first" in found.stderr) == (2, True)
    left = list((tmp_path / "data").iterdir())
    assert left == [], "a `serve` that starts meanwhile has the directory"
