"""What statistics count has words, and the client groups points as the engine does."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from cartulary.engine.figures import Figures
from cartulary.games import OFFERS
from cartulary.locales import FOLDER

COUNTED = sorted(name for name, offer in OFFERS.items() if offer.rules.figures != Figures())
"""The games that have figures of their own: no game needs them."""
CLIENT = Path(__file__).parents[2] / "web" / "js" / "play"


@pytest.mark.parametrize("game", COUNTED)
def test_every_source_and_every_habit_has_words(game: str) -> None:
    figures = OFFERS[game].rules.figures
    terms = orjson.loads((FOLDER / game / "en.json").read_bytes())["terms"]
    assert figures.sources.keys() == terms["scored"].keys()
    assert {habit.name for habit in figures.habits} == terms["habits"].keys()


@pytest.mark.parametrize("game", COUNTED)
def test_the_client_groups_points_as_the_engine_does(game: str) -> None:
    text = (CLIENT / game / "index.js").read_text("utf-8")
    for source, reasons in OFFERS[game].rules.figures.sources.items():
        listed = ", ".join(f'"{reason}"' for reason in reasons)
        assert f"{source}: [{listed}]" in text


def test_a_reason_without_a_group_is_a_source_of_its_own() -> None:
    assert {"carcassonne", "caylus"} <= set(COUNTED)
    figures = Figures(sources={"field": ("farm",)})
    assert [figures.find_source(reason) for reason in ("farm", "beans")] == ["field", "beans"]
