"""Receivers in a process of their own, so that receiving takes no time of the bench."""

from __future__ import annotations

import multiprocessing
from contextlib import ExitStack
from multiprocessing.connection import Connection as Pipe
from typing import Final, Self, get_args

from bench.faults.notice_receiver import (
    Conduct,
    NoticeReceiver,
    ReceivedNotice,
    allow_receivers,
)

CONDUCTS: Final[tuple[Conduct, ...]] = get_args(Conduct)


class Receivers:
    """A receiver of each conduct, on the ports `ports`; a context manager."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_receive, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self.ports: dict[Conduct, int] = self._pipe.recv()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        self._process.join()

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which a service sends to them."""
        return allow_receivers(*self.ports.values())

    def make_url(self, conduct: Conduct, path: str = "/hook") -> str:
        """Return an address at a receiver."""
        return f"https://127.0.0.1:{self.ports[conduct]}{path}"

    def take(self) -> list[ReceivedNotice]:
        """Return what the receiver that takes messages has got since the last call."""
        self._pipe.send("take")
        found: list[ReceivedNotice] = self._pipe.recv()
        return found

    def count(self) -> dict[Conduct, int]:
        """Return how many requests each receiver has got."""
        self._pipe.send("count")
        found: dict[Conduct, int] = self._pipe.recv()
        return found


def _receive(pipe: Pipe) -> None:
    """Receive until the process at the other end of the pipe closes it."""
    with ExitStack() as held:
        found = {one: held.enter_context(NoticeReceiver(one)) for one in CONDUCTS}
        pipe.send({conduct: receiver.port for conduct, receiver in found.items()})
        while True:
            try:
                question = pipe.recv()
            except EOFError:
                return
            counts = {conduct: receiver.count for conduct, receiver in found.items()}
            pipe.send(found["takes"].take_notices() if question == "take" else counts)
