"""Negotiate the language of an answer."""

from __future__ import annotations

from functools import lru_cache

from flask import Response
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from cartulary.locales import DEFAULT, LANGUAGES
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ


def read_language(environ: Environ, _services: Services) -> str:
    """Return the language on offer that `Accept-Language` prefers; English without the header."""
    header = environ.get("HTTP_ACCEPT_LANGUAGE")
    return negotiate(header) if header else DEFAULT


@lru_cache(maxsize=256)
def negotiate(header: str) -> str:
    """Return the language on offer that a header `Accept-Language` prefers, else English.

    Regions do not count (`pl-PL` is Polish): with them, werkzeug would prefer an exact `en` further
    down in the list.
    """
    accepted = parse_accept_header(header)
    languages = [(tag.partition("-")[0], quality) for tag, quality in accepted]
    return LanguageAccept(languages).best_match(LANGUAGES, DEFAULT)


def mark_language(answer: Response, lang: str) -> Response:
    """Name the language of an answer, for readers and for caches."""
    answer.headers["Content-Language"] = lang
    answer.vary.add("Accept-Language")
    return answer
