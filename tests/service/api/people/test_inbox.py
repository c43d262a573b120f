"""The inbox over HTTP: pages, a long poll, streams; and the list of one's turns."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from typing import Any

import orjson
import pytest
import requests

from cartulary.events.lists.inbox import make_item
from cartulary.events.live.live import LOOK, Hub
from cartulary.events.people.players import hash_token
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.service.support.caller import Caller
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.scene import problem

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
AT = "2026-11-22T14:00:00.000Z"
INBOX = "/players/me/inbox"


def add(store: Store, player_id: str, *versions: int) -> None:
    items = [make_item("01GAME", "your_turn", player_id, AT, {}, one) for one in versions]
    store.inbox.add(player_id, items)


def play(ada: Caller, bob: Caller, store: Store, **more: Any) -> dict[str, Any]:
    """Start a game between Ada and Bob; the inboxes know of it."""
    game = ada.open("me", "open", **more)
    bob.post(f"/games/{game['id']}/seats")
    store.list_updater.follow(store.projector.table(game["id"]))
    found: dict[str, Any] = ada.get(f"/games/{game['id']}").json
    return found


def versions_of(page: dict[str, Any]) -> list[int]:
    return [int(item["id"].split(":")[1]) for item in page["items"]]


class TestPages:
    def test_a_page_goes_on_after_the_page_before(self, ada: Caller, store: Store) -> None:
        add(store, ada.id, 1, 2, 3)
        first = ada.get(f"{INBOX}?limit=2")
        assert first.headers["Cache-Control"] == "private, no-cache"
        assert versions_of(first.json) == [1, 2]
        second = ada.get(f"{INBOX}?after={first.json['next_after']}").json
        assert versions_of(second) == [3]
        last = ada.get(f"{INBOX}?after={second['next_after']}").json
        assert last == {"items": [], "next_after": second["next_after"]}

    def test_a_page_that_the_client_has_is_not_sent_again(self, ada: Caller, store: Store) -> None:
        add(store, ada.id, 1)
        first = ada.get(INBOX)
        known = {"If-None-Match": first.headers["ETag"]}
        again = ada.get(INBOX, headers=known)
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        assert "Authorization" in again.headers["Vary"]
        add(store, ada.id, 2)
        assert versions_of(ada.get(INBOX, headers=known).json) == [1, 2]

    def test_the_id_of_an_item_is_a_cursor(self, ada: Caller, store: Store) -> None:
        add(store, ada.id, 1, 2)
        (one, two) = ada.get(INBOX).json["items"]
        assert ada.get(f"{INBOX}?after={one['id']}").json["items"] == [two]

    def test_an_item_says_what_has_happened(self, ada: Caller, bob: Caller, store: Store) -> None:
        game = play(ada, bob, store)
        items = bob.get(INBOX).json["items"]
        started = next(item for item in items if item["type"] == "game_started")
        assert set(started) == {"id", "type", "timestamp", "data"}
        assert started["data"] == {
            "game": game["id"],
            "version": started["data"]["version"],
            "seat": 1,
            "title": "Carcassonne: Ada",
            "deadline_at": None,
            "url": f"/games/{game['id']}",
        }

    @pytest.mark.parametrize("after", ["99999999999999-0", "gone:1:your_turn:{}"])
    def test_a_stale_cursor_begins_again(self, ada: Caller, store: Store, after: str) -> None:
        add(store, ada.id, 1)
        assert ada.get(f"{INBOX}?after={after.format(ada.id)}").json["reset"] is True

    def test_an_item_of_another_player_is_no_cursor(
        self, ada: Caller, bob: Caller, store: Store
    ) -> None:
        add(store, ada.id, 1)
        (item,) = ada.get(INBOX).json["items"]
        problem(bob.put(f"{INBOX}/read", {"until": item["id"]}), 400, "bad_cursor")
        problem(bob.get(f"{INBOX}?after={item['id']}"), 400, "bad_cursor")
        for accept in (SSE, NDJSON):
            headers = {"Accept": accept, "Last-Event-ID": item["id"]}
            problem(bob.get(INBOX, headers=headers), 400, "bad_cursor")

    @pytest.mark.parametrize("after", ["x", "-", "1.5", "%00"])
    def test_what_is_no_cursor_is_refused(self, ada: Caller, after: str) -> None:
        problem(ada.get(f"{INBOX}?after={after}"), 400, "bad_cursor")
        problem(ada.put(f"{INBOX}/read", {"until": "x"}), 400, "bad_cursor")

    def test_only_the_player_reads_it(self, visitor: Caller, bob: Caller, ada: Caller) -> None:
        problem(visitor.get(INBOX), 401, "token_missing")
        assert bob.get(INBOX).json["items"] == []

    @pytest.mark.slow
    def test_a_poll_waits_for_an_item(self, ada: Caller, store: Store, hub: Hub) -> None:
        found: list[dict[str, Any]] = []
        waiting = Thread(target=lambda: found.append(ada.get(f"{INBOX}?wait=20").json))
        waiting.start()
        while keys.inbox_live(ada.id) not in hub.channels:
            waiting.join(0.01)
        add(store, ada.id, 7)
        waiting.join(60)
        assert versions_of(found[0]) == [7]

    def test_what_is_read_counts_no_more(self, ada: Caller, store: Store) -> None:
        add(store, ada.id, 1, 2, 3)
        items = ada.get(INBOX).json["items"]
        assert ada.put(f"{INBOX}/read", {"until": items[1]["id"]}).status_code == 204
        assert store.inbox.count_unread(ada.id) == 1


def open_stream(caller: Caller, query: str = "", accept: str = NDJSON) -> Iterator[bytes]:
    """Open a stream in this process; each step is what the service writes at once."""
    answer = caller.get(f"{INBOX}{query}", headers={"Accept": accept})
    assert answer.status_code == 200, answer.text
    return iter(answer.response)  # type: ignore[arg-type]


def read_lines(piece: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in piece.splitlines() if line.strip()]


class TestStreams:
    @pytest.mark.slow
    def test_a_stream_without_a_cursor_begins_with_a_snapshot(
        self, ada: Caller, bob: Caller, store: Store
    ) -> None:
        game = play(ada, bob, store)
        mine = ada if game["decision"]["seat"] == 0 else bob
        stream = open_stream(mine)
        (item,) = read_lines(next(stream))
        assert item["type"] == "snapshot"
        snapshot = item["data"]
        assert set(snapshot) == {"turns", "unread", "invitations"}
        (turn,) = snapshot["turns"]
        assert (turn["game"], turn["seat"]) == (game["id"], game["decision"]["seat"])
        assert snapshot["unread"] == len(mine.get(INBOX).json["items"])
        add(store, mine.id, 9)
        (item,) = read_lines(next(stream))
        assert item["id"].startswith("01GAME:9:your_turn:")

    def test_a_stream_goes_on_after_a_cursor(self, ada: Caller, store: Store) -> None:
        add(store, ada.id, 1, 2, 3)
        first = ada.get(f"{INBOX}?limit=1").json["next_after"]
        stream = open_stream(ada, f"?after={first}")
        assert next(stream).strip() == b""
        found = read_lines(next(stream))
        assert [item["id"].split(":")[1] for item in found] == ["2", "3"]

    def test_a_stale_cursor_begins_with_a_snapshot(self, ada: Caller, store: Store) -> None:
        add(store, ada.id, 1)
        stream = open_stream(ada, f"?after=gone:1:your_turn:{ada.id}")
        assert [item["type"] for item in read_lines(next(stream))] == ["snapshot"]

    def test_server_sent_events_have_the_cursor_as_id(self, ada: Caller, store: Store) -> None:
        stream = open_stream(ada, accept=SSE)
        next(stream)
        add(store, ada.id, 5)
        cursor = ada.get(INBOX).json["next_after"]
        assert next(stream).startswith(f"id: {cursor}\ndata: {{".encode())

    def test_an_invitation_is_in_the_snapshot(self, ada: Caller, bob: Caller, store: Store) -> None:
        seats = [{"kind": "me"}, {"kind": "invite", "player": bob.id}]
        game = ada.post("/games", {"game": "carcassonne", "seats": seats}).json
        (invitation,) = store.turns.take_snapshot(bob.id).invitations
        assert (invitation["game"], invitation["seat"]) == (game["id"], 1)
        assert invitation["title"] == "Carcassonne: Ada"
        assert invitation["expires_at"] == game["seats"][1]["offer"]["expires_at"]
        bob.post(f"/games/{game['id']}/seats")
        store.list_updater.follow(store.projector.table(game["id"]))
        assert store.turns.take_snapshot(bob.id).invitations == []

    def test_a_ticket_opens_the_stream_once(
        self, ada: Caller, visitor: Caller, store: Store
    ) -> None:
        asked = ada.post(f"{INBOX}/ticket")
        assert asked.status_code == 201
        ticket = asked.json["ticket"]
        next(open_stream(visitor, f"?ticket={ticket}"))
        problem(visitor.get(f"{INBOX}?ticket={ticket}"), 401, "ticket_unknown")


class TestTurns:
    @pytest.fixture
    def games(self, ada: Caller, bob: Caller, store: Store) -> list[dict[str, Any]]:
        """Games of which the second has the earliest deadline, and the first has none."""
        daily = {"mode": "correspondence", "delay": 86400, "bank": 259200}
        live = {"mode": "live", "delay": 30, "bank": 60}
        games = [play(ada, bob, store, pace=pace) for pace in (None, daily, daily)]
        assert live["mode"] == "live"
        return games

    def turns(self, caller: Caller, query: str = "") -> list[str]:
        answer = caller.get(f"/games?turn=me{query}")
        assert answer.status_code == 200, answer.text
        return [game["id"] for game in answer.json["games"]]

    def test_the_list_holds_the_games_in_which_it_is_ones_turn(
        self, ada: Caller, bob: Caller, games: list[dict[str, Any]]
    ) -> None:
        for caller, seat in ((ada, 0), (bob, 1)):
            mine = [game["id"] for game in games if game["decision"]["seat"] == seat]
            assert self.turns(caller) == mine[::-1]
            by_deadline = [one for one in mine if one != games[0]["id"]]
            untimed = [one for one in mine if one == games[0]["id"]]
            assert self.turns(caller, "&sort=deadline") == by_deadline + untimed

    def test_pages_go_on_with_their_cursors(
        self, ada: Caller, bob: Caller, games: list[dict[str, Any]]
    ) -> None:
        for caller in (ada, bob):
            for sort in ("", "&sort=deadline"):
                found: list[str] = []
                cursor = ""
                while True:
                    page = caller.get(f"/games?turn=me&limit=1{sort}{cursor}").json
                    found += [game["id"] for game in page["games"]]
                    if page["next_cursor"] is None:
                        break
                    cursor = f"&cursor={page['next_cursor']}"
                assert found == self.turns(caller, sort)

    def test_the_pace_chooses(self, ada: Caller, bob: Caller, games: list[dict[str, Any]]) -> None:
        for caller in (ada, bob):
            timed = self.turns(caller, "&pace=correspondence")
            untimed = self.turns(caller, "&pace=none")
            assert sorted(timed + untimed) == sorted(self.turns(caller))
            assert games[0]["id"] not in timed
            assert self.turns(caller, "&pace=live") == []
        for pace, count in (("none", 1), ("correspondence", 2), ("live", 0)):
            assert len(ada.get(f"/games?pace={pace}").json["games"]) == count
            assert len(ada.get(f"/games?player=me&pace={pace}").json["games"]) == count

    def test_a_game_leaves_the_list_with_the_turn(
        self, ada: Caller, bob: Caller, store: Store, games: list[dict[str, Any]]
    ) -> None:
        game = games[0]
        caller = (ada, bob)[game["decision"]["seat"]]
        while game["decision"]["seat"] == (ada, bob).index(caller):
            caller.move(game["id"], caller.legal(game["id"])[0])
            game = caller.get(f"/games/{game['id']}").json
        store.list_updater.follow(store.projector.table(game["id"]))
        assert game["id"] not in self.turns(caller)
        assert game["id"] in self.turns(ada if caller is bob else bob)

    def test_a_status_other_than_running_leaves_nothing(
        self, ada: Caller, games: list[dict[str, Any]]
    ) -> None:
        assert games
        assert self.turns(ada, "&status=over") == []

    @pytest.mark.parametrize("query", ["sort=deadline", "turn=you", "turn=me&sort=age", "pace=x"])
    def test_what_is_unknown_is_refused(self, ada: Caller, query: str) -> None:
        problem(ada.get(f"/games?{query}"), 422, "invalid")

    @pytest.mark.parametrize("cursor", ["x", "MDFBQkM", "MC4wMUFCQw"])
    def test_the_cursor_of_another_list_is_refused(self, ada: Caller, cursor: str) -> None:
        answer = ada.get(f"/games?turn=me&sort=deadline&cursor={cursor}")
        problem(answer, 400, "bad_cursor")

    def test_it_needs_a_token(self, visitor: Caller) -> None:
        problem(visitor.get("/games?turn=me"), 401, "token_missing")


@pytest.mark.real
class TestRealProcesses:
    @pytest.fixture
    def store(self, valkey_url: str) -> Iterator[Store]:
        store = Store(connect(valkey_url), OFFERS)
        yield store
        store.close()

    def test_a_stream_of_a_revoked_token_ends_at_the_next_look(
        self, store: Store, service: Gunicorn
    ) -> None:
        player, token = store.players.create("Ada")
        headers = {"Authorization": f"Bearer {token}", "Accept": NDJSON}
        with requests.get(
            f"{service.api}{INBOX}", headers=headers, stream=True, timeout=60
        ) as answer:
            lines = answer.iter_lines()
            assert orjson.loads(next(lines))["type"] == "snapshot"
            add(store, player.id, 3)
            assert orjson.loads(next(lines).strip())["type"] == "your_turn"
            store.redis.delete(keys.token(hash_token(token)))
            assert [line for line in lines if line.strip()] == []
        assert LOOK < 5

    def test_an_item_arrives_after_the_store_was_away(
        self, store: Store, service: Gunicorn
    ) -> None:
        player, token = store.players.create("Ada")
        headers = {"Authorization": f"Bearer {token}", "Accept": NDJSON}
        with requests.get(
            f"{service.api}{INBOX}", headers=headers, stream=True, timeout=60
        ) as answer:
            lines = (line for line in answer.iter_lines() if line.strip())
            next(lines)
            store.redis.client_kill_filter(_type="pubsub")
            # Published to no subscriber: the stream reads it when it listens again.
            add(store, player.id, 3)
            assert orjson.loads(next(lines))["id"] == f"01GAME:3:your_turn:{player.id}"

    def test_a_poll_waits_in_the_event_loop(self, store: Store, service: Gunicorn) -> None:
        player, token = store.players.create("Ada")
        headers = {"Authorization": f"Bearer {token}"}
        found: list[dict[str, Any]] = []

        def poll() -> None:
            answer = requests.get(f"{service.api}{INBOX}?wait=20", headers=headers, timeout=60)
            found.append(answer.json())

        waiting = Thread(target=poll)
        waiting.start()
        waiting.join(0.5)
        add(store, player.id, 4)
        waiting.join(60)
        assert versions_of(found[0]) == [4]

    def test_one_stream_serves_a_phone(self, store: Store, service: Gunicorn) -> None:
        player, token = store.players.create("Ada")
        game = requests.post(
            f"{service.api}/games",
            json={"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]},
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        ).json()
        with requests.get(
            f"{service.api}/games/{game['id']}/events/stream?include=inbox",
            headers={"Authorization": f"Bearer {token}", "Accept": NDJSON},
            stream=True,
            timeout=60,
        ) as answer:
            lines = (line for line in answer.iter_lines() if line.strip())
            first = [orjson.loads(next(lines)) for _ in range(2)]
            assert first[0]["inbox"]["type"] == "snapshot"
            assert first[1]["type"] == "game_created"
            add(store, player.id, 4)
            assert orjson.loads(next(lines))["inbox"]["type"] == "your_turn"
