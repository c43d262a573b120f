"""The games of a closed duplicate round are open to all: noted once, repeated after a crash."""

from __future__ import annotations

from cartulary.events.commands.rounds.closing import RoundCommands
from cartulary.events.ledger.closed_rounds import ClosedRounds, RoundClosing
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.types import Json
from cartulary.events.tournaments.stream.streams import TournamentStreams
from cartulary.tournaments import events as types
from cartulary.tournaments.duplicate import name_round
from cartulary.tournaments.state import Tournament, TournamentRound


class Unsealing:
    """Notes the closings of duplicate rounds. Thread-safe. Raises `RedisError`."""

    def __init__(
        self, streams: TournamentStreams, closed: ClosedRounds, rounds: RoundCommands
    ) -> None:
        self._streams, self._closed, self._rounds = streams, closed, rounds

    def unseal(self, tournament_id: str, tournament: Tournament) -> None:
        """Open the games of all closed rounds that are not noted as closed."""
        if not tournament.terms.duplicate:
            return
        for round_ in tournament.rounds:
            name = name_round(tournament_id, round_.number)
            if round_.closed and self._closed.find(name) is None:
                games = [tournament.tables[number].game for number in round_.tables]
                closing = self._find_closing(tournament_id, round_)
                self._rounds.unseal(tournament_id, round_.number, closing, games)

    def _find_closing(self, tournament_id: str, round_: TournamentRound) -> RoundClosing:
        events = self._streams.events(tournament_id)
        at = next(event["at"] for event in events if _closes(event, round_.number))
        return RoundClosing(milliseconds(at), round_.secret)


def _closes(event: Json, number: int) -> bool:
    """Return whether an event closes a round; one that was cancelled closes with the tournament."""
    if event["type"] == types.ROUND_CLOSED:
        return bool(event["round"] == number)
    return bool(event["type"] == types.TOURNAMENT_CANCELLED)
