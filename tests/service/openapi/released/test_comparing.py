"""What breaks a client of the last release is found; what is only new is not."""

from __future__ import annotations

import datetime
import marshal
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from cartulary.service.openapi.forms.opening import open_description
from cartulary.service.openapi.released.comparing import (
    Forms,
    find_breaks,
    find_version,
    is_at_least,
)
from tests.service.support.description import read_description
from tests.service.support.openapi_file import operations

TODAY = datetime.date(2027, 6, 1)
Json = dict[str, Any]
Change = Callable[[Json, Json], None]
"""Changes a description, given as its components and its operations by id."""

TEXT = {"type": "string", "description": "A text."}


def compare(described: Json, change: Change, before: Change | None = None) -> list[str]:
    new = copy_of(described)
    if before is not None:
        before(new["components"]["schemas"], operations(new))
        old = copy_of(new)
        forms = Forms(old, open_description(old))
    else:
        forms = unchanged()
    change(new["components"]["schemas"], operations(new))
    return find_breaks(forms, Forms(new, open_description(new)), TODAY)


def copy_of(described: Json) -> Json:
    """Return a copy; several times as fast as a deep copy."""
    copied: Json = marshal.loads(marshal.dumps(described))
    return copied


@cache
def unchanged() -> Forms:
    """Return the forms of the description as committed; nothing changes them."""
    described = read_description()
    return Forms(described, open_description(described))


def remove_operation(described: Json, name: str) -> None:
    for path in described["paths"].values():
        for method in [key for key, one in path.items() if one["operationId"] == name]:
            del path[method]


def add_event(schemas: Json, _: Json) -> None:
    schemas["SeatPainted"] = {
        **schemas["SeatLeft"],
        "properties": {
            **schemas["SeatLeft"]["properties"],
            "type": {"type": "string", "const": "seat_painted"},
        },
    }
    schemas["Event"]["oneOf"].append({"$ref": "#/components/schemas/SeatPainted"})
    schemas["Event"]["discriminator"]["mapping"]["seat_painted"] = (
        "#/components/schemas/SeatPainted"
    )


def add_field(schemas: Json, _: Json) -> None:
    schemas["PlayerName"]["properties"]["colour"] = TEXT
    schemas["PlayerName"]["required"].append("colour")


def add_value(schemas: Json, _: Json) -> None:
    schemas["TableSeat"]["properties"]["state"]["enum"].append("asleep")
    schemas["ProblemCode"]["enum"].append("too_tired")


def add_optional_field(schemas: Json, _: Json) -> None:
    schemas["MoveRequest"]["properties"]["mood"] = TEXT


def add_parameter(_: Json, found: Json) -> None:
    found["list_moves"]["parameters"].append({"in": "query", "name": "mood", "schema": TEXT})


def widen_request(schemas: Json, _: Json) -> None:
    schemas["GameRequest"]["properties"]["seats"]["maxItems"] = 6


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [add_event, add_field, add_value, add_optional_field, add_parameter, widen_request],
)
def test_what_is_new_breaks_no_client(described: Json, change: Change) -> None:
    assert compare(described, change) == []


def loosen_answer(schemas: Json, _: Json) -> None:
    schemas["PlayerName"]["required"].remove("name")


def make_null(schemas: Json, _: Json) -> None:
    schemas["PlayerName"]["properties"]["name"]["type"] = ["string", "null"]


def change_type(schemas: Json, _: Json) -> None:
    schemas["PlayerName"]["properties"]["id"]["type"] = "integer"


def remove_field(schemas: Json, _: Json) -> None:
    del schemas["PaceOffer"]["properties"]["name"]
    schemas["PaceOffer"]["required"].remove("name")


def rename_schema(schemas: Json, found: Json) -> None:
    schemas["Hints"] = schemas.pop("Hint")
    content = found["show_hint"]["responses"]["200"]["content"]
    content["application/json"]["schema"] = {"$ref": "#/components/schemas/Hints"}


def require_field(schemas: Json, _: Json) -> None:
    schemas["MoveRequest"]["required"].append("expected_version")


def refuse_field(schemas: Json, _: Json) -> None:
    del schemas["MoveRequest"]["properties"]["expected_version"]


def refuse_value(schemas: Json, _: Json) -> None:
    schemas["ClaimRequest"]["properties"]["remedy"]["enum"].remove("abort")


def refuse_null(schemas: Json, _: Json) -> None:
    schemas["MoveRequest"]["properties"]["expected_version"]["type"] = "integer"


def narrow_request(schemas: Json, _: Json) -> None:
    schemas["GameRequest"]["properties"]["seats"]["maxItems"] = 4


def require_parameter(_: Json, found: Json) -> None:
    found["list_moves"]["parameters"].append(
        {"in": "query", "name": "mood", "required": True, "schema": TEXT}
    )


