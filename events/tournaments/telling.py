"""What entrants learn in their inboxes. An item has an id, so telling twice tells once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redis import Redis

from cartulary.events.lists.inbox import Inbox, Item, Type, make_item
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.tournaments.stream.streams import TournamentStreams
from cartulary.tournaments import events as types
from cartulary.tournaments.standings import rank_entrants
from cartulary.tournaments.state import Tournament


class TournamentTelling:
    """Tells of the events of tournaments. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, streams: TournamentStreams, inbox: Inbox) -> None:
        self._registry, self._streams, self._inbox = registry, streams, inbox

    def tell(self, tournament_id: str, tournament: Tournament) -> None:
        """Tell of all events that no inbox knows, up to the version of `tournament`.

        The games that they name must be there.
        """
        key = keys.tournament_summary(tournament_id)
        stored: Any = self._registry.hget(key, "told")
        told = int(stored or 0)
        if told >= tournament.version:
            return
        events = self._streams.events(tournament_id, told, tournament.version - told)
        for event in events:
            for player, item in list_items(tournament_id, tournament, event):
                self._inbox.add(player, [item])
        self._registry.hset(key, "told", tournament.version)

    def skip(self, tournament_id: str, tournament: Tournament) -> None:
        """Tell nothing of what has happened so far: a rebuild has lost what the inboxes knew."""
        key = keys.tournament_summary(tournament_id)
        self._registry.hset(key, "told", tournament.version)


def list_items(
    tournament_id: str, tournament: Tournament, event: Json
) -> Iterator[tuple[str, Item]]:
    """Yield the items of an event, each with the player whose inbox gets it."""
    match event["type"]:
        case types.STARTED:
            yield from _tell_all(tournament_id, tournament, event, "tournament_starts")
        case types.ROUND_PAIRED:
            for table in event["tables"]:
                more = {
                    "round": event["round"],
                    "table": table["table"],
                    "game": table["game"],
                    "url": f"/games/{table['game']}",
                }
                for number in table["seats"]:
                    yield _address(tournament_id, tournament, event, "table_ready", number, more)
        case types.TIME_ACCEPTED:
            yield from _tell_of_time(tournament_id, tournament, event)
        case types.ROUND_CLOSED:
            more = {"round": event["round"]}
            yield from _tell_all(tournament_id, tournament, event, "round_closed", more)
        case types.TOURNAMENT_OVER:
            for place in rank_entrants(tournament):
                more = {"rank": place.rank}
                one = (place.entrant, more)
                yield _address(tournament_id, tournament, event, "tournament_over", *one)
        case types.TOURNAMENT_CANCELLED:
            more = {"code": event["code"]}
            yield from _tell_all(tournament_id, tournament, event, "tournament_over", more)


def _tell_of_time(
    tournament_id: str, tournament: Tournament, event: Json
) -> Iterator[tuple[str, Item]]:
    """Tell the others at a table that an entrant would play at a time."""
    table = tournament.tables[event["table"]]
    more = {"round": table.round, "table": table.number, "time": event["time"]}
    for number in table.seats:
        if number != event["entrant"]:
            yield _address(tournament_id, tournament, event, "times_proposed", number, more)


def _tell_all(
    tournament_id: str, tournament: Tournament, event: Json, type_: Type, more: Json | None = None
) -> Iterator[tuple[str, Item]]:
    """Tell all who play on."""
    for one in tournament.playing:
        yield _address(tournament_id, tournament, event, type_, one.number, more or {})


def _address(
    tournament_id: str, tournament: Tournament, event: Json, type_: Type, number: int, more: Json
) -> tuple[str, Item]:
    player = str(tournament.entrant(number).player["id"])
    data = {
        "tournament": tournament_id,
        "title": tournament.terms.name,
        "url": f"/tournaments/{tournament_id}",
        **more,
    }
    item = make_item(tournament_id, type_, player, event["at"], data, event["version"])
    return player, item
