"""The examples of `openapi.yaml`: complete, accepted, and in the form of what happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fakeredis
import pytest
from flask import Flask

from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.openapi import examples
from cartulary.service.process.settings import WebSettings
from tests.service.support.acted_examples import (
    OF_PASSKEYS,
    OF_TALK,
    OF_THE_HOST,
    OF_TIME,
    OF_WHO_LEAVES,
    act_out,
    add_passkey,
    arrange,
    claim,
    keep_time,
    leave,
    merge,
    position,
    propose,
    try_codes,
)
from tests.service.support.acted_explorer import ask_explorer
from tests.service.support.acted_notices import PATHS as OF_NOTICES
from tests.service.support.acted_notices import ask, write_push_key
from tests.service.support.acted_order import keep_order
from tests.service.support.acted_puzzles import PATHS as OF_PUZZLES
from tests.service.support.acted_puzzles import ask_puzzle
from tests.service.support.acted_studies import hide_study, write_study
from tests.service.support.acted_tournaments import hold_tournament
from tests.service.support.caller import Caller, played_out, register_player
from tests.service.support.openapi_file import answer_schema, check, members, operations
from tests.support.fake_clock import FakeClock
from tests.support.games import COMPLETE

# Their keys are names (of tiles, options, …), not fields.
OPEN_OBJECTS = {
    "state",
    *(
        "remaining",
        "options",
        "context",
        "setup",
        "detail",
        "facts",
        "bag",
        "move",
        "why",
        "does",
        "price",
    ),
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
        silent.remove("list_events")  # only its stream may end with a 204
        assert examples.ANSWERS.keys() == set(found) - silent - {
            *("show_metrics", "show_openapi_json", "show_openapi_yaml", "show_board"),
            *("show_openapi_open", "show_openapi_typed_streams"),
            *("export_account", "ask_for_seat", "show_board_png", "show_webp", "show_gif"),
            *("show_position_text", "show_calendar", "show_study_board", "show_dump"),
            *("show_moment", "show_puzzle_board"),
            *("test_push_subscription", "test_webhook", "test_email", "retry_delivery"),
            *("stream_inbox", "stream_messages", "stream_lobby", "stream_tournament_events"),
            "stream_study_events",
        }

    @pytest.mark.slow
    def test_an_answer_fits_its_schema_and_has_the_form_of_what_comes(
        self, described: dict[str, Any], answers: dict[str, list[Any]]
    ) -> None:
        found = operations(described)
        for operation, shown in examples.ANSWERS.items():
            for name, example in shown.items():
                check(described, answer_schema(found[operation]), example["value"])
                came = answers[operation]
                assert any(same_form(example["value"], one) for one in came), (operation, name)

    def test_every_event_and_every_move_has_one_that_is_complete(
        self, described: dict[str, Any]
    ) -> None:
        moves = {move for game in COMPLETE for move in OFFERS[game].contract.moves}
        for union, shown, required in (
            ("Event", examples.EVENTS, KINDS.keys()),
            ("Move", examples.MOVES, moves),
        ):
            schemas = members(described, union, "type")
            assert required <= shown.keys() <= schemas.keys()
            for type_, example in shown.items():
                check(described, schemas[type_], example)
                assert example.keys() <= schemas[type_]["properties"].keys()
                assert schemas[type_]["examples"] == [example]

    def test_a_request_fits_its_schema(self, described: dict[str, Any]) -> None:
        found = operations(described)
        for operation, shown in examples.REQUESTS.items():
            schema = found[operation]["requestBody"]["content"]["application/json"]["schema"]
            for example in shown.values():
                check(described, schema, example["value"])

    @pytest.mark.parametrize(
        "operation",
        sorted(
            set(examples.REQUESTS)
            - {"make_move", "preview_move", "change_vacations", "report", "change_own_bot"}
            - {"take_hints", "answer_report", "give_order", "name_position", "answer_moment"}
            - {"announce_tournament", "enter_tournament", "decide_table", "order_tournament"}
            - {"change_availability", "accept_table_time", "begin_study", "change_study"}
            - {"order_study"}
            - OF_PUZZLES.keys()
            - {*OF_THE_HOST, *OF_WHO_LEAVES, *OF_TALK, *OF_TIME, *OF_PASSKEYS, *OF_NOTICES}
        ),
    )
    @pytest.mark.slow
    def test_a_request_is_accepted(self, operation: str, ada: Caller, bob: Caller) -> None:
        for example in examples.REQUESTS[operation].values():
            game_id = ada.open("me", "open", "open")["id"]
            if operation in ("propose", "answer_proposal"):
                assert propose(ada, bob, operation, example["value"]).status_code == 201
                continue
            if operation == "delete_account":
                assert ada.post("/players/me/deletion", example["value"]).status_code == 204
                continue
            if operation == "change_standing_answers":
                path = f"/games/{game_id}/standing_answers"
                assert ada.put(path, example["value"]).json == example["value"]
                continue
            if operation == "store_local_game":
                path = "/players/me/local_games/local-m2xk7r9d4qhw0z5t8b3n"
                assert ada.put(path, example["value"]).status_code == 200
                continue
            if operation == "change_me":
                assert bob.patch("/players/me", example["value"]).status_code == 200
                continue
            if operation == "start_analysis":
                started = bob.post(f"/games/{played_out(bob)}/analysis", example["value"])
                assert started.status_code == 202
                continue
            if operation == "ask_for_seat":
                asked = bob.post(f"/games/{game_id}/seat_requests", example["value"])
                assert asked.status_code == 202
                continue
            if operation == "mark_inbox_read":
                assert bob.put("/players/me/inbox/read", example["value"]).status_code == 204
                continue
            if operation == "merge_guest":
                assert merge(ada).status_code == 200
                continue
            if operation == "open_session":
                try_codes(example["value"], ada, bob)
                continue
            path = {
                "make_bot": "/players/me/bots",
                "make_seek": "/seeks",
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

    def test_a_request_for_hints_is_accepted(self, ada: Caller) -> None:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
        for example in examples.REQUESTS["take_hints"].values():
            game_id = ada.open(seats=seats, hints=True)["id"]
            assert ada.post(f"/games/{game_id}/hints", example["value"]).status_code == 201

    def test_a_request_of_a_study_is_accepted(self, ada: Caller, bob: Caller) -> None:
        asked = {
            op: [one["value"] for one in examples.REQUESTS[op].values()]
            for op in ("begin_study", "change_study")
        }
        assert {name for name, _ in write_study(ada, bob, asked)} >= asked.keys()

    def test_a_request_about_a_study_of_another_is_accepted(
        self, ada: Caller, store: Store
    ) -> None:
        asked = {"order_study": [one["value"] for one in examples.REQUESTS["order_study"].values()]}
        for name, answers in hide_study(ada, store, asked):
            assert not any("code" in answer for answer in answers), name

    def test_a_request_about_puzzles_is_accepted(self, ada: Caller, store: Store) -> None:
        for operation in ("try_line", "take_puzzle_hint", "answer_puzzle", "fill_puzzle_pack"):
            for example in examples.REQUESTS[operation].values():
                answer = ask_puzzle(operation, example["value"], ada, store)
                assert answer.status_code in (200, 201), answer.text

    @pytest.mark.slow
    def test_a_request_of_a_tournament_is_accepted(
        self, ada: Caller, bob: Caller, store: Store
    ) -> None:
        asked = {
            op: [one["value"] for one in examples.REQUESTS[op].values()]
            for op in (
                *("announce_tournament", "enter_tournament", "decide_table"),
                *("order_tournament", "change_availability"),
            )
        }
        for name, answers in hold_tournament(ada, bob, store, asked):
            assert not any("code" in answer and "title" in answer for answer in answers), name

    @pytest.mark.slow
    def test_a_request_to_the_explorer_is_accepted(self, ada: Caller, store: Store) -> None:
        bodies = [one["value"] for one in examples.REQUESTS["name_position"].values()]
        for name, answers in ask_explorer(ada, store, {"name_position": bodies}):
            assert not any("code" in answer for answer in answers), name

    def test_a_request_of_an_operator_is_accepted(
        self, ada: Caller, bob: Caller, store: Store
    ) -> None:
        bob.post("/reports", {"player": ada.id, "reason": "name"})
        asked = {
            op: [one["value"] for one in examples.REQUESTS[op].values()]
            for op in ("answer_report", "give_order")
        }
        for _, answers in keep_order(ada, bob, store, asked):
            assert not any("code" in answer for answer in answers), answers

    @pytest.mark.slow
    @pytest.mark.parametrize("operation", OF_THE_HOST)
    def test_a_request_of_the_host_is_accepted(
        self, operation: str, ada: Caller, bob: Caller
    ) -> None:
        for example in examples.REQUESTS[operation].values():
            answer = arrange(operation, example["value"], ada, bob)
            assert answer.status_code in (200, 201), answer.text

    @pytest.mark.parametrize("operation", OF_TIME)
    def test_a_request_about_time_is_accepted(
        self, operation: str, ada: Caller, bob: Caller
    ) -> None:
        for example in examples.REQUESTS[operation].values():
            answer = keep_time(operation, example["value"], ada, bob)
            assert answer.status_code in (200, 201), answer.text

    @pytest.mark.slow
    @pytest.mark.parametrize("operation", OF_WHO_LEAVES)
    def test_a_request_of_who_leaves_is_accepted(
        self, operation: str, ada: Caller, bob: Caller, clock: FakeClock
    ) -> None:
        for example in examples.REQUESTS[operation].values():
            answer = leave(operation, example["value"], ada, bob, clock)
            assert answer.status_code == 201, answer.text

    @pytest.mark.parametrize("operation", OF_TALK)
    @pytest.mark.slow
    def test_a_request_of_talk_is_accepted(self, operation: str, ada: Caller, store: Store) -> None:
        method, path, status = OF_TALK[operation]
        game = f"/games/{ada.open()['id']}"
        claim(store, ada)
        for example in examples.REQUESTS[operation].values():
            answer = ada.send(method, f"{game}/{path}", json=example["value"])
            assert answer.status_code == status, answer.text

    @pytest.mark.slow
    @pytest.mark.parametrize("operation", OF_NOTICES)
    def test_a_request_about_notices_is_accepted(
        self, operation: str, make_app: Callable[..., Flask], tmp_path: Path
    ) -> None:
        ada = register_player(make_app(push_key=write_push_key(tmp_path), emails=True), "Ada")
        for example in examples.REQUESTS[operation].values():
            answer = ask(operation, example["value"], ada)
            assert answer.status_code == OF_NOTICES[operation][2], answer.text

    def test_a_request_of_a_bot_is_accepted(self, ada: Caller) -> None:
        robo = Caller(ada.client, ada.post("/players/me/bots", {"name": "Robo"}).json["token"])
        for example in examples.REQUESTS["change_own_bot"].values():
            assert robo.put("/players/me/bot", example["value"]).status_code == 200

    @pytest.mark.parametrize("operation", OF_PASSKEYS)
    def test_a_request_for_passkeys_is_accepted(self, operation: str, bob: Caller) -> None:
        path, status = OF_PASSKEYS[operation]
        for example in examples.REQUESTS[operation].values():
            answer = add_passkey(bob, example["value"])[1]
            if operation != "add_passkey":
                answer = bob.post(path, example["value"])
            assert answer.status_code == status, answer.text

    def test_a_preview_is_made(self, ada: Caller) -> None:
        for example in examples.REQUESTS["preview_move"].values():
            game_id = position(ada, example["value"]["move"])
            answer = ada.post(f"/games/{game_id}/preview", example["value"])
            assert answer.status_code == 200, answer.text

    @pytest.mark.parametrize("name", examples.REQUESTS["make_move"])
    @pytest.mark.slow
    def test_a_move_is_made(self, name: str, ada: Caller) -> None:
        body = examples.REQUESTS["make_move"][name]["value"]
        game_id = position(ada, body["move"])
        if game_id is None:
            # No case has come so far; the example is at least understood as a move.
            assert name == "build_prestige"
            answer = ada.move(ada.open()["id"], body["move"])
            assert answer.json["code"] == "illegal_move"
            return
        answer = ada.post(f"/games/{game_id}/moves", body)
        assert answer.status_code == 201
        assert answer.json["event"]["move"] == body["move"]


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


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What every operation answers to the examples of the requests, by operation.

    Acted out once: the story is long, and each test reads the answers only.
    """
    clock = FakeClock()
    store = Store(fakeredis.FakeRedis(), OFFERS, rng=random.Random(1), clock=clock)
    store.since.read()
    push_key = write_push_key(tmp_path_factory.mktemp("push"))
    app = create_app(WebSettings(log_requests=False, push_key=push_key, emails=True), store, OFFERS)
    story = act_out(register_player(app, "Ada"), register_player(app, "Bob"), store, clock)
    return {name: list(found) for name, found in story}
