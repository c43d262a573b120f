"""The tables of a duplicate round draw the same, however they play."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from cartulary.events.commands.rounds.making import RoundDraws
from cartulary.events.model.fairness import DerivedSource, derive_index, derive_seed
from cartulary.events.model.table import Table
from tests.events.support.rounds import ENTROPY, Round

SECRET = sha256(b"round 4").digest()
"""With this secret a tile fits nowhere at one table, and fits at the other."""


def play_two(played: Round, **more: Any) -> list[Table]:
    """Play the round: at one table always the first move, at the other the last."""
    names = played.enter("Ada", "Bob", "Eve", "Kim")
    duplicate = RoundDraws(SECRET, ENTROPY)
    tables = [
        played.make(1, *names[:2], duplicate=duplicate, **more),
        played.make(2, *names[2:], duplicate=duplicate, **more),
    ]
    return [
        played.play(table.id, which=which) for table, which in zip(tables, (0, -1), strict=True)
    ]


def list_drawn(played: Round, table: Table) -> list[str]:
    events = played.store.ledger.events(table.id)
    return [letter for event in events for letter in event.get("chance", ())]


def list_takers(played: Round, table: Table) -> list[int | None]:
    """Return which seat got each tile, None for one that was set aside."""
    events = played.store.ledger.events(table.id)
    facts = [fact for event in events for fact in event.get("facts", ())]
    drawn = [fact for fact in facts if fact["type"] in ("tile_drawn", "tile_set_aside")]
    return [fact["seat"] if fact["type"] == "tile_drawn" else None for fact in drawn]


@pytest.mark.slow
def test_two_tables_draw_the_same_tiles_in_the_same_order(played: Round) -> None:
    first, second = (list_drawn(played, one) for one in play_two(played))
    assert first == second
    assert len(first) == 71


@pytest.mark.slow
def test_a_tile_that_is_set_aside_at_one_table_gives_later_tiles_to_other_seats(
    played: Round,
) -> None:
    first, second = (list_takers(played, one) for one in play_two(played))
    assert (first.count(None), second.count(None)) == (1, 0)
    begins = first.index(None)
    assert first[:begins] == second[:begins]
    assert all(one != other for one, other in zip(first[begins:], second[begins:], strict=True))


def test_both_tables_of_caylus_have_the_same_order_of_turns_and_buildings(played: Round) -> None:
    names = played.enter("Ada", "Bob", "Eve", "Kim")
    duplicate = RoundDraws(SECRET, ENTROPY)
    tables = [
        played.make(1, *names[:2], game="caylus", duplicate=duplicate),
        played.make(2, *names[2:], game="caylus", duplicate=duplicate),
    ]
    assert tables[0].setup == tables[1].setup
    assert tables[0].state_hash == tables[1].state_hash


@pytest.mark.slow
def test_the_first_draw_follows_from_secret_and_entropy_by_the_scheme_alone(
    played: Round,
) -> None:
    seed = derive_seed(SECRET, [ENTROPY])
    table = play_two(played)[0]
    letters = sorted(list_drawn(played, table))
    # 72 tiles less the start tile, in ascending order: the bag of the first draw.
    assert letters[derive_index(seed, 0, len(letters))] == list_drawn(played, table)[0]
    assert DerivedSource(seed).number == 0
