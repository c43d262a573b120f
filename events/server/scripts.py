"""The scripts in Lua that the server runs, each in the room of the module that calls it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

ROOT: Final = "cartulary.events"


@cache
def read_script(room: str, *names: str) -> str:
    """Return the files of a room of `events` one after another: functions, then what uses them.

    Each is read once in a process. Raises `FileNotFoundError`.
    """
    folder = files(f"{ROOT}.{room}")
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
