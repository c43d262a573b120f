"""Reads of a cluster go to masters: a replica may lack what was promised."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.server import cluster
from cartulary.events.server.connection import connect


def test_the_client_of_a_cluster_reads_from_no_replica(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    class NotedClient(cluster._Client):  # noqa: SLF001
        def __init__(self, **settings: Any) -> None:
            asked.update(settings)

        def get_primaries(self) -> list[Any]:
            return []

    monkeypatch.setattr(cluster, "_Client", NotedClient)
    client: Any = connect("redis+cluster://node:7000")
    assert client.list_masters() == {}
    assert asked.get("require_full_coverage") is False
    assert not asked.get("read_from_replicas")
    assert asked.get("load_balancing_strategy") is None
