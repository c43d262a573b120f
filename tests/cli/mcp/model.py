"""A scripted language model: it knows the tools and reads numbers and text, nothing else."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # to import the library takes a second, in each process that collects the tests
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters

_CHOICES = re.compile(r"Your moves \(call `move` with version (\d+)\):\n(.*)", re.DOTALL)


def start_over_stdio(url: str, token_file: Path) -> StdioServerParameters:
    """Return what a host starts: the command, as the guide says it."""
    from mcp.client.stdio import StdioServerParameters

    arguments = ["-m", "cartulary.cli", "mcp", "--url", url, "--token-file", str(token_file)]
    return StdioServerParameters(
        command=sys.executable, args=arguments, env={"PYTHONPATH": str(Path(__file__).parents[3])}
    )


class ScriptedModel:
    """Plays by what the tools say; `seed` makes its choices the same again."""

    def __init__(self, client: Client, seed: int = 1) -> None:
        self.client, self._random = client, random.Random(seed)
        self.moves = 0

    async def call(self, tool: str, **arguments: Any) -> str:
        """Return what a tool says; the call must succeed."""
        is_error, text = await self.try_call(tool, **arguments)
        assert not is_error, text
        return text

    async def try_call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Return whether a tool refuses, and what it says."""
        found: Any = await self.client.call_tool(tool, arguments)
        assert len(found.content) == 1
        return bool(found.is_error), found.content[0].text

    async def play(self, text: str, most: int = 10_000) -> str:
        """Play on from what a tool has said, to the end or for so many moves; return the last."""
        game = read_id(text)
        while "The game has ended." not in text and self.moves < most:
            found = _CHOICES.search(text)
            if found is None:
                assert "call `wait_for_turn`" in text
                text = await self.call("wait_for_turn", game=game, seconds=30)
                continue
            number = int(self._random.choice(re.findall(r"^(\d+): ", found[2], re.MULTILINE)))
            text = await self.call("move", game=game, number=number, version=int(found[1]))
            assert text.startswith(f"Move {number} is made.")
            self.moves += 1
        return text


def read_id(text: str) -> str:
    """Return the id of the game that a tool speaks of."""
    found = re.search(r"Game (\w+), version \d+\.", text)
    assert found is not None, text
    return found[1]
