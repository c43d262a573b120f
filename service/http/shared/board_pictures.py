"""Boards as PNG: painted once for each version, one at a time, in a process next to this one."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import request

from cartulary.raster.painter import Painter
from cartulary.service.http.shared.costly_results import Results
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.wire.server_marks import can_hold, has_waited

REMEMBERED: Final = 32 * 1024 * 1024
"""Bytes of pictures that a process remembers; a picture to share has 200 KB."""

MOST_WAITING: Final = 8
"""Requests of a process that wait for a picture: with more, the last would wait too long."""

RETRY_AFTER_S: Final = 2


class PictureKey(NamedTuple):
    """What a picture depends on: the game, the table as its tag names it, and the wish."""

    game_id: str
    shown: str
    wish: str
    lang: str


class BoardPictures(Results[PictureKey]):
    """The pictures of one process. Thread-safe."""

    def __init__(self) -> None:
        super().__init__(REMEMBERED)
        self._painter = Painter()

    def paint(self, key: PictureKey, picture: str, width: int, theme: str) -> bytes:
        """Return the PNG of a picture, and remember it. The caller has the turn.

        Raises `PaintingFailed`.
        """
        return self.make(key, lambda: (key, self._painter.paint(picture, width, theme)))

    def must_have_room(self) -> None:
        """Raise `Problem` 503 where so many requests wait that this one would wait too long."""
        if self.waiting >= MOST_WAITING and not has_waited(request.environ):
            raise _refuse()

    def take_turn(self) -> bool:
        """Take the turn to paint; False for a request that waits for its turn in the event loop.

        Raises `Problem` 503 for a request that has waited in vain.
        """
        if not has_waited(request.environ):
            return self.begin(wait=not can_hold(request.environ))
        if self.begin(wait=False):
            return True
        raise _refuse()

    def close(self) -> None:
        """End the process that paints."""
        self._painter.close()


def _refuse() -> Problem:
    detail = f"other pictures are painted; retry in {RETRY_AFTER_S} s"
    return Problem("busy", detail, headers={"Retry-After": str(RETRY_AFTER_S)})
