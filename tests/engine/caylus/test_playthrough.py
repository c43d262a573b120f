"""One complete game as a person reads it, line by line against `playthrough.txt`.

`python -m tests.engine.caylus.test_playthrough` writes the file again after an intended change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from cartulary.engine.canonical import canonical_json
from cartulary.engine.caylus import CAYLUS
from cartulary.engine.chance import RecordedSource

CASE = Path(__file__).parents[2] / "cases" / "caylus" / "game-03-4p-builder.json"
GOLDEN = Path(__file__).parent / "playthrough.txt"
EVERY = 25


def told() -> Iterator[str]:
    """Yield the game: each move in words, what it led to, and now and then the state's hash."""
    case = json.loads(CASE.read_text())
    state = CAYLUS.new(case["seats"], case["options"], case["setup"])
    for index, entry in enumerate(case["moves"]):
        if index % EVERY == 0:
            yield f"# {index} {state.state_hash()}"
        yield f"seat {state.seat} {state.text(entry['move'])}"
        for fact in state.apply(entry["move"], RecordedSource([])).facts:
            yield f"    {canonical_json(fact)}"
    yield f"# {state.state_hash()}"
    yield canonical_json(state.final().to_json())


def test_a_whole_game_reads_as_before() -> None:
    assert list(told()) == GOLDEN.read_text().splitlines()


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(told()) + "\n")
