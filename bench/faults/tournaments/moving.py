"""A service moves: its backup is restored into another directory, where it goes on."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

from bench.faults.kinds import FaultTargets
from bench.faults.reckoning import run_command
from bench.faults.service import ROOT, ServiceProcess

ELSEWHERE: Final = "elsewhere"
"""The name of the other directory."""


def move_elsewhere(scene: FaultTargets) -> None:
    """Back a service up while it is played on, kill it, and let a restored one go on.

    The other service has another directory, the same port, and its key from the environment. What
    happened after the backup began is lost. Raises `CalledProcessError`, `NotInTime`.
    """
    service, copied = scene.service, time.monotonic()
    file = service.log.parent / "backup"
    run_command(service, "backup", str(file)).check_returncode()
    service.kill_all()
    killed = time.monotonic()
    elsewhere = service.data.with_name(ELSEWHERE)
    elsewhere.mkdir()
    service.data = elsewhere
    run_command(service, "restore", str(file)).check_returncode()
    scene.journal.note_fallback(copied, killed)
    service.start()
    service.await_ready()


def verify_draws(service: ServiceProcess, tournament: str) -> str:
    """Return what `cartulary verify --fair --tournament URL` says against a tournament, or ''."""
    url = f"http://127.0.0.1:{service.port}/tournaments/{tournament}"
    done = subprocess.run(
        [sys.executable, "-m", "cartulary.cli", "verify", "--fair", "--tournament", url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{done.stdout}{done.stderr}" if done.returncode else ""
