"""What can be asked, as requests; the rules for keys are in `docs/http.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from cartulary.client.core.api_types import (
    EventsPage,
    Game,
    GamesPage,
    InboxPage,
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
from cartulary.client.core.following_many import ManyWish
from cartulary.client.core.requests import Call, make_request


def create_player(name: str) -> Call[NewPlayer]:
    """Register. Repeated blindly, it would register twice, so it never is."""
    return Call(make_request("POST", "/players", {"name": name}, repeatable=False), _as_is)


def begin_sign_in() -> Call[PasskeyOptions]:
    """Ask for what a browser or a device needs to use a passkey."""
    return Call(make_request("POST", "/sessions/options", {}), _as_is)


def sign_in(
    link_code: str | None = None,
    recovery_code: str | None = None,
    passkey: Mapping[str, object] | None = None,
    label: str = "",
) -> Call[Session]:
    """Exchange a code or a passkey for a token.

    Each is valid once, so the request is never repeated blindly. Raises `ValueError` unless there
    is exactly one of them.
    """
    given = {"link_code": link_code, "recovery_code": recovery_code, "passkey": passkey}
    body = {name: one for name, one in given.items() if one is not None}
    if len(body) != 1:
        raise ValueError("sign in with a link code, with a recovery code or with a passkey")
    request = make_request("POST", "/sessions", {**body, "label": label}, repeatable=False)
    return Call(request, _as_is)


def make_recovery_codes() -> Call[RecoveryCodes]:
    """Make new recovery codes; those of before become invalid."""
    return Call(make_request("POST", "/players/me/recovery_codes", {}), _as_is)


def read_me() -> Call[OwnPlayer]:
    """Ask who the token belongs to."""
    return Call(make_request("GET", "/players/me"), _as_is)


def rename(name: str) -> Call[OwnPlayer]:
    """Change one's name; a repetition changes nothing more."""
    return Call(make_request("PATCH", "/players/me", {"name": name}), _as_is)


def list_games(**asked: str | int | None) -> Call[GamesPage]:
    """List games: `status`, `game`, `player`, `seat`, `turn`, `sort`, `pace`, `limit`, `cursor`."""
    return Call(make_request("GET", "/games", query=asked), _as_is)


def create_game(
    game: str, seats: Sequence[Mapping[str, object]], more: Mapping[str, object], key: str
) -> Call[Game]:
    """Open a game; `more` are further members of the body."""
    body = {"game": game, "seats": [dict(seat) for seat in seats], **more}
    return Call(make_request("POST", "/games", body, key=key), _as_is)


def read_game(game: str) -> Call[Game]:
    """Read a game as it stands."""
    return Call(make_request("GET", f"/games/{find_id(game)}"), _as_is)


def join_game(game: str, seat: int | None, version: int | None, key: str) -> Call[Game]:
    """Take a seat."""
    body = {} if seat is None else {"seat": seat}
    path = f"/games/{find_id(game)}/seats"
    return Call(make_request("POST", path, body, key=key, version=version), _as_is)


def leave_game(game: str, seat: int, key: str) -> Call[Game]:
    """Leave a seat before the start, or decline an offer."""
    return Call(make_request("DELETE", f"/games/{find_id(game)}/seats/{seat}", key=key), _as_is)


def start_game(game: str, drop_open_seats: bool, key: str) -> Call[Written]:
    """Start a game that waits for its host."""
    body = {"drop_open_seats": True} if drop_open_seats else {}
    return Call(make_request("POST", f"/games/{find_id(game)}/start", body, key=key), _as_is)


def resign(game: str, seat: int | None, key: str) -> Call[Written]:
    """Give a seat up for good; a player with several seats names it."""
    body = {} if seat is None else {"seat": seat}
    return Call(make_request("POST", f"/games/{find_id(game)}/resignation", body, key=key), _as_is)


def list_moves(game: str) -> Call[MoveList]:
    """List every legal move now."""
    return Call(make_request("GET", f"/games/{find_id(game)}/moves"), _as_is)


def make_move(
    game: str, move: Mapping[str, Any] | Move, version: int | None, key: str
) -> Call[MoveWritten]:
    """Make a move; `version` is the version for which the move was chosen."""
    body: dict[str, object] = {"move": move}
    if version is not None:
        body["expected_version"] = version
    return Call(make_request("POST", f"/games/{find_id(game)}/moves", body, key=key), _as_is)


def read_events(game: str, after: int, limit: int) -> Call[EventsPage]:
    """Read a page of events."""
    query = {"after": after, "limit": limit}
    return Call(make_request("GET", f"/games/{find_id(game)}/events", query=query), _as_is)


def read_state(game: str, version: int) -> Call[State]:
    """Read the table after an event."""
    return Call(make_request("GET", f"/games/{find_id(game)}/states/{version}"), _as_is)


def read_story(game: str, after: int, limit: int) -> Call[Story]:
    """Read what happened, in words of the language that the client asks for."""
    query = {"after": after, "limit": limit}
    return Call(make_request("GET", f"/games/{find_id(game)}/story", query=query), _as_is)


def read_inbox(after: str | None, limit: int | None) -> Call[InboxPage]:
    """Read a page of the inbox."""
    query = {"after": after, "limit": limit}
    return Call(make_request("GET", "/players/me/inbox", query=query), _as_is)


def wish_for_games(
    games: Mapping[str, int] | Sequence[str],
    inbox_after: str | None,
    include: str,
    present: Sequence[str],
) -> ManyWish:
    """Return the wish for one stream of games, which are ids or links to tables.

    Raises `ValueError` for an empty id, `TypeError` for one text in place of a list.
    """
    if isinstance(games, str):
        raise TypeError("name the games as a list or a mapping")
    versions = games if isinstance(games, Mapping) else dict.fromkeys(games, 0)
    begin = {read_id(game): version for game, version in versions.items()}
    return ManyWish(begin, inbox_after, include, tuple(map(read_id, present)))


def find_id(game: str) -> str:
    """Return the id of a game from the id or from a link to its table, fit for a path.

    Raises `ValueError` for an empty id.
    """
    return quote(read_id(game), safe="")


def read_id(game: str) -> str:
    """Return the id of a game from the id or from a link; raises `ValueError` for an empty id."""
    found = urlsplit(game).path.rstrip("/").rpartition("/")[2] if "/" in game else game
    if not found:
        raise ValueError(f"{game!r} names no game")
    return found


def _as_is(body: Any) -> Any:
    return body
