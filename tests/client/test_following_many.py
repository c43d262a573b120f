"""One stream for many games: each event of each game once, whatever happens to the connection."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import httpx
import pytest

from cartulary.client import Client, ClosedLine, EventLine, GameLine, Invalid, ItemLine, NamedLine
from cartulary.client.core.following_many import ASK_AGAIN, ManyFollower, ManyWish
from cartulary.client.core.lines import BrokenStream
from cartulary.client.core.retries import RetryPolicy
from tests.client.fake_service import Script, event, refuse, stream

CUT = httpx.RemoteProtocolError("the connection has ended")


def of(game: str, version: int, cursor: str, **more: Any) -> dict[str, Any]:
    """Return the line of an event."""
    return {"game": game, "event": {**event(version), **more}, "cursor": cursor}


def closed(game: str, reason: str = "over", cursor: str = "c") -> dict[str, Any]:
    """Return the line of a game that is closed."""
    return {"game": game, "closed": reason, "cursor": cursor}


def follow(client: Client, *games: str, **more: Any) -> list[str]:
    """Return what came, in short."""
    return [show(line) for line in client.follow_games(games or ("a", "b"), **more)]


def show(line: object) -> str:
    """Return a line as a word."""
    if isinstance(line, ClosedLine):
        return f"{line.game} {line.reason}"
    if isinstance(line, ItemLine):
        return f"item {line.item['id']}"
    assert isinstance(line, GameLine)
    if isinstance(line.line, EventLine):
        return f"{line.game}{line.line.version}"
    if isinstance(line.line, NamedLine):
        return f"{line.game} {line.line.name}"
    return f"{line.game} reset {line.line.version}"


def asked(service: Script) -> list[str]:
    """Return where each connection began: with a cursor, or with versions."""
    return [one.headers.get("Last-Event-ID") or one.url.params["after"] for one in service.requests]


def test_the_stream_goes_on_with_the_cursor_of_the_last_line() -> None:
    service = Script(
        stream(of("a", 1, "x"), of("b", 1, "y"), b'{"ga', error=CUT),
        stream(of("a", 2, "z"), closed("a"), closed("b")),
    )
    assert follow(service.open()) == ["a1", "b1", "a2", "a over", "b over"]
    assert asked(service) == ["0,0", "y"]
    assert "after" not in service.requests[1].url.params
    assert service.requests[1].url.params["games"] == "a,b"


def test_games_begin_after_the_versions_that_are_known() -> None:
    service = Script(stream(closed("a"), closed("b")))
    found = service.open().follow_games({"a": 7, "https://x/g/b": 2}, include="clock", present="b")
    assert [show(line) for line in found] == ["a over", "b over"]
    sent = service.requests[0].url.params
    assert dict(sent) == {"games": "a,b", "include": "clock", "present": "b", "after": "7,2"}


def test_an_event_that_comes_twice_does_not_move_the_cursor_back() -> None:
    service = Script(
        stream(of("a", 1, "x"), of("a", 2, "y"), of("a", 1, "x"), error=CUT),
        stream(closed("a"), closed("b")),
    )
    assert follow(service.open()) == ["a1", "a2", "a over", "b over"]
    assert asked(service) == ["0,0", "y"]


def test_a_version_that_is_missing_is_asked_for_without_the_cursor() -> None:
    service = Script(
        stream(of("a", 1, "x"), of("b", 1, "ahead"), of("a", 3, "y")),
        stream(of("a", 2, "z"), of("a", 3, "y"), closed("a"), closed("b")),
    )
    assert follow(service.open()) == ["a1", "b1", "a2", "a3", "a over", "b over"]
    assert asked(service) == ["0,0", "1,1"]


def test_a_reset_is_of_one_game() -> None:
    lost = {"game": "a", "reset": {"version": 1}, "cursor": "r"}
    service = Script(
        stream(of("a", 1, "x"), of("a", 2, "x"), of("b", 1, "y"), lost, error=CUT),
        stream(of("a", 2, "z"), closed("a"), closed("b")),
    )
    assert follow(service.open()) == ["a1", "a2", "b1", "a reset 1", "a2", "a over", "b over"]
    assert asked(service) == ["0,0", "1,1"]


def test_a_game_with_other_events_begins_again_and_the_others_go_on() -> None:
    service = Script(
        stream(of("b", 1, "x"), of("a", 1, "x"), of("a", 2, "y", prev="other"), of("a", 3, "z")),
        stream(of("a", 1, "y"), closed("a"), closed("b")),
    )
    assert follow(service.open()) == ["b1", "a1", "a reset 0", "a1", "a over", "b over"]
    assert asked(service) == ["0,0", "0,1"]


def test_a_cursor_that_is_refused_is_given_up_once() -> None:
    service = Script(
        stream(of("a", 4, "x"), error=CUT),
        refuse(400, "bad_cursor"),
        refuse(400, "bad_cursor"),
    )
    found: list[str] = []
    with pytest.raises(Invalid):
        found.extend(map(show, service.open().follow_games({"a": 3})))
    assert found == ["a4"]
    assert asked(service) == ["3", "x", "4"]


def test_a_game_that_was_unavailable_is_asked_for_again() -> None:
    now = [0.0]
    wish = ManyWish({"a": 0, "b": 0}, None, "", ())
    follower = ManyFollower(wish, RetryPolicy(), Random(1), lambda: now[0])
    follower.make_request()

    def take(*lines: Any) -> list[str]:
        return [
            show(one) for line in lines for one in follower.take(json.dumps(line).encode() + b"\n")
        ]

    assert take(closed("a", "unavailable", "c"), closed("b")) == ["a unavailable", "b over"]
    assert not follower.is_over
    now[0] = ASK_AGAIN - 1
    assert list(follower.take(b"\n")) == []
    now[0] = ASK_AGAIN
    with pytest.raises(BrokenStream):
        list(follower.take(b"\n"))
    assert follower.make_request().headers["Last-Event-ID"] == "c"
    assert take(closed("a", "unavailable", "d")) == []
    assert take(of("a", 1, "e"), closed("a", "unavailable", "f")) == ["a1", "a unavailable"]
    assert take(closed("a", "not_found")) == ["a not_found"]
    assert follower.is_over


def test_the_inbox_comes_with_the_games_and_has_no_end() -> None:
    snapshot = {"inbox": {"id": "1-0", "type": "snapshot", "data": {}}, "cursor": "s"}
    item = {"inbox": {"id": "2-0", "type": "your_turn", "data": {}}, "cursor": "i"}
    service = Script(
        stream(snapshot, item, item, closed("a")), httpx.Response(204), refuse(401, "x")
    )
    found = follow(service.open(), "a", inbox=True, inbox_after="0-1")
    assert found == ["item 1-0", "item 2-0", "a over"]
    assert service.requests[0].url.params["inbox_after"] == "0-1"
    assert asked(service) == ["0", "c"]


def test_what_is_unknown_breaks_nothing() -> None:
    service = Script(
        stream(
            {"game": "a", "weather": 3},
            {"game": "other", "event": event(1)},
            {"game": 7, "event": event(1)},
            {"game": "a"},
            {"wind": 1},
            [],
            {"inbox": 3},
            of("a", 1, "x", type="later"),
            closed("a", "asleep"),
        )
    )
    assert follow(service.open(), "a") == ["a weather", "a1", "a asleep"]


def test_one_text_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(TypeError):
        Script().open().follow_games("ab")
