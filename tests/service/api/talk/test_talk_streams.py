"""Messages as they come: long polls, streams of messages, and named events of a game's stream."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from typing import Any

import orjson
import pytest
import requests

from cartulary.events.chat.messages import CHANNEL
from cartulary.events.live.live import Hub
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.http.shared.stream_visibility import StreamVisibility
from tests.service.support.caller import Caller, played_out
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.heard_channels import is_heard
from tests.service.support.scene import problem
from tests.service.support.streaming_player import Player
from tests.support.polling import until

SSE, NDJSON = "text/event-stream", "application/x-ndjson"


@pytest.fixture
def game(ada: Caller, bob: Caller) -> str:
    """The path of a game of Ada and Bob."""
    path = f"/games/{ada.open('me', 'open')['id']}"
    bob.post(f"{path}/seats", {})
    return path


def say(caller: Caller, game: str, phrase: str = "hello", room: str = "players") -> dict[str, Any]:
    answer = caller.post(f"{game}/messages", {"room": room, "phrase": phrase})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json
    return found


def follow(caller: Caller, path: str, accept: str = NDJSON, **headers: str) -> Iterator[bytes]:
    """Open a stream in this process; each step is what the service writes at once."""
    answer = caller.get(path, headers={"Accept": accept, **headers})
    assert answer.status_code == 200, answer.text
    return iter(answer.response)  # type: ignore[arg-type]


def lines(piece: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in piece.splitlines() if line.strip()]


def read_events(stream: Iterator[bytes], count: int) -> list[Any]:
    """Return at least so many lines, however many pieces they come in."""
    found: list[Any] = []
    while len(found) < count:
        found += lines(next(stream))
    return found


class TestStreams:
    def test_both_rooms_come_in_order_from_the_first_message_on(
        self, game: str, ada: Caller, bob: Caller
    ) -> None:
        said = [say(ada, game), say(bob, game, "thanks", "spectators"), say(ada, game, "oops")]
        stream = follow(bob, f"{game}/messages")
        assert next(stream).strip() == b""
        assert lines(next(stream)) == said
        more = say(ada, game, "sorry", "spectators")
        assert lines(next(stream)) == [more]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "path", ["messages", "events/stream", "events/stream?include=messages,presence"]
    )
    def test_a_player_who_is_removed_reads_nothing_more(
        self, ada: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch, path: str
    ) -> None:
        game = f"/games/{ada.open('me', 'open', 'open', visibility='private')['id']}"
        invited = {"kind": "invite", "player": bob.id}
        assert ada.put(f"{game}/seats/1", invited).status_code == 200
        # Each look would end the stream as well, up to a second later.
        monkeypatch.setattr(StreamVisibility, "look", lambda _: None)
        streams = [follow(caller, f"{game}/{path}") for caller in (ada, bob)]
        for stream in streams:
            next(stream)
        if path != "messages":
            for stream in streams:
                read_events(stream, 2)
        assert ada.put(f"{game}/seats/1", {"kind": "open"}).status_code == 200
        said = say(ada, game)
        assert lines(next(streams[0]))
        # Presence may still come before the end of the stream, but no word and no event.
        rest = [line for piece in streams[1] for line in lines(piece)]
        assert said not in rest
        assert [line for line in rest if "version" in line] == []

    def test_a_cursor_beyond_the_end_is_no_loss_of_the_store(
        self, game: str, ada: Caller, bob: Caller, caplog: pytest.LogCaptureFixture
    ) -> None:
        forged = {"Last-Event-ID": "99999999999999-0"}
        streams = [follow(ada, f"{game}/messages", **forged), follow(bob, f"{game}/messages")]
        for stream in streams:
            next(stream)
        said = say(ada, game)
        assert [lines(next(stream)) for stream in streams] == [[said], [said]]
        assert "lost the end" not in caplog.text

    def test_a_stream_goes_on_after_a_message(self, game: str, ada: Caller) -> None:
        first, second = say(ada, game), say(ada, game)
        for stream in (
            follow(ada, f"{game}/messages?after={first['id']}"),
            follow(ada, f"{game}/messages", NDJSON, **{"Last-Event-ID": first["id"]}),
        ):
            next(stream)
            assert lines(next(stream)) == [second]

    def test_the_id_of_a_server_sent_event_is_a_cursor(self, game: str, ada: Caller) -> None:
        say(ada, game)
        second = say(ada, game, "thanks")
        stream = follow(ada, f"{game}/messages", SSE)
        next(stream)
        ids = [line[4:] for line in next(stream).decode().splitlines() if line.startswith("id: ")]
        again = follow(ada, f"{game}/messages", NDJSON, **{"Last-Event-ID": ids[0]})
        next(again)
        assert lines(next(again)) == [second]

    def test_each_reader_gets_what_is_for_that_reader(
        self, game: str, ada: Caller, bob: Caller, visitor: Caller
    ) -> None:
        ada.put(f"/players/me/mutes/{bob.id}")
        polish = follow(visitor, f"{game}/messages", NDJSON, **{"Accept-Language": "pl"})
        muting = follow(ada, f"{game}/messages")
        one_room = follow(bob, f"{game}/messages?room=spectators")
        for stream in (polish, muting, one_room):
            next(stream)
        say(bob, game, "thanks")
        mine = say(ada, game, "hello", "spectators")
        assert [one["text"] for one in lines(next(polish))] in (
            ["Dziękuję!"],
            ["Dziękuję!", "Cześć!"],
        )
        assert lines(next(muting)) == [mine]
        assert lines(next(one_room)) == [mine]

    def test_a_deletion_comes_as_a_stub(self, game: str, ada: Caller, bob: Caller) -> None:
        said = say(ada, game)
        stream = follow(bob, f"{game}/messages?after={said['id']}")
        next(stream)
        ada.delete(f"{game}/messages/{said['id']}")
        assert lines(next(stream)) == [{**said, "text": None, "phrase": None, "deleted": True}]

    def test_a_finished_game_has_a_stream(self, ada: Caller) -> None:
        game = f"/games/{played_out(ada)}"
        stream = follow(ada, f"{game}/messages")
        next(stream)
        said = say(ada, game, "good_game", "spectators")
        assert lines(next(stream)) == [said]

    def test_a_wrong_cursor_is_refused(self, game: str, ada: Caller) -> None:
        for cursor in ("x", "other.1-0"):
            headers = {"Accept": SSE, "Last-Event-ID": cursor}
            problem(ada.get(f"{game}/messages", headers=headers), 422, "invalid")


class TestPolls:
    def test_a_poll_waits_for_a_message(
        self, game: str, ada: Caller, bob: Caller, hub: Hub
    ) -> None:
        found: list[dict[str, Any]] = []
        waiting = Thread(target=lambda: found.append(bob.get(f"{game}/messages?wait=20").json))
        waiting.start()
        channel = keys.signals(game.removeprefix("/games/"), CHANNEL)
        until(lambda: channel in hub.channels)
        said = say(ada, game)
        waiting.join(60)
        assert found == [{"messages": [said], "next_after": said["id"]}]

    @pytest.mark.slow
    def test_a_poll_without_a_message_ends(self, game: str, ada: Caller) -> None:
        assert ada.get(f"{game}/messages?wait=1").json["messages"] == []


class TestNamedEvents:
    def test_the_stream_of_a_game_names_a_message_in_the_words_of_its_reader(
        self, game: str, ada: Caller, bob: Caller, store: Store
    ) -> None:
        game_id = game.removeprefix("/games/")
        after = ada.version(game_id)
        path = f"{game}/events/stream?after={after}&include=messages"
        polish = follow(ada, path, NDJSON, **{"Accept-Language": "pl"})
        bob.put(f"/players/me/mutes/{ada.id}")
        muting = follow(bob, path, NDJSON)
        for stream in (polish, muting):
            next(stream)
        until(lambda: is_heard(store.redis, keys.signals(game_id, CHANNEL)))
        said = say(ada, game, "thanks")
        own = say(bob, game, "hello")
        assert lines(next(polish))[0] == {"message": {**said, "text": "Dziękuję!"}}
        assert lines(next(muting)) == [{"message": own}]


@pytest.mark.real
class TestRealProcesses:
    @pytest.fixture
    def store(self, valkey_url: str) -> Iterator[Store]:
        store = Store(connect(valkey_url), OFFERS)
        yield store
        store.close()

    def test_a_stream_ends_soon_after_its_reader_is_removed(self, service: Gunicorn) -> None:
        with Player(service) as ada, Player(service) as bob:
            me = bob.get(f"{service.api}/players/me", timeout=60).json()["id"]
            seats = [{"kind": "me"}, {"kind": "invite", "player": me}, {"kind": "open"}]
            wish = {"game": "carcassonne", "seats": seats, "visibility": "private"}
            game = ada.post(f"{service.api}/games", json=wish, timeout=60).json()["id"]
            path = f"{service.api}/games/{game}"
            with bob.get(
                f"{path}/messages", headers={"Accept": NDJSON}, stream=True, timeout=60
            ) as stream:
                read = stream.iter_lines(chunk_size=1)
                body = {"room": "players", "phrase": "hello"}
                assert ada.post(f"{path}/messages", json=body, timeout=60).status_code == 201
                said = next(line for line in read if line.strip())
                assert orjson.loads(said)["text"] == "Hello!"
                opened = ada.put(f"{path}/seats/1", json={"kind": "open"}, timeout=60)
                assert opened.status_code == 200
                rest = [*read]
                # On a busy machine a sign of life, which is a space, comes before the end.
                assert {line.strip() for line in rest} <= {b""}
                assert len(rest) < 20, "an empty line comes each second"
            assert bob.get(f"{path}/messages", timeout=60).status_code == 404

    def test_a_poll_waits_in_the_event_loop(self, service: Gunicorn) -> None:
        with Player(service) as ada:
            wish = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]}
            game = ada.post(f"{service.api}/games", json=wish, timeout=60).json()["id"]
            path = f"{service.api}/games/{game}/messages"
            found: list[Any] = []
            waiting = Thread(
                target=lambda: found.append(requests.get(f"{path}?wait=20", timeout=60).json())
            )
            waiting.start()
            waiting.join(0.5)
            said = ada.post(path, json={"room": "players", "phrase": "hello"}, timeout=60).json()
            waiting.join(60)
            assert found[0]["messages"] == [said]


def test_a_stream_of_messages_goes_on_after_the_last_one_that_came(
    game: str, ada: Caller, bob: Caller
) -> None:
    said = [say(ada, game), say(bob, game, "thanks"), say(ada, game, "oops")]
    read = bob.get(f"{game}/messages?limit=1").json
    for path, headers in (
        (f"{game}/messages/stream?after={read['next_after']}", {}),
        (f"{game}/messages/stream", {"Last-Event-ID": read["next_after"]}),
    ):
        stream = bob.get(path, headers={"Accept": NDJSON, **headers}, buffered=False)
        pieces: Iterator[Any] = iter(stream.response)
        found: list[Any] = []
        while not found:
            found = lines(next(pieces))
        stream.close()
        assert found == said[1:]
