"""Streams of tournaments for tests: a host who announces, entrants, and results that come."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from cartulary.events.model.chain import GENESIS, hash_event
from cartulary.games import GAMES
from cartulary.tournaments.duplicate import make_chain
from cartulary.tournaments.fold import evolve
from cartulary.tournaments.lots import PAIRING_SCHEME
from cartulary.tournaments.pairing import pair_next
from cartulary.tournaments.standings import rank_entrants, write_standings
from cartulary.tournaments.state import Tournament, TournamentTable, hash_entropies
from cartulary.tournaments.terms import complete_terms, find_faults

Json = dict[str, Any]

SECRET = bytes(range(32))
LAST = bytes(range(32, 64))

LIVE = {"mode": "live", "delay": 30, "bank": 1200}

AT = "2026-11-26T18:{:02d}:{:02d}.000Z"

Play = Callable[[TournamentTable], Sequence[int] | None]
"""(table) -> its scores, None for a void table."""


def request(**changes: Any) -> Json:
    """What a host asks for."""
    asked = {
        "name": "Thursday",
        "game": "carcassonne",
        "options": {},
        "table": [2],
        "format": "swiss",
        "pace": LIVE,
        "start": {"by_host": True},
        **changes,
    }
    return {key: value for key, value in asked.items() if value is not None}


def rank(scores: Sequence[int]) -> list[int]:
    return [1 + sum(other > score for other in scores) for score in scores]


class StreamOfTournament:
    """A stream that grows; `events` are as they are delivered, `state` is what they make."""

    def __init__(self, secret: bytes = SECRET, **asked: Any) -> None:
        terms = request(**asked)
        assert list(find_faults(terms, GAMES)) == []
        whole = complete_terms(terms, GAMES)
        self.secret, self.events = secret, list[Json]()
        self.chain = make_chain(LAST, whole["rounds"]) if whole["duplicate"] else []
        self._state: Tournament | None = None
        self.add(
            "tournament_created",
            **whole,
            host={"id": "host", "name": "Host"},
            pairing={
                "scheme": PAIRING_SCHEME,
                "commitment": hashlib.sha256(secret).hexdigest(),
            },
            commitment=self.chain[0].hex() if self.chain else None,
        )

    @property
    def state(self) -> Tournament:
        assert self._state is not None
        return self._state

    def add(self, type_: str, **fields: Any) -> Tournament:
        version = len(self.events) + 1
        at = AT.format(version // 60 % 60, version % 60)
        event: Json = {"version": version, "type": type_, "at": at, **fields}
        event["prev"] = self.events[-1]["hash"] if self.events else GENESIS
        event["hash"] = hash_event(event)
        self._state = evolve(self._state, event)
        self.events.append(event)
        return self._state

    def enter(self, count: int, first: int = 1) -> None:
        for number in range(first, first + count):
            player = {"id": f"p{number}", "name": f"Player {number}"}
            entropy = f"entropy-of-{number:06d}"
            self.add("entered", entrant=number, player=player, owner=None, entropy=entropy)

    def start(self) -> None:
        entropy = hash_entropies(self.state) if self.state.terms.duplicate else None
        self.add("started", entropy=entropy)

    def pair(self) -> bool:
        """Pair the next round; False when no table can be filled."""
        paired = pair_next(self.state, self.secret)
        if paired is None:
            return False
        games = [f"g{len(self.state.tables) + place + 1}" for place in range(len(paired.tables))]
        self.add("round_paired", **paired.write(self.state, games), ends_at=None)
        return True

    def settle(self, table: TournamentTable, scores: Sequence[int] | None, **more: Any) -> None:
        if scores is None:
            self.add("table_voided", table=table.number, reason=more.get("reason", "window"))
            return
        result = {"ranks": rank(scores), "outcomes": ["finished"] * len(scores), **more}
        self.add("table_scored", table=table.number, game=table.game, scores=[*scores], **result)

    def close(self) -> None:
        number = len(self.state.rounds)
        shown = {"secret": self.chain[number].hex()} if self.chain else {}
        self.add("round_closed", round=number, **shown)

    def play_round(self, play: Play) -> bool:
        """Pair a round, play it, close it; False when no table can be filled."""
        if not self.pair():
            return False
        for table in list(self.state.playing_tables()):
            self.settle(table, play(table))
        self.close()
        return True

    def finish(self) -> None:
        standings = write_standings(rank_entrants(self.state, self.secret))
        self.add("tournament_over", standings=standings, pairing_secret=self.secret.hex())


def begin(count: int, **asked: Any) -> StreamOfTournament:
    """A tournament that has started."""
    stream = StreamOfTournament(**asked)
    stream.enter(count)
    stream.start()
    return stream


def play_all(stream: StreamOfTournament, play: Play) -> None:
    """Play all rounds to the end."""
    while not stream.state.last_round_closed and stream.play_round(play):
        pass
    stream.finish()


def by_strength(table: TournamentTable) -> list[int]:
    """Lower numbers play better."""
    return [100 - number for number in table.seats]
