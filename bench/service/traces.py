"""What traces cost a move: with a trace for each request, for one in twenty, and without.

Three services take turns, one web process each, as in `http`. Those with traces send them by OTLP
to a collector in this process, which throws them away: each request with `always_on`, one in twenty
by default. Without traces the endpoint is not set.

The keys of `--json`, for `every` and `one_in_twenty`: `ratio`, moves per second with traces ÷
without, the median of the pairs of slices; `cpu_ratio`, CPU of a move without ÷ with traces, which
depends little on what else the machine does; `traced` and `without` have the figures of each
service. `spans_kib` is what the collector got.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from bench.service._served import CONFIGURATION, serve
from bench.service.http import Load, take_turns
from cartulary.cli.embedded.embedded import EmbeddedValkey

EACH = {"OTEL_TRACES_SAMPLER": "always_on"}


def main(seconds: float = 20.0) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedValkey(Path(directory)) as valkey,
        collecting() as (endpoint, got),
    ):
        environment = {
            "CARTULARY_EVENTS_URL": str(valkey.url),
            "CARTULARY_RATE_WRITES": "1000000000/minute",
        }
        traced = {**environment, "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint}
        command = ["-c", CONFIGURATION]
        with serve(command, environment) as without, serve(command, {**traced, **EACH}) as every:
            measured = {"every": _compare(Load(every), Load(without), seconds / 2)}
        with serve(command, environment) as without, serve(command, traced) as few:
            measured["one_in_twenty"] = _compare(Load(few), Load(without), seconds / 2)
        return {**measured, "spans_kib": sum(got) / 1024}


def _compare(traced: Load, plain: Load, seconds: float) -> dict[str, Any]:
    ratio = take_turns(traced, plain, seconds)
    with_traces, without = traced.report(), plain.report()
    cpu_ratio = without["cpu_us"] / with_traces["cpu_us"]
    return {"ratio": ratio, "cpu_ratio": cpu_ratio, "traced": with_traces, "without": without}


@contextmanager
def collecting() -> Iterator[tuple[str, list[int]]]:
    """Take what is sent by OTLP; yields the endpoint, and the sizes of what came."""
    got: list[int] = []

    class SpanSink(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            self.rfile.read(size)
            got.append(size)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            """Say nothing: a line for each batch would fill the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), SpanSink)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", got
    finally:
        server.shutdown()
        server.server_close()
