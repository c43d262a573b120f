"""Generators and compilers, run in a directory of the test."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.service.describe import FILE
from tests.support.missing_tools import missing

ROOT = Path(__file__).parents[4]
TYPESCRIPT = ROOT / "tests" / "typescript"
CHECKER = ROOT / "script" / "checker"
"""The packages that check the types of the client; they compile our programs too."""

MADE = CHECKER / "made" / "openapi.d.ts"
"""The types of `openapi.yaml` that `script/client` has made, with the checksum of what (`of`)."""

OUR_FAULTS = ("EUSAGE", "EINTEGRITY", "EJSONPARSE", "E404", "ETARGET")
"""What npm reports when `package.json` or `package-lock.json` is wrong."""

OMITTED = [
    "WARNING parsing GET /api/v1/games/{game_id}/board.png within states.",
    "WARNING parsing GET /api/v1/games/{game_id}/replay.gif within states.",
    "WARNING parsing GET /api/v1/games/{game_id}/replay.webp within states.",
    "WARNING parsing GET /api/v1/players/me/export within players.",
]
"""openapi-python-client knows neither NDJSON nor pictures, and leaves these answers out."""


def run(*command: str | Path, cwd: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, input=text, cwd=cwd, capture_output=True, text=True, timeout=280, check=False
    )


def make_python_client(description: Path, folder: Path) -> Path:
    """Make a client with openapi-python-client; return its package."""
    program = [sys.executable, "-m", "openapi_python_client", "generate"]
    target = folder / "client"
    made = run(*program, f"--path={description}", f"--output-path={target}", cwd=folder)
    assert made.returncode == 0, made.stderr
    # A long path is wrapped; a warning would be more words.
    assert "".join(made.stdout.split()) == f"Generating{target}"
    warnings = [line for line in made.stderr.splitlines() if line.startswith("WARNING")]
    assert sorted(warnings) == OMITTED
    (package,) = target.glob("*_client")
    return package


def make_generator_client(description: Path, folder: Path) -> Path:
    """Make a Python client with openapi-generator; return its package."""
    found = importlib.util.find_spec("openapi_generator_cli")
    if found is None or found.origin is None or shutil.which("java") is None:
        missing("openapi-generator needs java and the package openapi-generator-cli")
    jar = Path(found.origin).parent / "openapi-generator.jar"
    options = ("generate", "-g", "python", "-i", description, "-o", folder / "client")
    made = run("java", "-Xmx700m", "-jar", jar, *options, cwd=folder)
    assert made.returncode == 0, made.stdout[-2000:]
    return folder / "client" / "openapi_client"


def install_node_packages(folder: Path) -> Path:
    """Make a folder with our programs and the packages of `script/checker`; return the packages.

    Skips the test where node is missing or the registry does not answer.
    """
    for file in (*TYPESCRIPT.iterdir(), CHECKER / "package.json", CHECKER / "package-lock.json"):
        if file.is_file():
            shutil.copy(file, folder)
    if shutil.which("node") is None:
        pytest.skip("openapi-typescript needs node, and node is not installed")
    if shutil.which("npm") is None:
        missing("openapi-typescript needs npm, and npm is not installed")
    installed = CHECKER / "node_modules"
    if installed.is_dir():
        (folder / "node_modules").symlink_to(installed)
        return installed
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
    fetched = run("npm", "ci", *options, "--fetch-timeout=10000", cwd=folder)
    if fetched.returncode and not any(fault in fetched.stderr for fault in OUR_FAULTS):
        # A registry that does not answer says nothing about the description, not even in CI.
        pytest.skip(f"openapi-typescript cannot be installed: {fetched.stderr[-500:]}")
    assert fetched.returncode == 0, fetched.stderr
    return folder / "node_modules"


def make_closed_types(packages: Path, target: Path) -> None:
    """Make the types of `openapi.yaml`, or take those that `script/client` has made of it.

    In CI it has, a minute ago: to make them again takes as long as a browser test.
    """
    summed = f"cat openapi.yaml {CHECKER.relative_to(ROOT)}/package-lock.json | cksum"
    digest = run("sh", "-c", summed, cwd=ROOT).stdout.strip()
    noted = MADE.with_name("of")
    if MADE.is_file() and noted.is_file() and noted.read_text(encoding="utf-8").strip() == digest:
        shutil.copy(MADE, target)
    else:
        make_types(packages, FILE, target)


def make_types(packages: Path, description: Path, target: Path) -> None:
    """Make the types of a description with openapi-typescript."""
    program = packages / ".bin" / "openapi-typescript"
    made = run(program, description, "--output", target, cwd=target.parent)
    assert made.returncode == 0, made.stderr
    for word in ("warn", "error", "⚠"):
        assert word not in (made.stdout + made.stderr).lower(), made.stderr
