"""The scripts of the checkout, with stand-ins for what they start."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STAND_INS = {
    "script/setup.sh": 'setup() { PATH="$PWD/bin:$PATH"; }\n',
    "script/chromium.sh": "find_chromium() { :; }\n",
    "bin/cartulary": '#!/bin/sh\nprintf "%s\\n" "$PWD" "$@"\n',
    "bin/python": '#!/bin/sh\nprintf "%s\\n" "$@"\n',
}
ROOMS = ("events/ledger", "events/model/time", "games", "web/js", "tests/events/ledger")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    for name, text in STAND_INS.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    for name in ("serve", "test"):
        shutil.copy(ROOT / "script" / name, root / "script")
    return root


def served(checkout: Path, caller: Path, *arguments: str) -> list[str]:
    """Call the script from a directory; return what `cartulary` is given, where it runs first."""
    script = os.path.relpath(checkout / "script" / "serve", caller)
    shell = ["sh", script, *arguments]
    done = subprocess.run(shell, cwd=caller, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ([], []),
        (["--data", "games"], ["--data", "{caller}/games"]),
        (["--data=games"], ["--data={caller}/games"]),
        (["--data", "two words"], ["--data", "{caller}/two words"]),
        (["--data", "/var/games"], ["--data", "/var/games"]),
        (["--data=/var/games"], ["--data=/var/games"]),
        (
            ["--port", "80", "--data", "../x", "--help"],
            ["--port", "80", "--data", "{caller}/../x", "--help"],
        ),
    ],
)
@pytest.mark.process
def test_a_relative_data_directory_is_in_the_directory_of_the_caller(
    checkout: Path, tmp_path: Path, arguments: list[str], given: list[str]
) -> None:
    caller = tmp_path / "at home"
    caller.mkdir()
    expected = [word.format(caller=caller) for word in given]
    assert served(checkout, caller, *arguments) == [str(checkout), "serve", *expected]


QUICK = ["-m", "not slow and not real and not browser and not process"]
CLIENT = ["tests/browser", "tests/project/test_client_rooms.py", "tests/project/test_built.py"]


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ([], []),
        (["quick"], QUICK),
        (["events/ledger"], ["tests/events/ledger"]),
        (["events/model/time/"], ["tests/events"]),
        (["quick", "events/ledger", "-x"], [*QUICK, "tests/events/ledger", "-x"]),
        (["web"], CLIENT),
        (["web/js"], CLIENT),
        (["games"], ["tests/project"]),
        (["tests/events/ledger", "-k", "events/ledger"], None),
        (["-k", "games or events", "--tb=short"], None),
        (["tests/x.py::test_y[events/ledger a]"], None),
    ],
)
@pytest.mark.process
def test_a_room_stands_for_the_tests_that_mirror_it(
    checkout: Path, arguments: list[str], given: list[str] | None
) -> None:
    """None: pytest is given what the script was given."""
    for room in (*ROOMS, "tests/project"):
        (checkout / room).mkdir(parents=True, exist_ok=True)
    shell = ["sh", str(checkout / "script" / "test"), *arguments]
    done = subprocess.run(shell, capture_output=True, text=True, check=True, timeout=60)
    command = done.stdout.splitlines()
    assert command[:2] == ["-m", "pytest"]
    assert command[command.index("worksteal") + 1 :] == (arguments if given is None else given)
