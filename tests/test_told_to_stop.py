"""Whatever a process is doing when it is told to stop, it stops."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.told_to_stop import LOOPS


@pytest.mark.parametrize("loop", LOOPS)
def test_a_signal_stops_the_process_whatever_line_it_is_at(loop: str) -> None:
    program = [sys.executable, "-m", "tests.told_to_stop", loop]
    told = subprocess.run(program, capture_output=True, text=True, check=False, timeout=120)
    assert told.returncode == 0, told.stderr
