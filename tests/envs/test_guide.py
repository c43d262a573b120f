"""The guide is true: its samples run, and its tables are those of the code."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from cartulary.engine.coded import size_of
from cartulary.games import GAMES
from tests.support.games import COMPLETE

GUIDE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
SAMPLES = re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL)


@pytest.mark.parametrize("sample", SAMPLES, ids=range(len(SAMPLES)))
@pytest.mark.slow
def test_every_sample_of_the_guide_runs(sample: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(sample, "docs/environments.md", "exec"), {"__name__": "sample"})
    assert printed.getvalue()


def test_a_random_agent_takes_ten_lines() -> None:
    assert len(SAMPLES) == 5
    assert len([line for line in SAMPLES[0].splitlines() if line]) == 10


@pytest.mark.parametrize("name", COMPLETE)
def test_the_guide_lists_every_plane_and_the_number_of_moves(name: str) -> None:
    game = GAMES[name]
    planes = game.tensor_planes()
    assert f"### {game.title}: {size_of(planes):,} floats".replace(",", " ") in GUIDE
    for plane in planes:
        shape = " × ".join(map(str, plane.shape))
        assert f"| `{plane.name}` | {plane.start} | {shape} | {plane.text} |" in GUIDE
    assert f"{len(game.actions()):,} in {game.title}".replace(",", " ") in GUIDE
