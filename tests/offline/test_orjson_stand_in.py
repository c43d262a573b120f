"""What stands in for orjson in a browser writes the same bytes."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.offline import orjson_stand_in as stand_in
from tests.support.night import short_or_long

LARGEST = 2**53 - 1
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=short_or_long(30, 1000))
@given(VALUES)
@pytest.mark.slow
def test_both_write_the_same_bytes(value: object) -> None:
    try:
        expected = orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER)
    except TypeError:  # text that is no Unicode
        with pytest.raises(TypeError):
            stand_in.dumps(value)
        return
    option = stand_in.OPT_SORT_KEYS | stand_in.OPT_STRICT_INTEGER
    assert stand_in.dumps(value, option=option) == expected
    assert stand_in.loads(expected) == value


@settings(max_examples=short_or_long(30, 1000))
@given(VALUES)
def test_a_fragment_is_written_as_it_is(value: object) -> None:
    try:
        inside = orjson.dumps(value)
    except TypeError:
        return
    wrapped = {"b": [1, stand_in.Fragment(inside)], "a": stand_in.Fragment(b"{}")}
    expected = {"b": [1, orjson.Fragment(inside)], "a": orjson.Fragment(b"{}")}
    assert stand_in.dumps(wrapped) == orjson.dumps(expected)


@pytest.mark.parametrize("value", [{1, 2}, {"n": [2**53]}, object()])
def test_what_has_no_text_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)
    with pytest.raises(TypeError):
        stand_in.dumps(value, option=stand_in.OPT_STRICT_INTEGER)
