"""The tests of this folder run in the form of the engine that was asked for, in all its modules."""

from __future__ import annotations

import os
import pkgutil
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cartulary import bots, engine
from cartulary.engine.form import COMPILED, FORM, PURE

ROOT = Path(__file__).parents[2]
ASKED = os.environ.get("CARTULARY_TESTED_FORM", PURE)
"""`script/compile --test` sets it."""


def find_compiled() -> set[str]:
    """Return the modules of both rooms that are compiled, as `setup.py` names them."""
    modules = {
        info.name
        for room in (engine, bots)
        for info in pkgutil.walk_packages(room.__path__, room.__name__ + ".")
    }
    files = [Path(str(import_module(name).__file__)) for name in modules]
    packages = Path(str(engine.__file__)).parents[1]
    return {
        file.relative_to(packages).as_posix().partition(".")[0] + ".py"
        for file in files
        if file.suffix != ".py"
    }


def test_the_form_that_was_asked_for_is_tested() -> None:
    assert FORM == ASKED


@pytest.mark.skipif(FORM != COMPILED, reason="nothing is compiled in this run")
def test_every_module_is_compiled_that_is_not_listed_as_interpreted() -> None:
    is_interpreted = runpy.run_path(str(ROOT / "setup.py"), run_name="read")["is_interpreted"]
    sources = {
        path.relative_to(ROOT)
        for room in ("engine", "bots")
        for path in (ROOT / room).rglob("*.py")
        if path.name != "__init__.py"
    }
    assert find_compiled() >= {str(path) for path in sources if not is_interpreted(path)}


def test_no_compiled_module_lies_between_the_sources() -> None:
    assert [path for room in ("engine", "bots") for path in (ROOT / room).rglob("*.so")] == []


def test_what_stays_interpreted_exists() -> None:
    interpreted = runpy.run_path(str(ROOT / "setup.py"), run_name="read")["INTERPRETED"]
    assert [path for path in interpreted if not (ROOT / path).is_file()] == []


@pytest.mark.process
def test_an_editable_installation_is_never_compiled() -> None:
    """The extensions would lie between the sources and hide every change of these."""
    done = subprocess.run(
        [sys.executable, "setup.py", "editable_wheel"],
        cwd=ROOT,
        env=os.environ | {"CARTULARY_COMPILE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "an editable installation runs the source" in done.stderr
