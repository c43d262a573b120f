"""Games of two players whose moves are known before the time is measured.

All chance of Caylus is in its setup. So a whole game is played here as soon as it is created, and
what is left for the measured time is to send requests that are written already.
"""

from __future__ import annotations

import random
import selectors
import time
import urllib.request
from collections import deque
from typing import Any, NamedTuple

import orjson

from bench.service._served import Served, post
from bench.service.http import read_answer
from cartulary.games import GAMES

GAME = "caylus"


class DuelPlayer(NamedTuple):
    """A player: the id, the token."""

    id: str
    token: str


class Duel:
    """A seat at either end of a connection: the two players of one game after the other."""

    def __init__(self, served: Served, number: int) -> None:
        self._served = served
        self._random = random.Random(number)
        made = [post(served.port, "/players", {"name": name}) for name in ("Ada", "Bob")]
        self._players = [DuelPlayer(player["id"], player["token"]) for player in made]
        self._requests: deque[tuple[int, bytes]] = deque()
        self._buffer = b""
        self.sockets = [served.connect() for _ in self._players]

    def prepare(self, moves: int) -> None:
        """Have at least so many moves ready."""
        while len(self._requests) < moves:
            self._requests += self._play_game()

    def reconnect(self) -> None:
        """Open both connections again: an idle connection is closed after a while."""
        for sock in self.sockets:
            sock.close()
        self.sockets = [self._served.connect() for _ in self._players]

    def send(self) -> None:
        """Send the next move, on the connection of the player whose turn it is."""
        if not self._requests:
            self.prepare(1)
        number, request = self._requests.popleft()
        self.sockets[number].sendall(request)

    def receive(self, number: int) -> bool:
        """Read from the connection of a player; return True when an answer is complete."""
        self._buffer += self.sockets[number].recv(65536)
        body = read_answer(self._buffer)
        if body is None:
            return False
        self._buffer = b""
        return True

    def _play_game(self) -> list[tuple[int, bytes]]:
        """Create a game and play it here to its end; return the requests for its moves."""
        ada, bob = self._players
        port = self._served.port
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = post(port, "/games", {"game": GAME, "seats": seats}, ada.token)
        made = post(port, f"/games/{made['id']}/seats", {}, bob.token)
        sitting = [made["seats"][seat]["player"]["id"] for seat in range(2)]
        number_of = {seat: int(sitting[seat] == bob.id) for seat in range(2)}
        state = GAMES[GAME].new(2, made["options"], _read_setup(port, made["id"]))
        requests, version = [], made["version"]
        while not state.over:
            moves = state.moves()
            chosen = moves[self._random.randrange(len(moves))]
            number = number_of[state.seat]
            move = state.move_json(chosen)
            requests.append((number, self._write(number, made["id"], move, version)))
            state.play(chosen)
            version += 1
        return requests

    def _write(self, number: int, game_id: str, move: Any, version: int) -> bytes:
        body = orjson.dumps({"move": move, "expected_version": version})
        return (
            f"POST /api/v1/games/{game_id}/moves HTTP/1.1\r\nHost: bench\r\n"
            f"Authorization: Bearer {self._players[number].token}\r\n"
            "Content-Type: application/json\r\nPrefer: return=minimal\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body


def _read_setup(port: int, game_id: str) -> Any:
    url = f"http://127.0.0.1:{port}/api/v1/games/{game_id}/events"
    with urllib.request.urlopen(url, timeout=10) as answer:
        events = orjson.loads(answer.read())["events"]
    (started,) = (event for event in events if event["type"] == "game_started")
    return started["setup"]


class Duels:
    """Several games at the same time, each on two connections."""

    def __init__(self, served: Served, games: int) -> None:
        self._duels = [Duel(served, number) for number in range(games)]

    def prepare(self, moves: int) -> None:
        """Have so many moves ready in all games together."""
        for duel in self._duels:
            duel.prepare(moves // len(self._duels))
            duel.reconnect()

    def run(self, seconds: float) -> float:
        """Play for a while, until all is answered; return the moves a second."""
        done = 0
        with selectors.DefaultSelector() as ready:
            for duel in self._duels:
                for number, sock in enumerate(duel.sockets):
                    ready.register(sock, selectors.EVENT_READ, (duel, number))
            began = time.perf_counter()
            for duel in self._duels:
                duel.send()
            busy = len(self._duels)
            while busy:
                for key, _ in ready.select():
                    duel, number = key.data
                    if not duel.receive(number):
                        continue
                    done += 1
                    if time.perf_counter() - began < seconds:
                        duel.send()
                    else:
                        busy -= 1
            return done / (time.perf_counter() - began)
