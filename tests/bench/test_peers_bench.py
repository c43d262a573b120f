"""The bench next to boardgame.io: its arithmetic, and when it is skipped."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.service import peers
from bench.service._duels import Duels
from bench.service._served import CONFIGURATION, serve
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.support.night import short_or_long


def test_the_ratio_is_the_median_of_the_pairs() -> None:
    compared = peers.compare([(10.0, 5.0), (30.0, 10.0), (20.0, 2.0)])
    assert compared == {"cartulary": 20.0, "boardgame_io": 5.0, "ratio": 3.0}


def test_without_node_the_bench_is_skipped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert peers.main(seconds=1) == {"skipped": "node or npm is missing"}


def test_where_npm_fails_the_bench_is_skipped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(command: list[str], **_: Any) -> None:
        raise subprocess.CalledProcessError(1, command[:2])

    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    monkeypatch.setattr("subprocess.run", fail)
    monkeypatch.setattr(peers, "PLACE", tmp_path)
    skipped = peers.main(seconds=1)["skipped"]
    assert skipped.startswith("npm cannot install boardgame.io: ")


@pytest.mark.slow
@pytest.mark.real
def test_duels_send_moves_that_were_written_before_on_two_connections(tmp_path: Path) -> None:
    with (
        EmbeddedValkey(tmp_path) as valkey,
        serve(["-c", CONFIGURATION], peers.make_environment(str(valkey.url))) as service,
    ):
        duels = Duels(service, games=short_or_long(1, 2))
        side = peers.Side(duels)
        assert side.run() > 0
        store = Store.open(StoreSettings(str(valkey.url), str(valkey.url)), OFFERS)
        games = [store.projector.table(game_id) for game_id in store.ledger.game_ids()]
        store.close()
    assert {len({seat.player["id"] for seat in table.seats if seat.player}) for table in games} == {
        2
    }
    assert max(table.version for table in games) > 50
