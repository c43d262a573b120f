"""A program that answers line by line, within bounds of time and memory.

One loop writes the request and reads stdout and stderr, so that no pipe that fills up can stop it.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import IO, Any, Final

from cartulary.engine.core import Json
from cartulary.events.server.die_with_parent import make_end_with_parent
from cartulary.outside.faults import DIED, LATE, NOT_STARTED, TOO_LONG, BotFault
from cartulary.outside.lines import ErrorLines, LineBuffer, LineTooLong
from cartulary.outside.protocol import BadAnswer, read_answer, write_request
from cartulary.outside.seats import Log

QUIT_SECONDS: Final = 2.0
"""So long a program may take to end after `quit`; then it is killed."""

PIECE: Final = 64 * 1024
"""Bytes that are read at once."""


class EngineProcess:
    """A running program. After a fault it is ended, and so are the processes that it has started.

    Linux kills it when the thread ends that has started it, so a bot that is killed leaves nothing.
    """

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        log: Log,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Start the program; raises `BotFault`."""
        self._name, self._log, self._clock = name, log, clock
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                preexec_fn=make_end_with_parent(signal.SIGKILL),
            )
        except (OSError, ValueError) as error:
            raise BotFault(NOT_STARTED, name, f"cannot be started: {error}") from error
        self._lines, self._errors = LineBuffer(), ErrorLines()
        self._unsent, self._number = b"", 0
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ, self._read_out)
        self._selector.register(self._err, selectors.EVENT_READ, self._read_errors)
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def ask(self, request: Mapping[str, Any], seconds: float) -> Json:
        """Return the answer; raises `BotFault`, and then the program has been ended."""
        self._number += 1
        self._send({"id": self._number, **request})
        try:
            return read_answer(self._wait_for_line(seconds), self._number)
        except BadAnswer as error:
            self.kill()
            raise BotFault(error.kind, self._name, str(error)) from error
        except BotFault:
            self.kill()
            raise
        finally:
            self._write_log(self._errors.finish())

    def close(self) -> None:
        """Ask the program to end; kill it when it does not."""
        if self._process.returncode is None:
            self._number += 1
            self._send({"id": self._number, "type": "quit"})
            try:
                # What does not fit into the pipe stays unsent: the program does not read. The end
                # of stdin ends the programs that wait for more.
                self._write()
                self._leave(self._in)
                self._in.close()
                self._process.wait(QUIT_SECONDS)
            except subprocess.TimeoutExpired:
                self._log(f"{self._name}: has not ended {QUIT_SECONDS:g} s after quit: killed")
        self.kill()

    def kill(self) -> None:
        """End the program and the processes of its group at once."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._selector.close()
        for pipe in (self._in, self._out, self._err):
            with suppress(BrokenPipeError):
                pipe.close()

    @property
    def _in(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def _err(self) -> IO[bytes]:
        assert self._process.stderr is not None
        return self._process.stderr

    def _send(self, request: Mapping[str, Any]) -> None:
        """Put a request in front of what the program reads next."""
        if not self._unsent:
            self._selector.register(self._in, selectors.EVENT_WRITE, self._write)
        self._unsent += write_request(request)

    def _wait_for_line(self, seconds: float) -> bytes:
        """Return the next line; raises `BotFault`."""
        deadline = self._clock() + seconds
        while (line := self._lines.pop()) is None:
            left = deadline - self._clock()
            if left <= 0:
                raise BotFault(LATE, self._name, f"has not answered within {seconds:g} s")
            for key, _ in self._selector.select(left):
                key.data()
        return line

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._in.fileno(), self._unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent = b""  # its end, or its silence, is noticed by those who read
        if not self._unsent:
            self._leave(self._in)

    def _read_out(self) -> None:
        data = os.read(self._out.fileno(), PIECE)
        if not data:
            raise BotFault(DIED, self._name, self._describe_end())
        try:
            self._lines.take(data)
        except LineTooLong as error:
            raise BotFault(TOO_LONG, self._name, f"{error} on stdout") from error

    def _read_errors(self) -> None:
        data = os.read(self._err.fileno(), PIECE)
        if not data:
            self._leave(self._err)
        self._write_log(self._errors.take(data))

    def _leave(self, pipe: IO[bytes]) -> None:
        """Watch a pipe no more."""
        with suppress(KeyError):
            self._selector.unregister(pipe)

    def _write_log(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._log(f"{self._name}: {line}")

    def _describe_end(self) -> str:
        """Return how the program has ended; what it wrote last stands in the log."""
        with suppress(BlockingIOError):
            self._write_log(self._errors.take(os.read(self._err.fileno(), PIECE)))
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "has closed its stdout"
        if code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"has ended with exit code {code}"
