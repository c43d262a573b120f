"""A model and a real server that get the same commands."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import hiredis

from cartulary.cli.embedded.embedded import EmbeddedValkey
from simulation.store.compare.normal import bring_all_to_form, bring_to_form
from simulation.store.compare.operations import RandomOperation
from simulation.store.server import ModelServer
from simulation.store.values.replies import Blocked, Words

SESSIONS: Final = 4
RESP3: Final = 2
"""The session that speaks RESP3; the others speak RESP2."""
REMEMBERED: Final = 2000
"""Operations of which a difference shows those with the same key."""
CONTENTS: Final[dict[bytes, tuple[Sequence[bytes], str]]] = {
    b"string": ((b"GET",), ""),
    b"hash": ((b"HGETALL",), "pairs"),
    b"set": ((b"SMEMBERS",), "none"),
    b"zset": ((b"ZRANGE", b"0", b"-1", b"WITHSCORES"), ""),
    b"list": ((b"LRANGE", b"0", b"-1"), ""),
    b"stream": ((b"XRANGE", b"-", b"+"), ""),
}


class Difference(Exception):
    """The model and the server do not answer the same."""


class RealLine:
    """A connection to the real server."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        self._socket.connect(path)
        self._reader = hiredis.Reader()

    def send(self, commands: Sequence[Words]) -> None:
        """Send commands."""
        packed: list[tuple[Any, ...]] = [tuple(words) for words in commands]
        self._socket.sendall(b"".join(map(hiredis.pack_command, packed)))

    def read(self) -> Any:
        """Return the next answer; raises `OSError` where none comes."""
        while (reply := self._reader.gets()) is False:
            received = self._socket.recv(1 << 16)
            if not received:
                raise ConnectionError("the server has ended the connection")
            self._reader.feed(received)
        return reply

    def ask(self, *words: bytes) -> Any:
        """Return the answer to one command."""
        self.send([words])
        return self.read()

    def close(self) -> None:
        """End the connection."""
        self._socket.close()


