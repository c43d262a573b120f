"""The samples of the reference run as they are written, and agree with each other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.missing_tools import missing
from tests.support.real_serve import Served

SAMPLES = Path(__file__).parents[2] / "examples" / "samples"

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


def run(served: Served, *command: str) -> str:
    done = subprocess.run(
        [*command, served.url], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_sample_for_curl_runs(shared_service: Served) -> None:
    if shutil.which("curl") is None:
        missing("curl is not installed")
    printed = run(shared_service, "sh", str(SAMPLES / "first_game.sh"))
    assert "'game_created', 'game_started', 'move_made'" in printed
    assert "Ada\\xa0: pose une tuile" in printed
    assert printed.splitlines()[-2:] == ["True", "1"]
