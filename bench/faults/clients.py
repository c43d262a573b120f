"""Clients that play: people at tables with bots, and what they are promised goes to the journal.

A client repeats a request until it gets an answer, as the contract of the service asks: with the
same idempotency key, or without a key after a look at what is stored.
"""

from __future__ import annotations

import http.client
import random
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any, NamedTuple

import orjson

from bench.faults.journal import Journal, Json
from bench.faults.people import AwaitsTurns, Habits, People

TIMEOUT_S = 10.0
"""How long a client waits for an answer."""

PAUSE_S = 0.05
"""How long a client waits before it repeats a request."""

STUCK_S = 150.0
"""Seconds after which a client reports that a game does not go on, and leaves the game."""

POLL_S = 5
"""How long a long poll waits."""

NOTICED_S = 3.0
"""Seconds after a fall-back of the store in which a page may still show what was lost."""

REFUSALS = (403, 409)
"""The statuses of refusals that the rules of the game may explain."""

UNKNOWN_OUTCOME = 500
"""From this status on it is unknown what has been stored."""

TAKEBACKS = ("none", "undo", "consent")
GAMES = ("carcassonne", "caylus")

PACE = {"mode": "live", "delay": 20, "bank": 600}
"""The clock of a timed game: only time that should not count could use it up here."""

ON_TIMEOUT = ("stand_in", "forfeit", "claim")


class NoAnswer(Exception):
    """The connection was lost, or no answer came in time."""


class Vanished(Exception):
    """The service does not know the game: the store fell back to a time before it."""


class Stuck(Exception):
    """The service has not done what it promises in `STUCK_S`."""


class ServiceReply(NamedTuple):
    """What came: the status, the body, and when the request was sent."""

    status: int
    body: Json
    sent: float


def describe(method: str, path: str, answer: ServiceReply) -> str:
    """Return a line about an answer that the service must not give."""
    found = {key: answer.body.get(key) for key in ("code", "detail", "current_version")}
    return f"{method} {path.partition('?')[0]}: {answer.status} {found}"


