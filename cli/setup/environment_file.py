"""The file with the settings: what systemd reads as `EnvironmentFile=` (systemd.exec(5))."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

_LINE: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*")

HEAD: Final = """\
# The settings of Cartulary. `cartulary setup` writes this file once, and then it is yours;
# after a change: systemctl restart cartulary-serve.service, then cartulary setup --check
# docs/configuration.md has all settings.
"""


def parse_variables(text: str) -> dict[str, str]:
    """Return the variables of a file; lines that set nothing are left out."""
    found = (_LINE.fullmatch(line) for line in _list_lines(text))
    return {one[1]: _unquote(one[2]) for one in found if one}


def find_bad_lines(text: str) -> Iterator[str]:
    """Yield the lines that systemd ignores because they are no `NAME=VALUE`, without a value."""
    for line in _list_lines(text):
        if not _LINE.fullmatch(line):
            yield line.partition("=")[0]


def set_variables(text: str, variables: Mapping[str, str]) -> str:
    """Return a file in which the variables have these values; all other lines stay."""
    lines = text.splitlines()
    kept = [line for line in lines if not ((one := _LINE.fullmatch(line)) and one[1] in variables)]
    return "".join(f"{line}\n" for line in [*kept, *map("=".join, variables.items())])


def _list_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip() and line.lstrip()[0] not in "#;":
            yield line


def _unquote(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
