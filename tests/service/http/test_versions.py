"""The versions that a write may expect, in the body and in `If-Match`.

No event leaves the position alone during the play yet, so the tests add one: `seat_noted`.
"""

from __future__ import annotations

import pytest

from cartulary.events.model.effects.kinds import KINDS, EventKind, Field
from cartulary.events.model.status import Status
from cartulary.events.model.types import event
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.handmade_events import append


@pytest.fixture(autouse=True)
def seat_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event type that leaves the position alone."""
    row = EventKind(
        type="seat_noted",
        text="A player wrote a note.",
        fields=(Field("seat", int, {"type": "integer"}),),
        comes_in=(Status.OPEN, Status.RUNNING),
        apply=lambda table, _event, _folding: table,
    )
    monkeypatch.setitem(KINDS, row.type, row)


def note(store: Store, game_id: str) -> None:
    version = store.ledger.version(game_id)
    append(store.ledger, game_id, version, [event(version + 1, "seat_noted", seat=0)])


@pytest.fixture
def game_id(ada: Caller, store: Store) -> str:
    """A game with the position 3 and the version 5."""
    found: str = ada.open()["id"]
    assert ada.move(found).json["version"] == 3
    note(store, found)
    note(store, found)
    return found


@pytest.mark.parametrize("expected", [3, 4, 5])
@pytest.mark.parametrize("tags", [None, '"v3"', '"v4"', '"v5"', '"v1", "v4"', '"v3", "v9"', "*"])
@pytest.mark.slow
def test_a_move_may_expect_each_version_since_the_position(
    ada: Caller, game_id: str, expected: int, tags: str | None
) -> None:
    headers = {} if tags is None else {"If-Match": tags}
    answer = ada.move(game_id, body={"expected_version": expected}, headers=headers)
    assert answer.status_code == 201, answer.text
    assert answer.json["version"] == answer.json["event"]["version"] == 6


@pytest.mark.parametrize("tags", ['"v2"', '"v6"', '"v1", "v2"', '"v2", "v6"', 'W/"v5"'])
@pytest.mark.parametrize("expected", [None, 2, 4, 6])
@pytest.mark.slow
def test_tags_before_the_position_or_after_the_version_are_412(
    ada: Caller, game_id: str, expected: int | None, tags: str
) -> None:
    body = {} if expected is None else {"expected_version": expected}
    answer = ada.move(game_id, body=body, headers={"If-Match": tags})
    assert problem(answer, 412, "stale_version")["current_version"] == 5


@pytest.mark.parametrize("expected", [1, 2, 6])
@pytest.mark.parametrize("tags", [None, '"v3"', '"v5"', '"v1", "v4"'])
@pytest.mark.slow
def test_an_expected_version_before_the_position_or_after_the_version_is_409(
    ada: Caller, game_id: str, expected: int, tags: str | None
) -> None:
    headers = {} if tags is None else {"If-Match": tags}
    answer = ada.move(game_id, body={"expected_version": expected}, headers=headers)
    assert problem(answer, 409, "stale_version")["current_version"] == 5


@pytest.mark.parametrize(
    ("tags", "status"), [('"v2"', 201), ('"v1", "v2"', 201), ('"v1"', 412), ('"v3"', 412)]
)
@pytest.mark.slow
def test_a_command_about_seats_needs_the_current_version(
    ada: Caller, bob: Caller, store: Store, tags: str, status: int
) -> None:
    game_id = ada.open("me", "open")["id"]
    note(store, game_id)
    answer = bob.post(f"/games/{game_id}/seats", {}, headers={"If-Match": tags})
    assert answer.status_code == status, answer.text
