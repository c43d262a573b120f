"""The token of a link says what it is for, and no other secret signs it."""

from __future__ import annotations

import pytest

from cartulary.notices.mail.tokens import Purpose, read_token, write_token

SECRET, OTHER = b"s" * 32, b"o" * 32
PLAYER = "01HZX5Q7W8E9R0T1Y2U3I4O5P6"


@pytest.mark.parametrize("purpose", ["confirm", "unsubscribe"])
def test_a_token_is_read_as_it_was_written(purpose: Purpose) -> None:
    text = write_token(purpose, PLAYER, SECRET)
    assert text.replace("-", "").replace("_", "").isalnum()
    found = read_token(text)
    assert found is not None
    assert (found.purpose, found.player) == (purpose, PLAYER)
    assert found.is_signed_with(SECRET)
    assert not found.is_signed_with(OTHER)


def test_a_token_for_one_purpose_or_player_is_invalid_for_another() -> None:
    whole = read_token(write_token("unsubscribe", PLAYER, SECRET))
    assert whole is not None
    assert not whole._replace(purpose="confirm").is_signed_with(SECRET)
    assert not whole._replace(player=f"{PLAYER[:-1]}7").is_signed_with(SECRET)


def test_a_token_with_a_changed_letter_is_signed_by_no_secret() -> None:
    text = write_token("confirm", PLAYER, SECRET)
    for place, letter in enumerate(text):
        changed = f"{text[:place]}{'A' if letter != 'A' else 'B'}{text[place + 1 :]}"
        found = read_token(changed)
        is_same = found == read_token(text)  # the last letter has bits that mean nothing
        assert found is None or is_same or not found.is_signed_with(SECRET), place
        assert not is_same or place == len(text) - 1


@pytest.mark.parametrize("text", ["", "A", "é", "%00", "x" * 5000, "AAAA" * 20, "../../etc"])
def test_a_text_that_is_no_token_says_nothing(text: str) -> None:
    assert read_token(text) is None
