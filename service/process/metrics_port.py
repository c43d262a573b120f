"""Serve the metrics of all processes on a port of their own: for `serve --metrics HOST:PORT`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from prometheus_client import start_http_server

from cartulary.events.server.heartbeat import EVERY_S, make_beat
from cartulary.service.process.metrics import collect_all


def main(host: str, port: str) -> None:
    """Serve until the process is stopped; raises `OSError` when the address is in use.

    Shows the supervisor meanwhile that the process works.
    """
    registry = collect_all(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))
    _, thread = start_http_server(int(port), host, registry)
    beat = make_beat()
    while thread.is_alive():
        beat()
        thread.join(EVERY_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
