"""Streams: each event once and in order, whatever happens to the connection."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from cartulary.client import Client, ConnectionLost, EventLine, NamedLine, NotFound, Unauthenticated
from tests.client.fake_service import Script, event, refuse, stream

SCORED = event(4, "game_scored")
CUT = httpx.RemoteProtocolError("the connection has ended")


def follow(client: Client) -> list[int | str]:
    """Return the versions of the events that came, and what came between them."""
    found: list[int | str] = []
    for line in client.follow_game("g"):
        if isinstance(line, EventLine):
            found.append(line.version)
        else:
            found.append(line.name if isinstance(line, NamedLine) else f"reset {line.version}")
    return found


def cursors(service: Script) -> list[str | None]:
    return [request.headers.get("Last-Event-ID") for request in service.requests]


def test_a_stream_goes_on_after_the_last_event() -> None:
    service = Script(stream(event(1), event(2), b'{"versi', error=CUT), stream(event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]
    assert cursors(service) == [None, "2"]
    assert service.requests[0].headers["Accept"] == "application/x-ndjson"
    assert service.slept == [0.375]


def test_a_stream_that_ends_without_an_error_goes_on_too() -> None:
    service = Script(stream(event(1)), stream(event(2), event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]


def test_silence_is_a_lost_connection() -> None:
    silent = stream(event(1), b" ", error=httpx.ReadTimeout("silent"))
    service = Script(silent, stream(event(2), event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]
    assert service.requests[0].extensions["timeout"]["read"] == 35


def test_an_event_that_comes_twice_is_given_once() -> None:
    service = Script(stream(event(1), event(1), event(2), event(1), event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]


def test_what_is_unknown_is_handed_on_or_ignored_and_breaks_nothing() -> None:
    later = event(2, "weather_changed", facts=[{"type": "wind"}], mood=["sunny"])
    service = Script(
        stream(event(1), {"weather": 3}, later, [], {}, {"a": 1, "b": 2}, event(3), SCORED)
    )
    assert follow(service.open()) == [1, "weather", 2, 3, 4]


def test_a_reset_is_given_and_the_stream_goes_on_after_it() -> None:
    lost = {"reset": {"version": 2}}
    service = Script(
        stream(event(1), event(2), event(3)), stream(lost, error=CUT), stream(event(3), SCORED)
    )
    assert follow(service.open()) == [1, 2, 3, "reset 2", 3, 4]
    assert cursors(service) == [None, "3", "2"]


def test_an_event_that_does_not_follow_from_the_last_one_begins_the_game_again() -> None:
    other = {**event(3), "prev": "another"}
    service = Script(
        stream(event(1), event(2), other, event(4)),
        stream(event(1), event(2), event(3), SCORED),
    )
    assert follow(service.open()) == [1, 2, "reset 0", 1, 2, 3, 4]


def test_a_version_that_is_missing_is_asked_for() -> None:
    service = Script(stream(event(1), event(3)), stream(event(2), event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]
    assert cursors(service) == [None, "1"]


def test_bytes_that_are_no_lines_of_json_are_a_lost_connection() -> None:
    service = Script(stream(event(1), b"<html>\n"), stream(event(2), event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "line",
    [{"reset": {"version": None}}, {"reset": {"version": "x"}}, {"version": True, "type": "x"}],
)
def test_a_version_that_is_no_number_says_nothing(line: Any) -> None:
    service = Script(stream(event(1), line, event(2), event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]


def test_a_line_that_nests_too_deep_is_a_lost_connection() -> None:
    service = Script(stream(event(1), b"[" * 200_000 + b"\n"), stream(event(2), event(3), SCORED))
    assert follow(service.open()) == [1, 2, 3, 4]


def test_a_line_in_pieces_is_one_line() -> None:
    whole = b'{"version": 1, "type": "game_aborted"}\n'
    assert follow(Script(stream(*(bytes([one]) for one in whole))).open()) == [1]


def test_a_refused_stream_is_opened_again_after_the_time_that_was_asked_for() -> None:
    busy = refuse(503, "too_many_streams", "2")
    service = Script(busy, httpx.ConnectError("down"), stream(event(1, "game_aborted")))
    assert follow(service.open()) == [1]
    assert service.slept == [2.25, 0.75]


def test_a_stream_that_is_over_ends() -> None:
    assert follow(Script(httpx.Response(204)).open()) == []


def test_a_refusal_that_stands_ends_a_stream() -> None:
    with pytest.raises(NotFound):
        follow(Script(refuse(404, "not_found")).open())
    with pytest.raises(ConnectionLost):
        follow(Script(*[httpx.ConnectError("down")] * 8).open())


def test_a_player_who_knows_the_events_goes_on_after_them() -> None:
    service = Script(stream(SCORED))
    lines = list(service.open().follow_game("g", 3))
    assert [type(line) for line in lines] == [EventLine]
    assert cursors(service) == ["3"]


def test_an_inbox_goes_on_after_the_last_item() -> None:
    snapshot = {"id": "s", "type": "snapshot", "data": {}}
    first: dict[str, Any] = {"id": "a", "type": "your_turn", "data": {}}
    second = {**first, "id": "b"}
    service = Script(
        stream(snapshot, first, first, error=CUT), stream({"inbox": second}), refuse(401, "x")
    )
    found: list[str] = []
    with pytest.raises(Unauthenticated):
        found.extend(item["id"] for item in service.open().follow_inbox())
    assert found == ["s", "a", "b"]
    assert cursors(service) == [None, "a", "b"]