class ReconnectingClient:
    """One connection to the service, which is made again when it is lost.

    `pause_s` lie between a request and its repetition; after `stuck_s` it gives up.
    """

    def __init__(
        self, port: int, journal: Journal, pause_s: float = PAUSE_S, stuck_s: float = STUCK_S
    ) -> None:
        self._pause_s, self._stuck_s = pause_s, stuck_s
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
        self._journal = journal

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def ask(
        self, method: str, path: str, body: Any = None, token: str = "", key: str = ""
    ) -> ServiceReply:
        """Ask once; raises `NoAnswer`."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        sent = time.monotonic()
        try:
            text = None if body is None else orjson.dumps(body)
            self._connection.request(method, f"/api/v1{path}", text, headers)
            answer = self._connection.getresponse()
            return ServiceReply(answer.status, orjson.loads(answer.read()), sent)
        except (OSError, http.client.HTTPException, orjson.JSONDecodeError) as error:
            self._connection.close()
            raise NoAnswer(str(error)) from error

    def insist(
        self, method: str, path: str, body: Any = None, token: str = "", key: str = ""
    ) -> ServiceReply:
        """Ask until there is an answer below 500; raises `Stuck`."""
        deadline = time.monotonic() + self._stuck_s
        while time.monotonic() < deadline:
            with suppress(NoAnswer):
                answer = self.ask(method, path, body, token, key)
                if answer.status < UNKNOWN_OUTCOME and answer.status != 429:
                    return answer
                self.check_refusal(method, path, answer)
            self._journal.note_retry()
            time.sleep(self._pause_s)
        raise Stuck(f"no answer to {method} {path} for {self._stuck_s:g} s")

    def check_refusal(self, method: str, path: str, answer: ServiceReply) -> None:
        """Note an answer that is neither 503 nor 429: nothing excuses a failure of the service."""
        if answer.status not in (429, 503):
            self._journal.note_trouble(describe(method, path, answer))


class PlayedTable:
    """A game that one client plays to its end, on one seat or several."""

    def __init__(
        self,
        caller: ReconnectingClient,
        journal: Journal,
        tokens: list[str],
        rng: random.Random,
        habits: Habits,
        notices: AwaitsTurns | None = None,
    ) -> None:
        self._caller, self._journal, self._rng = caller, journal, rng
        self._tokens, self._habits, self._notices = tokens, habits, notices
        self._keyed = rng.random() < habits.keyed
        self._moved = (-1, 0)
        """Seat and version of the last move: when the seat is asked again, its turn goes on."""
        self._awaited = (-1, 0)
        """Seat and version of the last turn whose message was waited for."""
        self._holders: dict[int, str] = {}
        self._people = People(self, habits, self._holders, rng)
        self._path = self.id = ""
        self._unsettled: tuple[int, int, float] | None = None
        """Seat, expected version and moment of a request without a key and without an answer."""

    def open(self) -> None:
        """Create the game, and let the other people take their seats."""
        people = self._rng.choices((0, 1, 2), (1, 6, 3))[0]
        rated = people == 2 and self._rng.random() < self._habits.rated
        described = self._describe_seats(people, rated)
        takebacks = self._rng.choice(TAKEBACKS[: 2 if rated else 3])
        body: Json = {"game": self._rng.choice(GAMES), "seats": described, "takebacks": takebacks}
        if rated:
            body |= {"pace": PACE, "on_timeout": "forfeit", "rated": True}
        elif people and self._rng.random() < self._habits.timed:
            body |= {"pace": PACE, "on_timeout": self._rng.choice(ON_TIMEOUT)}
        answer = self._insist("POST", "/games", body, self._tokens[0], self._new_key())
        self.id, self._path = answer.body["id"], f"/games/{answer.body['id']}"
        for number, seat in enumerate(described):
            if seat["kind"] != "bot":
                self._holders[number] = self._tokens[0 if seat["kind"] == "me" else 1]
        self._journal.open(answer.body, frozenset(self._holders), answer.sent)
        for number, seat in enumerate(described):
            if seat["kind"] == "open":
                self._take_seat(number)

    def _describe_seats(self, people: int, rated: bool) -> list[Json]:
        """Return seats for some people, and bots on the others unless the game is rated."""
        seats = people if rated else self._rng.randint(2, self._habits.seats)
        described: list[Json] = [{"kind": "me"}, {"kind": "open"}][:people]
        while len(described) < seats:
            described.append({"kind": "bot", "bot": self._rng.choice(self._habits.bots)})
        self._rng.shuffle(described)
        return described

    def _sit_down_again(self, game: Json) -> None:
        """Take the seats of a game that a fall-back of the store has opened again."""
        for number, seat in enumerate(game["seats"]):
            if number in self._holders and seat["player"] is None:
                self._take_seat(number)

    def _take_seat(self, number: int) -> None:
        """Let the second person sit down; a repeated request without a key may find its own."""
        body, allowed = {"seat": number}, (201, 409)
        self._insist("POST", f"{self._path}/seats", body, self._tokens[1], allowed=allowed)

    def play(self) -> None:
        """Play until the game is over; raises `Vanished` and `Stuck`."""
        self._people.look()
        pending: tuple[int, float] | None = None
        progressed, version = time.monotonic(), -1
        while True:
            page = self._read(f"{self._path}/moves")
            if page["version"] != version:
                progressed, version = time.monotonic(), page["version"]
            if self._unsettled is not None and version > self._unsettled[1]:
                self._settle()
            decision = page["decision"]
            mine = decision is not None and decision["seat"] in self._people.present
            if pending is not None and (mine or decision is None) and version > pending[0]:
                self._journal.note_round(self.id, pending[1])
                pending = None
            if mine and self._act(page):
                pending = None
            elif mine and not self._is_notified(page):
                continue  # The store may have fallen back in the meantime.
            elif mine:
                pending = self._move(page)
            elif self._is_over(page):
                return
            elif time.monotonic() - progressed > STUCK_S:
                raise Stuck(f"game {self.id} stays at version {version}: {decision}")

    def _is_notified(self, page: Json) -> bool:
        """Return whether the player knows of the turn; waits for the message of one that begins."""
        asked = page["decision"]["seat"], page["version"]
        if self._notices is None or asked in (self._moved, self._awaited):
            return True
        self._notices.await_turn(self.id, page["version"])
        self._awaited = asked
        return False

    def _is_over(self, page: Json) -> bool:
        """Wait for what others do; returns whether the game is over."""
        if page["decision"] is None:
            game = self._read(self._path)
            if game["status"] in ("over", "aborted"):
                return True
            if game["status"] == "open":
                self._sit_down_again(game)
                return False
        self._people.come_back()
        self._read(f"{self._path}/events?after={page['version']}&limit=1&wait={POLL_S}")
        return False

    def _act(self, page: Json) -> bool:
        """Do what people do besides moves; returns whether they did anything."""
        seat, version = page["decision"]["seat"], page["version"]
        return self._unsettled is None and self._people.act(seat, version)

    def read_game(self) -> Json:
        """Return the game as it is now; raises `Vanished` and `Stuck`."""
        return self._read(self._path)

    def write(
        self, token: str, method: str, path: str, body: Json, expected: Collection[str]
    ) -> Json | None:
        """Ask for more than a move; return the game after it, None for an `expected` refusal.

        Raises `Vanished` and `Stuck`.
        """
        whole, allowed = self._path + path, (200, 201, *REFUSALS)
        answer = self._insist(method, whole, body, token, self._new_key(), allowed)
        if answer.status in REFUSALS:
            if answer.body.get("code") not in expected:
                self._report(method, whole, answer)
            return None
        for event in answer.body["events"]:
            self._journal.acknowledge(self.id, event, answer.sent)
        game: Json = answer.body["game"]
        return game

    def _move(self, page: Json) -> tuple[int, float] | None:
        """Make a move; returns its version and when it was sent, None when it was not made."""
        seat, version = page["decision"]["seat"], page["version"]
        if self._habits.thinks:
            time.sleep(self._rng.uniform(0.0, self._habits.thinks))
        body = {"move": self._rng.choice(page["moves"]), "expected_version": version}
        began = time.monotonic()
        answer = self._ask_for_move(seat, body)
        if answer is None:
            return None
        if answer.status != 201:
            # The version or the seat may be one that a fall-back of the store has taken, or an
            # earlier request, whose answer was lost, may have moved on from the version.
            if not (self._unsettled or self._journal.fell_back_since(began - NOTICED_S)):
                self._report("POST", f"{self._path}/moves", answer)
            time.sleep(PAUSE_S)
            return None
        self._unsettled = None
        self._journal.acknowledge(self.id, answer.body["event"], answer.sent)
        self._journal.note_wait(time.monotonic() - began)
        self._moved = seat, answer.body["event"]["version"]
        return answer.body["event"]["version"], answer.sent

    def _ask_for_move(self, seat: int, body: Json) -> ServiceReply | None:
        """Ask until there is an answer, without a key once: None when the outcome is unknown."""
        path, token = f"{self._path}/moves", self._holders[seat]
        if self._keyed:
            allowed = (201, 403, 409, 422)
            return self._insist("POST", path, body, token, self._new_key(), allowed)
        sent = time.monotonic()
        try:
            answer = self._caller.ask("POST", path, body, token)
            if answer.status < UNKNOWN_OUTCOME and answer.status != 429:
                return answer
            self._caller.check_refusal("POST", path, answer)
        except NoAnswer:
            pass
        self._journal.note_retry()
        version = body["expected_version"]
        # After a fall-back of the store the game is at an earlier version, and so is the move.
        if self._unsettled is None or version < self._unsettled[1]:
            self._unsettled = seat, version, sent
        time.sleep(PAUSE_S)
        return None

    def _settle(self) -> None:
        """Look for a move whose answer was lost, when the game has a later version."""
        assert self._unsettled is not None
        seat, version, sent = self._unsettled
        self._unsettled = None
        page = self._read(f"{self._path}/events?after={version}&limit=100")
        for event in page["events"]:
            if event["type"] == "move_made" and event["seat"] == seat:
                self._journal.acknowledge(self.id, event, sent, seen=True)
                return

    def _read(self, path: str) -> Json:
        return self._insist("GET", path, None, self._tokens[0]).body

    def _insist(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str = "",
        key: str = "",
        allowed: tuple[int, ...] = (200, 201),
    ) -> ServiceReply:
        """Ask until there is an answer; raises `Vanished` for one that is not allowed."""
        answer = self._caller.insist(method, path, body, token, key)
        if answer.status in allowed:
            return answer
        if answer.status != 404 or not self.id or not self._journal.note_vanished(self.id):
            self._report(method, path, answer)
        raise Vanished

    def _report(self, method: str, path: str, answer: ServiceReply) -> None:
        self._journal.note_trouble(describe(method, path, answer))

    def _new_key(self) -> str:
        return f"{self._rng.getrandbits(64):016x}"
