"""The lobby as a stream: what it shows, and what changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response
from marshmallow import validate

from cartulary.events.company.lobby import follow_lobby
from cartulary.events.people.players import Player
from cartulary.service.api.company.lobby_schema import LobbyChangeLine, LobbySnapshotLine
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import FEED_FORMS, Stream, StreamForm
from cartulary.service.http.streams.stream_revocation import both
from cartulary.service.http.streams.waiting import answer_stream, enter_and_subscribe
from cartulary.service.http.wire.problems import Problem
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Request

blueprint = Blueprint("lobby", __name__)


class LobbyQuery(Request):
    """Where the stream begins."""

    after = fields.String(
        load_default="",
        validate=validate.Length(max=40),
        description="The id of an event of the stream. Missing: the stream begins with a snapshot.",
    )


@blueprint.get("/lobby/stream")
@operation(
    "games",
    "The lobby, at once",
    {
        200: AnswerOf(
            "The lobby and its changes.",
            media=tuple(FEED_FORMS),
            lines=(LobbySnapshotLine, LobbyChangeLine),
        )
    },
    query=LobbyQuery,
    token="optional",
    refusals=("bad_cursor", "too_many_streams"),
)
def stream_lobby(
    services: Services,
    who: Player | None,  # noqa: ARG001  counted by who asks
    query: dict[str, Any],
    form: str,
    last_event_id: str,
) -> Response:
    """Server-sent events; lines of NDJSON with `Accept: application/x-ndjson`.

    It begins with `{"snapshot": …}`: the newest hundred open tables, tables with a vacant seat and
    seeks, and how many of them there are. `{"change": …}` follows, at most twice a second: what is
    new or has changed, as a whole, and the ids of what is gone. A stream goes on after
    `Last-Event-ID` (or `after`), with a snapshot where that is too long ago.
    """
    begin = FEED_FORMS[form]
    return answer_stream(begin, lambda: _open(services, begin, last_event_id or query["after"]))


def _open(services: Services, form: StreamForm, after: str) -> Iterable[bytes]:
    lobby = services.store.lobby
    try:
        place = lobby.find_place(after)
    except ValueError:
        raise Problem("bad_cursor", "take the id of an event of this stream") from None
    begin = b""
    if not place:
        place, line = lobby.take_snapshot()
        begin = form.write_entry(place, line)
    feed = follow_lobby()
    release = lobby.hold()
    try:
        subscription, leave = enter_and_subscribe(
            services, lambda: services.hub.follow_feed(feed, place)
        )
    except BaseException:
        release()
        raise
    heartbeat = services.settings.heartbeat
    return Stream(subscription, form, begin, heartbeat, both(release, leave))
