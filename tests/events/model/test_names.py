"""What a name may be."""

from __future__ import annotations

import re

import pytest

from cartulary.events.model.names import LONGEST, PATTERN, fault_of_name

GOOD = [
    "Ada",
    "Łukasz Żółć",
    "玩家",
    "O'Neil <b>",
    "a\u00a0b",
    "x" * LONGEST,
    "🎲",
    "👩\u200d👩\u200d👧",
    "❤\ufe0f",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "e\u0301",
    "क\u094dष",
    "نامه\u200cای",
    "אדה",
    "\U0001fadf",
]


@pytest.mark.parametrize("name", GOOD)
def test_a_line_with_something_to_be_seen_in_it_is_a_name(name: str) -> None:
    assert fault_of_name(name) is None


@pytest.mark.parametrize("name", GOOD)
def test_whatever_is_a_name_is_described_as_one(name: str) -> None:
    assert re.fullmatch(PATTERN, name)


@pytest.mark.parametrize("letter", "\0\t\n\r\x1b\x7f\x85\x9b\u2028\u2029\ud800")
def test_what_ends_a_line_or_is_no_text_is_in_no_name(letter: str) -> None:
    for name in (letter, f"a{letter}b", f"Ada{letter}"):
        assert fault_of_name(name) == "must be one line with something to be seen in it"


@pytest.mark.parametrize(
    "letter",
    " \u00a0\u2003\u3000\u00ad\u200b\u200d\u2060\ufeff\ufe0f\u034f\u115f\u2800\u3164",
)
def test_a_name_of_what_cannot_be_seen_is_invalid(letter: str) -> None:
    for name in (letter, letter * LONGEST, f" {letter} "):
        assert fault_of_name(name) is not None
    assert fault_of_name(f"A{letter}B") is None


@pytest.mark.parametrize("name", ["", "x" * (LONGEST + 1)])
def test_a_name_has_a_length(name: str) -> None:
    assert fault_of_name(name) == "must have 1 to 64 characters"


@pytest.mark.parametrize("letter", "\u061c\u200e\u200f\u202a\u202e\u2066\u2069")
def test_what_turns_the_direction_of_text_is_in_no_name(letter: str) -> None:
    for name in (f"{letter}Ada", f"A{letter}da", f"Ada{letter}"):
        assert fault_of_name(name) == "must not hold characters that turn the direction of text"
        assert not re.fullmatch(PATTERN, name)
