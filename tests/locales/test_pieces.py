"""Pieces in words (`locales.pieces`)."""

from __future__ import annotations

import re

import pytest

from cartulary.games import OFFERS
from cartulary.locales import LANGUAGES
from cartulary.locales.pieces import Describer

SILENT = {"granary", "weaver", "statue", "theatre", "university", "monument", "cathedral"}
"""Prestige buildings that do nothing besides their points and favours."""

SAME_WORD = {"fr": {"deniers"}}
"""Pieces whose word in a language is their id."""


def describe(name: str, lang: str) -> dict[str, tuple[str, str, str]]:
    offer = OFFERS[name]
    options = {option.name: option.values[-1] for option in offer.rules.options}
    words = Describer(lang, offer.words)
    return {
        piece.id: (
            words.name(piece.kind, piece.id),
            words.effect(piece.id, piece.does),
            words.either(piece.owner),
        )
        for piece in offer.rules.list_pieces(options)
    }


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", sorted(OFFERS))
def test_every_piece_has_a_name_and_an_effect_in_every_language(name: str, lang: str) -> None:
    said = describe(name, lang)
    assert not [id_ for id_, (called, _, _) in said.items() if not called]
    if lang != "en":
        same = {id_ for id_, (called, _, _) in said.items() if called == id_}
        assert same <= SAME_WORD.get(lang, set())
    assert {id_ for id_, (_, effect, _) in said.items() if not effect} <= SILENT
    assert not [text for texts in said.values() for text in texts if re.search(r"[{}]", text)]


def test_a_trade_reads_as_what_is_given_and_what_is_got() -> None:
    assert describe("caylus", "en")["bank"][1] == "2 deniers → 1 gold or 5 deniers → 2 gold"


def test_an_owner_gains_one_of_two_goods() -> None:
    assert describe("caylus", "en")["stone_farm"][2] == "1 food or 1 cloth"


def test_a_city_says_all_it_is_worth() -> None:
    assert describe("carcassonne", "en")["city"][1] == (
        "2 points for each tile and each pennant when completed, "
        "1 point at the end of the game; a completed city of two tiles: 2 points"
    )


def test_a_tile_lists_its_features() -> None:
    assert describe("carcassonne", "en")["S"][1] == "city, road, 2 × field, 1 pennant"
