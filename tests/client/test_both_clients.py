"""`Client` and `AsyncClient` are one client: the same calls, the same rules, the same types."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from cartulary.client import AsyncClient, Client, EventLine
from cartulary.service.describe_types import describe_types
from tests.client.fake_service import Middle, Script, refuse, say


def methods(of: type) -> dict[str, inspect.Signature]:
    """Return the public methods; the types of what waits differ, the parameters do not."""
    found = inspect.getmembers(of, inspect.isfunction)
    return {name: inspect.signature(method) for name, method in found if name[0] != "_"}


def test_both_have_the_same_methods_with_the_same_parameters() -> None:
    one, other = methods(Client), methods(AsyncClient)
    assert one.keys() == other.keys()
    for name, signature in one.items():
        assert signature.parameters == other[name].parameters, name


class Pieces(httpx.AsyncByteStream):
    def __init__(self, *lines: bytes) -> None:
        self._lines = lines

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for line in self._lines:
            yield line


def test_the_one_with_an_event_loop_keeps_the_rules() -> None:
    over = b'{"version": 2, "type": "game_aborted"}\n'
    service = Script(
        httpx.ReadTimeout("lost"),
        refuse(503, "unavailable", "1"),
        say({"version": 2}, 201),
        httpx.Response(200, stream=Pieces(b'{"version": 1, "type": "x"}\n')),
        refuse(503, "too_many_streams", "1"),
        httpx.Response(200, stream=Pieces(over)),
    )
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def play() -> list[Any]:
        transport = httpx.MockTransport(service)
        async with AsyncClient(
            "http://x", "t", sleep=sleep, random=Middle(), transport=transport
        ) as it:
            await it.make_move("g", {"type": "pass"})
            return [line async for line in it.follow_game("g")]

    lines = asyncio.run(play())
    assert [line.version for line in lines if isinstance(line, EventLine)] == [1, 2]
    assert slept == [0.375, 1.25, 0.375, 1.25]
    assert len({*service.keys[:3]}) == 1


@pytest.mark.slow
def test_the_types_follow_from_the_description() -> None:
    for file, text in describe_types().items():
        assert file.read_text(encoding="utf-8") == text, file
