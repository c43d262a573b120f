"""Bodies as large as may be: an answer in bounded time and memory, and not too long itself."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable

import pytest

from tests.service.http.hostile_service import IMPORT, READERS, check_answer, served
from tests.service.support.caller import SMALL_CITY

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("sketched_pictures")]


def filled(key: str, item: str, between: str = "[]", size: int = 1_000_000) -> bytes:
    """Return a transcript of about `size` bytes, in which a key holds the same item many times."""
    text = json.dumps({**SMALL_CITY, key: 0})
    many = between[0] + ",".join([item] * (size // (len(item) + 1))) + between[1]
    return text.replace(f'"{key}": 0', f'"{key}": {many}').encode()


def numbered(key: str, size: int = 1_000_000) -> bytes:
    """Return a transcript of about `size` bytes, in which a key holds an object of many keys."""
    made = {f"{number:x}": 0 for number in range(size // 12)}
    return json.dumps({**SMALL_CITY, key: made}, separators=(",", ":")).encode()


LARGE: dict[str, Callable[[], bytes]] = {
    "an unknown key with numbers": lambda: filled("x", "0"),
    "an unknown key with objects": lambda: filled("x", "{}"),
    "an unknown key with strings": lambda: filled("x", '""'),
    "an unknown key with digits": lambda: filled("x", "1" * 4_000),
    "an unknown key with one number": lambda: filled("x", "0." + "1" * 999_000),
    "draws": lambda: filled("draws", '"E"'),
    "draws that are long": lambda: filled("draws", '"' + "E" * 300_000 + '"'),
    "draws that are numbers": lambda: filled("draws", "[0]"),
    "moves": lambda: filled("moves", '{"seat":0,"move":{}}'),
    "moves of keys": lambda: filled("moves", '{"seat":0,"move":{"a":1,"b":2,"c":3}}'),
    "players": lambda: filled("players", '"A"'),
    "a setup of keys": lambda: numbered("setup"),
    "options of keys": lambda: numbered("options"),
    "a bag of keys": lambda: numbered("bag"),
    "a result of keys": lambda: numbered("result"),
    "keys": lambda: json.dumps({f"{number:x}": 0 for number in range(80_000)}).encode(),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_body_as_large_as_may_be_takes_a_bounded_time_memory_and_answer(name: str) -> None:
    raw = LARGE[name]()
    answer = check_answer(IMPORT, data=raw, content_type="application/json")
    assert len(answer.data) < 20_000
    tracemalloc.start()  # tracing takes ten times as long, so it comes after the check of the time
    try:
        served().scene.ada.send("POST", "/games/import", data=raw, content_type="application/json")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 200 * len(raw)


def test_an_answer_lists_a_hundred_faults_at_most() -> None:
    body = json.dumps({f"{number}": 0 for number in range(2_000)}).encode()
    for operation in READERS:
        answer = check_answer(operation, data=body, content_type="application/json")
        assert len(answer.json["errors"]) <= 100, operation
        assert len(answer.data) < 20_000
