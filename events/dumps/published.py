"""Published dumps: folders of an operator, as readers find them. What is there never changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

SUMS: Final = "SHA256SUMS"

_MONTH: Final = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")
_LINE: Final = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._-]{0,99})")


class PublishedFile(NamedTuple):
    """A file of a dump: its name, its size in bytes, and its SHA-256 in hex digits."""

    name: str
    bytes: int
    sha256: str


class PublishedMonth(NamedTuple):
    """The files of a month."""

    month: str
    files: list[PublishedFile]


def list_published(folder: Path) -> list[PublishedMonth]:
    """Return what lies in a folder of dumps, the newest month first. Raises `OSError`.

    A month counts once it has its checksums, which are written last.
    """
    if not folder.is_dir():
        return []
    months = sorted((one for one in folder.iterdir() if _MONTH.fullmatch(one.name)), reverse=True)
    found = [PublishedMonth(one.name, list(_list_files(one))) for one in months]
    return [one for one in found if one.files]


def find_published(folder: Path, month: str, name: str) -> tuple[Path, str] | None:
    """Return the path and the SHA-256 of a file, None for one that is not published.

    The SHA-256 of the list of checksums itself is ''. Raises `OSError`.
    """
    if not _MONTH.fullmatch(month):
        return None
    known = {one.name: one.sha256 for one in _list_files(folder / month)}
    if name == SUMS and known:
        return folder / month / SUMS, ""
    return (folder / month / name, known[name]) if name in known else None


def _list_files(month: Path) -> Iterator[PublishedFile]:
    """Yield the files that the checksums of a month name, and that are there."""
    sums = month / SUMS
    if not sums.is_file():
        return
    for line in sums.read_text("utf-8").splitlines():
        named = _LINE.fullmatch(line)
        if named is not None and (path := month / named[2]).is_file():
            yield PublishedFile(named[2], path.stat().st_size, named[1])
