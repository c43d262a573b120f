"""Games that are cut off at a question: a person who imports such a game is asked this question."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from itertools import tee
from typing import Any

import requests

from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES

Json = dict[str, Any]

BUILDERS = ("carpenter", "mason", "lawyer", "architect", "gold_mine", "quarry", "farm")


def eager(view: Json, moves: list[Json], rng: random.Random) -> Json:
    """Choose at random, but mostly what leads to buildings: all kinds of decisions have to come."""
    if rng.random() < 0.2:
        return rng.choice(moves)
    standing = {e["space"]: e["building"] or "" for e in view.get("road", ())}
    useful = [m for m in moves if any(b in standing.get(m.get("space"), "") for b in BUILDERS)]
    busy = [m for m in moves if m["type"] not in ("pass", "decline")]
    wanted = [m for m in busy if m.get("building") in ("lawyer", "mason", "architect_1")]
    return rng.choice(wanted or useful or busy or moves)


class Question:
    """A question of a random game, and the transcript of the game up to it."""

    def __init__(self, state: Any, transcript: Json) -> None:
        self.kind: str = state.decision.kind
        self.seat: int = state.decision.seat
        self.context: Json = state.decision.to_json()["context"]
        self.moves: list[Json] = state.legal_moves()
        self.view: Json = state.view()
        self.transcript = {**transcript, "moves": list(transcript["moves"])}

    def open(self, url: str, token: str) -> str:
        """Import the game for a player, who sits on every seat; return the path of its page."""
        answer = requests.post(
            f"{url}/api/v1/games/import",
            json=self.transcript,
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        assert answer.status_code == 201, answer.text
        return f"/games/{answer.json()['id']}"


def questions(seats: int = 3, seed: int = 11, options: Json | None = None) -> Iterator[Question]:
    """Yield the questions of random games of Caylus, one game after the other, without end."""
    rng = random.Random(seed)
    game = GAMES["caylus"]
    chosen = {option.name: option.default for option in game.options} | (options or {})
    while True:
        setup = game.draw_setup(seats, chosen, rng)
        state = game.new(seats, chosen, setup)
        source = RandomSource(rng)
        state.settle(source)
        transcript: Json = {
            "format": "cartulary/1",
            "game": "caylus",
            "options": chosen,
            "seats": seats,
            "setup": setup,
            "draws": [],
            "moves": [],
        }
        while not state.over:
            question = Question(state, transcript)
            yield question
            move = eager(question.view, question.moves, rng)
            transcript["moves"].append({"seat": question.seat, "move": move})
            state.apply(move, source)


FOUND = tee(questions(), 1)[0]
"""The questions of the first games, at the first one; what a copy has found, all copies have."""


@cache
def find(kind: str, fits: Callable[[Question], bool] = lambda _: True) -> Question:
    """Return the first question of a kind that fits."""
    return next(one for one in copy(FOUND) if one.kind == kind and fits(one))
