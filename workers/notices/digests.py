"""From a delivery to a mail: what waits, in the language of its reader, and how to end mails."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from cartulary import locales
from cartulary.events.model.types import Json
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.rows import StoredAddress
from cartulary.locales.notices import read_notices
from cartulary.notices.mail.letters import Letter, MailLine
from cartulary.notices.mail.tokens import Purpose, write_token
from cartulary.workers.notices.composing import name_message
from cartulary.workers.notices.judging import OF_A_TURN
from cartulary.workers.notices.texts import clean, write_title

MOST_LINES: Final = 50


class DigestWriter:
    """Writes mails; `public_url` is the address of the service, `now_ms` the time of the mail."""

    def __init__(self, public_url: str) -> None:
        self._public_url = public_url
        self._host = urlsplit(public_url).netloc

    def write_confirmation(
        self, delivery: Delivery, address: StoredAddress, secret: bytes, now_ms: int
    ) -> Letter:
        """Return the mail that asks the reader of an address to confirm it.

        It says nothing that a player has written: else it would carry the words of a stranger to
        any address.
        """
        words = read_notices(address.language)
        url = self._link("confirm", delivery.player, secret)
        host = {"host": self._host}
        return self._make(
            delivery,
            address,
            now_ms,
            locales.fill(address.language, words["confirm_subject"], host),
            [
                MailLine(locales.fill(address.language, words["confirm_text"], host)),
                MailLine(words["confirm_button"], url),
            ],
            [MailLine(words["confirm_ignore"])],
        )

    def write_digest(
        self, delivery: Delivery, address: StoredAddress, secret: bytes, zone: str, now_ms: int
    ) -> Letter:
        """Return the mail about all items of a delivery; times are those of a time zone."""
        language = address.language
        words = read_notices(language)
        items = _choose(delivery.items)
        lines = [self._describe(item, language, words, zone) for item in items[:MOST_LINES]]
        if len(items) > MOST_LINES:
            more = locales.fill(language, words["more"], {"n": len(items) - MOST_LINES})
            lines.append(MailLine(more, f"{self._public_url}/"))
        stop = self._link("unsubscribe", delivery.player, secret)
        why = locales.fill(language, words["why_mail"], {"host": self._host})
        foot = [
            MailLine(why),
            MailLine(words["choose"], f"{self._public_url}/settings?notices"),
            MailLine(words["no_more"], stop),
        ]
        subject = _write_subject(items, language)
        return self._make(delivery, address, now_ms, subject, lines, foot, stop)

    def _make(
        self,
        delivery: Delivery,
        address: StoredAddress,
        now_ms: int,
        subject: str,
        lines: Sequence[MailLine],
        foot: Sequence[MailLine],
        unsubscribe: str = "",
    ) -> Letter:
        return Letter(
            *(name_message(delivery), address.address, now_ms // 1000, address.language),
            *(subject, lines, foot, unsubscribe),
        )

    def _link(self, purpose: Purpose, player: str, secret: bytes) -> str:
        return f"{self._public_url}/email/{write_token(purpose, player, secret)}"

    def _describe(self, item: Json, language: str, words: Mapping[str, str], zone: str) -> MailLine:
        data = item["data"]
        parts = [write_title([item], language), clean(str(data.get("title") or ""))]
        if data.get("deadline_at"):
            at = _localise(str(data["deadline_at"]), zone)
            parts.append(locales.fill(language, words["until"], {"time": at}))
        text = " – ".join(part for part in parts if part)
        return MailLine(text, f"{self._public_url}{data.get('url') or '/'}")


def _choose(items: Sequence[Json]) -> list[Json]:
    """Return the items without a second one about the turn of the same game."""
    return list(_skip_repeated(items))


def _skip_repeated(items: Sequence[Json]) -> Iterator[Json]:
    games = set[str]()
    for item in items:
        game = item["data"].get("game")
        if item["type"] in OF_A_TURN and game is not None:
            if game in games:
                continue
            games.add(game)
        yield item


def _write_subject(items: Sequence[Json], language: str) -> str:
    """Return how many games wait, what the only item is about, or that there is news."""
    if len(items) > 1:
        return write_title(items, language)
    title = clean(str(items[0]["data"].get("title") or ""))
    return ": ".join(part for part in (write_title(items, language), title) if part)


def _localise(time: str, zone: str) -> str:
    """Return a time of RFC 3339 as a date and a time of the day, in a time zone."""
    at = datetime.datetime.fromisoformat(time).astimezone(ZoneInfo(zone))
    return f"{at:%Y-%m-%d %H:%M} {at.tzname() or ''}".rstrip()
