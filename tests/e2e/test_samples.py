"""The samples of the reference run as they are written, and agree with each other."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.missing_tools import missing
from tests.support.real_serve import Served

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "examples" / "samples"

pytestmark = [pytest.mark.process]


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


def test_the_sample_for_python_runs(shared_service: Served) -> None:
    printed = run(shared_service, sys.executable, str(SAMPLES / "first_game.py"))
    assert re.search(r"^3 move_made$", printed, re.MULTILINE)
    assert "The game begins." in printed


def test_the_sample_for_typescript_runs(shared_service: Served, tmp_path: Path) -> None:
    node, bundler = shutil.which("node"), ROOT / "script/bundler/node_modules/.bin/esbuild"
    if node is None or not bundler.exists():
        missing("node (https://nodejs.org) or the packages of script/bundle are missing")
    made = tmp_path / "first_game.mjs"
    client = ROOT / "clients" / "typescript" / "src" / "index.js"
    options = ["--bundle", "--platform=node", "--format=esm", "--log-level=warning"]
    alias = f"--alias:cartulary-client={client}"
    sample = str(SAMPLES / "first_game.ts")
    command = [str(bundler), sample, alias, *options, f"--outfile={made}"]
    subprocess.run(command, check=True, timeout=60)
    printed = run(shared_service, node, str(made))
    assert re.search(r"^3 move_made$", printed, re.MULTILINE)
