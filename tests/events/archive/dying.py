"""An archiver in a process of its own, which kills itself at a step: `URL FOLDER STEP`.

A step is a message to the store, a statement in the archive, or a commit there.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from redis.connection import Connection
from sqlalchemy import Engine, event

from cartulary.events.server.connection import connect
from tests.support.store_with_archive import NEVER, open_with_archive


def die_at(step: int) -> None:
    """Kill this process when the archiver comes to a step, before that or after it."""
    left = [step]
    send: Any = Connection.send_packed_command

    def count(*_: Any) -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    def send_and_count(self: Connection, *args: Any, **more: Any) -> None:
        send(self, *args, **more)
        count()

    setattr(Connection, send.__name__, send_and_count)
    for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(Engine, name, count)


def main(url: str, folder: str, step: str) -> None:
    with open_with_archive(connect(url), Path(folder)) as store:
        archiver = store.make_archiver()
        die_at(int(step))
        while archiver.run(NEVER, 2).looked_at:
            pass


if __name__ == "__main__":
    main(*sys.argv[1:])
