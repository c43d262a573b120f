"""A wall clock of its own for the processes of the service; the clock can jump."""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")


class Clock:
    """The clock of the processes that have `environment`; `jump` moves it by seconds.

    `time.monotonic` goes on undisturbed, as it does when the clock of a machine is corrected.
    """

    def __init__(self, library: Path, file: Path) -> None:
        file.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": str(library), "CARTULARY_FAULTS_CLOCK": str(file)}
        with file.open("r+b") as opened:
            self._offset = mmap.mmap(opened.fileno(), 8)

    def jump(self, seconds: float) -> None:
        """Move the clock by `seconds`, back when they are negative."""
        (before,) = struct.unpack("q", self._offset[:])
        self._offset[:] = struct.pack("q", before + int(seconds * 1e9))


def make_clock(directory: Path) -> Clock | None:
    """Return a clock whose files are in a directory; None without Linux or a compiler of C."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    library = directory / "clock.so"
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    return Clock(library, directory / "clock.offset")
