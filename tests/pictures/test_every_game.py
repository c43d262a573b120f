"""What holds for the picture of every game, in every language, arrangement and theme."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import product

import pytest

from cartulary.engine.core import State
from cartulary.locales import LANGUAGES
from cartulary.pictures import draw
from cartulary.pictures.frame import LAYOUTS
from tests.engine.random_play import positions
from tests.support.games import ALL_OFFERS

DRAWN = sorted(name for name, offer in ALL_OFFERS.items() if offer.picture)


def draw_state(game: str, state: State[object], lang: str, layout: str, theme: str) -> str:
    offer, decision = ALL_OFFERS[game], state.decision
    assert offer.picture is not None
    return draw(
        offer.picture,
        state.view(),
        words=offer.words.picture(lang),
        decision=decision and decision.to_json(),
        players=("Ada", "Čedomir <b>", "Дарья", None, "Eve")[: state.seats],
        status=None if decision else "over",
        result=state.final().to_json() if state.over else None,
        layout=layout,
        theme=theme,
        options=state.options,
        style=False,
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.slow
def test_start_middle_and_end_are_drawn_without_raw_words_and_with_each_id_once(
    game: str, lang: str
) -> None:
    rules = ALL_OFFERS[game].rules
    options = {option.name: option.default for option in rules.options}
    played = [one for one in positions(rules, rules.seats_to, options, 1) if not one.chance]
    for state in (played[0], played[len(played) // 2], played[-1]):
        for layout, theme in product(LAYOUTS, ("light", "dark")):
            svg = draw_state(game, state, lang, layout, theme)
            assert svg == draw_state(game, state, lang, layout, theme)
            tree = ElementTree.fromstring(svg)
            said = " ".join(tree.itertext())
            assert not re.search(r"[{}]|\bNone\b", said), said
            ids = [one.attrib["id"] for one in tree.iter() if "id" in one.attrib]
            assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("game", DRAWN)
def test_a_picture_names_a_place_of_every_legal_move_at_the_start(game: str) -> None:
    """By the fields of a move (`data-x`, `data-space`), so that people can touch the place."""
    rules = ALL_OFFERS[game].rules
    options = {option.name: option.default for option in rules.options}
    state = next(one for one in positions(rules, rules.seats_from, options, 1) if one.decision)
    tree = ElementTree.fromstring(draw_state(game, state, "en", "tall", "auto"))
    named = [
        {key[5:]: value for key, value in one.attrib.items() if key.startswith("data-")}
        for one in tree.iter()
    ]
    for move in state.legal_moves():
        fields = {key: str(value) for key, value in move.items() if key != "type"}
        assert not fields or any(fields.items() & place.items() for place in named), move
