"""Close the holes that a full disk leaves in the append-only file of a Valkey.

Valkey 9.1 opens the file that follows a rewrite without `O_APPEND`. When the disk is full, Valkey
takes back a record that it has written in part, but goes on behind that part: zeros stand between
two whole records. Nothing is missing, but the next start refuses the file, and `valkey-check-aof`
would cut off everything behind the zeros.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

_INCREMENT = re.compile(rb"^file (\S+) seq \d+ type i$", re.MULTILINE)
_NOT_ZERO = re.compile(rb"[^\0]")

PIECE = 1 << 20
"""Bytes that are copied at a time."""


class Hole(NamedTuple):
    """Zeros between two records: the offsets of the first zero and of the first byte behind."""

    start: int
    end: int


def close_holes(directory: Path) -> int:
    """Take the zeros out of the files that the manifest in a directory names; return the holes.

    The file as it was stays next to the mended file, under its name with `.damaged`. Raises
    `OSError` when there is no room. The server must not run.
    """
    closed = 0
    for manifest in directory.glob("*.manifest"):
        for name in _INCREMENT.findall(manifest.read_bytes()):
            closed += _mend(directory / os.fsdecode(name))
    return closed


def _mend(file: Path) -> int:
    if not file.exists() or not file.stat().st_size:
        return 0
    with file.open("rb") as opened, closing(_map(opened.fileno())) as text:
        holes = list(find_holes(text))
        if not holes:
            return 0
        mended = file.with_name(file.name + ".mended")
        with mended.open("wb") as target:
            for start, end in _list_kept(holes, len(text)):
                for at in range(start, end, PIECE):
                    target.write(text[at : min(at + PIECE, end)])
            target.flush()
            os.fsync(target.fileno())
    file.rename(file.with_name(file.name + ".damaged"))
    mended.rename(file)
    return len(holes)


def _map(descriptor: int) -> mmap.mmap:
    return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)


def _list_kept(holes: list[Hole], size: int) -> Iterator[tuple[int, int]]:
    at = 0
    for hole in holes:
        yield at, hole.start
        at = hole.end
    yield at, size


def find_holes(text: mmap.mmap | bytes) -> Iterator[Hole]:
    """Yield the zeros that stand between two records, up to an incomplete or broken record."""
    at = 0
    while at < len(text):
        if text[at] == 0:
            found = _NOT_ZERO.search(text, at)
            end = found.start() if found else len(text)
            yield Hole(at, end)
            at = end
            continue
        try:
            at = _skip_record(text, at)
        except ValueError:
            return


def _skip_record(text: mmap.mmap | bytes, at: int) -> int:
    """Return the offset behind a record or an annotation; raises `ValueError` for anything else."""
    if text[at : at + 1] == b"#":
        return _find_end(text, at)
    end = _find_end(text, at)
    for _ in range(_read_number(text, at, end, b"*")):
        start, end = end, _find_end(text, end)
        end += _read_number(text, start, end, b"$") + 2
        if text[end - 2 : end] != b"\r\n":
            raise ValueError("a value without an end")
    return end


def _find_end(text: mmap.mmap | bytes, at: int) -> int:
    end = text.find(b"\r\n", at)
    if end < 0:
        raise ValueError("a line without an end")
    return end + 2


def _read_number(text: mmap.mmap | bytes, start: int, end: int, sign: bytes) -> int:
    if text[start : start + 1] != sign:
        raise ValueError("not a record")
    return int(text[start + 1 : end - 2])
