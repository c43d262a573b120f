"""Talk over HTTP: bodies, statuses, headers and codes; the rules are in `tests/events/chat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from cartulary import locales
from cartulary.events.chat.messages import PHRASES
from cartulary.events.model.errors import NotFound
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.service.api.talk import messages
from tests.service.api.company.test_lobby import read_lines
from tests.service.support.caller import Caller
from tests.service.support.scene import Scene, pointers, problem
from tests.support.stored_keys import stored

Register = Callable[[str], Caller]
NDJSON = {"Accept": "application/x-ndjson"}


def claim(store: Store, *callers: Caller) -> None:
    for caller in callers:
        store.redis.hset(keys.player(caller.id), "claimed_at", "2026-11-22T14:00:00.000Z")


@pytest.fixture
def game(ada: Caller, bob: Caller, store: Store) -> str:
    """The path of a game of Ada and Bob, who own accounts."""
    path = f"/games/{ada.open('me', 'open')['id']}"
    bob.post(f"{path}/seats", {})
    claim(store, ada, bob)
    return path


def say(caller: Caller, game: str, text: str = "Hello", room: str = "players") -> dict[str, Any]:
    answer = caller.post(f"{game}/messages", {"room": room, "text": text})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json
    return found


class TestMessages:
    def test_what_is_said_is_read_by_everybody_who_sees_the_game(
        self, game: str, ada: Caller, bob: Caller, visitor: Caller
    ) -> None:
        said = say(ada, game, " Hello, @Bob ")
        assert (said["text"], said["player"]["name"], said["deleted"]) == (
            *("Hello, @Bob", "Ada"),
            False,
        )
        page = bob.get(f"{game}/messages").json
        assert page == {"messages": [said], "next_after": said["id"]}
        assert visitor.get(f"{game}/messages").json == page

    def test_a_page_begins_after_a_message(self, game: str, ada: Caller, bob: Caller) -> None:
        one, two = say(ada, game, "1"), say(bob, game, "2")
        assert bob.get(f"{game}/messages?limit=1").json["messages"] == [one]
        rest = bob.get(f"{game}/messages?after={one['id']}").json
        assert rest["messages"] == [two]
        last = bob.get(f"{game}/messages?after={two['id']}").json
        assert last == {"messages": [], "next_after": two["id"]}
        first = bob.get(f"{game}/messages?after=0&limit=1").json
        assert first["messages"] == [one]

    def test_one_room_alone(self, game: str, ada: Caller, bob: Caller) -> None:
        one, two = say(ada, game), say(bob, game, "psst", "spectators")
        for room, said in (("players", one), ("spectators", two)):
            assert ada.get(f"{game}/messages?room={room}").json["messages"] == [said]

    def test_each_reader_gets_a_phrase_in_their_language(
        self, game: str, ada: Caller, bob: Caller
    ) -> None:
        body = {"room": "players", "phrase": "good_luck"}
        said = ada.post(f"{game}/messages", body, headers={"Accept-Language": "pl"})
        assert said.json["text"] == "Powodzenia!"
        for lang in locales.LANGUAGES:
            answer = bob.get(f"{game}/messages", headers={"Accept-Language": lang})
            (found,) = answer.json["messages"]
            assert found["phrase"] == "good_luck"
            assert found["text"] == locales.terms(lang)["phrases"]["good_luck"]
            assert answer.headers["Content-Language"] == lang
            assert set(answer.headers["Vary"].split(", ")) >= {"Accept-Language", "Authorization"}

    def test_every_phrase_has_words(self) -> None:
        for lang in locales.LANGUAGES:
            assert tuple(locales.terms(lang)["phrases"]) == PHRASES

    @pytest.mark.slow
    def test_recovery_codes_let_a_guest_write_own_words(
        self, register: Callable[[str], Caller], game: str
    ) -> None:
        eve = register("Eve")
        body = {"room": "spectators", "text": "Hello"}
        problem(eve.post(f"{game}/messages", body), 403, "account_needed")
        assert eve.post("/players/me/recovery_codes").status_code == 201
        assert eve.post(f"{game}/messages", body).status_code == 201

    def test_a_key_says_once(self, game: str, ada: Caller) -> None:
        body, headers = {"room": "players", "text": "Hello"}, {"Idempotency-Key": "once"}
        first = ada.post(f"{game}/messages", body, headers=headers)
        again = ada.post(f"{game}/messages", body, headers=headers)
        assert (again.status_code, again.json) == (201, first.json)
        assert again.headers["Idempotency-Replayed"] == "true"
        other = ada.post(f"{game}/messages", {**body, "text": "x"}, headers=headers)
        problem(other, 422, "idempotency_mismatch")
        assert len(ada.get(f"{game}/messages").json["messages"]) == 1

    def test_a_deleted_message_leaves_a_stub(self, game: str, ada: Caller, bob: Caller) -> None:
        said = say(ada, game)
        path = f"{game}/messages/{said['id']}"
        problem(bob.delete(path), 403, "not_author")
        stub = ada.delete(path)
        assert stub.status_code == 200
        assert stub.json == {**said, "text": None, "deleted": True}
        assert bob.get(f"{game}/messages").json["messages"] == [stub.json]
        assert ada.delete(path).json == stub.json

    def test_a_muted_player_is_hidden_from_the_muter_alone(
        self, game: str, ada: Caller, bob: Caller
    ) -> None:
        said = say(bob, game)
        mine = say(ada, game)
        assert ada.put(f"/players/me/mutes/{bob.id}").status_code == 204
        page = ada.get(f"{game}/messages").json
        assert page["messages"] == [mine]
        assert bob.get(f"{game}/messages").json["messages"] == [said, mine]
        shown = ada.get("/players/me/mutes").json
        assert shown == {"players": [{"id": bob.id, "name": "Bob"}]}
        assert ada.delete(f"/players/me/mutes/{bob.id}").status_code == 204
        assert ada.get(f"{game}/messages").json["messages"] == [said, mine]

    def test_a_blocked_player_is_hidden_as_well(self, game: str, ada: Caller, bob: Caller) -> None:
        say(bob, game)
        assert ada.put(f"/players/me/blocks/{bob.id}").status_code == 204
        assert ada.get(f"{game}/messages").json["messages"] == []

    def test_a_page_of_hidden_messages_goes_on_after_them(
        self, game: str, ada: Caller, bob: Caller
    ) -> None:
        said = say(bob, game)
        ada.put(f"/players/me/mutes/{bob.id}")
        page = ada.get(f"{game}/messages").json
        assert page == {"messages": [], "next_after": said["id"]}


class TestRefusals:
    @pytest.mark.usefixtures("nothing_is_stored")
    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({"room": "players", "text": ""}, "/text"),
            ({"room": "players", "text": "   "}, "/text"),
            ({"room": "players", "text": "x" * 501}, "/text"),
            ({"room": "players", "text": "a\u0007b"}, "/text"),
            ({"room": "players", "text": "a\u202eb"}, "/text"),
            ({"room": "players", "text": 7}, "/text"),
            ({"room": "players", "text": None}, "/text"),
            ({"room": "players"}, "/text"),
            ({"room": "players", "text": "x", "phrase": "hello"}, "/text"),
            ({"room": "players", "phrase": "insult"}, "/phrase"),
            ({"room": "kitchen", "text": "x"}, "/room"),
            ({"text": "x"}, "/room"),
            ({"room": "players", "text": "x", "to": "Bob"}, "/to"),
        ],
    )
    @pytest.mark.slow
    def test_a_message_that_cannot_be_meant_names_the_field(
        self, scene: Scene, body: dict[str, Any], pointer: str
    ) -> None:
        answer = scene.ada.post(scene.path("/games/{running}/messages"), body)
        assert pointers(problem(answer, 422, "invalid")) == [pointer]

    def test_each_code(
        self,
        game: str,
        ada: Caller,
        bob: Caller,
        visitor: Caller,
        store: Store,
        register: Callable[[str], Caller],
    ) -> None:
        eve = register("Eve")
        before = stored(store)
        text = {"room": "spectators", "text": "Hello"}
        problem(eve.post(f"{game}/messages", text), 403, "account_needed")
        phrase = {"room": "players", "phrase": "hello"}
        problem(eve.post(f"{game}/messages", phrase), 403, "not_seated")
        problem(visitor.post(f"{game}/messages", phrase), 401, "token_missing")
        problem(eve.post("/games/01UNKNOWN/messages", phrase), 404, "not_found")
        problem(eve.get("/games/01UNKNOWN/messages"), 404, "not_found")
        problem(ada.delete(f"{game}/messages/x"), 404, "not_found")
        for query in ("after=17", "after=other.1-0", "room=kitchen", "limit=0", "limit=1001"):
            problem(ada.get(f"{game}/messages?{query}"), 422, "invalid")
        problem(ada.put("/players/me/mutes/nobody"), 404, "not_found")
        problem(ada.put(f"/players/me/mutes/{ada.id}"), 422, "invalid")
        assert stored(store) == before
        store.office.muted.impose(ada.id, "insults")
        muted = problem(ada.post(f"{game}/messages", phrase), 403, "muted")
        assert muted["until"] is None

    def test_too_many_say_when_to_come_back(self, game: str, ada: Caller) -> None:
        for number in range(5):
            say(ada, game, str(number))
        answer = ada.post(f"{game}/messages", {"room": "players", "text": "more"})
        problem(answer, 429, "rate_limited")
        assert 1 <= int(answer.headers["Retry-After"]) <= 10

    def test_a_private_game_keeps_its_talk(self, ada: Caller, bob: Caller, store: Store) -> None:
        game = f"/games/{ada.open(visibility='private')['id']}"
        claim(store, ada)
        said = say(ada, game)
        phrase = {"room": "spectators", "phrase": "hello"}
        for refused in (
            bob.get(f"{game}/messages"),
            bob.post(f"{game}/messages", phrase),
            bob.delete(f"{game}/messages/{said['id']}"),
            bob.get(f"{game}/note"),
            bob.put(f"{game}/note", {"text": "x"}),
        ):
            problem(refused, 404, "not_found")


class TestNotes:
    def test_a_note_is_for_its_author(self, game: str, ada: Caller, bob: Caller) -> None:
        assert ada.get(f"{game}/note").json == {"text": ""}
        answer = ada.put(f"{game}/note", {"text": "north\n\tfirst"})
        assert (answer.status_code, answer.json) == (200, {"text": "north\n\tfirst"})
        found = ada.get(f"{game}/note")
        assert found.json == answer.json
        assert found.headers["Cache-Control"] == "private, no-cache"
        assert bob.get(f"{game}/note").json == {"text": ""}

    @pytest.mark.slow
    @pytest.mark.parametrize("text", ["x" * 4097, "é" * 2049, "a\u0000b", "\u001b[31m"])
    def test_a_note_that_is_too_long_or_holds_control_characters(
        self, game: str, ada: Caller, text: str
    ) -> None:
        answer = ada.put(f"{game}/note", {"text": text})
        assert pointers(problem(answer, 422, "invalid")) == ["/text"]

    def test_a_note_may_have_4_kib(self, game: str, ada: Caller) -> None:
        text = "é" * 2048
        assert ada.put(f"{game}/note", {"text": text}).json == {"text": text}

    def test_a_key_keeps_once(self, game: str, ada: Caller) -> None:
        headers = {"Idempotency-Key": "once"}
        ada.put(f"{game}/note", {"text": "one"}, headers=headers)
        again = ada.put(f"{game}/note", {"text": "one"}, headers=headers)
        assert again.headers["Idempotency-Replayed"] == "true"
        other = ada.put(f"{game}/note", {"text": "two"}, headers=headers)
        problem(other, 422, "idempotency_mismatch")


class TestReports:
    def test_a_report_is_taken(self, game: str, ada: Caller, bob: Caller, store: Store) -> None:
        said = say(ada, game)
        body = {"message": said["id"], "reason": "insult", "text": "line\nline"}
        answer = bob.post("/reports", body)
        assert answer.status_code == 202
        found = store.complaints.find(answer.json["id"])
        assert found is not None
        assert found.subject["text"] == "Hello"

    @pytest.mark.parametrize(
        "body",
        [
            {"reason": "x"},
            {"message": "a", "game": "b", "reason": "x"},
            {"game": "{running}"},
            {"game": "{running}", "reason": ""},
            {"game": "{running}", "reason": "x", "text": "y" * 2001},
            {"game": "{running}", "reason": "x", "text": "\u0000"},
            {"game": 7, "reason": "x"},
        ],
    )
    @pytest.mark.usefixtures("nothing_is_stored")
    @pytest.mark.slow
    def test_a_report_that_cannot_be_meant(self, scene: Scene, body: dict[str, Any]) -> None:
        if isinstance(body.get("game"), str):
            body = {**body, "game": scene.path(body["game"])}
        problem(scene.bob.post("/reports", body), 422, "invalid")

    def test_what_one_may_not_see_is_not_found(self, scene: Scene, visitor: Caller) -> None:
        body = {"game": scene.ids["private"], "reason": "x"}
        problem(scene.bob.post("/reports", body), 404, "not_found")
        problem(visitor.post("/reports", body), 401, "token_missing")


class TestRatedGames:
    @pytest.fixture
    def rated(self, ada: Caller, bob: Caller, store: Store) -> str:
        """The path of a rated game of Ada and Bob."""
        claim(store, ada, bob)
        pace = {"mode": "correspondence", "delay": 3600, "bank": 0}
        path = f"/games/{ada.open('me', 'open', rated=True, pace=pace)['id']}"
        assert bob.post(f"{path}/seats", {}).status_code == 201
        return path

    @pytest.mark.slow
    def test_the_room_of_the_spectators_is_closed_to_the_players_until_the_end(
        self, rated: str, ada: Caller, bob: Caller, register: Register, store: Store
    ) -> None:
        eve = register("Eve")
        claim(store, eve)
        one, two = say(ada, rated), say(eve, rated, "Take it!", "spectators")
        assert eve.get(f"{rated}/messages").json["messages"] == [one, two]
        assert bob.get(f"{rated}/messages").json["messages"] == [one]
        refused = [
            bob.get(f"{rated}/messages?room=spectators"),
            bob.get(f"{rated}/messages/stream?room=spectators"),
            bob.post(f"{rated}/messages", {"room": "spectators", "text": "Hm?"}),
        ]
        for answer in refused:
            problem(answer, 409, "rated_game")
        assert bob.post(f"{rated}/resignation", {}).status_code == 201
        store.commands.score(rated.removeprefix("/games/"))
        assert bob.get(f"{rated}/messages").json["messages"] == [one, two]
        say(bob, rated, "I see", "spectators")

    def test_no_stream_brings_them_what_spectators_say(
        self, rated: str, ada: Caller, register: Register, store: Store
    ) -> None:
        eve = register("Eve")
        claim(store, eve)
        said = [say(eve, rated, "psst", "spectators"), say(ada, rated)]
        streams = [
            caller.get(f"{rated}/messages/stream", headers=NDJSON, buffered=False)
            for caller in (ada, eve)
        ]
        lines = [read_lines(one) for one in streams]
        assert next(lines[0]) == said[1]
        assert [next(lines[1]), next(lines[1])] == said
        for one in streams:
            one.close()


def test_a_refusal_after_a_message_was_stored_is_an_error_of_ours(
    game: str, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise NotFound("this message")

    monkeypatch.setattr(messages, "_answer_message", refuse)
    body = {"room": "players", "phrase": "hello"}
    problem(ada.post(f"{game}/messages", body), 500, "internal_error")
