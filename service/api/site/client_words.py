"""The words of the client: one file for each language, the words of the games on offer included."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from cartulary import locales
from cartulary.service.http.shared.assets import Asset, make_asset
from cartulary.service.http.shared.services import Services


def digest_words(services: Services) -> str:
    """Return a digest of the words of all languages, for their addresses."""
    texts = _join(services)
    return sha256(b"\0".join(texts[lang] for lang in locales.LANGUAGES)).hexdigest()[:16]


def make_words(services: Services, lang: str) -> Asset:
    """Return the file with the words of a language; raises `KeyError` for other languages."""
    if lang not in services.files:
        services.files[lang] = make_asset(_join(services)[lang], f"{lang}.json")
    return services.files[lang]


def _join(services: Services) -> Mapping[str, bytes]:
    if not services.words:
        games = {game: offer.words for game, offer in services.offers.items()}
        texts = {lang: locales.join(lang, games) for lang in locales.LANGUAGES}
        services.words = {
            lang: json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode()
            for lang, text in texts.items()
        }
    return services.words
