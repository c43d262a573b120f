"""People who follow games live, over the app of a web process: what a stream has shown is stored.

A request is a call of the real app in a strand of the web process, which reads the body there as a
server with threads does; the hub of the process has its own strand. A client does what the contract
asks: it comes back with the version of its last event, goes back at a reset, and begins again when
the first event of a stream does not follow. Within a stream nothing may be missing or come twice.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final
from wsgiref.types import WSGIApplication

from werkzeug.test import EnvironBuilder

from bench.faults.watchers import StreamMessage, Watched, read_messages
from cartulary.events.live.live import Hub
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from simulation.faults.schedule import PlannedFault
from simulation.play.people import SimulatedPeople
from simulation.play.web import MESSAGE_TAKES, RequestHeaders, SentStream, WebServer
from simulation.world.network import Network, Words
from simulation.world.processes import Process, Strand
from simulation.world.world import SECOND, TOO_LATE, SimulatedWorld

SILENT_S: Final = 20.0
"""Seconds of silence after which a client connects again: a sign of life comes every 15 s."""

STAYS_S: Final = 300.0
"""Seconds, at most, after which a client leaves a stream, to come back."""

PAUSE_S: Final = 0.5
"""Seconds before a client connects again."""

LATE_S: Final = 90.0
"""Seconds that an event may be on its way to a client: its process may have stood still."""

SHOWN_WITHIN_S: Final = 60.0
"""Seconds within which a stream shows what is stored, while it shows signs of life: a partition
takes 30 s, and a game without news is looked at every 15 s."""

STREAMS: Final = 1000
"""Streams of one process at the same time; by default the machine decides."""

STORED: Final = 1
"""What the script of an append answers first, where it has stored it."""

OPEN, OVER, UNKNOWN = 200, 204, 404
AGAIN: Final = (429, 503)
"""Answers after which a client comes back: too many requests, or the store does not answer."""


class OpenedStream:
    """A stream on its way to a client: its status, then bytes in their order, then its end."""

    def __init__(self, world: SimulatedWorld) -> None:
        self.world = world
        self.is_left = False
        """Whether the client is gone; the process notices when it writes."""
        self._arrived: deque[int | bytes | None] = deque()
        self._arrives_at = 0
        self._reader: tuple[Strand, int] | None = None

    def send(self, part: int | bytes | None) -> None:
        """Send the status, some bytes, or None for the end."""
        world = self.world
        due = self._arrives_at = max(self._arrives_at, world.now + world.choose(MESSAGE_TAKES))
        world.at(due - world.now, lambda: self._arrive(part))

    def _arrive(self, part: int | bytes | None) -> None:
        self._arrived.append(part)
        if self._reader is not None:
            strand, token = self._reader
            self._reader = None
            self.world.wake(strand, token, delay=0)

    def read(self) -> int | bytes | None:
        """Return what comes next; None at the end, or when nothing comes for too long."""
        if not self._arrived:
            strand = self.world.must_run()
            self._reader = strand, strand.token
            if self.world.wait("a stream", SILENT_S) is TOO_LATE and not self._arrived:
                return None
        return self._arrived.popleft()

    def read_lines(self, until: int) -> Iterator[bytes]:
        """Yield the lines of the stream, until it ends or the client leaves it at a time in ns."""
        rest = b""
        while self.world.now < until and (part := self.read()) is not None:
            assert isinstance(part, bytes)
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                yield line + b"\n"


class LiveApp:
    """The app of a web process, and its hub."""

    def __init__(self, store: Store) -> None:
        settings = replace(
            WebSettings.from_environment(), streams=STREAMS, log_requests=False, client="current"
        )
        app = create_app(settings, store, OFFERS)
        self._call: WSGIApplication = app
        self.hub: Hub = app.extensions["cartulary"].hub

    def answer(self, path: str, headers: RequestHeaders, stream: SentStream) -> None:
        """Answer a request with a stream, in the strand that runs, until one of both ends it."""

        def start(status: str, _headers: Any, _error: Any = None) -> Any:
            stream.send(int(status.split()[0]))

        body: Any = self._call(EnvironBuilder(path, headers=headers).get_environ(), start)
        try:
            for part in body:
                if stream.is_left:
                    return
                stream.send(part)
        finally:
            body.close()


class AppendTimes:
    """When the store has taken each append, in virtual ns, by the game and its first version."""

    def __init__(self, world: SimulatedWorld) -> None:
        self._world = world
        self._stored: dict[tuple[str, int], int] = {}

    def hear(self, _process: Process, words: Words, reply: Any) -> None:
        """Take note of a request and its answer."""
        is_append = len(words) > 12 and words[0] == b"EVALSHA" and words[3].endswith(b"}:events")
        if is_append and isinstance(reply, list) and reply[0] == STORED:
            game = words[3].removesuffix(b"}:events").removeprefix(b"{").decode()
            self._stored[game, int(words[3 + int(words[2])]) + 1] = self._world.now

    def find(self, game: str, version: int) -> int | None:
        """Return when a version was stored, None for one that began no append."""
        return self._stored.get((game, version))


class LiveWatchers:
    """Each follows one game after another, from its first event to its last."""

    def __init__(self, crowd: SimulatedPeople, network: Network, servers: list[WebServer]) -> None:
        self.crowd, self.network, self.servers = crowd, network, servers
        self.watched: dict[str, Watched] = {}
        self.appends = AppendTimes(crowd.world)
        self.rng = random.Random(f"{crowd.world.seed}/watchers")
        self.streams = self.refused = 0
        """Streams that were opened, and those of private games that strangers did not get."""

    def start(self) -> None:
        """Begin to watch; a stranger tries private games meanwhile."""
        for number in range(1, self.crowd.profile.watchers + 1):
            self.crowd.world.start(f"watcher-{number}", self._watch, forgiven=False)
        if self.crowd.profile.private:
            self.crowd.world.start("stranger", self._try_private, forgiven=False)

    def list_kinds(self) -> dict[str, Callable[[PlannedFault], None]]:
        """Return what inflicts a fault of the hubs: publications are lost with their connection."""
        return {"line_cut": self._cut_line}

    def _cut_line(self, fault: PlannedFault) -> None:
        server = self.servers[int(fault.size * len(self.servers))]
        self.network.cut_listeners(server.name)

    def _watch(self) -> None:
        while True:
            game = next(reversed(list(self.crowd.requests)), None)
            if game is not None and game not in self.watched:
                self._follow(game, self.watched.setdefault(game, Watched()))
            self.crowd.world.sleep(PAUSE_S)

    def _follow(self, game: str, watched: Watched) -> None:
        """Follow a game until its stream has ended for good, or the game is gone."""
        world, journal = self.crowd.world, self.crowd.journal
        while True:
            status = self._follow_once(game, watched)
            if status == UNKNOWN:
                if not journal.note_vanished(game):
                    self.crowd.report(f"{game}: its stream is not found")
                del self.watched[game]
                return
            if status == OVER:
                if not journal.may_be_lost(watched.came - LATE_S, watched.came):
                    watched.ended = world.now / SECOND
                    return
                watched.begin_again()
                world.sleep(LATE_S / 4)
            world.sleep(PAUSE_S)

    def _open(self, game: str, after: int, token: str) -> tuple[OpenedStream, int | bytes | None]:
        """Ask a web process for a stream; returns it, and its status (None: no answer)."""
        world = self.crowd.world
        server, stream = self.servers[self.rng.randrange(len(self.servers))], OpenedStream(world)
        path = f"/api/v1/games/{game}/events/stream?after={after}"
        headers = [("Accept", "text/event-stream")]
        if token:
            headers.append(("Authorization", f"Bearer {token}"))
        delay = self.rng.randrange(MESSAGE_TAKES)
        world.at(delay, lambda: server.open_stream(path, headers, stream))
        status = stream.read()
        # A fall-back may have taken the account.
        expected = (
            None,
            OPEN,
            OVER,
            UNKNOWN,
            *AGAIN,
            401 if self.crowd.journal.fallbacks else OPEN,
        )
        if status not in expected:
            self.crowd.report(f"{server.name} answers {status!r} to a stream of {game}")
        return stream, status

    def _follow_once(self, game: str, watched: Watched) -> int | bytes | None:
        """Read a stream while it lasts; returns its status."""
        world = self.crowd.world
        stream, status = self._open(game, len(watched.events), self._choose_token(game))
        self.streams += status == OPEN
        if status == OPEN:
            until = world.now + int(STAYS_S * self.rng.random() * SECOND)
            is_first = True
            for message in read_messages(stream.read_lines(until)):
                if not self._take(game, watched, message, is_first):
                    break
                is_first = message.name == "reset"
            if world.now >= until:
                self._judge_delay(game, len(watched.events))
        stream.is_left = True
        return status

    def _take(self, game: str, watched: Watched, message: StreamMessage, is_first: bool) -> bool:
        """Take a message of a stream; returns whether the stream is read on."""
        shown = len(watched.events)
        is_known = bool(self.crowd.journal.fallbacks) and is_first
        if watched.take(message):
            if message.name == "reset" and not is_known:
                self.crowd.report(f"{game}: a stream is reset after version {shown}")
            return True
        if not is_known:
            version = message.data["version"]
            self.crowd.report(f"{game}: a stream shows version {version} after {shown}")
        return False

    def _judge_delay(self, game: str, shown: int) -> None:
        """Report a stream that was alive, and has not shown what was stored long ago."""
        now, stored = self.crowd.world.now, self.appends.find(game, shown + 1)
        if stored is None or self.crowd.journal.fell_back_since(stored / SECOND - LATE_S):
            return
        late = (now - stored) / SECOND
        if late > SHOWN_WITHIN_S:
            self.crowd.report(f"{game}: a stream has not shown {shown + 1} for {late:.0f} s")

    def _choose_token(self, game: str) -> str:
        """Return the token of who opened a private game; the others are for everybody."""
        is_private = self.crowd.requests[game].visibility == "private"
        return self.crowd.tokens[self.crowd.hosts[game]] if is_private else ""

    def _try_private(self) -> None:
        """Ask again and again for the stream of a private game, as one who has no part in it."""
        crowd = self.crowd
        while True:
            crowd.world.sleep(10 * self.rng.random())
            hidden = [one for one, game in crowd.requests.items() if game.visibility == "private"]
            if hidden:
                stream, status = self._open(hidden[-1], 0, "")
                stream.is_left = True
                self.refused += status == UNKNOWN
                if status in (OPEN, OVER):
                    crowd.report(f"{hidden[-1]} is private, and a stranger gets its stream")
