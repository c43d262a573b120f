"""What pages say of a table or a tournament: `og:` tags for messengers, pieces for the client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final
from urllib.parse import urlencode

from cartulary import locales
from cartulary.events.tournaments.stream.streams import KnownTournament
from cartulary.pictures import share
from cartulary.raster.png import is_installed
from cartulary.service.http.answers import locate
from cartulary.service.http.shared.services import Services

_ICON = "/icons/icon-512.png"
_SITE = "Cartulary"
_PICTURE = "board.png?width=1200&layout=share"
"""The picture of a preview: in the shape in which messengers show it, players and points on it."""
_DRAWING = "board.svg?layout=share&theme=light"
"""The same where the service has no pixels; many messengers draw no SVG."""
_TERRITORIES: Final = {
    lang: f"{lang}_{lang.upper()}" if lang != "en" else "en_GB" for lang in locales.LANGUAGES
}
"""The languages as `og:locale` writes them. Most messengers name no language and get English: the
others stand as `og:locale:alternate`, so that a messenger may ask for the language of a reader."""


def write_tags(services: Services, game: Mapping[str, Any], lang: str) -> str:
    """Return the `og:` tags of a table, and the addresses of pieces and picture, as HTML.

    `game` is its summary.

    A private table gets no tags, because any visitor may ask for the page. The picture of the tags
    has no version: a messenger that asks again gets the table as it is then.
    """
    if game["visibility"] == "private" or game["game"] not in services.offers:
        return ""
    title = services.offers[game["game"]].words.terms(lang).get("title", game["game"])
    address = f"/games/{game['id']}"
    found = [
        *_list_tags(services, title, _describe(game, lang), address, lang),
        *_list_images(services, game),
    ]
    return "".join([*_write(found), *_list_addresses(services, game)])


def write_tournament_tags(services: Services, known: KnownTournament, lang: str) -> str:
    """Return the `og:` tags of a tournament as HTML; a private one gets none."""
    terms, status = known.tournament.terms, known.tournament.status
    if terms.visibility == "private" or terms.game not in services.offers:
        return ""
    title = services.offers[terms.game].words.terms(lang).get("title", terms.game)
    state = locales.words(lang)["ui"]["tournaments"]["states"][status]
    address = f"/tournaments/{known.id}"
    tags = _list_tags(services, terms.name, f"{title} · {state}", address, lang)
    return "".join(_write([*tags, *_list_icon(services)]))


def _write(found: list[tuple[str, str]]) -> Iterator[str]:
    for name, content in found:
        yield f'<meta property="og:{name}" content="{escape(content)}">'
    # Of several pictures the first counts.
    for name, content in _list_cards(dict(reversed(found))):
        yield f'<meta name="twitter:{name}" content="{escape(content)}">'


def _list_addresses(services: Services, game: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the client asks for before it knows the game (`web/js/platform/prefetch.js`).

    And where another page asks how it may show the table.
    """
    pieces = escape(f"/catalogue/{game['game']}?{urlencode(game['options'])}")
    yield f'<meta name="pieces" content="{pieces}">'
    if _has_picture(services, game):
        yield f'<meta name="board" content="/games/{game["id"]}/board.svg">'
        table = urlencode({"url": locate(services, f"/games/{game['id']}")})
        address = escape(locate(services, f"/oembed?{table}"))
        yield f'<link rel="alternate" type="application/json+oembed" href="{address}">'


def _list_tags(
    services: Services, title: str, description: str, address: str, lang: str
) -> Iterator[tuple[str, str]]:
    yield "site_name", _SITE
    yield "type", "website"
    yield "title", title
    yield "description", description
    yield "url", locate(services, address)
    yield "locale", _TERRITORIES[lang]
    for other, written in _TERRITORIES.items():
        if other != lang:
            yield "locale:alternate", written


def _list_images(services: Services, game: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the picture of a table with its size, else the icon of the site.

    Where there are no pixels the icon is the second picture, for messengers that draw no SVG.
    """
    address = f"/api/v1/games/{game['id']}"
    if _has_picture(services, game) and is_installed():
        yield "image", locate(services, f"{address}/{_PICTURE}")
        yield "image:type", "image/png"
        yield "image:width", str(share.WIDTH)
        yield "image:height", str(share.HEIGHT)
        return
    if _has_picture(services, game):
        yield "image", locate(services, f"{address}/{_DRAWING}")
        yield "image:type", "image/svg+xml"
    yield from _list_icon(services)


def _list_icon(services: Services) -> Iterator[tuple[str, str]]:
    yield "image", locate(services, _ICON)
    yield "image:type", "image/png"


def _list_cards(tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what a card of `twitter:` needs besides the `og:` tags."""
    yield "card", "summary_large_image" if "image:width" in tags else "summary"
    yield "title", tags["title"]
    yield "description", tags["description"]
    yield "image", tags["image"]


def _has_picture(services: Services, game: Mapping[str, Any]) -> bool:
    """Return whether a table has a picture: not before the start."""
    has_begun = game["decision"] is not None or game["result"] is not None
    return has_begun and services.offers[game["game"]].picture is not None


def _describe(game: Mapping[str, Any], lang: str) -> str:
    """Return who sits at a table, and how the game stands."""
    names = [_name_seat(seat, lang) for seat in game["seats"]]
    return f"{', '.join(names)} · {_describe_status(game, names, lang)}"


def _describe_status(game: Mapping[str, Any], names: list[str], lang: str) -> str:
    if game["result"] is None:
        status: str = locales.words(lang)["ui"]["status"][game["status"]]
        return status
    winners = ", ".join(names[seat] for seat in game["result"]["winners"])
    return str(locales.words(lang)["ui"]["lobby"]["won"]).replace("{names}", winners)


def _name_seat(seat: Mapping[str, Any], lang: str) -> str:
    bots: Mapping[str, str] = locales.terms(lang).get("bots", {})
    if name := seat.get("name") or (seat["player"] or {}).get("name"):
        return str(name)
    if bot := seat["bot"]:
        return bots.get(bot, bot)
    return str(locales.words(lang)["ui"]["seats"]["open"])
