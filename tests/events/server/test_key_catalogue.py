"""Every key has a family, so that a backup forgets no truth and carries no rubbish."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable

import pytest

from cartulary.events.server import keys
from cartulary.events.server.key_catalogue import (
    CARRIED,
    FAMILIES,
    OF_GAMES,
    Care,
    find_family,
    is_carried,
)

NOT_OF_KEYS = {
    *("game_of_events", "game_of_summary", "is_of_game", "inbox_live", "live", "signals"),
    *("tournament_live", "study_live"),
}
"""Functions of `events.server.keys` that name no key: three read a key, five name a channel."""


def names_of(function: Callable[..., str | list[str]]) -> list[str]:
    """Return keys that a function of `events.server.keys` gives."""
    found = inspect.signature(function).parameters.values()
    arguments = [7 if "int" in str(one.annotation) else "01KAB" for one in found]
    answer = function(*arguments)
    return [answer] if isinstance(answer, str) else answer


FUNCTIONS = {
    name: function
    for name, function in inspect.getmembers(keys, inspect.isfunction)
    if function.__module__ == keys.__name__ and name not in NOT_OF_KEYS
}


KEYS = [key for function in FUNCTIONS.values() for key in names_of(function)]


def test_every_key_that_the_ledger_names_has_a_family() -> None:
    assert len(KEYS) >= len(FUNCTIONS) > 100
    unknown = [key for key in KEYS if find_family(key) is None]
    assert unknown == [], "add rows for these keys to events/server/key_catalogue.py"


def test_a_key_lies_with_the_games_when_it_has_the_tag_of_a_game() -> None:
    for key in KEYS:
        found = find_family(key)
        assert found is not None, key
        assert found.is_of_games == (keys.is_of_game(key) or key in keys.outboxes()), key


def test_every_family_is_found_by_a_key_of_its_form() -> None:
    for row in FAMILIES:
        key = row.form.replace("<game>", "01KAB").replace("<", "").replace(">", "")
        assert find_family(key) is row


@pytest.mark.parametrize(
    ("key", "care"),
    [
        ("{01KAB}:events", Care.TRUTH),
        ("{01KAB}:idempotency", Care.TRUTH),
        ("{01KAB}:snapshots", Care.PROJECTION),
        ("{01KAB}:lease:12", Care.EPHEMERAL),
        ("{projections}:events", Care.PROJECTION),
        ("{projections}:index:player:01KAB:any:any", Care.PROJECTION),
        ("player:01KAB", Care.REGISTRY),
        ("token:" + "0" * 64, Care.REGISTRY),
        ("outbox:3", Care.QUEUE),
        ("rq:job:bot-01KAB-3", Care.QUEUE),
    ],
)
def test_a_key_has_the_care_of_its_family(key: str, care: Care) -> None:
    family = find_family(key)
    assert family is not None
    assert family.care is care
    assert is_carried(key) is (care in CARRIED)


@pytest.mark.parametrize("key", ["{01KAB}:unheard", "unheard:of", "{01KAB}:events:more", "", "\n"])
def test_a_key_of_no_family_is_carried(key: str) -> None:
    assert find_family(key) is None
    assert is_carried(key)


def test_the_carried_families_of_games_have_one_key_each_and_a_type() -> None:
    assert {"{<game>}:events", "{<game>}:idempotency"} <= {row.form for row in OF_GAMES}
    for row in OF_GAMES:
        assert row.form.count("<") == 1
        assert row.type in {"stream", "hash", "string", "set", "zset", "list"}


def test_no_order_of_the_table_is_needed_but_for_the_projections(rng: random.Random) -> None:
    for row in FAMILIES[1:]:
        key = row.form.replace("<game>", "01KAB").replace("<", "").replace(">", "")
        assert [other for other in FAMILIES if other.pattern.fullmatch(key)] == [row]
