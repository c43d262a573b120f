"""`GET /streams`: one stream for many games and the inbox."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import orjson
import pytest
from flask import Flask

from cartulary.events.chat.messages import CHANNEL
from cartulary.events.live.live import Hub
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.service.api.streams import opening
from tests.service.support.caller import SMALL_CITY, Caller, import_unfinished, played_out
from tests.service.support.heard_channels import is_heard
from tests.service.support.many_games_reader import NDJSON, SSE, ManyGamesReader, versions_of
from tests.service.support.openapi_file import check
from tests.support.polling import until

MISSING = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


def finish(ada: Caller, store: Store, game_id: str) -> None:
    ada.move(game_id, SMALL_CITY["moves"][1]["move"])
    store.commands.score(game_id)


def await_hearing(store: Store, *channels: str) -> None:
    """Wait until the store has listeners on the channels: a signal without one is lost."""
    until(lambda: all(is_heard(store.redis, channel) for channel in channels))


@pytest.mark.slow
def test_the_events_of_many_games_come_in_one_stream_each_once(ada: Caller) -> None:
    games = [ada.open()["id"] for _ in range(3)]
    with ManyGamesReader(ada, f"games={','.join(games)}") as stream:
        begun = stream.read(6)
        for game_id in games:
            ada.move(game_id)
        moved = stream.read(3)
    for game_id in games:
        assert versions_of(begun, game_id) == [1, 2]
        events = ada.get(f"/games/{game_id}/events").json["events"]
        mine = [line["event"] for line in begun + moved if line["game"] == game_id]
        assert mine == events


def test_a_stream_goes_on_after_any_of_its_cursors_in_any_order_of_the_games(ada: Caller) -> None:
    first, second = games = [ada.open()["id"] for _ in range(2)]
    with ManyGamesReader(ada, f"games={first},{second}") as stream:
        stream.read(1)
        after_one, _ = stream.cursor, stream.read(3)
        after_all = stream.cursor
    ada.move(second)
    with ManyGamesReader(ada, f"games={second},{first}", after_one) as again:
        lines = again.read(4)
        assert sorted(versions_of(lines, first) + versions_of(lines, second)) == [1, 2, 2, 3]
    with ManyGamesReader(ada, f"games={first},{second}&cursor={after_all}") as again:
        (line,) = again.read(1)
        assert (line["game"], line["event"]["version"]) == (second, 3)
    assert len(games) == 2


def test_each_game_begins_after_its_own_version(ada: Caller) -> None:
    first, second = (ada.open()["id"] for _ in range(2))
    with ManyGamesReader(ada, f"games={first},{second}&after=2,1") as stream:
        (line,) = stream.read(1)
        assert (line["game"], line["event"]["version"]) == (second, 2)


def test_server_sent_events_have_the_cursor_as_id_and_the_line_as_data(ada: Caller) -> None:
    over = played_out(ada)
    answer = ada.get(f"/streams?games={over}", headers={"Accept": SSE})
    assert answer.mimetype == SSE
    blocks = [block for block in answer.text.split("\n\n") if block and block[0] != ":"]
    pairs = [block.split("\n") for block in blocks]
    lines = [orjson.loads(data.removeprefix("data: ")) for _, data in pairs]
    events = ada.get(f"/games/{over}/events").json["events"]
    assert lines == [{"game": over, "event": event} for event in events] + [
        {"game": over, "closed": "over"}
    ]
    third = pairs[2][0].removeprefix("id: ")
    with ManyGamesReader(ada, f"games={over}", third) as again:
        assert versions_of(again.read_to_end(), over)[0] == 4


def test_a_game_that_ends_closes_after_its_last_line_and_the_others_go_on(
    ada: Caller, store: Store
) -> None:
    ending, lasting = import_unfinished(ada), ada.open()["id"]
    with ManyGamesReader(ada, f"games={ending},{lasting}&include=presence") as stream:
        stream.read(ada.version(ending) + 2)
        finish(ada, store, ending)
        *events, closed = stream.read(3)
        assert [line["event"]["type"] for line in events] == ["move_made", "game_scored"]
        assert closed == {"game": ending, "closed": "over"}
        store.signals.publish_to_game(ending, "presence", b'{"players":[],"others":1}')
        ada.move(lasting)
        (line,) = stream.read(1)
        assert (line["game"], line["event"]["version"]) == (lasting, 3)


def test_a_stream_whose_games_are_all_closed_ends_and_comes_back_to_nothing(
    ada: Caller, bob: Caller
) -> None:
    over, private = played_out(ada), bob.open(visibility="private")["id"]
    query = f"games={over},{MISSING},{private}"
    with ManyGamesReader(ada, query) as stream:
        lines = stream.read_to_end()
    closed = {line["game"]: line["closed"] for line in lines if "closed" in line}
    assert closed == {over: "over", MISSING: "not_found", private: "not_found"}
    for accept in (SSE, NDJSON):
        headers = {"Accept": accept, "Last-Event-ID": stream.cursor}
        answer = ada.get(f"/streams?{query}", headers=headers)
        assert (answer.status_code, answer.data) == (204, b"")


def test_a_missing_game_keeps_no_other_from_being_followed(ada: Caller) -> None:
    game_id = ada.open()["id"]
    with ManyGamesReader(ada, f"games={MISSING},{game_id}&after=0,2") as stream:
        assert stream.read(1) == [{"game": MISSING, "closed": "not_found"}]
        ada.move(game_id)
        assert versions_of(stream.read(1), game_id) == [3]


def test_a_game_that_cannot_be_read_is_unavailable_and_keeps_no_other_from_being_followed(
    ada: Caller, store: Store
) -> None:
    damaged, whole = ada.open()["id"], ada.open()["id"]
    store.redis.xadd(f"{{{damaged}}}:events", {"event": b"{"}, id="3-0")
    store.projector.forget()
    with ManyGamesReader(ada, f"games={damaged},{whole}&after=2,2") as stream:
        assert stream.read(1) == [{"game": damaged, "closed": "unavailable"}]
        ada.move(whole)
        assert versions_of(stream.read(1), whole) == [3]


@pytest.mark.parametrize("finished", [False, True])
def test_a_client_that_is_ahead_of_the_store_gets_a_reset(ada: Caller, finished: bool) -> None:
    game_id = played_out(ada) if finished else ada.open()["id"]
    version = ada.version(game_id)
    with ManyGamesReader(ada, f"games={game_id}&after=5000") as stream:
        assert stream.read(1) == [{"game": game_id, "reset": {"version": version}}]
        if finished:
            assert stream.read_to_end() == [{"game": game_id, "closed": "over"}]
        else:
            ada.move(game_id)
            assert versions_of(stream.read(1), game_id) == [version + 1]


def test_who_loses_sight_of_a_game_gets_no_more_of_it_and_keeps_the_others(
    ada: Caller, bob: Caller
) -> None:
    seats = [{"kind": "me"}, {"kind": "invite", "player": bob.id}, {"kind": "open"}]
    wish = {"game": "carcassonne", "seats": seats, "visibility": "private"}
    private, other = ada.post("/games", wish).json["id"], ada.open()["id"]
    with ManyGamesReader(bob, f"games={private},{other}&after=2,2") as stream:
        assert ada.put(f"/games/{private}/seats/1", {"kind": "open"}).status_code == 200
        assert stream.read(1) == [{"game": private, "closed": "hidden"}]
        ada.move(other)
        assert versions_of(stream.read(1), other) == [3]
    with ManyGamesReader(bob, f"games={private},{other}", stream.cursor) as again:
        assert again.read(1) == [{"game": private, "closed": "not_found"}]


@pytest.mark.slow
def test_messages_presence_and_clocks_come_when_they_are_asked_for(
    ada: Caller, store: Store, described: dict[str, Any]
) -> None:
    first, second = (ada.open()["id"] for _ in range(2))
    query = f"games={first},{second}&after=2,2"
    with (
        ManyGamesReader(ada, f"{query}&include=messages,clock,presence") as all_of_it,
        ManyGamesReader(ada, query) as events,
    ):
        await_hearing(store, keys.signals(first), keys.signals(second, CHANNEL))
        store.signals.publish_to_game(first, "presence", b'{"players":[],"others":1}')
        store.signals.publish_to_game(first, "clock", b'{"mode":null}')
        ada.post(f"/games/{second}/messages", {"room": "players", "phrase": "hello"})
        lines = all_of_it.read(3)
        assert lines[:2] == [
            {"game": first, "presence": {"players": [], "others": 1}},
            {"game": first, "clock": {"mode": None}},
        ]
        assert lines[2]["game"] == second
        assert lines[2]["message"]["phrase"] == "hello"
        for line in lines:
            check(described, {"$ref": "#/components/schemas/StreamLine"}, line)
        ada.move(second)
        assert versions_of(events.read(1), second) == [3]


def test_messages_come_in_the_language_of_the_reader_and_not_from_the_muted(
    ada: Caller, bob: Caller, store: Store
) -> None:
    game_id = ada.open()["id"]
    assert ada.put(f"/players/me/mutes/{bob.id}").status_code in (200, 201, 204)
    query = f"games={game_id}&after=2&include=messages"
    answer = ada.get(f"/streams?{query}", headers={"Accept": NDJSON, "Accept-Language": "de"})
    pieces = answer.iter_encoded()
    assert next(pieces) == b"\n"
    await_hearing(store, keys.signals(game_id, CHANNEL))
    bob.post(f"/games/{game_id}/messages", {"room": "spectators", "phrase": "hello"})
    ada.post(f"/games/{game_id}/messages", {"room": "players", "phrase": "hello"})
    line = orjson.loads(next(pieces))
    answer.close()
    assert (line["message"]["player"]["id"], line["message"]["text"]) == (ada.id, "Hallo!")


class TestInbox:
    @pytest.mark.slow
    def test_the_inbox_begins_with_a_snapshot_and_goes_on_with_items(
        self, ada: Caller, described: dict[str, Any]
    ) -> None:
        with ManyGamesReader(ada, "inbox=true") as stream:
            (snapshot,) = stream.read(1)
            assert snapshot["inbox"]["type"] == "snapshot"
            ada.post("/players/me/tokens", {"label": "other", "scopes": ["read"]})
            (item,) = stream.read(1)
            assert item["inbox"]["type"] == "security"
            for line in (snapshot, item):
                check(described, {"$ref": "#/components/schemas/StreamLine"}, line)
        for query in (
            f"inbox=true&cursor={stream.cursor}",
            f"inbox=true&inbox_after={item['inbox']['id']}",
        ):
            with ManyGamesReader(ada, query) as again:
                ada.post("/players/me/tokens", {"label": "third", "scopes": ["read"]})
                (line,) = again.read(1)
                assert line["inbox"]["type"] == "security"
                assert line["inbox"]["id"] != item["inbox"]["id"]

    def test_the_inbox_goes_on_when_all_games_are_closed(self, ada: Caller) -> None:
        with ManyGamesReader(ada, f"games={MISSING}&inbox=true") as stream:
            assert "inbox" in stream.read(1)[0]
            assert stream.read(1) == [{"game": MISSING, "closed": "not_found"}]
            ada.post("/players/me/tokens", {"label": "other", "scopes": ["read"]})
            assert "inbox" in stream.read(1)[0]


class TestPresence:
    def present(self, ada: Caller, game_id: str) -> Any:
        return ada.get(f"/games/{game_id}/presence").json

    def test_only_in_the_games_that_are_open_is_the_reader_present(
        self, ada: Caller, visitor: Caller, store: Store, hub: Hub
    ) -> None:
        looked_at, followed = (ada.open()["id"] for _ in range(2))
        query = f"games={looked_at},{followed}&present={looked_at}"
        with ManyGamesReader(ada, query) as stream, ManyGamesReader(visitor, query) as other:
            stream.read(1)
            other.read(1)
            store.presence.flush(hub.count_watchers())
            found = self.present(ada, looked_at)
            assert [one["id"] for one in found["players"]] == [ada.id] * 2
            assert found["others"] == 1
            assert self.present(ada, followed) == {"players": [], "others": 0}
        assert self.present(ada, looked_at)["players"] == []

    @pytest.mark.slow
    def test_who_was_present_at_a_game_that_ends_is_there_no_more(
        self, ada: Caller, store: Store, hub: Hub
    ) -> None:
        ending, lasting = import_unfinished(ada), ada.open()["id"]
        query = f"games={ending},{lasting}&present={ending},{lasting}&include=clock"

        def is_gone() -> bool:
            # The fake server wakes the hub with news only.
            store.signals.publish_to_game(lasting, "clock", b'{"mode":null}')
            return not self.present(ada, ending)["players"]

        with ManyGamesReader(ada, query) as stream:
            stream.read(1)
            assert self.present(ada, ending)["players"] != []
            finish(ada, store, ending)
            until(is_gone, every=0.2)
            assert self.present(ada, lasting)["players"] != []
            assert hub.subscribers == 1


def test_a_stream_of_many_games_takes_one_place_and_gives_all_back(
    ada: Caller, make_app: Callable[..., Flask], store: Store
) -> None:
    app = make_app(streams_per_player=1)
    hub: Hub = app.extensions["cartulary"].hub
    narrow = Caller(app.test_client(), ada.token, ada.id)
    games = ",".join(ada.open()["id"] for _ in range(3))
    with ManyGamesReader(narrow, f"games={games}&inbox=true") as stream:
        stream.read(1)
        assert hub.subscribers == 4
        assert narrow.get(f"/streams?games={games}").json["code"] == "too_many_streams"
    assert hub.subscribers == 0
    with ManyGamesReader(narrow, f"games={games}") as stream:
        stream.read(1)
    assert store.redis.ping()


@pytest.mark.slow
def test_a_revoked_token_ends_the_stream(ada: Caller, store: Store, hub: Hub) -> None:
    made = ada.post("/players/me/tokens", {"label": "other", "scopes": ["read"]}).json
    other = Caller(ada.client, made["token"], ada.id)
    with ManyGamesReader(other, f"games={ada.open()['id']}&after=2&inbox=true") as stream:
        stream.read(1)
        assert ada.delete(f"/players/me/tokens/{made['id']}").status_code == 204
        ending = Thread(target=stream.read_to_end)
        ending.start()
        while ending.is_alive():  # the fake server wakes the hub with news only
            store.signals.publish(keys.inbox_live(ada.id), "inbox", b"{}")
            ending.join(0.2)


def test_a_long_backlog_comes_in_parts_and_nothing_is_lost_or_doubled(
    ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BACKLOG_MOST", 1)
    games = [ada.open()["id"] for _ in range(3)]
    query, cursor, lines = f"games={','.join(games)}", "", []
    for _ in range(2):
        with ManyGamesReader(ada, query, cursor) as stream:
            lines += stream.read_to_end()
            cursor = stream.cursor
    with ManyGamesReader(ada, query, cursor) as stream:
        lines += stream.read(2)
    assert [versions_of(lines, game_id) for game_id in games] == [[1, 2]] * 3


def test_a_head_request_takes_no_place(ada: Caller, hub: Hub) -> None:
    path = f"/streams?games={ada.open()['id']}"
    assert ada.send("HEAD", path).status_code == 200
    assert hub.subscribers == 0
