"""Moves through HTTP on a cluster against the same moves on a standalone server, on one machine.

One web process each, the same load in turn. The cluster has three masters; for `replicated` each of
them has a replica, and an answer waits for it (`WAIT`). All servers write a file (`everysec`).

The keys of `--json`:

* `standalone`, `cluster`, `replicated`: `per_second`, `p50_ms`, `p99_ms`, and `cpu_us`, the CPU
  time of the web process for each move;
* `ratio`: moves a second on the cluster ÷ standalone, the median of the pairs of slices;
* `replicated_ratio`: the same with a replica that confirms each move: what `WAIT` costs.

All servers share the cores of the machine, so seven of them on two cores are slower than on
machines of their own; `cpu_us` depends little on that.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.cluster_nodes import BenchCluster
from bench.service._served import CONFIGURATION, serve
from bench.service.http import Load, take_turns
from cartulary.cli.embedded.embedded import EmbeddedValkey


def main(seconds: float = 40.0) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory, ExitStack() as opened:
        folder = Path(directory)
        alone = opened.enter_context(EmbeddedValkey(folder / "alone"))
        registry = opened.enter_context(EmbeddedValkey(folder / "registry"))
        standalone = opened.enter_context(_serve(str(alone.url), str(alone.url)))
        found: dict[str, Any] = {}
        plans = (("cluster", "ratio", 0, ""), ("replicated", "replicated_ratio", 3, "replicated"))
        for name, ratio, replicas, durability in plans:
            with (
                BenchCluster(folder / name, 3, replicas, durability="everysec") as nodes,
                _serve(nodes.url, str(registry.url), durability) as service,
            ):
                here, there = Load(standalone), Load(service)
                found[ratio] = take_turns(there, here, seconds / 2)
                found |= {"standalone": here.report(), name: there.report()}
        return found


def _serve(events: str, queues: str, durability: str = "") -> Any:
    """Return a context manager with a web process on these servers."""
    environment = {
        "CARTULARY_EVENTS_URL": events,
        "CARTULARY_QUEUE_URL": queues,
        "CARTULARY_DURABILITY": durability,
        "CARTULARY_RATE_WRITES": "1000000000/minute",
    }
    return serve(["-c", CONFIGURATION], environment)
