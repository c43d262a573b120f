"""A stream on its way to the client, event by event, and the troubles of a stream."""

from __future__ import annotations

import http.client
import json
import select
import socket
from collections.abc import Iterator
from io import BufferedIOBase
from typing import Any, Final

from cartulary.rehearsal.report import RehearsalReport
from cartulary.rehearsal.scripts import OF_EVENTS, Prompter, RehearsedStep

SSE: Final = "text/event-stream"
_PIECE: Final = 65536


class ClientLeft(Exception):
    """The client has closed its connection."""


class Relay:
    """Hands a stream to one client."""

    def __init__(
        self,
        media: str,
        out: BufferedIOBase,
        connection: socket.socket,
        prompter: Prompter,
        report: RehearsalReport,
        number: int,
    ) -> None:
        self._is_sse = media == SSE
        self._end = b"\n\n" if self._is_sse else b"\n"
        self._out, self._connection = out, connection
        self._prompter, self._report, self._number = prompter, report, number

    def run(self, answer: http.client.HTTPResponse, reset: int | None) -> str:
        """Hand on what comes; return who ended the stream: `service` or `rehearsal`.

        Raises `ClientLeft` when the client ended it.
        """
        if reset is not None:
            self._send(self._name("reset", {"version": reset}))
        for block in self._split(answer):
            if not self._take(block):
                return "rehearsal"
        self._write(b"0\r\n\r\n")
        return "service"

    def _split(self, answer: http.client.HTTPResponse) -> Iterator[bytes]:
        """Yield whole lines, blocks of SSE; a sign of life at once."""
        begun = b""
        while data := answer.read1(_PIECE):
            *blocks, begun = (begun + data).split(self._end)
            for block in blocks:
                yield block + self._end
            if begun and not begun.strip():
                yield begun
                begun = b""

    def _take(self, block: bytes) -> bool:
        """Send a block, with the trouble that is due; return False when the stream ends here."""
        event = self._read(block)
        if event is None:
            self._send(block)
            return True
        step = self._prompter.choose(("stream",), OF_EVENTS)
        if step is None:
            self._send_event(block, event)
            return True
        version = event["version"]
        self._report.note("trouble", id=self._number, step=step.name, do=step.do, version=version)
        return self._make_trouble(step, block, event)

    def _make_trouble(self, step: RehearsedStep, block: bytes, event: dict[str, Any]) -> bool:
        if step.do == "cut":
            self._send(block[: len(block) // 2])
            return False
        if step.do == "silence":
            self._wait_for_end()
        if step.do == "unknown_event":
            # The chain stays whole: a client takes the hash of a changed event as it is.
            changed = {"type": "weather_changed", "wind": {"from": "west"}, "upcast": True}
            block = self._write_event({**event, **changed})
        elif step.do == "unknown_fact":
            fact = {"type": "weather", "wind": 3}
            more = {"facts": [*event.get("facts", []), fact], "mood": "sunny", "upcast": True}
            block = self._write_event({**event, **more})
        elif step.do == "unknown_line":
            self._send(self._name("weather", {"wind": 3}))
        self._send_event(block, event)
        if step.do == "repeat_event":
            self._send(block)
        return True

    def _send_event(self, block: bytes, event: dict[str, Any]) -> None:
        self._send(block)
        self._report.note("event", id=self._number, version=event["version"])

    def _read(self, block: bytes) -> dict[str, Any] | None:
        """Return the event of a block, None for everything else."""
        text = block.strip()
        if self._is_sse:
            lines = [line for line in text.split(b"\n") if line]
            if any(line.startswith(b"event:") for line in lines):
                return None
            data = [line[5:].strip() for line in lines if line.startswith(b"data:")]
            text = b"\n".join(data)
        found = json.loads(text) if text.startswith(b"{") else None
        return found if isinstance(found, dict) and "version" in found else None

    def _write_event(self, event: dict[str, Any]) -> bytes:
        data = json.dumps(event, ensure_ascii=False).encode()
        if not self._is_sse:
            return data + self._end
        return b"id: %d\ndata: %b\n\n" % (event["version"], data)

    def _name(self, name: str, content: dict[str, Any]) -> bytes:
        if not self._is_sse:
            return json.dumps({name: content}).encode() + b"\n"
        return b"event: %b\ndata: %b\n\n" % (name.encode(), json.dumps(content).encode())

    def _send(self, data: bytes) -> None:
        self._write(b"%x\r\n%b\r\n" % (len(data), data))

    def _write(self, data: bytes) -> None:
        try:
            self._out.write(data)
            self._out.flush()
        except OSError as error:
            raise ClientLeft from error

    def _wait_for_end(self) -> None:
        """Send nothing until the client closes the connection; raises `ClientLeft` then."""
        while True:
            select.select([self._connection], [], [])
            try:
                if not self._connection.recv(_PIECE):
                    raise ClientLeft
            except OSError as error:
                raise ClientLeft from error
