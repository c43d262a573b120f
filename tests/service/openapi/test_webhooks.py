"""`webhooks` of the description: what the notifier writes fits it, in both forms."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema_rs import ValidationError

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.lists.inbox import make_item
from cartulary.events.notices.kinds import TYPES
from cartulary.events.notices.rows import FORMATS, SIGNED, WebhookFormat
from cartulary.events.outside_bots.questions import BotQuestion
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.openapi.forms.opening import open_description
from cartulary.workers.notices.bot_requests import write_question
from cartulary.workers.notices.formats import write_webhook
from tests.service.support.openapi_file import check

Json = dict[str, Any]
ADDRESS = "https://games.example"
AT = "2026-11-20T10:00:00.000Z"
GAME = {
    "game": "01JC0M7G5P9R3S6T8V2W4X1Y0B",
    "version": 17,
    "seat": 1,
    "title": "Carcassonne: Ada",
    "deadline_at": None,
    "url": "/games/01JC0M7G5P9R3S6T8V2W4X1Y0B",
}
ADA = {"id": "01JC0M6E3N8T5Q2V9W4X7Y1Z0A", "name": "Ada"}
MORE: dict[str, Json] = {
    "seat_offered": {"expires_at": AT},
    "rematch_opened": {"expires_at": AT},
    "seat_requested": {"player": ADA},
    "proposal_made": {"kind": "end"},
    "proposal_closed": {"kind": "end", "outcome": "declined"},
    "moves_taken_back": {"to_version": 3},
    "game_aborted": {"code": None},
    "bot_failed": {"bot": ADA},
    "message_mention": {"message": "m", "by": ADA},
    "turn_reminder": {"deadline_at": AT, "code": "unstarted"},
    "table_ready": {"tournament": "t", "round": 1, "table": 2},
    "tournament_over": {"tournament": "t", "rank": 3},
    "mistake_returned": {"url": "/games/01JC0M7G5P9R3S6T8V2W4X1Y0B?ask=41"},
    "study_invited": {"study": "s", "title": "A study", "player": ADA, "url": "/studies/s"},
    "times_proposed": {"tournament": "t", "round": 1, "table": 2, "time": AT},
}
OF_AN_ACCOUNT: dict[str, Json] = {
    "security": {"by": "link", "token": "5f0c2b7d91ae4468", "label": "Phone"},
    "webhook_disabled": {"webhook": "7be2019c4d5f6a83", "url": "/settings?notices"},
}


@pytest.fixture(scope="module")
def opened(described: Json) -> Json:
    return open_description(described)


def find_body(described: Json, form: str) -> Json:
    content = described["webhooks"][form]["post"]["requestBody"]["content"]
    schema: Json = content["application/json"]["schema"]
    return schema


def write(form: WebhookFormat, kind: str, data: Json) -> Json:
    item = make_item("subject", kind, "player", AT, data)._asdict()  # type: ignore[arg-type]
    body: Json = json.loads(write_webhook(form, [item], "en", ADDRESS))
    return body


def test_each_format_is_described_with_the_headers_that_are_sent(described: Json) -> None:
    assert described["webhooks"].keys() == set(FORMATS)
    for form, found in described["webhooks"].items():
        names = [one["name"] for one in found["post"]["parameters"]]
        signed = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        assert names == (signed if form in SIGNED else [])
        assert all(one["required"] for one in found["post"]["parameters"])
        assert found["post"]["summary"]
        assert found["post"]["security"] == []


def test_no_operation_of_a_webhook_has_the_id_of_another_one(described: Json) -> None:
    found = [one["post"]["operationId"] for one in described["webhooks"].values()]
    paths = [one["operationId"] for path in described["paths"].values() for one in path.values()]
    assert len({*found, *paths}) == len(found) + len(paths)


@pytest.mark.parametrize("form", FORMATS)
def test_the_examples_fit(described: Json, opened: Json, form: str) -> None:
    for description in (described, opened):
        operation = description["webhooks"][form]["post"]
        content = operation["requestBody"]["content"]["application/json"]
        for example in content["examples"].values():
            check(description, content["schema"], example["value"])


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "move"])
def test_what_the_notifier_writes_fits_and_nothing_of_an_item_is_lost(
    described: Json, opened: Json, form: WebhookFormat
) -> None:
    for kind in (*TYPES, "test"):
        data = OF_AN_ACCOUNT.get(kind, {**GAME, **MORE.get(kind, {})})
        body = write(form, kind, data)
        for description in (described, opened):
            check(description, find_body(description, form), body)
        if form in SIGNED:
            url = f"{ADDRESS}{data.get('url', '/')}"
            assert body["data"] == {**data, "url": url}, kind
            assert (body["type"], body["timestamp"]) == (kind, AT)


@pytest.mark.parametrize(
    ("form", "member", "most"), [("discord", "content", 2000), ("slack", "text", 3000)]
)
def test_a_text_has_at_most_what_its_service_takes(
    form: WebhookFormat, member: str, most: int
) -> None:
    item = make_item("subject", "seat_offered", "player", AT, {**GAME, "title": "&" * 119})
    items = [item._replace(id=str(number))._asdict() for number in range(99)]
    written = json.loads(write_webhook(form, items, "en", "https://games.example/" + "x" * 3000))
    assert len(written[member]) == most


def test_every_member_of_an_item_is_described(described: Json) -> None:
    known = described["components"]["schemas"]["NoticeData"]["properties"].keys()
    found = {name for data in (GAME, *MORE.values(), *OF_AN_ACCOUNT.values()) for name in data}
    assert {*found, "passkey"} == known


@pytest.mark.slow
@pytest.mark.parametrize("game", OFFERS)
def test_a_question_to_a_bot_fits(described: Json, opened: Json, game: str, store: Store) -> None:
    """The first decisions of a game; that each later one is described, other tests say."""
    ada = store.players.create("Ada")[0]
    request = NewGame(game, [SeatRequest("me"), SeatRequest("me")])
    table = store.commands.create(Intent(ada), request).table
    for _ in range(4):
        assert table.state is not None
        question = BotQuestion("move", ada.id, table.id, table.position, table.version, 0)
        body = json.loads(write_question(question, table, AT, ADDRESS, 1_800_000_000_000))
        for description in (described, opened):
            check(description, find_body(description, "move"), body)
        answer = {"move": body["data"]["moves"][0]}
        check(described, find_answer(described), answer)
        intent = Intent(ada, table.version)
        table = store.commands.move(intent, table.id, answer["move"]).table


def test_a_question_to_a_bot_shows_no_control_characters_of_a_name(store: Store) -> None:
    ada = store.players.create("A\u202eda")[0]
    request = NewGame("carcassonne", [SeatRequest("me"), SeatRequest("me")])
    table = store.commands.create(Intent(ada), request).table
    question = BotQuestion("move", "bot", table.id, table.position, table.version, 0)
    body = json.loads(write_question(question, table, AT, ADDRESS, 1_800_000_000_000))
    assert "\u202e" not in body["data"]["title"]
    assert "da" in body["data"]["title"]


def find_answer(described: Json) -> Json:
    content = described["webhooks"]["move"]["post"]["responses"]["200"]["content"]
    schema: Json = content["application/json"]["schema"]
    return schema


def test_the_open_form_reads_what_a_later_release_sends(described: Json, opened: Json) -> None:
    body = write("standard", "your_turn", {**GAME, "colour": "red"})
    later = copy.deepcopy(body) | {"type": "tournament_began"}
    check(opened, find_body(opened, "standard"), later)
    with pytest.raises(ValidationError):
        check(described, find_body(described, "standard"), later)


def test_an_answer_without_a_move_does_not_fit(described: Json) -> None:
    for wrong in ({}, {"move": None}, {"move": {"type": "fly"}}):
        with pytest.raises(ValidationError):
            check(described, find_answer(described), wrong)
