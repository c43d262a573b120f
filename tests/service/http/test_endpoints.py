"""The decorator of views: what it reads, in which order, and what it refuses to decorate."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Response
from marshmallow import ValidationError
from werkzeug.datastructures import ETags

from cartulary.service.api.game.moves import MoveQuery, MoveRequest
from cartulary.service.api.people.players import PlayerRequest
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf, Operation, operation_of
from cartulary.service.schemas.base import VERSION_MAX
from tests.service.support.caller import Caller
from tests.service.support.scene import WRITES, Scene, problem

ANSWERS = {200: AnswerOf("Done.")}


class TestDecorating:
    @pytest.mark.parametrize("missing", ["who", "query", "body", "form", "wish"])
    def test_a_view_that_asks_for_what_its_operation_does_not_name_is_an_error(
        self, missing: str
    ) -> None:
        def view(**_: Any) -> Response:
            return Response("never asked for")

        view.__signature__ = _signature(missing)  # type: ignore[attr-defined]
        with pytest.raises(TypeError, match=missing):
            operation("games", "Do it", ANSWERS)(view)

    @pytest.mark.parametrize(
        ("asked_for", "token"), [("Player", "required"), ("Player | None", "optional")]
    )
    def test_the_type_of_the_caller_says_whether_a_token_is_needed(
        self, asked_for: str, token: str
    ) -> None:
        def view(who: Any) -> Response:
            return Response(str(who))

        view.__annotations__["who"] = asked_for
        assert describe(view).token == token

    def test_headers_that_a_view_asks_for_follow_those_that_its_operation_names(self) -> None:
        def view(key: Any, if_match: Any, lang: str) -> Response:
            return Response(str((key, if_match, lang)))

        described = describe(view, headers=("Accept-Language",))
        assert described.headers == ("Accept-Language", "Idempotency-Key", "If-Match")

    def test_a_view_may_ask_for_everything_that_its_operation_names(self) -> None:
        def view(
            who: Any, query: Any, body: Any, key: Any, if_match: Any, known: ETags, lang: str
        ) -> Response:
            return Response(str((who, query, body, key, if_match, known, lang)))

        described = describe(
            view,
            token="required",
            query=MoveQuery,
            body=MoveRequest,
            headers=("Idempotency-Key", "If-Match", "If-None-Match", "Accept-Language"),
        )
        assert described.query is MoveQuery

    @pytest.mark.parametrize(
        ("named", "codes"),
        [
            ({}, {"invalid"}),
            ({"any_query": True}, set()),
            ({"token": "optional"}, {"invalid", "token_unknown"}),
            ({"token": "required"}, {"invalid", "token_unknown", "token_missing"}),
            ({"limit": "writes"}, {"invalid", "rate_limited"}),
            ({"headers": ("If-Match",)}, {"invalid", "stale_version"}),
            ({"headers": ("Idempotency-Key",)}, {"invalid", "idempotency_mismatch"}),
            (
                {"body": PlayerRequest},
                {
                    *("invalid", "malformed_json", "request_timeout", "too_large"),
                    "unsupported_media_type",
                },
            ),
            ({"refusals": ("not_found",)}, {"invalid", "not_found"}),
        ],
    )
    def test_the_refusals_of_an_operation_follow_from_what_it_names(
        self, named: dict[str, Any], codes: set[str]
    ) -> None:
        assert set(describe(lambda: Response(), **named).refusals) == codes


def _signature(name: str) -> Any:
    from inspect import Parameter, Signature

    return Signature([Parameter(name, Parameter.KEYWORD_ONLY)])


def describe(view: Any, **named: Any) -> Operation:
    found = operation_of(operation("games", "Do it", ANSWERS, **named)(view))
    assert found is not None
    return found


@pytest.mark.usefixtures("nothing_is_stored")
class TestOrderOfTheChecks:
    """A request with several faults is refused for the first of them."""

    NEEDS_TOKEN = ("games", "import", "moves", "seats")
    WITHOUT_QUERY = ("games", "import", "seats")

    @pytest.mark.slow
    @pytest.mark.parametrize("name", WITHOUT_QUERY)
    def test_an_unknown_parameter_comes_before_the_token(self, scene: Scene, name: str) -> None:
        method, path, body = WRITES[name]
        visitor = Caller(scene.ada.client)
        problem(visitor.send(method, scene.path(path) + "?x=1", json=body), 422, "invalid")

    @pytest.mark.slow
    @pytest.mark.parametrize("name", NEEDS_TOKEN)
    def test_the_token_comes_before_key_and_body(self, scene: Scene, name: str) -> None:
        method, path, _ = WRITES[name]
        visitor = Caller(scene.ada.client)
        answer = visitor.send(method, scene.path(path), data=b"{", headers={"Idempotency-Key": ""})
        problem(answer, 401, "token_missing")

    @pytest.mark.parametrize("name", NEEDS_TOKEN)
    @pytest.mark.slow
    def test_the_key_comes_before_the_body(self, scene: Scene, name: str) -> None:
        method, path, _ = WRITES[name]
        answer = scene.ada.send(
            method, scene.path(path), data=b"{", headers={"Idempotency-Key": ""}
        )
        assert "Idempotency-Key" in problem(answer, 422, "invalid")["detail"]

    def test_the_token_and_the_body_of_a_move_come_before_its_query(self, scene: Scene) -> None:
        path = scene.path("/games/{running}/moves?board=round")
        problem(Caller(scene.ada.client).post(path, {"move": {}}), 401, "token_missing")
        answer = scene.ada.send("POST", path, data=b"{", content_type="application/json")
        problem(answer, 400, "malformed_json")
        problem(scene.ada.post(path, {"move": {"type": "x"}}), 422, "invalid")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "path", ["/games", "/games/{running}/events", "/games/{running}/story"]
    )
    def test_the_query_of_a_read_comes_before_the_token(self, scene: Scene, path: str) -> None:
        stranger = Caller(scene.ada.client, "nonsense")
        problem(stranger.get(scene.path(path) + "?limit=0"), 422, "invalid")
        problem(stranger.get(scene.path(path) + "?limit=1"), 401, "token_unknown")

    def test_the_token_comes_before_the_game(self, scene: Scene) -> None:
        stranger = Caller(scene.ada.client, "nonsense")
        problem(stranger.get(scene.path("/games/{unknown}")), 401, "token_unknown")

    def test_an_idempotency_key_comes_before_the_version(self, scene: Scene) -> None:
        """See also `test_games.TestIdempotency`: a repetition ignores every version."""
        headers = {"Idempotency-Key": "x" * 256, "If-Match": '"v1"'}
        answer = scene.ada.move(scene.ids["running"], headers=headers)
        problem(answer, 422, "invalid")


class TestBodyOfAMove:
    PLAIN: tuple[dict[str, Any], ...] = (
        {"move": {}},
        {"move": {"type": "x"}, "expected_version": 1},
        {"move": {}, "expected_version": VERSION_MAX},
    )
    OTHERS: tuple[dict[str, Any], ...] = (
        {"move": {}, "expected_version": VERSION_MAX + 1},
        {"move": {}, "expected_version": 0},
        {"move": {}, "expected_version": True},
        {"move": []},
        {"move": {}, "colour": "red"},
        {"expected_version": 1},
        {},
    )

    @pytest.mark.parametrize("body", PLAIN)
    def test_the_schema_loads_a_plain_move_unchanged(self, body: dict[str, Any]) -> None:
        assert MoveRequest().load(body) == body

    def test_a_version_that_is_null_is_missing(self) -> None:
        assert MoveRequest().load({"move": {}, "expected_version": None}) == {"move": {}}

    @pytest.mark.parametrize("body", OTHERS)
    def test_the_schema_refuses_any_other_body(self, body: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            MoveRequest().load(body)
