"""Short texts: what matters least goes first, and only as much as has to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.words.fitting import MORE, TextItem, TextLine, fit

ITEMS = st.lists(st.builds(TextItem, st.text("ab ", min_size=1, max_size=9), st.integers(0, 4)))
LINES = st.lists(st.builds(TextLine, st.text("cd", max_size=4), ITEMS), max_size=6)


@given(LINES, st.integers(0, 120))
@pytest.mark.slow
def test_a_text_is_never_longer_than_asked_and_loses_by_rank(
    lines: list[TextLine], most: int
) -> None:
    text = fit(lines, most)
    assert len(text) <= most
    whole = fit(lines, 10**6)
    assert (text == whole) == (len(whole) <= most)


def test_items_go_by_rank_the_last_first_and_the_line_says_how_many() -> None:
    lines = [
        TextLine("a: ", [TextItem("one", 1), TextItem("two", 3), TextItem("three", 3)]),
        TextLine("b: ", [TextItem("four", 0)]),
    ]
    assert fit(lines, 100) == "a: one; two; three\nb: four\n"
    assert fit(lines, 25) == f"a: one; two{MORE}1\nb: four\n"
    assert fit(lines, 20) == f"a: one{MORE}2\nb: four\n"
    assert fit(lines, 8) == "b: four\n"
    assert fit(lines, 7) == ""
