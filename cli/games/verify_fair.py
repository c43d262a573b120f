"""`cartulary verify --fair`: check the chain and the draws of a game from its events."""

from __future__ import annotations

import json
import os
import re
import urllib.request
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

import click
import orjson

from cartulary.cli.shared.errors import Unusable
from cartulary.engine.core import Json
from cartulary.engine.strict import Malformed, parse
from cartulary.events.audit.offline import verify_delivered
from cartulary.games import GAMES

PAGE = 1000
"""Events that one request asks for."""
ANSWER_WITHIN_S = 30

GAMES_AT, TOURNAMENTS_AT = "games", "tournaments"
"""What has events, by its word in a URL."""


def read_events(source: str, of: str = GAMES_AT) -> list[Json]:
    """Return the events in a file, or at the URL of a game, as `GET …/events` gives them.

    A file holds NDJSON, or one page or several with one page a line; `-` is stdin. `of` is the word
    for what has the events. Raises `Unusable` for anything else, and for no event at all.
    """
    events = list(_fetch(source, of) if is_url(source) else _read_file(source))
    if not events:
        raise Unusable(f"{source}: there is no event")
    return events


def _read_file(source: str) -> Iterator[Json]:
    try:
        with click.open_file(source, "rb") as file:
            raw = file.read()
    except OSError as error:
        raise Unusable(f"{source}: cannot read: {error.strerror}") from error
    return _flatten(source, _read_values(source, raw))


def _read_values(source: str, raw: bytes) -> Iterator[Any]:
    """Yield the JSON values of a file: a single one, or one a line."""
    lines = [(number, line) for number, line in enumerate(raw.splitlines(), 1) if line.strip()]
    try:
        yield parse(raw)
    except Malformed as error:
        if len(lines) < 2:
            raise Unusable(f"{source}: the file is {error}") from error
        for number, line in lines:
            try:
                yield parse(line)
            except Malformed as fault:
                raise Unusable(f"{source}: line {number} is {fault}") from fault


def _flatten(source: str, values: Iterable[Any]) -> Iterator[Json]:
    for value in values:
        # The first event of a tournament has a format as well.
        if isinstance(value, dict) and "format" in value and "version" not in value:
            raise Unusable(f"{source}: a transcript has no chain and no secret; give the events")
        page = value.get("events", [value]) if isinstance(value, dict) else None
        if not isinstance(page, list) or not all(map(_is_event, page)):
            raise Unusable(f"{source}: these are not the events of a game")
        yield from page


def _is_event(value: Any) -> bool:
    """Return whether a value could be stored: its numbers are small, its texts Unicode."""
    if not isinstance(value, dict) or type(value.get("version")) is not int:
        return False
    try:
        orjson.dumps(value)
    except TypeError:
        return False
    return isinstance(value.get("type"), str)


def is_url(source: str) -> bool:
    """Return whether a source is a URL, and no file."""
    return source.startswith(("http://", "https://"))


def split_url(url: str, of: str) -> tuple[str, str]:
    """Return where the service is, and the id that a URL names; raises `Unusable`.

    The URL is that of a page of the client or of the API; `of` is as for `read_events`.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise Unusable(f"{url}: this is no URL: {error}") from error
    found = re.search(rf"(?:/api/v1)?/{of}/([^/]+)/?$", parts.path)
    if found is None:
        raise Unusable(f"{url}: this is not the URL of a {of.removesuffix('s')}")
    return f"{parts.scheme}://{parts.netloc}{parts.path[: found.start()]}", found[1]


def _fetch(url: str, of: str) -> Iterator[Json]:
    """Yield the events at a URL.

    A private game needs the token of a player in `CARTULARY_TOKEN`.
    """
    base, id_ = split_url(url, of)
    after = 0
    while page := _fetch_page(f"{base}/api/v1/{of}/{id_}/events?limit={PAGE}&after={after}"):
        yield from _flatten(url, [page])
        if not page.get("events"):
            return
        if (last := page["events"][-1]["version"]) <= after:
            raise Unusable(f"{url}: the events do not go on after version {after}")
        after = last


def _fetch_page(url: str) -> Json:
    token = os.environ.get("CARTULARY_TOKEN", "")
    headers = {"Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        request = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
            page = json.load(answer)
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise Unusable(f"{url}: cannot read: {getattr(error, 'reason', error)}") from error
    if not isinstance(page, dict):
        raise Unusable(f"{url}: the answer is no page of events")
    return page


def verify_fair(source: str) -> Json:
    """Return what was found of the events of a game: the report of the HTTP contract."""
    return verify_delivered(GAMES, read_events(source))


def describe(source: str, report: Json) -> str:
    """Return one line for people about a report."""
    if report["problems"]:
        first = report["problems"][0]
        return f"{source}: version {first['version']}: {first['problem']}: {first['detail']}"
    return f"{describe_chain(source, report)}; {_describe_draws(report['fair'])}"


def describe_chain(source: str, report: Json) -> str:
    """Return what the chain of a report without problems says, and of which events it says less."""
    said = f"{source}: the chain holds, {report['version']} events, head {report['head']}"
    if report["masked"]:
        said += f"; the content of {report['masked']} with deleted names cannot be checked"
    return said


def _describe_draws(fair: Json | None) -> str:
    if fair is None:
        return "the game has no fair draws"
    if fair["state"] == "hidden":
        if "round" in fair:
            return "the tournament has the secret of the draws: name it with --tournament"
        return "the draws are hidden until the end"
    if fair["state"] == "lost":
        return "the draws cannot be proved: the secret of the round was lost"
    if fair["state"] == "failed":
        return "the draws cannot be proved: the secret was lost"
    said = f"{fair['draws']} draws proved fair"
    if fair["given"]:
        said += f", {fair['given']} were given"
    if fair["renewed_at"]:
        said += f", those before version {fair['renewed_at'][-1]} cannot be proved"
    return said
