"""How far a game is complete: the tiers of an offer (`games.offer`)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cartulary.games import OFFERS
from cartulary.games.offer import Offer, Tier
from cartulary.locales import LANGUAGES
from tests.support.games import ALL_OFFERS, COMPLETE


def missing(offer: Offer) -> dict[str, list[str]]:
    """Return what an offer lacks, by tier."""
    return {tier.value: parts for tier in Tier if (parts := offer.list_missing(tier))}


@pytest.mark.parametrize("game", COMPLETE)
def test_a_game_keeps_every_tier_that_it_has(game: str) -> None:
    assert missing(OFFERS[game]) == {}


def test_an_offer_names_what_it_lacks_for_a_tier() -> None:
    assert missing(ALL_OFFERS["tictactoe"]) == {
        "analysed": ["analyst", "reasons", "bot `hard`, for hints", "lesson"],
        "translated": [f"words in {lang}" for lang in LANGUAGES[1:]],
    }
    assert missing(ALL_OFFERS["beans"]).keys() == {*Tier}


def test_a_game_that_lists_pieces_needs_a_sheet_to_be_drawn() -> None:
    caylus = OFFERS["caylus"]
    without = Offer(rules=caylus.rules, picture=caylus.picture)
    assert without.list_missing(Tier.DRAWN) == ["sheet (the game lists pieces)"]


@pytest.mark.process
def test_a_command_prints_the_tiers_of_each_game() -> None:
    command = [sys.executable, "-m", "cartulary.games"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert {f"{game}: {tier}" for game in COMPLETE for tier in Tier} <= {*lines}
