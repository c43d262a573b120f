"""A process with many bots that move by lot: `python -m bench.faults.bots.playing`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.faults.bots.journal import BotJournal
from cartulary.bots import Budget
from cartulary.cli.bot.client import PATIENT, BotClient
from cartulary.cli.bot.runner import BotRunner, Wishes
from cartulary.client.core.api_types import MoveWritten
from cartulary.games import OFFERS
from cartulary.outside.bots import find_bot
from cartulary.outside.seats import log_to_stderr

PARALLEL = 20
"""Games that a bot of the bench accepts at once."""


def think(state: Any, rng: random.Random, _budget: Budget) -> Any:
    """Return a move by lot."""
    moves = state.moves()
    return moves[rng.randrange(len(moves))]


class JournalingClient(BotClient):
    """Writes down each move before it is sent, and after the service has stored it."""

    journal: BotJournal

    async def make_move(
        self,
        game: str,
        move: Mapping[str, Any],
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> MoveWritten:
        """Make a move."""
        assert version is not None
        self.journal.note("meant", game, version, move)
        written = await super().make_move(game, move, version=version, key=key)
        self.journal.note("stored", game, written["version"], move)
        return written


async def play(url: str, tokens: list[str], journal: BotJournal) -> None:
    """Let the bots play until they are killed."""
    bot = find_bot("bench.faults.bots.playing:think")
    wishes = Wishes(sorted(OFFERS), PARALLEL, Budget(seconds=5.0))
    runners = []
    for token in tokens:
        client = JournalingClient(url, token, policy=PATIENT)
        client.journal = journal
        runners.append(BotRunner(client, bot, wishes, log_to_stderr).run())
    await asyncio.gather(*runners)


if __name__ == "__main__":
    address, token_file, journal_file = sys.argv[1:]
    asyncio.run(play(address, Path(token_file).read_text().split(), BotJournal(Path(journal_file))))
