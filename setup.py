"""Builds the package; with `CARTULARY_COMPILE=1` it compiles `engine/` and `bots/` with mypyc.

Everything else about the package stands in `pyproject.toml`. `script/compile` is the usual way to
compile; `docs/developing.md` says what it brings.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

MYPY = "mypy>=1.14"
"""mypyc is a part of mypy."""

PACKAGE = Path("cartulary")
ROOMS = ("engine", "bots")

INTERPRETED = {
    # Exceptions, subclasses of built-in types, and what looks at the compiled form from outside.
    "engine/compiling.py",
    "engine/errors.py",
    "engine/form.py",
    # Generators, and text that is read once.
    "engine/schema.py",
    "engine/strict.py",
    "engine/transcript.py",
    # A table of weights that is read once.
    "bots/caylus/learned.py",
    # Tables of words and sentences, which take the compiler long and are read rarely.
    "engine/contract.py",
    "engine/carcassonne/contract.py",
    "engine/carcassonne/explain.py",
    "engine/carcassonne/pieces.py",
    "engine/caylus/contract.py",
    "engine/caylus/explain.py",
    "engine/caylus/faults.py",
    "engine/caylus/pieces.py",
    "engine/caylus/text.py",
}
"""What stays as source, like `bots/analysis`: the compiler refuses it, or it gains nothing."""

ROUNDING = [] if sys.platform == "win32" else ["-ffp-contract=off"]
"""A processor that multiplies and adds in one step rounds once: a bot would decide otherwise there
than the source does."""


def find_sources() -> list[str]:
    """Return the modules that are compiled, as paths below this directory."""
    found = (path for room in ROOMS for path in sorted((PACKAGE / room).rglob("*.py")))
    return [str(path) for path in found if not is_interpreted(path.relative_to(PACKAGE))]


def is_interpreted(path: Path) -> bool:
    """Return whether a module stays as source; its path begins with the room."""
    return str(path) in INTERPRETED or path.is_relative_to("bots/analysis")


def compile_rooms() -> list[Extension]:
    """Return the extensions. A build asks for metadata first, when mypy is not installed yet."""
    if sys.argv[1:2] in (["egg_info"], ["dist_info"], ["sdist"]):
        return []
    if "editable_wheel" in sys.argv or "develop" in sys.argv:
        sys.exit("an editable installation runs the source: unset CARTULARY_COMPILE")
    from mypyc.build import mypycify

    level = os.environ.get("CARTULARY_OPTIMIZE", "3")
    found = list(mypycify(find_sources(), opt_level=level, debug_level="0", group_name="cartulary"))
    for extension in found:
        extension.extra_compile_args += ROUNDING
    return found


if __name__ == "__main__":
    if os.environ.get("CARTULARY_COMPILE") == "1":
        setup(ext_modules=compile_rooms(), setup_requires=[MYPY])
    else:
        setup()
