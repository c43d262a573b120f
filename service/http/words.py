"""The words of the client: one file for each language, the words of the games on offer included."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from cartulary import locales
from cartulary.service.http.assets import Asset, make_asset
from cartulary.service.http.context import Parts


def digest_words(here: Parts) -> str:
    """Return a digest of the words of all languages, for their addresses."""
    texts = _join(here)
    return sha256(b"\0".join(texts[lang] for lang in locales.LANGUAGES)).hexdigest()[:16]


def make_words(here: Parts, lang: str) -> Asset:
    """Return the file with the words of a language; raises `KeyError` for other languages."""
    if lang not in here.files:
        here.files[lang] = make_asset(_join(here)[lang], f"{lang}.json")
    return here.files[lang]


def _join(here: Parts) -> Mapping[str, bytes]:
    if not here.words:
        games = {game: offer.words for game, offer in here.offers.items()}
        texts = {lang: locales.join(lang, games) for lang in locales.LANGUAGES}
        here.words = {
            lang: json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode()
            for lang, text in texts.items()
        }
    return here.words
