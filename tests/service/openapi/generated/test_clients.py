"""Three generated clients read what a later release answers, and play both games with a stream.

By day openapi-typescript. The clients in Python are made in the night: each takes ten seconds of a
processor or more.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cartulary.service.openapi.forms.opening import open_description
from cartulary.service.openapi.yaml_text import write_yaml
from tests.service.openapi.generated.later_release import LATER
from tests.service.openapi.generated.making import (
    install_node_packages,
    make_closed_types,
    make_generator_client,
    make_python_client,
    make_types,
    run,
)
from tests.service.support.gunicorn_process import Gunicorn
from tests.support.night import at_night, short_or_long

HERE = Path(__file__).parent
MOVES = str(short_or_long(20, 2000))
"""In each game: a few in CI, all in the night."""

pytestmark = [pytest.mark.process, pytest.mark.real]


@pytest.fixture
def description(tmp_path: Path, described: dict[str, Any]) -> Path:
    """The open description as a file."""
    file = tmp_path / "openapi-open.yaml"
    file.write_text(write_yaml(open_description(described)), encoding="utf-8")
    return file


def check_report(printed: str, trouble: str) -> None:
    """Check what a program says that it has read and played."""
    assert printed, trouble
    report = json.loads(printed)
    read = report["read"]
    assert read["events"] == ["MoveMade", "OtherEvent", "MoveMade", "MoveMade", "StandInSeated"]
    assert read["facts"] == ["OtherFact", "PointsFact"]
    assert read["move"] == LATER["legal"]["moves"][0]
    assert (read["code"], read["reason"]) == ("too_tired", "asleep")
    assert read["decision"] == "OtherDecision"
    assert report["played"].keys() == {"carcassonne", "caylus"}
    for name, played in report["played"].items():
        assert played["type"] == f"{name.capitalize()}Game"
        assert played["status"] != "running"
        assert played["streamed"] == list(range(1, len(played["streamed"]) + 1))
        assert len(played["streamed"]) > 20


def play(program: str, package: Path, service: Gunicorn) -> None:
    """Run a program with the client in `package`."""
    # Python looks for modules where its program is, so the program goes to the client.
    copied = package.parent / program
    copied.write_text((HERE / program).read_text(encoding="utf-8"), encoding="utf-8")
    command = (sys.executable, copied, package.name, service.url, MOVES)
    played = run(*command, cwd=package.parent, text=json.dumps(LATER))
    check_report(played.stdout, played.stderr)


@at_night("tests/service/openapi/generated/test_clients.py::test_openapi_typescript")
def test_openapi_python_client(description: Path, service: Gunicorn, tmp_path: Path) -> None:
    package = make_python_client(description, tmp_path)
    play("play_by_openapi_python_client.py", package, service)


@at_night("tests/service/openapi/generated/test_clients.py::test_openapi_typescript")
def test_openapi_generator(description: Path, service: Gunicorn, tmp_path: Path) -> None:
    package = make_generator_client(description, tmp_path)
    play("play_by_openapi_generator.py", package, service)


def test_openapi_typescript(description: Path, service: Gunicorn, tmp_path: Path) -> None:
    packages = install_node_packages(tmp_path)
    make_types(packages, description, tmp_path / "open.ts")
    # `sample.ts` holds what the types of the closed description forbid.
    make_closed_types(packages, tmp_path / "api.ts")
    compiled = run(packages / ".bin" / "tsc", "--project", tmp_path, cwd=tmp_path)
    assert compiled.returncode == 0, compiled.stdout
    assert compiled.stdout == ""
    program = tmp_path / "out" / "player.js"
    played = run("node", program, service.url, MOVES, json.dumps(LATER), cwd=tmp_path)
    check_report(played.stdout, played.stderr)
