"""The stream of the lobby over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.openapi_file import check
from tests.service.support.scene import problem

NDJSON = {"Accept": "application/x-ndjson"}


def read_lines(answer: Any) -> Iterator[dict[str, Any]]:
    """Yield the lines of NDJSON of a stream."""
    rest = b""
    for piece in answer.iter_encoded():
        *whole, rest = (rest + piece).split(b"\n")
        yield from (orjson.loads(line) for line in whole if line.strip())


def test_it_begins_with_a_snapshot_and_goes_on_with_changes(
    ada: Caller, visitor: Caller, store: Store, described: dict[str, Any]
) -> None:
    before = ada.open("me", "open")["id"]
    answer = visitor.get("/lobby/stream", headers=NDJSON, buffered=False)
    lines = read_lines(answer)
    snapshot = next(lines)["snapshot"]
    assert [one["id"] for one in snapshot["tables"]] == [before]
    store.lobby.look()
    assert next(lines)["snapshot"]["counts"] == snapshot["counts"]
    opened = ada.open("me", "open")["id"]
    store.lobby.look()
    change = next(lines)
    assert [one["id"] for one in change["change"]["tables"]] == [opened]
    check(described, {"$ref": "#/components/schemas/LobbyChangeLine"}, change)
    check(described, {"$ref": "#/components/schemas/LobbySnapshotLine"}, {"snapshot": snapshot})
    answer.close()


def test_a_reader_who_comes_back_gets_what_was_missed(
    ada: Caller, visitor: Caller, store: Store
) -> None:
    first = visitor.get("/lobby/stream", buffered=False)
    store.lobby.look()
    pieces = b""
    for piece in first.iter_encoded():
        pieces += piece
        if pieces.count(b"snapshot") == 2:
            break
    first.close()
    cursor = pieces.split(b"id: ")[-1].split(b"\n")[0].decode()
    opened = ada.open("me", "open")["id"]
    store.lobby.look()
    headers = {**NDJSON, "Last-Event-ID": cursor}
    again = visitor.get("/lobby/stream", headers=headers, buffered=False)
    change = next(read_lines(again))
    again.close()
    assert [one["id"] for one in change["change"]["tables"]] == [opened]


@pytest.mark.parametrize("cursor", ["x", "1-", "-", "ż"])
def test_what_is_no_cursor_is_refused(visitor: Caller, cursor: str) -> None:
    answer = visitor.get("/lobby/stream", query_string={"after": cursor})
    problem(answer, 400, "bad_cursor")
