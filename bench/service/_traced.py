"""A web process with a tracer: the configuration of the service, and what records its calls.

`gunicorn -c python:bench.service._traced` serves as `service.process.gunicorn_conf` says. Another
process says by two pipes in the folder of `DIRECTORY` when the tracer records (`Recorder`).
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from cartulary.service.process.gunicorn_conf import *  # noqa: F403
from cartulary.service.process.gunicorn_conf import post_fork as _post_fork

DIRECTORY = "CARTULARY_WALK_DIRECTORY"
READ, WRITTEN = "read", "written"
"""Marks of the bytes of a client in what was recorded."""
CALLED, RETURNED = "called", "returned"
"""How a thread comes to a place."""
Step = tuple[str, int, CodeType, int]
"""How a thread comes to a place, the thread, the code of the place and the line."""
_MARKS = {
    **dict.fromkeys(("recv", "recv_into"), READ),
    **dict.fromkeys(("send", "sendall", "sendmsg", "write", "writelines"), WRITTEN),
}
"""The functions of sockets, and of transports that are written in C."""


class Recorder:
    """Tells a web process when to record, and reads what it recorded."""

    def __init__(self, directory: Path, process: int) -> None:
        self._asked, self._told = _name_pipes(directory, process)

    def begin(self) -> None:
        """Have the process record from now on."""
        self._say("begin")

    def end(self) -> list[str]:
        """Have the process stop; return the lines that it recorded."""
        return self._say("end").splitlines()

    def _say(self, word: str) -> str:
        self._asked.write_text(word)
        return self._told.read_text()


class Tracer:
    """Records where the threads of this process are after each call and each return."""

    def __init__(self, directory: Path, port: int) -> None:
        self._asked, self._told = _name_pipes(directory, os.getpid())
        self._port = port
        self._records = False
        self._recorded: list[Step | str] = []

    def start(self) -> None:
        """Trace this thread, and all threads that begin from now on."""
        for pipe in (self._asked, self._told):
            os.mkfifo(pipe)
        threading.Thread(target=self._listen, daemon=True, name="walk").start()
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _listen(self) -> None:
        sys.setprofile(None)
        while True:
            self._records = self._asked.read_text() == "begin"
            recorded, self._recorded = self._recorded, []
            self._told.write_text("".join(f"{_show(one)}\n" for one in recorded))

    def _note(self, frame: FrameType, event: str, function: Any) -> None:
        if not self._records:
            return
        if event == "call":
            self._add(CALLED, frame)
        elif event == "return" and frame.f_back is not None:
            self._add(RETURNED, frame.f_back)
        elif event == "c_call" and (mark := self._find_mark(function)) is not None:
            self._recorded.append(mark)

    def _find_mark(self, function: Any) -> str | None:
        mark = _MARKS.get(function.__name__)
        return mark if mark and _find_port(function.__self__) == self._port else None

    def _add(self, how: str, frame: FrameType) -> None:
        self._recorded.append((how, threading.get_ident(), frame.f_code, frame.f_lineno))


def post_fork(server: Any, worker: Any) -> None:  # type: ignore[no-redef]
    """Begin to trace, before the process loads the app and begins its threads."""
    _post_fork(server, worker)
    port = worker.sockets[0].getsockname()[1]
    Tracer(Path(os.environ[DIRECTORY]), port).start()


def _name_pipes(directory: Path, process: int) -> tuple[Path, Path]:
    """Return the paths of the pipes to and from a web process."""
    return directory / f"{process}.ask", directory / f"{process}.tell"


def _find_port(owner: Any) -> int | None:
    """Return the local port of a socket or a transport, None for anything else."""
    if hasattr(owner, "getsockname"):
        name = owner.getsockname()
    elif hasattr(owner, "get_extra_info"):
        name = owner.get_extra_info("sockname")
    else:
        return None
    return name[1] if isinstance(name, tuple) else None


def _show(one: Step | str) -> str:
    if isinstance(one, str):
        return one
    how, thread, code, line = one
    return f"{how}\t{thread}\t{code.co_filename}\t{line} {code.co_qualname}"
