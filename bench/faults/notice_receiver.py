"""A receiver of webhooks over TLS: it notes what comes, and takes it, refuses it, or hangs."""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import Coroutine
from typing import Any, Final, Literal, NamedTuple, Self

import orjson

from bench.faults.service import ROOT

CERTIFICATE: Final = ROOT / "tests" / "service" / "localhost.pem"
"""For 127.0.0.1, with its key; it signs itself."""

Conduct = Literal["takes", "fails", "gone", "hangs"]

_ANSWERS: Final[dict[Conduct, bytes]] = {
    "takes": b"HTTP/1.1 204 No Content\r\n\r\n",
    "fails": b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
    "gone": b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n",
}


class ReceivedNotice(NamedTuple):
    """A message about a game; `at` is when its last byte came, of `time.monotonic`."""

    id: str
    game: str
    version: int
    at: float
    seat: int


class NoticeReceiver:
    """Listens on a port of this machine in a thread of its own; a context manager.

    `conduct` may be changed at any time. A receiver that hangs reads a request and does not answer.
    """

    def __init__(self, conduct: Conduct = "takes") -> None:
        self.conduct: Conduct = conduct
        self.port = 0
        self.count = 0
        """Requests that came, those without a game included."""
        self._notices: list[ReceivedNotice] = []
        self._known: set[tuple[str, int]] = set()
        self._come = threading.Condition()
        self._ready = threading.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    @property
    def url(self) -> str:
        """The address of the receiver."""
        return f"https://127.0.0.1:{self.port}/hook"

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which a service sends to it."""
        return allow_receivers(self.port)

    def die(self) -> None:
        """Refuse connections, and reset those that are open."""
        self._await(self._close())

    def revive(self) -> None:
        """Accept connections again, on the same port."""
        self._await(self._open())

    def list_notices(self) -> list[ReceivedNotice]:
        """Return what has come so far, in order."""
        with self._come:
            return list(self._notices)

    def take_notices(self) -> list[ReceivedNotice]:
        """Return what has come since the last call."""
        with self._come:
            taken, self._notices = self._notices, []
            return taken

    def await_notice(self, game: str, version: int, within: float) -> bool:
        """Wait for a message about a version of a game; returns whether it has come."""
        with self._come:
            return self._come.wait_for(lambda: (game, version) in self._known, within)

    def _await(self, done: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(done, self._loop).result(10)

    async def _run(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        await self._open()
        self._ready.set()
        await self._over.wait()
        await self._close()

    async def _open(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        self._server = await asyncio.start_server(
            self._handle, "127.0.0.1", self.port, ssl=context, backlog=512
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while await self._answer(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            pass  # The other side has ended: what came completely is noted.
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Read a request and answer it; returns whether the connection goes on."""
        head = _read_head(await reader.readuntil(b"\r\n\r\n"))
        body = await reader.readexactly(int(head["content-length"]))
        self._note(head, body)
        if self.conduct == "hangs":
            await reader.read()
            return False
        writer.write(_ANSWERS[self.conduct])
        await writer.drain()
        return True

    def _note(self, head: dict[str, str], body: bytes) -> None:
        at = time.monotonic()
        data = orjson.loads(body)["data"] if "webhook-id" in head else {}
        with self._come:
            self.count += 1
            if "game" in data:
                turn = data["game"], data["version"], at, data["seat"]
                found = ReceivedNotice(head["webhook-id"], *turn)
                self._notices.append(found)
                self._known.add((found.game, found.version))
                self._come.notify_all()


def allow_receivers(*ports: int) -> dict[str, str]:
    """Return the variables with which a service sends to receivers on these ports."""
    allowed = " ".join(f"127.0.0.1/32:{port}" for port in ports)
    return {"CARTULARY_EGRESS_ALLOW": allowed, "CARTULARY_EGRESS_CA": str(CERTIFICATE)}


def _read_head(text: bytes) -> dict[str, str]:
    lines = text.decode("latin-1").split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines if line)
    return {name.lower(): value.strip() for name, _, value in pairs}
