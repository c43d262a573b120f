"""Changes are shipped from a cluster, also while its masters change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.cluster_nodes import BenchCluster
from cartulary.cli.backups import making
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent
from cartulary.events.server.servers import list_servers
from cartulary.events.store import Store
from tests.cli.backups.following import Shipping
from tests.events.backup.restoring import audit, carried
from tests.events.support.bean_games import any_move, beans_game
from tests.support.night import at_night

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.process]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    with EmbeddedValkey(tmp_path / "elsewhere") as valkey:
        assert valkey.url is not None
        yield valkey.url


def carried_by(store: Store) -> dict[bytes, Any]:
    """Everything that a backup carries, of all servers."""
    servers = {*list_servers(store.redis), store.registry}
    return {key: value for server in servers for key, value in carried(server).items()}


@at_night("tests/cli/backups/test_following.py::test_everything_that_changes_arrives")
def test_what_changes_on_any_node_arrives(
    store: Store,
    nodes: BenchCluster,
    tmp_path: Path,
    elsewhere: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(making, "prove", lambda _file, _jobs: None)
    store.claim()
    ada = store.players.create("Ada")[0]
    shipping = Shipping(store, tmp_path)
    shipping.begin()
    tables = [store.commands.create(Intent(ada, key=f"{n}"), beans_game()).table for n in range(12)]
    shipping.turn()
    for table in tables:
        store.commands.move(Intent(ada), table.id, any_move(table))
    shipping.turn()
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried_by(store)
        assert audit(other) == []
    shipping.follower.end()
    assert len(nodes.masters) == 3
