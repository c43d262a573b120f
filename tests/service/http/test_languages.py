"""Negotiation of the language."""

from __future__ import annotations

import pytest

from cartulary.service.http.languages import negotiate


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("", "en"),
        ("de", "de"),
        ("it", "en"),
        ("fr-CA", "fr"),
        ("es-419, en;q=0.5", "es"),
        ("pl", "pl"),
        ("PL", "pl"),
        ("hr-HR,hr;q=0.9,en;q=0.8", "hr"),
        ("pl-PL, en;q=0.8", "pl"),
        ("nl-NL-x-private", "nl"),
        ("it-IT, ru;q=0.5, nl;q=0.7", "nl"),
        ("en;q=0.2, pl;q=0", "en"),
        ("*", "en"),
        ("*, ru;q=0.5", "en"),
        ("pl;q=nonsense, ru;q=0.1", "ru"),
        ("\u00e9, ;;, nl", "nl"),
    ],
)
def test_the_language_is_the_one_that_the_reader_prefers(header: str, wanted: str) -> None:
    assert negotiate(header) == wanted
