"""Small study files for the tests: one of each game."""

from __future__ import annotations

from random import Random
from typing import Any

from cartulary.engine.core import Json
from cartulary.games import OFFERS
from cartulary.studies.lines import play_start

GAMES = {name: offer.rules for name, offer in OFFERS.items()}


def make_start(game: str = "carcassonne") -> Json:
    """Return the start of a game of two, as a transcript."""
    rules = GAMES[game]
    setup = rules.draw_setup(2, {}, Random(5))
    state = rules.new(2, rules.check(2, {}), setup)
    draws = []
    while state.chance is not None:
        draws.append("V" if "V" in state.chance.outcomes else state.chance.outcomes[0])
        state.resolve(draws[-1])
    start: Json = {
        "format": "cartulary/1",
        "game": game,
        "seats": 2,
        "setup": rules.setup_to_transcript(setup),
        "draws": draws,
        "moves": [],
    }
    bag = rules.bag(state)
    return start if bag is None else {**start, "bag": bag}


def make_line(start: Json, length: int, choose: int = 0) -> list[Json]:
    """Return a line of legal moves from a start; `choose` picks among them."""
    state, line = play_start(start, GAMES, ()), []
    for _ in range(length):
        moves = state.legal_moves()
        node: Json = {"move": moves[choose % len(moves)]}
        state.play(state.find(node["move"]))
        while state.chance is not None:
            question = state.chance
            outcome = next(o for o, w in zip(question.outcomes, question.weights, strict=True) if w)
            node.setdefault("draws", []).append(outcome)
            state.resolve(outcome)
        line.append(node)
    return line


def make_study(game: str = "carcassonne", length: int = 6, **more: Any) -> Json:
    """Return a right study file with one chapter: a line and a branch."""
    start = make_start(game)
    line = make_line(start, length)
    other = make_line(start, 2, choose=1)
    line[0]["instead"] = [other]
    chapter = {"title": "The first tile", "start": start, "text": "Look **here**.", "line": line}
    study = {"format": "cartulary-study/1", "title": "A study", "language": "en"}
    return {**study, "chapters": [{**chapter, **more}]}
