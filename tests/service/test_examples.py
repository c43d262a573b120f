"""The examples of `openapi.yaml`: complete, accepted, and in the form of what happens."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fakeredis
import pytest

from cartulary.events import keys
from cartulary.events.ages import SILENT_MS
from cartulary.events.clock import SYSTEM
from cartulary.events.store import Store
from cartulary.events.types import format_time
from cartulary.games import GAMES, OFFERS
from cartulary.service.description import examples
from tests.clocks import DAY, FakeClock
from tests.service.caller import Answer, Caller, played_out
from tests.service.described import answer_schema, check, members, operations

CASES = Path(__file__).parent.parent / "cases"
TWO_DAYS = {"mode": "correspondence", "delay": 172_800, "bank": 172_800}
# Their keys are names (of tiles, options, …), not fields.
OPEN_OBJECTS = {
    *(
        "remaining",
        "options",
        "context",
        "setup",
        "detail",
        "facts",
        "bag",
        "move",
        "does",
        "price",
    ),
}

OF_THE_HOST = {
    "abort_game": ("POST", "abort"),
    "change_host": ("PUT", "host"),
    "change_seat": ("PUT", "seats/2"),
    "start_game": ("POST", "start"),
}
OF_TALK = {"send_message": ("POST", "messages", 201), "change_note": ("PUT", "note", 200)}
OF_TIME = {"give_time": ("POST", "time"), "ready_seat": ("PUT", "seats/1/ready")}
OF_WHO_LEAVES = {
    "claim_seat": "seats/{seat}/claim",
    "resign": "resignation",
    "return_to_seat": "seats/{seat}/return",
    "seat_stand_in": "seats/{seat}/stand_in",
}


@pytest.fixture
def store(server: fakeredis.FakeServer, rng: random.Random, clock: FakeClock) -> Store:
    """The store of the service, on a clock that stands still."""
    store = Store(fakeredis.FakeRedis(server=server), OFFERS, rng=rng, clock=clock)
    store.since.read()
    return store


class TestExamples:
    def test_every_body_and_every_answer_in_json_has_one(self, described: dict[str, Any]) -> None:
        found = operations(described)
        assert examples.REQUESTS.keys() == {
            name for name, operation in found.items() if "requestBody" in operation
        }
        silent = {name for name, one in found.items() if "204" in one["responses"]}
        assert examples.ANSWERS.keys() == set(found) - silent - {
            *("show_metrics", "show_openapi_json", "show_openapi_yaml", "show_board"),
            *("export_account", "ask_for_seat"),
        }

    @pytest.mark.parametrize(
        ("operation", "name"),
        [(op, name) for op, found in examples.ANSWERS.items() for name in found],
    )
    def test_an_answer_fits_its_schema_and_has_the_form_of_what_comes(
        self, described: dict[str, Any], answers: dict[str, list[Any]], operation: str, name: str
    ) -> None:
        example = examples.ANSWERS[operation][name]["value"]
        check(described, answer_schema(operations(described)[operation]), example)
        assert any(same_form(example, answer) for answer in answers[operation])

    def test_every_event_and_every_move_has_one_that_is_complete(
        self, described: dict[str, Any]
    ) -> None:
        for union, shown in (("Event", examples.EVENTS), ("Move", examples.MOVES)):
            schemas = members(described, union, "type")
            assert shown.keys() == schemas.keys()
            for type_, example in shown.items():
                check(described, schemas[type_], example)
                assert example.keys() <= schemas[type_]["properties"].keys()
                assert schemas[type_]["examples"] == [example]

    @pytest.mark.parametrize("operation", examples.REQUESTS)
    def test_a_request_fits_its_schema(self, described: dict[str, Any], operation: str) -> None:
        body = operations(described)[operation]["requestBody"]
        for example in examples.REQUESTS[operation].values():
            check(described, body["content"]["application/json"]["schema"], example["value"])

    @pytest.mark.parametrize(
        "operation",
        sorted(
            set(examples.REQUESTS)
            - {"make_move", "preview_move", "change_vacations", "report"}
            - {*OF_THE_HOST, *OF_WHO_LEAVES, *OF_TALK, *OF_TIME}
        ),
    )
    def test_a_request_is_accepted(self, operation: str, ada: Caller, bob: Caller) -> None:
        for example in examples.REQUESTS[operation].values():
            game_id = ada.open("me", "open", "open")["id"]
            if operation in ("propose", "answer_proposal"):
                assert _propose(ada, bob, operation, example["value"]).status_code == 201
                continue
            if operation == "delete_account":
                assert ada.post("/players/me/deletion", example["value"]).status_code == 204
                continue
            if operation == "change_standing_answers":
                path = f"/games/{game_id}/standing_answers"
                assert ada.put(path, example["value"]).json == example["value"]
                continue
            if operation == "change_me":
                assert bob.patch("/players/me", example["value"]).status_code == 200
                continue
            if operation == "ask_for_seat":
                asked = bob.post(f"/games/{game_id}/seat_requests", example["value"])
                assert asked.status_code == 202
                continue
            if operation == "mark_inbox_read":
                assert bob.put("/players/me/inbox/read", example["value"]).status_code == 204
                continue
            if operation == "merge_guest":
                assert _merge(ada).status_code == 200
                continue
            if operation == "open_session":
                _try_codes(example["value"], ada, bob)
                continue
            path = {
                "register_player": "/players",
                "create_link_code": "/players/me/link_codes",
                "create_recovery_codes": "/players/me/recovery_codes",
                "issue_token": "/players/me/tokens",
                "open_game": "/games",
                "take_seat": f"/games/{game_id}/seats",
                "import_transcript": "/games/import",
                "open_branch": f"/games/{played_out(bob)}/branches",
                "open_rematch": f"/games/{played_out(bob)}/rematch",
            }[operation]
            assert bob.post(path, example["value"]).status_code == 201

    @pytest.mark.parametrize("operation", OF_THE_HOST)
    def test_a_request_of_the_host_is_accepted(
        self, operation: str, ada: Caller, bob: Caller
    ) -> None:
        for example in examples.REQUESTS[operation].values():
            answer = _arrange(operation, example["value"], ada, bob)
            assert answer.status_code in (200, 201), answer.text

    @pytest.mark.parametrize("operation", OF_TIME)
    def test_a_request_about_time_is_accepted(
        self, operation: str, ada: Caller, bob: Caller
    ) -> None:
        for example in examples.REQUESTS[operation].values():
            answer = _keep_time(operation, example["value"], ada, bob)
            assert answer.status_code in (200, 201), answer.text

    @pytest.mark.parametrize("operation", OF_WHO_LEAVES)
    def test_a_request_of_who_leaves_is_accepted(
        self, operation: str, ada: Caller, bob: Caller, clock: FakeClock
    ) -> None:
        for example in examples.REQUESTS[operation].values():
            answer = _leave(operation, example["value"], ada, bob, clock)
            assert answer.status_code == 201, answer.text

    @pytest.mark.parametrize("operation", OF_TALK)
    def test_a_request_of_talk_is_accepted(self, operation: str, ada: Caller, store: Store) -> None:
        method, path, status = OF_TALK[operation]
        game = f"/games/{ada.open()['id']}"
        _claim(store, ada)
        for example in examples.REQUESTS[operation].values():
            answer = ada.send(method, f"{game}/{path}", json=example["value"])
            assert answer.status_code == status, answer.text

    def test_a_preview_is_made(self, ada: Caller) -> None:
        for example in examples.REQUESTS["preview_move"].values():
            game_id = _position(ada, example["value"]["move"])
            answer = ada.post(f"/games/{game_id}/preview", example["value"])
            assert answer.status_code == 200, answer.text

    @pytest.mark.parametrize("name", examples.REQUESTS["make_move"])
    def test_a_move_is_made(self, name: str, ada: Caller) -> None:
        body = examples.REQUESTS["make_move"][name]["value"]
        game_id = _position(ada, body["move"])
        if game_id is None:
            # No case has come so far; the example is at least understood as a move.
            assert name == "build_prestige"
            answer = ada.move(ada.open()["id"], body["move"])
            assert answer.json["code"] == "illegal_move"
            return
        answer = ada.post(f"/games/{game_id}/moves", body)
        assert answer.status_code == 201
        assert answer.json["event"]["move"] == body["move"]


def _arrange(operation: str, body: dict[str, Any], ada: Caller, bob: Caller) -> Any:
    """Send a request of a host, at a table where a guest sits; examples name nobody who exists."""
    game = f"/games/{ada.open('me', 'open', 'open')['id']}"
    guest = bob.post("/players", {"name": "Eve"}).json["id"]
    if operation != "change_seat":
        bob.post(f"{game}/seats", {"seat": 1})
        guest = bob.id
    method, path = OF_THE_HOST[operation]
    return ada.send(
        method, f"{game}/{path}", json=body | ({"player": guest} if "player" in body else {})
    )


def _keep_time(operation: str, body: dict[str, Any], ada: Caller, bob: Caller) -> Any:
    """Send a request of Bob about the table where he sits with Ada."""
    method, path = OF_TIME[operation]
    live = operation == "ready_seat"
    pace = examples.EVENTS["game_created"]["pace"] if live else TWO_DAYS
    game = f"/games/{ada.open('me', 'open', pace=pace, start='host' if live else 'full')['id']}"
    bob.post(f"{game}/seats", {})
    asker = ada if operation == "give_time" else bob
    return asker.send(method, f"{game}/{path}", json=body)


def _leave(operation: str, body: dict[str, Any], ada: Caller, bob: Caller, clock: FakeClock) -> Any:
    """Send a request of Bob, who plays with Ada and Cleo on seat 1."""
    cleo = bob.post("/players", {"name": "Cleo"}).json
    people = [ada, bob, Caller(bob.client, cleo["token"])]
    game = f"/games/{ada.open('me', 'open', 'open')['id']}"
    for one in people[1:]:
        one.post(f"{game}/seats", {})
    asker, seat = bob, 1
    if operation == "return_to_seat":
        bob.post(f"{game}/seats/1/stand_in")
    if operation == "claim_seat":
        seat = ada.get(game).json["decision"]["seat"]
        asker = people[seat - 1]
        clock.advance(SILENT_MS)
    return asker.post(f"{game}/{OF_WHO_LEAVES[operation].format(seat=seat)}", body)


def _merge(ada: Caller) -> Answer:
    """Merge a guest who has a game into Ada."""
    made = ada.post("/players", {"name": "Phone"}).json
    Caller(ada.client, made["token"]).open("me", "open")
    return ada.post("/players/me/merge", {"token": made["token"]})


def _try_codes(body: dict[str, Any], ada: Caller, bob: Caller) -> None:
    """Send an example twice: with its code, which nobody has, and with a code of Ada."""
    assert bob.post("/sessions", body).json["code"] == "code_unknown"
    (name,) = body.keys() - {"label"}
    made = ada.post(f"/players/me/{name}s", {}).json
    code = made["code"] if name == "link_code" else made["codes"][0]
    assert bob.post("/sessions", {**body, name: code}).status_code == 201


def _position(ada: Caller, move: dict[str, Any]) -> str | None:
    """Import the first case in which `move` was made, up to there; returns the game."""
    for path in sorted(CASES.glob("*/*.json"), key=lambda path: path.stat().st_size):
        transcript = json.loads(path.read_text(encoding="utf-8"))
        played = [entry["move"] for entry in transcript["moves"]]
        if move in played and transcript["game"] in GAMES:
            transcript["moves"] = transcript["moves"][: played.index(move)]
            del transcript["result"]
            answer = ada.post("/games/import", transcript)
            assert answer.status_code == 201, answer.text
            game_id: str = answer.json["id"]
            return game_id
    return None


def same_form(example: Any, actual: Any) -> bool:
    """Tell whether two values have the same fields all the way down; null goes with anything."""
    if example is None or actual is None:
        return True
    if isinstance(example, dict) and isinstance(actual, dict):
        return example.keys() == actual.keys() and all(
            key in OPEN_OBJECTS or same_form(example[key], actual[key]) for key in example
        )
    if isinstance(example, list) and isinstance(actual, list):
        return not example or not actual or same_form(example[0], actual[0])
    return type(example) is type(actual)


@pytest.fixture
def answers(ada: Caller, bob: Caller, store: Store, clock: FakeClock) -> dict[str, list[Any]]:
    """What every operation answers to the examples of the requests, by operation."""
    return {name: list(found) for name, found in _story(ada, bob, store, clock)}


def _two_at_a_table(ada: Caller, bob: Caller) -> str:
    """Return the path of a game of Ada and Bob, in which both have moved."""
    game = f"/games/{ada.open('me', 'open')['id']}"
    bob.post(f"{game}/seats", {})
    for caller in (ada, ada, bob):
        moves = caller.get(f"{game}/moves").json["moves"]
        assert caller.post(f"{game}/moves", {"move": moves[0]}).status_code == 201
    return game


def _propose(ada: Caller, bob: Caller, operation: str, body: dict[str, Any]) -> Answer:
    if body.get("kind") == "pause":
        timed = ada.open(pace=TWO_DAYS)
        body = {**body, "until": format_time(SYSTEM.now_ms() + DAY)}
        return ada.post(f"/games/{timed['id']}/proposals", body)
    if operation == "answer_proposal":
        game = _two_at_a_table(ada, bob)
        made = ada.post(f"{game}/proposals", {"kind": "end"}).json["events"][0]
        return bob.post(f"{game}/proposals/{made['version']}/answers", body)
    alone = f"/games/{ada.open()['id']}"
    for _ in range(3):
        ada.move(alone.removeprefix("/games/"))
    return ada.post(f"{alone}/proposals", body)


def _proposals(ada: Caller, bob: Caller, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    game = _two_at_a_table(ada, bob)
    ends = {"kind": "end"}
    made = ada.post(f"{game}/proposals", ends).json
    yield "propose", [made, *(_propose(ada, bob, "propose", body).json for body in asked)]
    yield "show_proposals", [ada.get(f"{game}/proposals").json]
    yield "withdraw_proposal", [ada.delete(f"{game}/proposals/{made['version']}").json]
    made = ada.post(f"{game}/proposals", ends).json
    answer = bob.post(f"{game}/proposals/{made['version']}/answers", {"answer": "accept"})
    yield "answer_proposal", [answer.json]


def _story(
    ada: Caller, bob: Caller, store: Store, clock: FakeClock
) -> Iterator[tuple[str, list[Any]]]:
    asked = {op: [e["value"] for e in found.values()] for op, found in examples.REQUESTS.items()}
    yield "register_player", [bob.post("/players", asked["register_player"][0]).json]
    yield "show_me", [ada.get("/players/me").json]
    yield "change_me", [ada.patch("/players/me", body).json for body in asked["change_me"]]
    soon = {"from": format_time(clock.now + DAY), "until": format_time(clock.now + 3 * DAY)}
    planned = {"vacations": [soon]}
    yield "change_vacations", [ada.put("/players/me/vacations", planned).json]
    yield "show_vacations", [ada.get("/players/me/vacations").json]
    yield (
        "issue_token",
        [ada.post("/players/me/tokens", body).json for body in asked["issue_token"]],
    )
    yield "merge_guest", [_merge(ada).json]
    linked = ada.post("/players/me/link_codes", {}).json
    yield "create_link_code", [linked]
    yield "create_recovery_codes", [ada.post("/players/me/recovery_codes", {}).json]
    yield "open_session", [bob.post("/sessions", {"link_code": linked["code"]}).json]
    yield "show_inbox", [ada.get("/players/me/inbox").json]
    yield "create_inbox_ticket", [ada.post("/players/me/inbox/ticket").json]
    yield "list_tokens", [ada.get("/players/me/tokens").json]
    cyd = ada.post("/players", {"name": "Cyd"}).json
    ada.put(f"/players/me/blocks/{cyd['id']}")
    yield "list_blocks", [ada.get("/players/me/blocks").json]
    yield "show_player", [bob.get(f"/players/{ada.id}").json]
    yield "show_catalogue", [ada.get("/catalogue").json]
    yield "show_pieces", [ada.get("/catalogue/caylus?edition=second").json]
    opened = [ada.post("/games", body).json for body in asked["open_game"]]
    yield "open_game", opened
    yield "list_games", [ada.get("/games").json]
    waiting = f"/games/{opened[1]['id']}"
    taken = bob.post(f"{waiting}/seats", {}).json
    yield "take_seat", [taken]
    seat = next(
        seat["seat"] for seat in taken["seats"] if (seat["player"] or {}).get("name") == "Bob"
    )
    yield "leave_seat", [bob.delete(f"{waiting}/seats/{seat}").json]
    for operation in OF_THE_HOST:
        yield operation, [_arrange(operation, body, ada, bob).json for body in asked[operation]]
    for operation in OF_TIME:
        yield operation, [_keep_time(operation, body, ada, bob).json for body in asked[operation]]
    yield "show_clock", [ada.get(f"/games/{game['id']}/clock").json for game in opened]
    for operation in OF_WHO_LEAVES:
        found = [_leave(operation, body, ada, bob, clock) for body in asked[operation]]
        yield operation, [answer.json for answer in found]
    over = ada.post("/games/import", asked["import_transcript"][0]).json
    yield "import_transcript", [over]
    again = f"/games/{over['id']}"
    yield "open_branch", [ada.post(f"{again}/branches", body).json for body in asked["open_branch"]]
    yield (
        "open_rematch",
        [ada.post(f"{again}/rematch", body).json for body in asked["open_rematch"]],
    )
    yield "show_rematch", [ada.get(f"{again}/rematch").json]
    games = [f"/games/{game['id']}" for game in (opened[0], over, _running_caylus(ada))]
    yield "show_presence", [ada.get(f"{games[0]}/presence").json]
    yield "show_game", [ada.get(game).json for game in games]
    yield "list_moves", [ada.get(f"{games[0]}/moves").json]
    far = json.dumps({"type": "place_tile", "x": 5, "y": 5, "rotation": 0})
    yield "explain_move", [ada.get(f"{games[0]}/why", query_string={"move": far}).json]
    yield "preview_move", [*_previews(ada)]
    yield "make_move", [ada.move(opened[0]["id"]).json]
    yield "list_events", [ada.get(f"{games[0]}/events").json]
    yield "make_commitment", [ada.post("/fair/commitments").json]
    yield "create_ticket", [ada.post(f"{games[0]}/events/ticket").json]
    yield "show_state", [ada.get(f"{game}/states/2").json for game in games]
    yield "show_story", [ada.get(f"{games[0]}/story").json]
    yield "show_transcript", [ada.get(f"{games[1]}/transcript").json]
    path = f"{games[0]}/standing_answers"
    changed = [ada.put(path, body).json for body in asked["change_standing_answers"][:1]]
    yield "change_standing_answers", changed
    yield "show_standing_answers", [ada.get(path).json]
    yield "verify_game", [ada.get(f"{games[1]}/verification").json]
    yield from _proposals(ada, bob, asked["propose"])
    yield from _talk(ada, bob, store, asked)
    yield "show_liveness", [ada.client.get("/livez").json]
    store.reports.write(queued=0, queue_age=0.0)
    yield "show_readiness", [ada.client.get("/readyz").json]


def _claim(store: Store, caller: Caller) -> None:
    """Make a guest the owner of an account: guests say phrases only."""
    store.redis.hset(keys.player(caller.id), "claimed_at", "2026-11-20T10:00:00.000Z")


def _talk(ada: Caller, bob: Caller, store: Store, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    game = f"/games/{ada.open()['id']}"
    _claim(store, ada)
    said = [ada.post(f"{game}/messages", body).json for body in asked["send_message"]]
    yield "send_message", said
    yield "list_messages", [ada.get(f"{game}/messages").json]
    yield "delete_message", [ada.delete(f"{game}/messages/{said[0]['id']}").json]
    yield "change_note", [ada.put(f"{game}/note", body).json for body in asked["change_note"]]
    yield "show_note", [ada.get(f"{game}/note").json]
    assert ada.put(f"/players/me/mutes/{bob.id}").status_code == 204
    report = {"message": said[1]["id"], "reason": "spam"}
    yield "report", [bob.post("/reports", report).json]
    yield "list_mutes", [ada.get("/players/me/mutes").json]


def _previews(ada: Caller) -> Iterator[Any]:
    """Yield what the preview of the two kinds of moves in a turn of Carcassonne answers."""
    game = f"/games/{ada.open()['id']}"
    for kind in ("place_tile", "skip_follower"):
        move = next(move for move in ada.get(f"{game}/moves").json["moves"] if move["type"] == kind)
        yield ada.post(f"{game}/preview", {"move": move}).json
        ada.post(f"{game}/moves", {"move": move})


def _running_caylus(ada: Caller) -> dict[str, Any]:
    seats = [{"kind": "me"}, {"kind": "me"}, {"kind": "me"}]
    game: dict[str, Any] = ada.post("/games", {"game": "caylus", "seats": seats}).json
    return game
