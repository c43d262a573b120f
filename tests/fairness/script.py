"""The script of `docs/fairness.md`, run as a reader runs it: on its own, without the project."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from unittest.mock import patch

from tests.fairness.checker import Event

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"


@cache
def read_script() -> str:
    """Return the only block of Python on the page."""
    page = PAGE.read_text(encoding="utf-8")
    (script,) = re.findall(r"(?ms)^```python\n(.*?)^```", page)
    return str(script)


def write_lines(events: list[Event]) -> str:
    """Return events as NDJSON."""
    return "".join(json.dumps(event) + "\n" for event in events)


def run_alone(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script in a process of its own that finds no library but the standard one."""
    command = [sys.executable, "-I", "-S", "-c", read_script(), *arguments]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, encoding="utf-8", timeout=60
    )


def broken_version(events: list[Event], *arguments: str) -> int | None:
    """Return the version that the script names, or None when it finds nothing.

    The script runs in this process, which takes a thousandth of the time.
    """
    code = compile(read_script(), str(PAGE), "exec")
    argv = patch("sys.argv", ["check.py", *arguments])
    text = io.StringIO(write_lines(events))
    with argv, patch("sys.stdin", text), redirect_stdout(io.StringIO()):
        try:
            exec(code, {"__name__": "__main__"})
        except SystemExit as end:
            said = str(end.code)
        else:
            return None
    named = re.match(r"version (\d+): ", said)
    assert named, said
    return int(named[1])
