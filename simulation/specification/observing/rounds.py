"""What a simulated service writes about its duplicate rounds, as steps of `sealing`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from simulation.specification.accepting import RefusedTrace, accept
from simulation.specification.model import ModelStep
from simulation.specification.observing.appends import SentAppend, find_append
from simulation.specification.sealing import HOST, UNBOUNDED, build

STORED: Final = 1
NOTE: Final = b"closed_rounds:"

RoundName = tuple[str, int]
"""A tournament and the number of a round."""


class RoundTrace(NamedTuple):
    """A duplicate round: the games of its tables, and what was written about it."""

    games: tuple[str, ...]
    steps: list[ModelStep]


class RoundTracer:
    """Hears all requests of a run; `helpers` are the processes that move tournaments on."""

    def __init__(self, helpers: Sequence[str]) -> None:
        self.helpers = (*helpers, HOST)
        self.rounds: dict[RoundName, RoundTrace] = {}
        self._duplicates: set[str] = set()
        self._tables: dict[str, tuple[RoundTrace, int]] = {}

    def hear(self, process: str, words: Sequence[bytes], reply: Any) -> None:
        """Take a request that the store has done, and its reply."""
        if words[0] == b"HSETNX" and words[1].startswith(NOTE) and reply == STORED:
            place = words[1][len(NOTE) :].decode(), int(words[2])
            self.rounds[place].steps.append(ModelStep("note", (process,)))
        elif words[0] == b"EVALSHA":
            sent = find_append(tuple(word.decode(errors="replace") for word in words), reply)
            if sent is not None and sent.code == STORED:
                self._take(process if process in self.helpers else HOST, sent)

    def _take(self, actor: str, sent: SentAppend) -> None:
        table = self._tables.get(sent.game)
        for event in sent.events:
            if table is None:
                self._take_event(actor, sent.game, event)
            elif (step := _tell(actor, table[1], event)) is not None:
                table[0].steps.append(step)

    def _take_event(self, actor: str, tournament: str, event: dict[str, Any]) -> None:
        """Take an event of a tournament; those of other games say nothing here."""
        kind = event["type"]
        if event.get("duplicate"):
            self._duplicates.add(tournament)
        elif kind == "round_paired" and tournament in self._duplicates:
            games = tuple(one["game"] for one in event["tables"])
            paired = self.rounds[tournament, event["round"]] = RoundTrace(games, [])
            self._tables |= {game: (paired, number) for number, game in enumerate(games)}
        elif kind == "round_closed" and tournament in self._duplicates:
            self.rounds[tournament, event["round"]].steps.append(ModelStep("close", (actor,)))

    def find_refusals(self) -> Iterator[str]:
        """Yield a line for each round whose trace is no run of the model."""
        for (tournament, number), one in self.rounds.items():
            try:
                follow(one, self.helpers)
            except RefusedTrace as refusal:
                yield f"round {number} of {tournament}: {refusal}"


def _tell(actor: str, number: int, event: dict[str, Any]) -> ModelStep | None:
    """Return the step that an event of a game of a round is, None for any other event."""
    if event["type"] == "game_created":
        return ModelStep("make", (actor, number))
    if event["type"] == "game_scored":
        return ModelStep("end", (number, event["secret"]))
    if event["type"] == "game_aborted":
        return ModelStep("abort", (HOST, number))
    return None


def follow(trace: RoundTrace, helpers: tuple[str, ...]) -> int:
    """Let the model accept a trace; return the number of its steps. Raises `RefusedTrace`."""
    model = build(len(trace.games), helpers, UNBOUNDED, shows_writes_only=True)
    return accept(model, trace.steps).steps
