"""The hash of the service is the hash that the contract describes, whatever an event holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.events.model.chain import GENESIS, LARGEST, hash_event, seal
from tests.fairness import checker
from tests.support.night import short_or_long

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-LARGEST, LARGEST), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=5)),
    max_leaves=20,
)


@given(fields=st.dictionaries(TEXT, VALUES, max_size=5), schema=st.integers(2, 40))
@settings(max_examples=short_or_long(100, 300), deadline=None)
@pytest.mark.slow
def test_the_hash_of_any_event_is_that_of_the_independent_checker(
    fields: dict[str, Any], schema: int
) -> None:
    own = {key: fields[key] for key in fields if key not in checker.ADDED}
    event = {**own, "version": 1, "type": "any", "prev": GENESIS}
    sealed = seal(event, schema)
    assert sealed.hash == checker.hash_event(event) == hash_event(event)
    delivered = {**event, "hash": sealed.hash, "masked": True, "schema": schema}
    assert checker.hash_event(delivered) == sealed.hash
