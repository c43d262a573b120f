"""Quick tests start no process, and every test that does has a marker."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.quick import StartsAProcess


def test_a_test_without_a_marker_fails_where_it_starts_a_process() -> None:
    with pytest.raises(StartsAProcess, match="starts a process: mark it"):
        subprocess.run([sys.executable, "-c", "pass"], check=True)
    with pytest.raises(StartsAProcess):
        os.fork()


@pytest.mark.process
def test_a_test_with_a_marker_starts_processes() -> None:
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def test_a_test_whose_fixture_starts_a_server_is_real(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        if "real_server" in getattr(item, "fixturenames", ()):
            assert item.get_closest_marker("real"), item.nodeid
