"""The kept inputs of a target: one file, each line an input in base64."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "corpus"


def read_corpus(name: str, folder: Path = FOLDER) -> list[bytes]:
    """Return the kept inputs of a target, none for a target without a file."""
    file = folder / f"{name}.txt"
    if not file.exists():
        return []
    return [b64decode(line, validate=True) for line in file.read_text().splitlines()]


def write_corpus(name: str, inputs: Iterable[bytes], folder: Path = FOLDER) -> None:
    """Keep these inputs of a target, in an order of their own, in place of those before."""
    lines = sorted(
        {b64encode(data).decode() for data in inputs}, key=lambda line: (len(line), line)
    )
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


def unpack(inputs: Iterable[bytes], folder: Path) -> None:
    """Write each input as a file of its own, as libFuzzer wants it."""
    folder.mkdir(parents=True, exist_ok=True)
    for data in inputs:
        (folder / sha256(data).hexdigest()[:20]).write_bytes(data)


def pack(folder: Path) -> list[bytes]:
    """Return the inputs that are files of a folder."""
    return [file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()]
