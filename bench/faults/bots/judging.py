"""Compares the events of the games with what the bots have written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.faults.bots.journal import Entry
from cartulary.engine.canonical import canonical_json


@dataclass
class BotsJudgement:
    """What was found; the lists name games with versions and are empty when all is well."""

    games: int = 0
    moves: int = 0
    stuck: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    invalid: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is stuck, doubled, lost or invalid."""
        return not (self.stuck or self.doubled or self.lost or self.invalid)


def judge_game(
    judgement: BotsJudgement,
    game: str,
    events: Iterable[Mapping[str, Any]],
    meant: set[Entry],
    stored: set[Entry],
) -> None:
    """Judge a game in which bots of the journals hold all seats.

    A move that no bot meant for the version before it is one that was stored twice: a bot writes
    down each move with the version for which it is meant, and the service takes it for that alone.
    """
    made = {
        Entry(game, event["version"], canonical_json(event["move"]))
        for event in events
        if event["type"] == "move_made" and "bot" not in event
    }
    judgement.games += 1
    judgement.moves += len(made)
    judgement.doubled += sorted(
        f"{game} v{one.version}"
        for one in made
        if one._replace(version=one.version - 1) not in meant
    )
    judgement.lost += sorted(
        f"{game} v{one.version}" for one in stored if one.game == game and one not in made
    )
