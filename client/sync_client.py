"""The client for programs that wait: `Client`."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random, SystemRandom
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from cartulary.client.core import calls
from cartulary.client.core.api_types import (
    Event,
    EventsPage,
    Game,
    GamesPage,
    InboxPage,
    Item,
    Move,
    MoveList,
    MoveWritten,
    NewPlayer,
    OwnPlayer,
    PasskeyOptions,
    RecoveryCodes,
    Session,
    State,
    Story,
    Written,
)
from cartulary.client.core.following import SILENT_AFTER, Follower, GameFollower, InboxFollower
from cartulary.client.core.following_many import ManyFollower, ManyLine
from cartulary.client.core.lines import BrokenStream, StreamLine
from cartulary.client.core.requests import Answer, Call, Outcome, Request
from cartulary.client.core.retries import RetryPolicy
from cartulary.client.http_values import check_url, lose, make_headers, make_timeout, read_answer

T = TypeVar("T")


class Client:
    """A player's connection to a service, or a visitor's, who has no token.

    `url` is the address of the service, without `/api/v1`. Writes get an idempotency key each and
    are repeated as `policy` says; pass `key` to repeat one yourself, after `ConnectionLost`.
    `timeout` is for a request, `silent_after` for a stream without a sign of life, in seconds.
    `language` is that of texts. `sleep`, `random`, `make_key` and `transport` are for tests.

    All methods raise `ApiProblem` for what the service refuses, `ConnectionLost` without an answer.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = "en",
        policy: RetryPolicy | None = None,
        timeout: float = 30.0,
        silent_after: float = SILENT_AFTER,
        sleep: Callable[[float], object] = time.sleep,
        random: Random | None = None,
        make_key: Callable[[], str] = lambda: secrets.token_hex(16),
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.token = token
        self._language, self._silent_after = language, silent_after
        self._policy = RetryPolicy() if policy is None else policy
        self._sleep, self._make_key = sleep, make_key
        self._random = SystemRandom() if random is None else random
        self._http = httpx.Client(base_url=check_url(url), timeout=timeout, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all connections."""
        self._http.close()

    # Players

    def create_player(self, name: str) -> NewPlayer:
        """Register, and use the new token from now on; keep `token`, it is shown once."""
        created = self._send(calls.create_player(name))
        self.token = created["token"]
        return created

    def begin_sign_in(self) -> PasskeyOptions:
        """Return what `navigator.credentials.get` needs; what it answers is for `sign_in`."""
        return self._send(calls.begin_sign_in())

    def sign_in(
        self,
        *,
        link_code: str | None = None,
        recovery_code: str | None = None,
        passkey: Mapping[str, object] | None = None,
        label: str = "",
    ) -> Session:
        """Recover a player with a code or a passkey, and use the new token from now on.

        `passkey` is what a device has answered to `begin_sign_in`, as `toJSON()` writes it.
        """
        session = self._send(calls.sign_in(link_code, recovery_code, passkey, label))
        self.token = session["token"]
        return session

    def make_recovery_codes(self) -> RecoveryCodes:
        """Return ten new recovery codes; those of before become invalid."""
        return self._send(calls.make_recovery_codes())

    def read_me(self) -> OwnPlayer:
        """Return the player of the token."""
        return self._send(calls.read_me())

    def rename(self, name: str) -> OwnPlayer:
        """Change the player's name."""
        return self._send(calls.rename(name))

    def read_inbox(self, after: str | None = None, limit: int | None = None) -> InboxPage:
        """Return a page of the inbox."""
        return self._send(calls.read_inbox(after, limit))

    def follow_inbox(self, after: str = "") -> Iterator[Item]:
        """Yield the items of the inbox as they come, across lost connections, without an end."""
        return self._follow(InboxFollower(after, self._policy, self._random))

    # Games

    def list_games(self, **asked: str | int | None) -> GamesPage:
        """Return a page of games, chosen by the parameters of `GET /games`."""
        return self._send(calls.list_games(**asked))

    def create_game(
        self,
        game: str,
        seats: Sequence[Mapping[str, object]],
        *,
        key: str | None = None,
        **more: object,
    ) -> Game:
        """Open a game; `more` are further members of `GameRequest`, as `options`."""
        return self._send(calls.create_game(game, seats, more, key or self._make_key()))

    def read_game(self, game: str) -> Game:
        """Return a game as it stands; `game` is its id or the link to its table, here as below."""
        return self._send(calls.read_game(game))

    def join_game(
        self,
        game: str,
        seat: int | None = None,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> Game:
        """Take a seat: the given one, the one that is offered, or any that is open."""
        return self._send(calls.join_game(game, seat, version, key or self._make_key()))

    def leave_game(self, game: str, seat: int, *, key: str | None = None) -> Game:
        """Leave a seat before the start, or decline an offer."""
        return self._send(calls.leave_game(game, seat, key or self._make_key()))

    def start_game(
        self, game: str, *, drop_open_seats: bool = False, key: str | None = None
    ) -> Written:
        """Start a game that waits for its host."""
        return self._send(calls.start_game(game, drop_open_seats, key or self._make_key()))

    def resign(self, game: str, seat: int | None = None, *, key: str | None = None) -> Written:
        """Give one's seat up for good; a player with several seats names it."""
        return self._send(calls.resign(game, seat, key or self._make_key()))

    # Moves

    def list_moves(self, game: str) -> MoveList:
        """Return every legal move now, and the version for which they hold."""
        return self._send(calls.list_moves(game))

    def make_move(
        self,
        game: str,
        move: Mapping[str, Any] | Move,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> MoveWritten:
        """Make a move that was chosen for a version; raises `StaleVersion`, `IllegalMove`."""
        return self._send(calls.make_move(game, move, version, key or self._make_key()))

    # Events

    def read_events(self, game: str, after: int = 0, limit: int = 100) -> EventsPage:
        """Return a page of events."""
        return self._send(calls.read_events(game, after, limit))

    def read_all_events(self, game: str) -> Iterator[Event]:
        """Yield the events that there are, page by page."""
        after = 0
        while found := (page := self.read_events(game, after, 500))["events"]:
            yield from found
            after = page["next_after"]

    def read_state(self, game: str, version: int) -> State:
        """Return the table after an event."""
        return self._send(calls.read_state(game, version))

    def read_story(self, game: str, after: int = 0, limit: int = 1000) -> Story:
        """Return what happened after a version, in words."""
        return self._send(calls.read_story(game, after, limit))

    def follow_game(self, game: str, after: int = 0, include: str = "") -> Iterator[StreamLine]:
        """Yield each event once and in order, until the game is over, across lost connections.

        After a `ResetLine` read the game again. `include` asks for named lines as well.
        """
        name = calls.find_id(game)
        return self._follow(GameFollower(name, after, include, self._policy, self._random))

    def follow_games(
        self,
        games: Mapping[str, int] | Sequence[str],
        *,
        inbox: bool = False,
        inbox_after: str = "",
        include: str = "",
        present: Sequence[str] = (),
    ) -> Iterator[ManyLine]:
        """Yield what happens in many games (at most 50), and the items of the inbox, as one stream.

        A mapping has the version after which each game begins. `GameLine` has an event once and in
        order, as in `follow_game`; `ClosedLine` is the last of a game unless it is `unavailable`.
        `present` are those of the games that the player has open. Ends when all games are closed;
        with the inbox it has no end.
        """
        wish = calls.wish_for_games(games, inbox_after if inbox else None, include, present)
        return self._follow(ManyFollower(wish, self._policy, self._random))

    # Transport

    def _send(self, call: Call[T]) -> T:
        attempt = 0
        while True:
            outcome = self._try(call.request)
            pause = self._policy.find_pause(call.request, outcome, attempt, self._random)
            if pause is None:
                return call.finish(outcome)
            self._sleep(pause)
            attempt += 1

    def _try(self, request: Request) -> Outcome:
        try:
            answer = self._http.send(self._build(request))
            return read_answer(answer, answer.content)
        except httpx.TransportError as error:
            return lose(error)

    def _build(self, request: Request, timeout: httpx.Timeout | None = None) -> httpx.Request:
        return self._http.build_request(
            request.method,
            request.path,
            params=request.query,
            headers=make_headers(request, self.token, self._language),
            content=request.body,
            timeout=timeout or self._http.timeout,
        )

    def _follow(self, follower: Follower[T]) -> Iterator[T]:
        while not follower.is_over:
            request = follower.make_request()
            try:
                answer = self._http.send(
                    self._build(request, make_timeout(self._silent_after)), stream=True
                )
            except httpx.TransportError as error:
                pause = follower.refuse(request, lose(error))
            else:
                try:
                    if answer.status_code == 204:
                        return
                    if answer.status_code == 200:
                        yield from self._read_lines(follower, answer)
                        pause = 0.0 if follower.is_over else follower.end_connection()
                    else:
                        pause = follower.refuse(request, self._read_refusal(answer))
                finally:
                    answer.close()
            if not follower.is_over:
                self._sleep(pause)

    def _read_lines(self, follower: Follower[T], answer: httpx.Response) -> Iterator[T]:
        try:
            for data in answer.iter_bytes():
                yield from follower.take(data)
                if follower.is_over:
                    return
        except (httpx.TransportError, BrokenStream):
            return  # the follower knows its place: the next connection goes on from there

    def _read_refusal(self, answer: httpx.Response) -> Answer | Outcome:
        try:
            return read_answer(answer, answer.read())
        except httpx.TransportError as error:
            return lose(error)
