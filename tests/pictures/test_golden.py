"""The pictures do not change by accident."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pictures.golden import FOLDER, GOLDEN, lines

PROGRAM = """
import hashlib
from tests.pictures.golden import GOLDEN
for picture in GOLDEN.values():
    print(hashlib.sha256(picture().encode()).hexdigest())
"""


@pytest.mark.parametrize("name", GOLDEN)
def test_picture_is_its_golden_file(name: str) -> None:
    expected = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    drawn = lines(GOLDEN[name]())
    assert drawn.splitlines() == expected.splitlines()


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(GOLDEN)


def hashes(seed: str) -> str:
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.mark.process
def test_pictures_are_the_same_in_every_process() -> None:
    assert hashes("1") == hashes("2")
