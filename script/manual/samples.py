"""Samples of calls in several languages: files that run, cut into the calls that they make.

A line like `# [make_move]` begins the sample of an operation; it ends at the next such line or at
`# [end]`. `//` stands in place of `#` in TypeScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LANGUAGES = {".sh": ("curl", "sh"), ".py": ("Python", "python"), ".ts": ("TypeScript", "ts")}
MARK = re.compile(r"\s*(?:#|//) \[(\w+)\]\s*")


class Sample(NamedTuple):
    """What one call looks like in one language; `code` is the name that a highlighter knows."""

    language: str
    code: str
    text: str


def read_samples(folder: Path) -> dict[str, list[Sample]]:
    """Return the samples of the files in a folder, by the id of the operation."""
    found: dict[str, list[Sample]] = {}
    for suffix, (language, code) in LANGUAGES.items():
        for path in sorted(folder.glob(f"*{suffix}")):
            for operation, text in cut(path.read_text("utf-8")):
                found.setdefault(operation, []).append(Sample(language, code, text))
    return found


def cut(text: str) -> Iterator[tuple[str, str]]:
    """Yield the operations that a file calls, each with its lines."""
    operation, lines = "end", list[str]()
    for line in [*text.splitlines(), "# [end]"]:
        mark = MARK.fullmatch(line)
        if not mark:
            lines.append(line)
            continue
        if operation != "end":
            yield operation, _shift("\n".join(lines).strip("\n"))
        operation, lines = mark[1], []


def _shift(text: str) -> str:
    lines = text.split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines)
