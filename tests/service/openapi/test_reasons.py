"""What the description says of reasons is true of the shipped puzzles, and of the page of facts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from cartulary.games import OFFERS
from cartulary.puzzles.packs import load_pack
from cartulary.service.openapi import contracts
from cartulary.service.schemas import reasons

GAMES = {name: offer.rules for name, offer in OFFERS.items()}
PAGE = Path(__file__).parents[3] / "docs" / "facts.md"


@pytest.mark.parametrize("game", OFFERS)
def test_every_fact_of_a_shipped_puzzle_is_one_of_an_event_or_a_reason(game: str) -> None:
    schemas = {**contracts.components(GAMES), "GoodReason": reasons.describe_reason()}
    validators = {
        name: Draft202012Validator({**schemas[name], "components": {"schemas": schemas}})
        for name in ("Fact", "GoodReason")
    }
    seen = set()
    pack = load_pack(OFFERS[game])
    for entry in pack.entries[::20]:
        puzzle = pack.read(entry.id)
        for fact in (one for line in puzzle.facts.values() for one in line):
            kind = "GoodReason" if fact["type"] in reasons.REASONS else "Fact"
            validators[kind].validate(fact)
            seen.add(kind)
    assert seen == {"Fact", "GoodReason"}


def test_the_types_of_reasons_are_those_of_the_page_about_facts_and_of_no_fact() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## Reasons")[1]
    rows = re.findall(r"^\| (`[^|]+) \|", part, flags=re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(reasons.REASONS) == documented
    for rules in GAMES.values():
        assert not rules.contract.facts.keys() & set(reasons.REASONS)
