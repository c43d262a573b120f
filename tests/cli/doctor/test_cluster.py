"""The doctor next to a cluster: healthy, and without the master of some slots."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.cluster_nodes import BenchCluster, wait_until
from cartulary.events.server.servers import find_missing
from tests.cli.doctor.installation import Installation
from tests.support.night import at_night

pytestmark = pytest.mark.real


@at_night("tests/cli/doctor/test_faults.py::test_a_planted_fault_is_found_and_nothing_else")
def test_a_cluster_is_healthy_until_a_master_is_away(
    valkey: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with BenchCluster(tmp_path, 3, timeout_ms=500, durability="always") as nodes:
        found = Installation(nodes.url, tmp_path, monkeypatch, registry=valkey)
        try:
            report = found.examine(whole=True)
            assert [(one.check.code, one.seen) for one in report.findings] == []
            assert len([one for one in found.site().servers if "games" in one.name]) == 3
            nodes.masters[1].kill()
            wait_until(lambda: bool(find_missing(found.store.redis)))
            report = found.examine()
            assert [one.check.code for one in report.findings] == ["slots_missing"], report.findings
            assert "5462-10923" in report.findings[0].seen
        finally:
            found.close()
