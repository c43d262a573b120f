"""A store with archived games, and a miner whose judgement takes no time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.engine.transcript import Transcript
from cartulary.events.commands.commands import Intent
from cartulary.events.mining import miner
from cartulary.events.mining.log import MiningState
from cartulary.events.mining.miner import Miner, MiningSlice
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.puzzles.mining import MiningOrigin
from cartulary.puzzles.record import Puzzle
from cartulary.puzzles.walking import OpenQuestion, WalkStart
from tests.events.support.handmade_puzzles import small_puzzle
from tests.support.small_transcript import small
from tests.support.store_with_archive import archive_all, open_with_archive

QUESTIONS = 5
"""The number of questions of each game."""

PUZZLE_AT = 2
"""The question of each game that is a puzzle."""

CPU_MS = 100
"""The CPU time that each question takes."""


class Mine:
    """Games of an archive and a miner. `looked` are the questions by game, `dies_at` kills it."""

    def __init__(self, store: Store) -> None:
        self.store, self.miner = store, Miner(store, OFFERS)
        self.looked: list[tuple[str, int]] = []
        self.dies_at, self.ends_at = -1, -1
        self.killed: type[BaseException] = KeyboardInterrupt
        self.meanwhile: Callable[[], object] = lambda: None

    def add(self, name: str = "Ada", visibility: str = "public") -> tuple[str, Player]:
        """Archive a game that a player has imported; return its id and the player."""
        player = self.store.players.create(name)[0]
        intent = Intent(player)
        made = self.store.commands.import_transcript(intent, small(), visibility=visibility)
        archive_all(self.store)
        return made.table.id, player

    def run(self, questions: int = 99) -> int:
        """Make a slice of so many questions; return how many puzzles are new."""
        began = len(self.looked)

        def attempt(look: Callable[[], None]) -> bool:
            look()
            self.meanwhile()
            if self.looked[-1][1] == self.dies_at:
                raise self.killed
            return self.looked[-1][1] != self.ends_at

        return self.miner.run(
            MiningSlice(
                lambda: len(self.looked) - began >= questions,
                lambda: CPU_MS * (len(self.looked) - began),
                attempt,
            )
        )

    @property
    def state(self) -> MiningState:
        return self.miner.log.read()

    def walk(self, _offer: Any, _game: Transcript, start: WalkStart) -> Iterator[OpenQuestion]:
        for index in range(start.done, QUESTIONS):
            yield OpenQuestion(None, index, {})  # type: ignore[arg-type]

    def mine(
        self, _offer: Any, looked: OpenQuestion, _origin: MiningOrigin, seed: str
    ) -> Puzzle | None:
        game_id = seed.partition("/")[2]
        self.looked.append((game_id, looked.index))
        if looked.index != PUZZLE_AT:
            return None
        return small_puzzle()._replace(id=f"carcassonne-{game_id}")


@pytest.fixture
def mine(real_redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mine]:
    with open_with_archive(real_redis, tmp_path) as store:
        store.puzzles.shelf.load = lambda _: None
        found = Mine(store)
        monkeypatch.setattr(miner, "RIPE_MS", -60_000)
        monkeypatch.setattr(miner, "walk", found.walk)
        monkeypatch.setattr(miner, "mine_question", found.mine)
        yield found
