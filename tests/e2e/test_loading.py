"""`cartulary serve` while its store loads for a long time: it says so, and waits."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import requests

from bench.ports import find_free_port
from cartulary.cli.embedded.embedded import EmbeddedValkey, find_server
from cartulary.events.server.connection import connect
from tests.support.polling import until

pytestmark = [pytest.mark.slow, pytest.mark.real]

SERVE = """
    import sys
    from pathlib import Path
    from cartulary.cli import serve
    from cartulary.cli.main import main
    from cartulary.cli.embedded import embedded
    slow = Path(sys.argv.pop(1))
    embedded.find_server = lambda: slow
    serve.LOADED_AT_ONCE_S = 0.5
    serve.READY_WITHIN_S = 8.0
    main()
"""


def test_readyz_says_that_the_store_loads_until_it_is_ready(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "data" / "valkey") as valkey:
        pipe = connect(str(valkey.url)).pipeline(transaction=False)
        for number in range(60_000):
            pipe.set(f"k{number}", "x" * 50)
        pipe.execute()
    slow = tmp_path / "slow-valkey"
    slow.write_text(f'#!/bin/sh\nexec {find_server()} "$@" --key-load-delay 300\n')
    slow.chmod(0o755)
    port = find_free_port()
    log = tmp_path / "log"
    arguments = [f"--port={port}", f"--data={tmp_path / 'data'}", "--workers=1"]
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SERVE), str(slow), "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={
                **os.environ,
                "CARTULARY_EVENTS_URL": "",
                "CARTULARY_WEB_PROCESSES": "1",
                "CARTULARY_NOTICES": "0",
            },
        )

    def ask() -> list[requests.Response]:
        try:
            return [requests.get(f"http://127.0.0.1:{port}/readyz", timeout=5)]
        except requests.RequestException:
            return []

    try:
        early = until(ask)[0]
        assert (early.status_code, early.headers["Retry-After"]) == (503, "1")
        assert early.json()["detail"] == "the store loads its data"
        assert process.stdout is not None
        assert process.stdout.readline() == f"ready on http://127.0.0.1:{port}\n", log.read_text()
        assert "valkey loads its data: " in log.read_text()
        # Each process waits for the store; none ends and is restarted meanwhile.
        assert "restarting it" not in log.read_text()
    finally:
        process.terminate()
        process.wait(60)
