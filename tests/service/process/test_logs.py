"""The log of requests on a disk that is full for a while."""

from __future__ import annotations

import errno
import io

import orjson
import pytest

from cartulary.service.process import logs
from cartulary.service.process.logs import RequestLog


class Disk(io.BytesIO):
    """What stderr leads to; it has no room while it `is_full`."""

    is_full = False

    def write(self, data: object) -> int:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)  # type: ignore[arg-type]

    def read_numbers(self) -> list[int]:
        """Return the numbers of the lines that were written."""
        return [orjson.loads(line)["number"] for line in self.getvalue().splitlines()]


class Enough(Exception):
    """Ends what never ends."""


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> RequestLog:
    """A log whose thread does not start."""
    monkeypatch.setattr(RequestLog, "_start", lambda _log: None)
    monkeypatch.setattr(logs, "AT_MOST", 2)
    return RequestLog()


def test_a_log_goes_on_when_its_disk_has_room_again(
    log: RequestLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, rounds = Disk(), iter((True, False))
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(disk))

    def pause(_seconds: float) -> None:
        is_full = next(rounds, None)
        if is_full is None:
            raise Enough
        disk.is_full = is_full
        log.add({"number": int(is_full)})

    monkeypatch.setattr(logs, "sleep", pause)
    with pytest.raises(Enough):
        log._write()  # noqa: SLF001
    assert disk.read_numbers() == [0]


def test_a_log_that_nothing_takes_holds_the_last_lines_only(
    log: RequestLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(disk))
    for number in range(3):
        log.add({"number": number})
    log.flush()
    assert disk.read_numbers() == [1, 2]
