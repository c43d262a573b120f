"""Code in an interpreter of its own, whose clocks, locks and random sources are a world's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BEGIN = """
import sys
sys.path.insert(0, sys.argv[1])
from simulation.world.patching import begin_world, install
install()
"""


def run_in_world(code: str, timeout: float = 120.0) -> str:
    """Run code after the patches; returns what it prints. Fails with what it says otherwise."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEGIN + code, str(ROOT)],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def expect_clean(*words: str) -> str:
    """Run `script/simulate-faults`; fails with its story, and the command that tells it again."""
    ran = simulate(*words)
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr if ran.returncode != 1 else ''}"
    return ran.stdout


def simulate(*words: str, timeout: float = 540.0) -> subprocess.CompletedProcess[str]:
    """Run `script/simulate-faults`."""
    script = str(ROOT / "script" / "simulate-faults")
    return subprocess.run(
        [sys.executable, "-W", "ignore", script, *words],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