class ServerPair:
    """Both servers, with several sessions each; a context manager."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.valkey = EmbeddedValkey(folder)
        self.model = ModelServer(random.Random(seed), appendfsync="everysec")
        self.now = 1
        self.compared = 0
        self._last: deque[tuple[int, Words, Any]] = deque(maxlen=REMEMBERED)

    def __enter__(self) -> ServerPair:
        """Start the real server."""
        self.valkey.start()
        self._connect()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self._disconnect()
        self.valkey.stop()

    def _connect(self) -> None:
        path = str(self.valkey.url).removeprefix("unix://")
        self.lines = [RealLine(path) for _ in range(SESSIONS)]
        self.control = RealLine(path)
        self.sessions = [self.model.connect() for _ in range(SESSIONS)]
        self.lines[RESP3].ask(b"HELLO", b"3")
        self.model.execute(self.sessions[RESP3], [b"HELLO", b"3"], self.now)
        seconds, micros = self.control.ask(b"TIME")
        self.now = max(self.now, int(seconds) * 1000 + int(micros) // 1000)

    def _disconnect(self) -> None:
        for line in (*self.lines, self.control):
            line.close()

    # -- the same on both -------------------------------------------------------------------------

    def run(self, number: int, operations: Sequence[RandomOperation]) -> None:
        """Send operations to both on a session, and compare each answer; raises `Difference`."""
        line = self.lines[number]
        line.send([one.words for one in operations])
        replies = [line.read() for _ in operations]
        for place, one in enumerate(operations):
            self._last.append((number, one.words, replies[place]))
            self._find_now(operations, replies, place)
            if one.order == "chance":
                self._follow_chance(number, one, replies[place])
            else:
                reply = self.model.execute(self.sessions[number], one.words, self.now)
                self.check(one, replies[place], reply)

    def _find_now(
        self, operations: Sequence[RandomOperation], replies: Sequence[Any], place: int
    ) -> None:
        """Set the time of the model to that at which the server has run an operation.

        An entry that has got its id from the server says it: the entry itself, or the one that an
        operation with the order `clock` has read right behind it.
        """
        one = operations[place]
        if one.order == "clock":
            return
        reply = replies[place]
        following = place + 1
        while following < len(operations) and operations[following].order == "clock":
            if replies[following]:
                self.now = max(self.now, _read_moment(replies[following]))
            following += 1
        if one.words[0] == b"XADD" and b"*" in one.words and isinstance(reply, bytes):
            self.now = max(self.now, _read_moment(reply))

    def _follow_chance(self, number: int, one: RandomOperation, reply: Any) -> None:
        """Check that the server could choose what it has chosen, and let the model choose it."""
        key = one.words[1]
        session = self.sessions[number]
        members = self.model.execute(session, [b"SMEMBERS", key], self.now)
        if isinstance(reply, hiredis.ReplyError) or not isinstance(members, list) or not members:
            self.check(one, reply, self.model.execute(session, one.words, self.now))
            return
        chosen = reply if isinstance(reply, list) else [reply]
        count = int(one.words[2]) if len(one.words) > 2 else 1
        wanted = -count if count < 0 else min(count, len(members))
        if len(chosen) != wanted or not set(chosen) <= set(members):
            raise Difference(f"{one.words} answers {reply}, out of {members}")
        self.compared += 1
        if one.words[0] == b"SPOP" and chosen:
            self.model.execute(session, [b"SREM", key, *chosen], self.now)

    def check(
        self,
        one: RandomOperation,
        real: Any,
        model: Any,
        inner: Sequence[RandomOperation] | None = None,
    ) -> None:
        """Raise `Difference` unless two answers are the same."""
        self.compared += 1
        if inner is None:
            expected, found = bring_to_form(one, real), bring_to_form(one, model)
        else:
            expected, found = bring_all_to_form(inner, real), bring_all_to_form(inner, model)
        if expected != found:
            lines = [
                f"  {_shorten(words)} -> {reply!r:.200}" for words, reply in self._find_before(one)
            ]
            told = [_shorten(one.words), *lines, f"  server: {expected}", f"  model:  {found}"]
            raise Difference("\n".join(told))

    def _find_before(self, one: RandomOperation) -> list[tuple[Words, Any]]:
        """Return the last operations about the keys of one."""
        keys = set(one.words[1:3])
        return [(words, reply) for _, words, reply in self._last if keys & set(words[1:4])][-12:]

    def run_transaction(self, number: int, operations: Sequence[RandomOperation]) -> None:
        """Run operations as a transaction of both."""
        begin, end = RandomOperation([b"MULTI"]), RandomOperation([b"EXEC"])
        line, session = self.lines[number], self.sessions[number]
        line.send([one.words for one in (begin, *operations, end)])
        replies = [line.read() for _ in range(len(operations) + 2)]
        self._last.extend((number, one.words, replies[-1]) for one in operations)
        queued: list[RandomOperation] = []
        for one, reply in zip((begin, *operations), replies, strict=False):
            answer = self.model.execute(session, one.words, self.now)
            self.check(RandomOperation(one.words), reply, answer)
            if answer == "QUEUED":
                queued.append(one)
        answer = self.model.execute(session, [b"EXEC"], self.now)
        self.check(end, replies[-1], answer, queued)

    # -- waiting ----------------------------------------------------------------------------------

    def block(self, number: int, words: Words) -> None:
        """Send a command that may wait to both; where it waits, the real server does so now."""
        self.lines[number].send([words])
        reply = self.model.execute(self.sessions[number], words, self.now)
        if not isinstance(reply, Blocked):
            self.check(RandomOperation(words), self.lines[number].read(), reply)
            return
        wanted = sum(one.blocked is not None for one in self.sessions)
        for _ in range(100_000):
            said = self.control.ask(b"INFO", b"clients")
            if int(re.findall(rb"blocked_clients:(\d+)", said)[0]) == wanted:
                return
        raise Difference(f"{words} waits in the model, and not on the server")

    def read_answers(self) -> None:
        """Compare the answers that came while sessions waited, and what is published."""
        for line, session in zip(self.lines, self.sessions, strict=True):
            while session.answers:
                self.check(RandomOperation([b"(waited)"]), line.read(), session.answers.popleft())

    # -- whole states -----------------------------------------------------------------------------

    def compare_states(self) -> None:
        """Compare all keys with their values and expiries; raises `Difference`."""
        self.run(0, [RandomOperation([b"KEYS", b"*"], "none"), RandomOperation([b"DBSIZE"])])
        for key in self.control.ask(b"KEYS", b"*"):
            words, order = CONTENTS[self.control.ask(b"TYPE", key)]
            content = RandomOperation([words[0], key, *words[1:]], order)
            self.run(0, [content, RandomOperation([b"PEXPIRETIME", key], "time")])

    def restart(self, *, kill: bool) -> None:
        """Let both processes end and begin again, and compare what they have kept."""
        self._disconnect()
        if kill and self.valkey.pid is not None:
            os.kill(self.valkey.pid, signal.SIGKILL)
            self.model.crash(self.now)
        else:
            self.model.stop()
        self.valkey.stop()
        self.valkey.start()
        self.model.restart(self.now)
        self._connect()
        self.compare_states()

    def empty(self) -> None:
        """Delete everything."""
        self.run(0, [RandomOperation([b"FLUSHALL"])])


def _shorten(words: Words) -> str:
    return " ".join(f"{word!r:.60}" for word in words)


def _read_moment(found: Any) -> int:
    """Return the ms in an id, in the id of the first entry of a range, or in a score.

    A score is a reservation of an hour that begins now, 0 for a game that stays.
    """
    if isinstance(found, float) or (isinstance(found, bytes) and b"-" not in found):
        return int(found) - 3_600_000
    entry_id = found if isinstance(found, bytes) else found[0][0]
    return int(entry_id.partition(b"-")[0])
