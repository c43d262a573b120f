"""Reads a Containerfile: its stages and their instructions."""

from __future__ import annotations

import json
import re
from typing import NamedTuple


class Instruction(NamedTuple):
    """An instruction, with its arguments in one line."""

    name: str
    arguments: str

    def read_list(self) -> list[str]:
        """Return the words of an exec form: a list in JSON."""
        found: list[str] = json.loads(self.arguments[self.arguments.index("[") :])
        return found


def read_stages(text: str) -> list[list[Instruction]]:
    """Return the instructions of each stage, which begins with FROM; what is before comes first."""
    stages: list[list[Instruction]] = [[]]
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        name, _, arguments = line.strip().partition(" ")
        if name == "FROM":
            stages.append([])
        if name:
            stages[-1].append(Instruction(name, arguments.strip()))
    return stages


def read_variables(stage: list[Instruction]) -> dict[str, str]:
    """Return the variables of a stage, with `${NAME}` in their values replaced."""
    found: dict[str, str] = {}
    for one in stage:
        if one.name in ("ARG", "ENV"):
            for name, value in re.findall(r"(\w+)=(\S+)", one.arguments):
                found[name] = re.sub(r"\$\{?(\w+)\}?", lambda at: found.get(at[1], at[0]), value)
    return found
