"""SPIN finds as many states as the search, and the same verdicts (Debian's `spin`, and `cc`)."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simulation.specification import archiving
from simulation.specification.search import Broken, explore
from tests.simulation.specification.test_search import build_peterson
from tests.support.missing_tools import missing

HERE = Path(__file__).parent
pytestmark = pytest.mark.process
ONE_ARCHIVER = ("archiver-1",)


def verify(folder: Path, name: str, *defined: str) -> tuple[int, int]:
    """Let SPIN search a model; return how many states it has stored, and how many errors found."""
    spin, compiler = shutil.which("spin"), shutil.which("cc")
    if spin is None or compiler is None:
        missing("no spin (Debian: spin), or no C compiler")
    shutil.copy(HERE / name, folder)
    run(folder, spin, "-a", *defined, name)
    run(folder, compiler, "-O1", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c")
    printed = run(folder, "./pan", "-E")
    states = re.search(r"(\d+) states, stored", printed)
    errors = re.search(r"errors: (\d+)", printed)
    assert states is not None, printed
    assert errors is not None, printed
    return int(states[1]), int(errors[1])


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


def test_spin_finds_the_states_of_peterson(tmp_path: Path) -> None:
    assert verify(tmp_path, "peterson.pml") == (len(explore(build_peterson()).states), 0)


def test_spin_finds_the_states_of_archive_and_back_and_the_same_verdict(tmp_path: Path) -> None:
    graph = explore(archiving.build(ONE_ARCHIVER, freezes=0))
    assert verify(tmp_path, "archiving.pml") == (len(graph.states), 0)


def test_spin_and_the_search_find_what_a_release_of_pinned_games_breaks(tmp_path: Path) -> None:
    with pytest.raises(Broken):
        explore(archiving.build(ONE_ARCHIVER, freezes=0, without=["pin"]))
    assert verify(tmp_path, "archiving.pml", "-DPIN=0")[1] == 1
