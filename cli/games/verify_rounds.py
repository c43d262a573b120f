"""`cartulary verify --fair --tournament`: the games of a tournament, and what its stream says.

The games of a duplicate round have one secret, which the stream of the tournament shows when the
round is closed. So their draws are proved from there, all against one commitment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cartulary.cli.games.verify_fair import (
    GAMES_AT,
    TOURNAMENTS_AT,
    describe_chain,
    is_url,
    read_events,
    split_url,
)
from cartulary.cli.shared.errors import Unusable
from cartulary.engine.core import Json
from cartulary.events.audit.offline import verify_delivered
from cartulary.events.ledger.closed_rounds import RoundClosing
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.failures import MALFORMED
from cartulary.events.model.types import GAME_CREATED
from cartulary.games import GAMES
from cartulary.tournaments.state import Tournament
from cartulary.tournaments.verification import verify_table, verify_tournament


class ReadTournament(NamedTuple):
    """The stream of a tournament: where it was read, what holds of it, its state at the end."""

    source: str
    report: Json
    tournament: Tournament

    def list_games(self) -> Iterator[str]:
        """Yield the URLs of the games of closed rounds, next to that of the tournament.

        Raises `Unusable` for a tournament that was read from a file.
        """
        if not is_url(self.source):
            raise Unusable(f"{self.source}: name the files with the events of its games")
        base, _ = split_url(self.source, TOURNAMENTS_AT)
        for round_ in self.tournament.rounds:
            for number in round_.tables if round_.closed else ():
                yield f"{base}/{GAMES_AT}/{self.tournament.tables[number].game}"

    def find_closing(self, round_: str) -> RoundClosing | None:
        """Return how a duplicate round was closed, None while it is open."""
        number = round_.rpartition("/")[2]
        found = next((one for one in self.tournament.rounds if str(one.number) == number), None)
        if found is None:
            return None
        at = milliseconds(self.tournament.updated_at)
        return RoundClosing(at, found.secret) if found.closed else None


def read_tournament(source: str) -> ReadTournament:
    """Return the tournament whose events a file holds, or a URL leads to. Raises `Unusable`."""
    report = verify_tournament(read_events(source, TOURNAMENTS_AT))
    if report.tournament is None:
        raise Unusable(f"{source}: these are not the events of a tournament")
    return ReadTournament(source, report.to_json(), report.tournament)


def verify_of_tournament(read: ReadTournament, source: str) -> Json:
    """Return what was found of the events of a game, and of its place in the tournament.

    The report is that of the HTTP contract; what does not fit the tournament has the problem word
    `tournament`.
    """
    events = read_events(source)
    report = verify_delivered(GAMES, events, read.find_closing)
    misfits = [
        {"version": 1, "problem": "tournament", "detail": detail}
        for detail in _find_misfits(read.tournament, events)
    ]
    report["problems"] += misfits
    report["valid"] = not report["problems"]
    return report


def _find_misfits(tournament: Tournament, events: Sequence[Json]) -> list[str]:
    created = events[0] if events and events[0].get("type") == GAME_CREATED else {}
    place = created.get("tournament")
    number = place.get("table") if isinstance(place, dict) else None
    if not isinstance(number, int) or number not in tournament.tables:
        return ["the game was not made for a table of this tournament"]
    try:
        return verify_table(str(created["tournament"].get("id")), tournament, number, events)
    except MALFORMED as error:
        return [f"table {number}: a part of its game is not as it should be: {error!r}"]


def describe_tournament(read: ReadTournament) -> str:
    """Return one line for people about the stream of a tournament."""
    report = read.report
    if report["problems"]:
        first = report["problems"][0]
        return f"{read.source}: version {first['version']}: {first['problem']}: {first['detail']}"
    said = describe_chain(read.source, report)
    shown = [one for one in report["rounds"] if one["state"] == "proved"]
    return f"{said}; {len(shown)} secrets of rounds fit their commitments" if shown else said
