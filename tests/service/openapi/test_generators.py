"""Generators make clients from `openapi.yaml` without a warning, and the clients work."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.service.describe import FILE
from cartulary.service.openapi import examples
from tests.support.missing_tools import missing

ROOT = Path(__file__).parents[3]
TYPESCRIPT = ROOT / "tests" / "typescript"
CHECKER = ROOT / "script" / "checker"
"""The packages that check the types of the client; they compile the sample too."""

OUR_FAULTS = ("EUSAGE", "EINTEGRITY", "EJSONPARSE", "E404", "ETARGET")
"""What npm reports when `package.json` or `package-lock.json` is wrong."""

READ_EXAMPLES = """
import importlib, json, pkgutil, sys
import {package} as client
for module in pkgutil.walk_packages(client.__path__, "{package}."):
    importlib.import_module(module.name)
from {package} import models
answers, events = json.load(sys.stdin)
for event in events:
    assert models.EventsPage.from_dict({{"events": [event], "next_after": 1}}).to_dict(), event
made = models.MoveWritten.from_dict(answers["make_move"]["place_tile"]["value"])
assert type(made.game) is models.CarcassonneGame
assert type(made.game.view) is models.CarcassonneView
assert type(made.game.decision) is models.PlaceTileDecision
assert type(made.event.move) is models.PlaceTileMove
assert [type(fact) for fact in made.event.facts] == [models.PointsFact]
legal = models.MoveList.from_dict(answers["list_moves"]["place_tile"]["value"])
assert {{type(move) for move in legal.moves}} == {{models.PlaceTileMove}}
caylus = models.State.from_dict(answers["show_state"]["caylus"]["value"])
assert type(caylus.view) is models.CaylusView
print("read")
"""
"""Imports every module of the Python client, and reads the examples with its classes."""


def run(*command: str | Path, cwd: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, input=text, cwd=cwd, capture_output=True, text=True, timeout=240, check=False
    )


@pytest.mark.process
def test_openapi_python_client_makes_a_client_that_reads_every_example(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "openapi_python_client", "generate"]
    made = run(*program, f"--path={FILE}", f"--output-path={tmp_path / 'client'}", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    # A long path is wrapped; a warning would be more words.
    assert "".join(made.stdout.split()) == f"Generating{tmp_path / 'client'}"
    # The generator knows neither NDJSON nor pictures, and leaves these answers out.
    warnings = [line for line in made.stderr.splitlines() if line.startswith("WARNING")]
    assert sorted(warnings) == [
        "WARNING parsing GET /api/v1/games/{game_id}/board.png within states.",
        "WARNING parsing GET /api/v1/games/{game_id}/replay.gif within states.",
        "WARNING parsing GET /api/v1/games/{game_id}/replay.webp within states.",
        "WARNING parsing GET /api/v1/players/me/export within players.",
    ]
    (package,) = (tmp_path / "client").glob("*_client")
    script = READ_EXAMPLES.format(package=package.name)
    shown = json.dumps([examples.ANSWERS, list(examples.EVENTS.values())])
    read = run(sys.executable, "-c", script, cwd=tmp_path / "client", text=shown)
    assert read.stdout == "read\n", read.stderr


@pytest.fixture
def node_modules(tmp_path: Path) -> Path:
    """A folder with the packages of `script/checker`, installed if need be."""
    for file in (*TYPESCRIPT.iterdir(), CHECKER / "package.json", CHECKER / "package-lock.json"):
        if file.is_file():
            shutil.copy(file, tmp_path)
    if shutil.which("node") is None:
        pytest.skip("openapi-typescript needs node, and node is not installed")
    if shutil.which("npm") is None:
        missing("openapi-typescript needs npm, and npm is not installed")
    installed = CHECKER / "node_modules"
    if installed.is_dir():
        (tmp_path / "node_modules").symlink_to(installed)
        return installed
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
    fetched = run("npm", "ci", *options, "--fetch-timeout=10000", cwd=tmp_path)
    if fetched.returncode and not any(fault in fetched.stderr for fault in OUR_FAULTS):
        # A registry that does not answer says nothing about openapi.yaml, not even in CI.
        pytest.skip(f"openapi-typescript cannot be installed: {fetched.stderr[-500:]}")
    assert fetched.returncode == 0, fetched.stderr
    return tmp_path / "node_modules"


@pytest.mark.process
def test_openapi_typescript_makes_types_for_a_program_that_plays_a_move(
    tmp_path: Path, node_modules: Path
) -> None:
    program = node_modules / ".bin" / "openapi-typescript"
    made = run(program, FILE, "--output", "api.ts", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    for word in ("warn", "error", "⚠"):
        assert word not in (made.stdout + made.stderr).lower(), made.stderr
    compiled = run(node_modules / ".bin" / "tsc", "--project", tmp_path, cwd=tmp_path)
    assert compiled.returncode == 0, compiled.stdout
    assert compiled.stdout == ""


@pytest.mark.parametrize("folder", ["checker", "bundler"])
def test_the_packages_of_the_scripts_are_pinned_and_name_no_registry(folder: str) -> None:
    wanted = json.loads((ROOT / "script" / folder / "package.json").read_text(encoding="utf-8"))
    lock = (ROOT / "script" / folder / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(lock)["packages"]
    for name, version in wanted["devDependencies"].items():
        assert packages[f"node_modules/{name}"]["version"] == version
    assert all("integrity" in package for path, package in packages.items() if path)
    assert "resolved" not in lock