def refuse_parameter(_: Json, found: Json) -> None:
    found["list_games"]["parameters"] = found["list_games"]["parameters"][1:]


def require_token(_: Json, found: Json) -> None:
    found["show_game"]["security"] = [{"token": []}]


def rename_operation(_: Json, found: Json) -> None:
    found["show_game"]["operationId"] = "present_game"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (loosen_answer, "an answer breaks clients: PlayerName.name: may be missing, but is needed"),
        (make_null, "an answer breaks clients: PlayerName.name: null does not fit"),
        (change_type, "an answer breaks clients: PlayerName.id: integer does not fit"),
        (remove_field, "PaceOffer.name is gone"),
        (rename_schema, "the schema Hint is gone: generators name a class after it"),
        (
            require_field,
            "a request is refused: MoveRequest.expected_version: may be missing, but is needed",
        ),
        (refuse_field, "a request is refused: MoveRequest.expected_version: is unknown"),
        (refuse_value, "a request is refused: ClaimRequest.remedy: `abort` does not fit"),
        (refuse_null, "a request is refused: MoveRequest.expected_version: null does not fit"),
        (
            narrow_request,
            "a request is refused: GameRequest.seats: beyond `maxItems: 4` does not fit",
        ),
        (require_parameter, "GET /api/v1/games/{game_id}/moves needs mood (query) now"),
        (refuse_parameter, "GET /api/v1/games status is refused now"),
        (require_token, "GET /api/v1/games/{game_id} needs a token now"),
        (
            rename_operation,
            "GET /api/v1/games/{game_id} has another operationId: present_game",
        ),
    ],
)
@pytest.mark.slow
def test_what_breaks_a_client_is_said_in_words(described: Json, change: Change, said: str) -> None:
    assert said in compare(described, change)


def drop_webhook(new: Json) -> None:
    del new["webhooks"]["slack"]


def drop_member(new: Json) -> None:
    new["components"]["schemas"]["WantedMoveData"]["required"].remove("moves")


def drop_receipt(new: Json) -> None:
    del new["webhooks"]["move"]["post"]["responses"]["202"]


def ask_for_more(new: Json) -> None:
    new["components"]["schemas"]["AnsweredMove"]["properties"]["mood"] = TEXT
    new["components"]["schemas"]["AnsweredMove"]["required"].append("mood")


def send_more(new: Json) -> None:
    new["components"]["schemas"]["NoticeMessage"]["properties"]["type"]["enum"].append("told")
    new["components"]["schemas"]["NoticeData"]["properties"]["mood"] = TEXT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (drop_webhook, ["the webhook slack is gone"]),
        (
            drop_member,
            ["a message breaks receivers: WantedMoveData.moves: may be missing, but is needed"],
        ),
        (drop_receipt, ["the webhook move may no longer answer 202"]),
        (
            ask_for_more,
            ["an answer to a webhook is refused: AnsweredMove.mood: may be missing, but is needed"],
        ),
        (send_more, []),
    ],
)
def test_what_breaks_a_receiver_of_webhooks_is_said_in_words(
    described: Json, change: Callable[[Json], None], faults: list[str]
) -> None:
    new = copy_of(described)
    change(new)
    assert find_breaks(unchanged(), Forms(new, open_description(new)), TODAY) == faults


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sunset", "faults"),
    [("2027-06-01", []), ("2027-06-02", ["GET /api/v1/games/{game_id}/hint is gone"])],
)
def test_what_is_deprecated_may_go_on_its_sunset(
    described: Json, sunset: str, faults: list[str]
) -> None:
    old, new = copy_of(described), copy_of(described)
    operations(old)["show_hint"]["x-sunset"] = sunset
    remove_operation(new, "show_hint")
    assert find_breaks(Forms(old, old), Forms(new, new), TODAY) == faults


class TestTheVersion:
    def find(self, described: Json, change: Change) -> str:
        old, new = copy_of(described), copy_of(described)
        old["info"]["version"] = "1.4.2"
        change(new["components"]["schemas"], operations(new))
        return find_version(old, new)

    @pytest.mark.slow
    def test_something_new_raises_the_minor_version(self, described: Json) -> None:
        assert self.find(described, add_event) == "1.5.0"
        assert self.find(described, add_optional_field) == "1.5.0"

    def test_other_words_raise_the_patch(self, described: Json) -> None:
        def reword(schemas: Json, _: Json) -> None:
            schemas["PlayerName"]["properties"]["id"]["description"] = "Another text."

        assert self.find(described, reword) == "1.4.3"

    def test_the_same_description_needs_no_other_version(self, described: Json) -> None:
        assert self.find(described, lambda schemas, found: None) == "1.4.2"

    def test_versions_are_numbers_not_texts(self) -> None:
        assert is_at_least("1.10.0", "1.9.3")
        assert not is_at_least("1.9.3", "1.10.0")
