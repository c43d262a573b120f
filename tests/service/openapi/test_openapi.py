"""`openapi.yaml`: valid, not drifted, complete, and true of whole games."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from cartulary.games import GAMES
from cartulary.service.describe import FILE, main
from cartulary.service.http.wire.problem_kinds import KINDS
from tests.service.support.caller import Caller
from tests.service.support.openapi_file import answer_schema, check, members, operations
from tests.support.night import short_or_long

CASES = Path(__file__).parents[2] / "cases"
# Pages and files for people: they are no part of the API.
PAGES = {
    *("/embed/games/{game_id}", "/embed/{name}", "/email/{token}", "/email.css"),
    *("/", "/new", "/lobby", "/settings", "/admin", "/games/{game_id}"),
    *("/<any(games, tournaments):folder>/{thing_id}/qr.svg", "/tournaments/{tournament_id}"),
    *("/tournaments", "/puzzles", "/puzzles/{puzzle_id}", "/explorer/{game_name}"),
    *("/studies", "/studies/{study_id}"),
    *("/manifest.webmanifest", "/worker.js", "/built/{name}"),
    *("/llms.txt", "/local", "/engine.worker.js", "/analysis"),
    *("/built/engine/engine.json", "/built/engine/{digest}/{name}"),
    *("/leaderboards/{game_name}", "/players/{player_id}"),
    *("/learn/{game_name}", "/learn/{game_name}/{lang}.json", "/learn/{game_name}/pieces.svg"),
    *(
        "/learn/{game_name}/lessons/{lang}.json",
        "/learn/{game_name}/lessons/{name}/{lang}.json",
        "/learn/{game_name}/lessons/{name}/{chapter}/{step}.svg",
    ),
    *("/locales/{lang}.json", "/locales/{lang}.{digest}.json"),
    *(
        "/<any(js, css, icons):folder>/{name}",
        "/assets/{digest}/<any(js, css, icons):folder>/{name}",
        "/docs",
        "/docs/problems",
        "/docs/fairness",
        "/docs/",
        "/docs/{name}",
        "/docs/api/try",
        "/docs/pages/{name}",
        "/openapi",
        "/openapi{form}",
    ),
}


@pytest.mark.slow
def test_the_committed_file_is_what_the_code_describes() -> None:
    assert main(["--check"]) == 0


@pytest.mark.slow
def test_a_drift_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drifted = tmp_path / "openapi.yaml"
    monkeypatch.setattr("cartulary.service.describe.FILE", drifted)
    drifted.write_text("openapi: 3.1.0\n", encoding="utf-8")
    assert main(["--check"]) == 1
    assert "drifted" in capsys.readouterr().err
    assert main([]) == 0
    assert main(["--check"]) == 0


@pytest.mark.slow
def test_it_is_valid_openapi_3_1(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(described).validate()


@pytest.mark.slow
def test_the_service_serves_it(app: Flask, described: dict[str, Any]) -> None:
    client = app.test_client()
    as_yaml, as_json = client.get("/openapi.yaml"), client.get("/openapi.json")
    assert as_yaml.text == FILE.read_text(encoding="utf-8")
    assert as_json.json == described
    again = client.get("/openapi.json", headers={"If-None-Match": as_json.headers["ETag"]})
    assert again.status_code == 304
    assert as_json.headers["ETag"] != as_yaml.headers["ETag"]


@pytest.mark.slow
def test_asking_for_its_head_tells_its_length(app: Flask) -> None:
    client = app.test_client()
    for path in ("/openapi.yaml", "/openapi.json"):
        head, whole = client.head(path), client.get(path)
        assert head.data == b""
        assert head.headers["Content-Length"] == whole.headers["Content-Length"]


def test_every_route_is_described_and_every_description_has_a_route(
    app: Flask, described: dict[str, Any]
) -> None:
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    paths = {(path, method) for path, found in described["paths"].items() for method in found}
    assert {(path, method) for path, method in routes if path not in PAGES} == paths


def test_every_operation_says_what_it_does_and_what_it_refuses(described: dict[str, Any]) -> None:
    codes = set()
    for operation in operations(described).values():
        assert operation["summary"]
        assert operation["description"]
        for status, response in operation["responses"].items():
            found = re.findall(r"`(\w+)`: ", response["description"])
            codes.update(found)
            if status[0] in "45":
                assert found
                assert status == "412" or {str(KINDS[code].status) for code in found} == {status}
    # Any call can return the codes of the framework, so docs/http.md lists them.
    assert set(KINDS) - codes == {"bad_request", "method_not_allowed"}


def test_all_moves_of_all_decisions_are_described(described: dict[str, Any]) -> None:
    types = {name for game in GAMES.values() for name in game.contract.moves}
    assert members(described, "Move", "type").keys() == types
    for move in members(described, "Move", "type").values():
        assert move["additionalProperties"] is False


@pytest.mark.parametrize(
    ("union", "tag"), [("Fact", "type"), ("Event", "type"), ("Decision", "kind"), ("Game", "game")]
)
def test_each_member_of_a_union_says_what_it_is(
    described: dict[str, Any], union: str, tag: str
) -> None:
    for value, member in members(described, union, tag).items():
        assert member["properties"][tag]["const"] == value
        assert tag in member["required"]


def test_names_are_enums(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    assert schemas["GameName"]["enum"] == list(GAMES)
    assert schemas["ProblemCode"]["enum"] == list(KINDS)
    assert schemas["EventType"]["enum"] == list(members(described, "Event", "type"))
    assert set(schemas["DecisionKind"]["enum"]) == {
        kind for game in GAMES.values() for kind in game.contract.decisions
    }
    assert schemas["Problem"]["properties"]["code"]["$ref"].endswith("/ProblemCode")
    assert schemas["GameRequest"]["properties"]["game"]["$ref"].endswith("/GameName")


def test_a_game_has_the_view_the_options_and_the_decisions_of_its_game(
    described: dict[str, Any],
) -> None:
    caylus = members(described, "Game", "game")["caylus"]["properties"]
    assert [part.get("$ref", "null").rpartition("/")[2] for part in caylus["view"]["oneOf"]] == [
        *("CaylusView", "null")
    ]
    assert caylus["options"]["$ref"].endswith("/CaylusOptions")
    assert caylus["decision"]["oneOf"][0]["$ref"].endswith("/CaylusDecision")


def test_no_default_makes_a_field_optional_or_required(described: dict[str, Any]) -> None:
    for name, schema in described["components"]["schemas"].items():
        for field, part in schema.get("properties", {}).items():
            assert "default" not in part, f"{name}.{field}"


def test_a_stream_has_no_content_when_the_game_is_finished_at_both_of_its_paths(
    described: dict[str, Any],
) -> None:
    found = operations(described)
    assert {"200", "204"} <= found["list_events"]["responses"].keys()
    assert {"200", "204"} <= found["stream_events"]["responses"].keys()


def test_an_answer_about_versions_has_their_tag(described: dict[str, Any]) -> None:
    for name, operation in operations(described).items():
        for status in operation["responses"].keys() & {"304", "412"}:
            assert "ETag" in operation["responses"][status]["headers"], (name, status)


def test_an_operation_with_a_key_says_how_a_replay_is_marked(described: dict[str, Any]) -> None:
    for name, operation in operations(described).items():
        taken = {parameter.get("name") for parameter in operation.get("parameters", [])}
        done = [operation["responses"].get(status, {}) for status in ("200", "201")]
        if "Idempotency-Key" in taken and any(done):
            marked = any("Idempotency-Replayed" in answer.get("headers", {}) for answer in done)
            assert marked, name


def test_a_refusal_that_a_seat_or_a_bot_meets_is_named(described: dict[str, Any]) -> None:
    found = operations(described)
    assert "`seat_forfeited`" in found["make_move"]["responses"]["409"]["description"]
    for name in ("propose", "answer_proposal", "withdraw_proposal"):
        assert "`not_for_bots`" in found[name]["responses"]["403"]["description"]


def test_a_page_and_a_stream_of_events_are_two_operations(described: dict[str, Any]) -> None:
    found = operations(described)
    assert found["list_events"]["responses"]["200"]["content"].keys() == {"application/json"}
    assert found["stream_events"]["responses"]["200"]["content"].keys() == {
        *("text/event-stream", "application/x-ndjson")
    }


@pytest.mark.parametrize(
    "path", sorted(CASES.glob("*/*.json"))[:: short_or_long(3, 1)], ids=lambda path: path.stem
)
@pytest.mark.slow
def test_views_and_moves_of_whole_games_fit_the_schemas(
    described: dict[str, Any], path: Path, ada: Caller
) -> None:
    transcript = json.loads(path.read_text(encoding="utf-8"))
    game_id = ada.post("/games/import", transcript).json["id"]
    found = operations(described)
    last = ada.version(game_id)
    for version in {*range(1, last, max(1, last // 12)), last}:
        state = ada.get(f"/games/{game_id}/states/{version}")
        check(described, answer_schema(found["show_state"]), state.json)
    check(described, answer_schema(found["show_game"]), ada.get(f"/games/{game_id}").json)
    events = ada.get(f"/games/{game_id}/events?limit=1000").json
    check(described, answer_schema(found["list_events"]), events)
