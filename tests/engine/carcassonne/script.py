"""Scripted games of Carcassonne: every turn says its tile, its place and its follower."""

from __future__ import annotations

from typing import Any

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json
from cartulary.games import GAMES

SKIP = None


class Script:
    """A table on which turns are taken as written; seats alternate as the rules say.

    `turns` are (letter, x, y, rotation, follower's segment or SKIP). `aside` are letters that are
    drawn after the last turn. Attributes: `state`, and per turn `options` (segments that could
    take a follower, None when none was asked) and `facts`.
    """

    def __init__(
        self,
        *turns: tuple[str, int, int, int, str | None],
        seats: int = 2,
        options: Json | None = None,
        drawn_last: str = "",
    ) -> None:
        draws = [turn[0] for turn in turns] + list(drawn_last)
        bag = {letter: draws.count(letter) for letter in draws}
        self.source = RecordedSource(draws)
        self.state = GAMES["carcassonne"].new(seats, options or {}, {"bag": bag})
        self.state.settle(self.source)
        self.options: list[list[str] | None] = []
        self.facts: list[list[Json]] = []
        for turn in turns:
            self.take(*turn)

    def take(self, letter: str, x: int, y: int, rotation: int, follower: str | None) -> None:
        assert self.state.view()["tile"] == letter
        place = {"type": "place_tile", "x": x, "y": y, "rotation": rotation}
        facts = self.state.apply(place, self.source).facts
        options = None
        if self.state.kind == "place_follower":
            options = [m["segment"] for m in self.state.legal_moves() if "segment" in m]
            answer: Json = {"type": "skip_follower"}
            if follower is not SKIP:
                answer = {"type": "place_follower", "segment": follower}
            facts += self.state.apply(answer, self.source).facts
        else:
            assert follower is SKIP
        self.options.append(options)
        self.facts.append(facts)

    @property
    def scores(self) -> list[int]:
        return self.state.scores

    @property
    def supply(self) -> list[int]:
        return list(self.state.view()["followers"])

    @property
    def breakdown(self) -> list[tuple[int, str, int]]:
        return [(e["seat"], e["reason"], e["points"]) for e in self.state.count()]

    @property
    def final(self) -> list[int]:
        return self.state.final().scores

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [fact for facts in self.facts for fact in facts if fact["type"] == kind]
