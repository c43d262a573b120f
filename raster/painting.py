"""The process of a painter: `python -m cartulary.raster.painting` draws what its input asks for.

Each order is a line of JSON with `width`, `theme` and the number of `bytes` of the SVG, and then
the SVG.
The answer is a line with `bytes` and then a PNG, or a line with `problem`. The process has the
lowest priority, because a move is more urgent than a picture; it ends with its input, and
when it has had nothing to do for a minute.
"""

from __future__ import annotations

import json
import os
import resource
import select
import sys
from typing import IO, Any, Final

from cartulary.raster.png import draw_png

IDLE_S: Final = 60.0
NICENESS: Final = 19
MEMORY: Final = 2 * 1024**3
"""Bytes of address space: a picture that needs more fails, and no other process suffers."""


def main() -> None:
    """Draw until the input ends, or nothing comes for `IDLE_S` seconds."""
    lower_priority()
    orders, answers = sys.stdin.buffer, sys.stdout.buffer
    while select.select([orders], [], [], IDLE_S)[0]:
        line = orders.readline()
        if not line:
            return
        _draw(json.loads(line), orders, answers)


def lower_priority() -> None:
    """Let every other process go before this one, and bound its memory."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _draw(order: dict[str, Any], orders: IO[bytes], answers: IO[bytes]) -> None:
    svg = orders.read(order["bytes"]).decode()
    try:
        drawn = draw_png(svg, order["width"], order["theme"])
    except (MemoryError, SyntaxError, ValueError) as error:
        answers.write(json.dumps({"problem": str(error) or type(error).__name__}).encode() + b"\n")
    else:
        answers.write(json.dumps({"bytes": len(drawn)}).encode() + b"\n" + drawn)
    answers.flush()


if __name__ == "__main__":
    main()
