"""A painter draws pictures in a process of its own, so that this process goes on meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from threading import Lock, Timer
from typing import Final

LONGEST_S: Final = 60.0
"""A picture that takes longer has failed: the largest takes some seconds on a quiet machine."""


class PaintingFailed(RuntimeError):
    """The picture could not be drawn: its process has died, refused it, or taken too long."""


class Painter:
    """Draws one picture at a time; the process starts with the first picture. Thread-safe."""

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def paint(self, picture: str, width: int, theme: str = "light") -> bytes:
        """Return a picture of `pictures.draw` as PNG. Raises `PaintingFailed`."""
        text = picture.encode()
        head = {"width": width, "theme": theme, "bytes": len(text)}
        order = json.dumps(head).encode() + b"\n" + text
        with self._lock:
            was_there = self._process is not None
            try:
                return self._ask(order)
            except ConnectionError:
                self._end()
                if not was_there:
                    raise PaintingFailed("the painter has died") from None
            # It had ended for want of work, or was killed: the next process gets the same order.
            try:
                return self._ask(order)
            except ConnectionError:
                self._end()
                raise PaintingFailed("the painter has died") from None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _ask(self, order: bytes) -> bytes:
        """Return the answer to an order. Raises `ConnectionError` when the process has ended."""
        process = self._process = self._process or _start()
        assert process.stdin is not None
        assert process.stdout is not None
        late = Timer(self._longest_s, process.kill)
        late.start()
        try:
            process.stdin.write(order)
            process.stdin.flush()
            head = process.stdout.readline()
            if not head:
                raise ConnectionError
            answer = json.loads(head)
            if "problem" in answer:
                raise PaintingFailed(answer["problem"])
            drawn = process.stdout.read(answer["bytes"])
        finally:
            late.cancel()
        if len(drawn) < answer["bytes"]:
            raise ConnectionError
        return drawn

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        with suppress(BrokenPipeError):  # what was not written when the process ended
            process.communicate()


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "cartulary.raster.painting"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
