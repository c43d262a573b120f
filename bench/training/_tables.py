"""The tables as a module of Python, which a bot imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from runpy import run_path
from textwrap import wrap
from typing import Any, Final

from cartulary.bots.caylus.leaf import Tables

STORED: Final = Path(__file__).parents[2] / "bots" / "caylus" / "learned.py"
"""The tables that bots have."""

HEAD: Final = '''\
"""The tables of the learned leaf of Caylus, in 1/1024 of a point (`leaf.UNIT`).

    {command}

(in one line) has made them, and makes them again on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# fmt: off
TABLES: Final[Mapping[tuple[int, str], tuple[tuple[int, ...], ...]]] = {{
'''

WIDTH: Final = 99


def write_tables(tables: Tables, command: str) -> str:
    """Return the text of the module; `command` stands in its docstring."""
    wrapped = wrap(command, WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    lines = [HEAD.format(command="\n    ".join(wrapped))]
    for (seats, favours), rows in tables.items():
        lines.append(f'    ({seats}, "{favours}"): (\n')
        for row in rows:
            lines += ["        (\n", *_wrap([f"{weight}," for weight in row]), "        ),\n"]
        lines.append("    ),\n")
    return "".join([*lines, "}\n"])


def _wrap(words: Sequence[str]) -> list[str]:
    """Return words as indented lines, each as long as fits."""
    lines, line = list[str](), " " * 11
    for word in words:
        if len(line) + len(word) >= WIDTH:
            lines.append(f"{line}\n")
            line = " " * 11
        line += f" {word}"
    return [*lines, f"{line}\n"]


def read_tables(file: Path) -> Tables:
    """Return the tables of a module that `write_tables` wrote."""
    found: dict[str, Any] = run_path(str(file))
    tables: Tables = found["TABLES"]
    return tables
