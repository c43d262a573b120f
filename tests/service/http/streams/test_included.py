"""`include`: named events on the stream of a game, for those who ask for them."""

from __future__ import annotations

import threading
from itertools import pairwise

import orjson
import pytest

from cartulary.events.chat.messages import CHANNEL
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.support.caller import SMALL_CITY, Caller, import_unfinished
from tests.service.support.heard_channels import is_heard
from tests.service.support.scene import problem
from tests.support.polling import until

SSE, NDJSON = "text/event-stream", "application/x-ndjson"


def read_all(ada: Caller, store: Store, include: str, accept: str) -> str:
    """Return a whole stream on which signals were published before the end of the game."""
    game_id = import_unfinished(ada)
    stream = ada.get(f"/games/{game_id}/events/stream?after=1{include}", headers={"Accept": accept})
    reader = threading.Thread(target=stream.get_data, daemon=True)
    reader.start()
    heard = [keys.signals(game_id), keys.signals(game_id, CHANNEL), keys.inbox_live(ada.id)]
    until(
        lambda: (
            include in ("", "&include=") or any(is_heard(store.redis, channel) for channel in heard)
        )
    )
    store.signals.publish_to_game(game_id, "presence", b'{"others":1}')
    store.signals.publish_to_game(game_id, "clock", b'{"seat":0}')
    store.signals.publish_to_game(game_id, "message", b'{"text":"Hi"}', CHANNEL)
    store.signals.publish_to_game(game_id, "message", b'{"text":"Ho"}', CHANNEL)
    store.signals.publish(keys.inbox_live(ada.id), "inbox", b'{"id":"1"}')
    ada.move(game_id, SMALL_CITY["moves"][1]["move"])
    store.commands.score(game_id)
    reader.join(timeout=60)
    assert not reader.is_alive()
    return stream.text


def names_of(text: str) -> list[str]:
    """The names in order; `presence` that is repeated, as a slow machine may do, counts once."""
    named = [line[7:] for line in text.splitlines() if line.startswith("event: ")]
    return [
        name
        for before, name in pairwise(["", *named])
        if name != "presence" or before != "presence"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("include", "names"),
    [
        ("", []),
        ("&include=", []),
        ("&include=clock", ["clock"]),
        ("&include=messages,presence", ["presence", "message", "message"]),
        (
            "&include=inbox,clock,presence,messages",
            ["inbox", "presence", "clock", "message", "message", "inbox"],
        ),
    ],
)
def test_a_stream_sends_the_named_events_that_it_is_asked_for(
    ada: Caller, store: Store, include: str, names: list[str]
) -> None:
    assert names_of(read_all(ada, store, include, SSE)) == names


def test_a_named_event_has_no_id(ada: Caller, store: Store) -> None:
    text = read_all(ada, store, "&include=clock", SSE)
    assert '\n\nevent: clock\ndata: {"seat":0}\n\n' in text


def test_a_line_of_ndjson_has_the_named_event_under_its_name(ada: Caller, store: Store) -> None:
    text = read_all(ada, store, "&include=clock,presence", NDJSON)
    lines = [orjson.loads(line) for line in text.splitlines() if line]
    # A slow machine may say twice who is there, before and after the players were noticed.
    *present, last = (line for line in lines if "version" not in line)
    assert present[0].keys() == {"presence"}
    assert all(line.keys() == {"presence"} for line in present)
    assert last == {"clock": {"seat": 0}}


@pytest.mark.slow
@pytest.mark.parametrize("include", ["chat", "clock,", ",", "clock;inbox", "Clock", "clock,x"])
def test_an_unknown_word_is_refused(ada: Caller, include: str) -> None:
    answer = ada.get(f"/games/{import_unfinished(ada)}/events/stream?include={include}")
    problem(answer, 422, "invalid")


def test_the_inbox_needs_a_token(ada: Caller, visitor: Caller) -> None:
    answer = visitor.get(f"/games/{import_unfinished(ada)}/events/stream?include=inbox")
    problem(answer, 401, "token_missing")


def test_a_ticket_is_for_the_named_events_that_it_was_asked_for(
    ada: Caller, visitor: Caller
) -> None:
    path = f"/games/{import_unfinished(ada)}/events"

    def open_stream(asked: str, used: str) -> int:
        ticket = ada.post(f"{path}/ticket{asked}").json["ticket"]
        answer = visitor.get(f"{path}/stream?ticket={ticket}{used}")
        answer.close()
        return answer.status_code

    assert open_stream("?include=inbox,clock", "&include=inbox") == 200
    assert open_stream("?include=clock", "") == 200
    assert open_stream("?include=clock", "&include=clock,inbox") == 401
    assert open_stream("", "&include=clock") == 401


def test_a_cache_keeps_a_stream_for_one_caller_and_one_form(ada: Caller) -> None:
    answer = ada.get(f"/games/{ada.open()['id']}/events/stream", buffered=False)
    answer.close()
    assert answer.headers["Vary"].startswith("Accept, Authorization")
