"""The pages behind the links in e-mails: they act for a reader who is not signed in.

A link is opened by programs as well, which look for bad pages: so only a POST changes anything.
Mail programs send that POST themselves when their reader wants no more mails (RFC 8058).
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from flask import Blueprint, Response, request

from cartulary.events.model.failures import WrongKey
from cartulary.events.notices.rows import StoredAddress
from cartulary.locales.notices import read_notices
from cartulary.notices.mail.tokens import MailToken, read_token
from cartulary.service.http.compression import compress
from cartulary.service.http.languages import mark_language, read_language
from cartulary.service.http.shared.assets import read_asset
from cartulary.service.http.shared.services import Services, current_services
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("email_links", __name__)

UNSUBSCRIBED: Final = "unsubscribed"
_STYLE: Final = Path(__file__).parent / "static" / "email.css"
_POLICY: Final = "; ".join(
    [
        *("default-src 'none'", "style-src 'self'", "base-uri 'none'", "form-action 'self'"),
        "frame-ancestors 'none'",
    ]
)


class MailLink(NamedTuple):
    """What a link is about: its token, and the address of the player that it is for."""

    token: MailToken
    address: StoredAddress

    @property
    def is_done(self) -> bool:
        """Whether what the link is for holds already."""
        if self.token.purpose == "confirm":
            return self.address.is_told
        return bool(self.address.off)


@blueprint.get("/email.css")
def show_email_style() -> Response:
    """Send the style of the page."""
    asset = read_asset(_STYLE)
    answer = compress(Response(asset.body, content_type=asset.kind))
    answer.headers["Cache-Control"] = "public, max-age=3600"
    return answer


@blueprint.get("/email/<token>")
def show_email_link(token: str) -> Response:
    """Send the page that asks, or says that it is done already."""
    link = _find(current_services(), token)
    return _send_missing() if link is None else _send(link, asks=not link.is_done)


@blueprint.post("/email/<token>")
def follow_email_link(token: str) -> Response:
    """Confirm an address, or send it no more mails; again and again with the same result."""
    services = current_services()
    link = _find(services, token)
    if link is None:
        return _send_missing()
    if not link.is_done:
        _act(services, link)
        mark_stored(request.environ)
    return _send(link, asks=False)


def _act(services: Services, link: MailLink) -> None:
    emails, player = services.store.notices.emails, link.token.player
    if link.token.purpose == "confirm":
        emails.confirm(player, link.address.id)
    else:
        emails.switch_off(player, link.address.id, UNSUBSCRIBED)


def _find(services: Services, text: str) -> MailLink | None:
    """Return what a link is about; None for one that was not made here, or holds no longer.

    A confirmation holds once: an address that was switched off needs another mail.
    """
    token = read_token(text)
    address = None if token is None else services.store.notices.emails.find(token.player)
    if token is None or address is None:
        return None
    try:
        secret = services.store.keyring.decrypt(address.encrypted.encode(), address.id)
    except WrongKey:
        return None
    if not token.is_signed_with(secret) or (token.purpose == "confirm" and address.off):
        return None
    return MailLink(token, address)


def _send(link: MailLink, asks: bool) -> Response:
    lang = link.address.language
    words, purpose = read_notices(lang), link.token.purpose
    text = words[f"{purpose}_page"] if asks else words[f"{purpose}_done"]
    button = f'<form method="post"><button>{escape(words[f"{purpose}_button"])}</button></form>'
    address = f"<p><b>{escape(link.address.address)}</b></p>"
    more = button if asks else _write_settings_link(words)
    return _answer(lang, text, f"{address}{more}", 200)


def _send_missing() -> Response:
    lang = read_language(request.environ, current_services())
    words = read_notices(lang)
    return _answer(lang, words["link_invalid"], _write_settings_link(words), 404)


def _write_settings_link(words: Mapping[str, str]) -> str:
    return f'<p><a href="/settings?notices">{escape(words["choose"])}</a></p>'


def _answer(lang: str, text: str, body: str, status: int) -> Response:
    page = (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Cartulary</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex">'
        '<link rel="stylesheet" href="/email.css">'
        f"<main><h1>{escape(text)}</h1>{body}</main></html>"
    )
    answer = compress(Response(page, status, mimetype="text/html"))
    answer.headers["Content-Security-Policy"] = _POLICY
    answer.headers["Cache-Control"] = "no-store"
    return mark_language(answer, lang)
