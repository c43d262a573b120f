"""Calling the commands, and the files of a target."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from cartulary.cli.main import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def list_files(folder: Path) -> list[str]:
    """The files of a target without its lock, also those that are hidden."""
    found = (path.name for path in folder.iterdir() if path.name != ".backup.lock")
    return sorted(found)


def flip(file: Path, at: int) -> None:
    """Flip one bit of a file."""
    good = file.read_bytes()
    file.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
