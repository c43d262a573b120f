"""How many values strict JSON may hold."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest

from cartulary.engine import strict
from cartulary.engine.strict import MOST, Malformed


def rows(number: int, value: str = "[]") -> bytes:
    """A list of `number` values: with the list one value more."""
    return f"[{','.join([value] * number)}]".encode()


@pytest.mark.slow
@pytest.mark.parametrize("value", ["[]", "{}", "null", '""', "1", '"a,[{\\""', '"\\\\"', '{"a":1}'])
def test_so_many_values_are_allowed_and_one_more_is_not(value: str) -> None:
    each = 2 if value in ("[]", "{}", '{"a":1}') else 1  # an empty list counts twice
    most = (MOST - 1) // each
    text = rows(most, value).ljust(2 * MOST + 1)
    for form in (text, text.decode()):
        assert strict.parse(form) == [json.loads(value)] * most
    with pytest.raises(Malformed, match=f"more than {MOST} values"):
        strict.parse(rows(most + 2, value).ljust(2 * MOST + 1))


def test_commas_and_brackets_in_a_long_text_are_no_values() -> None:
    prose = '[{",' * 200_000
    assert strict.parse(json.dumps({"note": prose})) == {"note": prose}


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        rows(330_000),
        rows(120_000, '{"a":1}'),
        b'{"a":' * 160_000,
        b"[" * 1_000_000,
        b'"' + b'\\"' * 500_000,
        b'"' * 999_999,
        b'"' * 499_999 + b"," * 500_000,
    ],
)
def test_a_megabyte_of_anything_is_judged_at_once_and_in_bounded_memory(text: bytes) -> None:
    tracemalloc.start()
    began = time.process_time()
    try:
        with pytest.raises(Malformed):
            strict.parse(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6_000_000
    assert time.process_time() - began < 2
