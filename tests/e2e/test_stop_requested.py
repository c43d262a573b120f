"""A process stops on a signal, whatever it is doing."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.process
def test_a_signal_stops_each_process_whatever_line_it_is_at() -> None:
    program = [sys.executable, "-m", "tests.e2e.stop_requested"]
    ended = subprocess.run(program, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
