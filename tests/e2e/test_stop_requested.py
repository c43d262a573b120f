"""A process stops on a signal, whatever it is doing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.e2e.stop_requested import LOOPS


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.process
def test_a_signal_stops_the_process_whatever_line_it_is_at(loop: str) -> None:
    program = [sys.executable, "-m", "tests.e2e.stop_requested", loop]
    ended = subprocess.run(program, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
