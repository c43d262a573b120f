"""The styles: other beliefs than those of `medium`, and so other moves."""

from __future__ import annotations

import random

import pytest

from cartulary.bots.caylus.greedy import judge, play_greedily
from cartulary.bots.caylus.styles import ASIDE, POOL, Style
from cartulary.bots.caylus.weights import MEDIUM
from tests.bots.caylus.test_search import middle_of_a_game

STYLES = {**POOL, **ASIDE}


def test_three_styles_are_kept_aside_and_none_of_them_is_tuned_against() -> None:
    assert len(ASIDE) == 3
    assert not POOL.keys() & ASIDE.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", STYLES)
def test_a_style_judges_otherwise_than_medium(name: str) -> None:
    style = STYLES[name]
    assert isinstance(style, Style)
    state = middle_of_a_game()
    assert judge(state, style.weights) != judge(state)
    assert style(state, random.Random(1)) in state.moves()


def test_the_beliefs_of_medium_make_the_moves_of_medium() -> None:
    state = middle_of_a_game()
    assert Style(MEDIUM)(state, random.Random(1)) is play_greedily(state, random.Random(1))
