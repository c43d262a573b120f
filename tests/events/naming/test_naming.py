"""What a name may be: RFC 8265, one script, and what looks alike."""

from __future__ import annotations

import pytest

from cartulary.events.naming.lookalikes import make_skeleton
from cartulary.events.naming.naming import BadName, find_scripts, prepare_name

GOOD = [
    "Ada",
    "Łukasz Żółć",
    "Гость 42",
    "玩家",
    "O'Neil <b>",
    "x" * 64,
    "क\u094dष",
    "نامه\u200cای",
    "אדה",
    "Αλέξης",
    "42",
]


@pytest.mark.parametrize("name", GOOD)
def test_letters_of_one_script_digits_and_signs_are_a_name(name: str) -> None:
    assert prepare_name(name) == name


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Ａｄａ", "Ada"),
        ("Zoe\u0301", "Zo\u00e9"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\u3000L", "Ada L"),
    ],
)
def test_a_name_is_stored_in_one_form(typed: str, stored: str) -> None:
    assert prepare_name(typed) == stored
    assert prepare_name(stored) == stored


@pytest.mark.parametrize("name", ["やまだタロウ太郎", "ラーメン 42", "金 철수", "王ㄅ", "々木"])
def test_the_scripts_that_a_writing_mixes_count_as_one(name: str) -> None:
    assert prepare_name(name) == name


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Аdа", "mixes Cyrillic and Latin"),
        ("Αda", "mixes Greek and Latin"),
        ("Адаα", "mixes Cyrillic and Greek"),
        ("やまだ 김", "mixes Hangul and Hiragana"),
        ("山田Taro", "mixes Han and Latin"),
        ("日本ada", "mixes Han and Latin"),
        ("カタAda", "mixes Katakana and Latin"),
        ("김철수 Kim", "mixes Hangul and Latin"),
        ("王ㄅa", "mixes Bopomofo and Han and Latin"),
        ("🎲", "“🎲” is not one"),
        ("Ada ½", "“½” is not one"),
        ("Ada’s", "“’” is not one"),
        ("A\u200bda", "is not one"),
        ("1א", "directions of writing"),
        ("", "must have 1 to 64 characters"),
        (" ", "something to be seen"),
        ("x" * 65, "must have 1 to 64 characters"),
        ("A\u202eda", "turn the direction"),
    ],
)
def test_a_name_that_no_player_may_choose_is_refused_with_the_reason(name: str, fault: str) -> None:
    with pytest.raises(BadName, match=fault):
        prepare_name(name)


def test_digits_marks_and_signs_are_of_no_script() -> None:
    assert find_scripts("Zoe\u0301 42 - ー") == {"LATIN"}
    assert find_scripts("42!") == frozenset()


@pytest.mark.parametrize("other", ["ADA", "A-d a", "Аԁа", "ａｄａ", "Ádà"])
def test_what_looks_alike_has_one_skeleton(other: str) -> None:
    assert make_skeleton(other) == make_skeleton("Ada")


@pytest.mark.parametrize(
    ("one", "other"), [("Bill", "BiI1"), ("modern", "modem"), ("сор", "cop"), ("Ο0o", "000")]
)
def test_letters_digits_and_pairs_look_alike(one: str, other: str) -> None:
    assert make_skeleton(one) == make_skeleton(other)


@pytest.mark.parametrize("other", ["Adam", "Eda", "Adda", "Ида", "42"])
def test_what_looks_different_has_another_skeleton(other: str) -> None:
    assert make_skeleton(other) != make_skeleton("Ada")
