"""The machine as the processes of the service see it: its clock can jump, its disk be slow."""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).with_name("machine.c")


class Machine:
    """What the processes that have `environment` see.

    `time.monotonic` goes on undisturbed, as it does when the clock of a machine is corrected.
    """

    def __init__(self, library: Path, file: Path) -> None:
        file.write_bytes(bytes(16))
        self.environment = {"LD_PRELOAD": str(library), "CARTULARY_FAULTS_MACHINE": str(file)}
        with file.open("r+b") as opened:
            self._map = mmap.mmap(opened.fileno(), 16)

    def jump(self, seconds: float) -> None:
        """Move the clock by `seconds`, back when they are negative."""
        (before,) = struct.unpack("q", self._map[:8])
        self._map[:8] = struct.pack("q", before + int(seconds * 1e9))

    @contextmanager
    def slow_disk(self, seconds: float) -> Iterator[None]:
        """Let each sync of a file take `seconds` longer for the time of the context."""
        self._map[8:] = struct.pack("q", int(seconds * 1e9))
        try:
            yield
        finally:
            self._map[8:] = bytes(8)


def make_machine(directory: Path) -> Machine | None:
    """Return a machine whose files are in a directory; None without Linux or a compiler of C."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    library = directory / "machine.so"
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    return Machine(library, directory / "machine.state")
