"""The tables that the bots have: they fit the features, and a command has made them."""

from __future__ import annotations

import re

from bench.training._sums import list_cells
from bench.training._tables import STORED, write_tables
from cartulary.bots.caylus.features import NAMES
from cartulary.bots.caylus.leaf import KNOTS
from cartulary.bots.caylus.learned import TABLES


def test_there_is_a_weight_of_every_feature_for_every_table_and_option() -> None:
    assert list(TABLES) == list(list_cells())
    assert {len(rows) for rows in TABLES.values()} == {KNOTS}
    weights = [row for rows in TABLES.values() for row in rows]
    assert {len(row) for row in weights} == {len(NAMES)}
    assert {type(weight) for row in weights for weight in row} == {int}


def test_the_stored_tables_are_as_the_command_in_their_head_writes_them() -> None:
    """A weight that was changed by hand in another form would not be."""
    text = STORED.read_text("utf-8")
    found = re.search(r"python -m bench train caylus [^(]*", text)
    assert found is not None
    assert write_tables(TABLES, " ".join(found.group().split())) == text
