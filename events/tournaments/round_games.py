"""The games of open tables: made, looked at, ended with the window of their round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cartulary.events.commands.rounds.closing import RoundCommands
from cartulary.events.commands.rounds.making import RoundDraws, RoundMaker, RoundPlace
from cartulary.events.draws.tournament_secrets import TournamentSecret
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.errors import NotFound
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.tournaments.results import Settled, read_settled
from cartulary.tournaments.state import Tournament, TournamentTable

MADE_AT_ONCE: Final = 20
"""The number of games made in one step: other work does not wait for a whole round."""

VISIBILITY: Final = {"public": "public", "unlisted": "unlisted", "private": "unlisted"}
"""Entrants watch the other tables of a private tournament: those who see it have the links."""


class SeenTables(NamedTuple):
    """What a look at the open tables has found: those that have ended, and whether games lack."""

    settled: list[Settled]
    is_complete: bool


class RoundGames:
    """Makes and follows the games of rounds. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self, maker: RoundMaker, rounds: RoundCommands, projector: Projector, ledger: Ledger
    ) -> None:
        self._maker, self._rounds = maker, rounds
        self._projector, self._ledger = projector, ledger

    def look(
        self,
        tournament_id: str,
        tournament: Tournament,
        secret: TournamentSecret | None,
        is_over: bool,
    ) -> SeenTables:
        """Make the games that lack, let players who are gone leave theirs; return what has ended.

        `is_over`: the window of the round has ended, so its games end now. Raises
        `DrawsUnavailable`, `RoundOpen` while an earlier release runs.
        """
        settled: list[Settled] = []
        made = 0
        for place in list(tournament.playing_tables()):
            table = self._find(place)
            if table is None:
                if made == MADE_AT_ONCE:
                    return SeenTables(settled, is_complete=False)
                made += 1
                table = self._make(tournament_id, tournament, place, secret)
            table = self._follow(tournament, place, table, is_over)
            found = read_settled(self._ledger, place, table, "window" if is_over else "aborted")
            if found is not None:
                settled.append(found)
        return SeenTables(settled, is_complete=True)

    def _find(self, place: TournamentTable) -> Table | None:
        try:
            return self._projector.table(place.game)
        except NotFound:
            return None

    def _make(
        self,
        tournament_id: str,
        tournament: Tournament,
        place: TournamentTable,
        secret: TournamentSecret | None,
    ) -> Table:
        terms = tournament.terms
        return self._maker.make(
            RoundPlace(tournament_id, place.round, place.number),
            game_id=place.game,
            game=terms.game,
            options=terms.options,
            players=[_seat(tournament, number) for number in place.seats],
            pace=terms.pace,
            rated=terms.rated,
            visibility=VISIBILITY[terms.visibility],
            duplicate=_find_draws(tournament, place, secret),
        )

    def _follow(
        self, tournament: Tournament, place: TournamentTable, table: Table, is_over: bool
    ) -> Table:
        """Let the entrants who are gone leave a game; end it where its window is over."""
        if table.status.finished:
            return table
        for seat, number in enumerate(place.seats):
            is_gone = tournament.entrant(number).gone is not None
            if is_gone and not table.status.finished:
                table = self._rounds.forfeit(place.game, seat).table
        if is_over and not table.status.finished:
            table = self._rounds.end(place.game).table
        return table

    def abort_all(
        self, tournament_id: str, tournament: Tournament, secret: TournamentSecret | None
    ) -> None:
        """End the games of all open tables without a result, also those that no one has made yet.

        A game that lacks is made for that: a dispatcher that is about to make it finds it ended. A
        round whose secret is lost has no games to be made.
        Raises `WrongKey`, `DrawsUnavailable`.
        """
        places = list(tournament.playing_tables())
        for place in places:
            commitment = tournament.rounds[place.round - 1].commitment
            is_known = secret and commitment and secret.find_link(commitment)
            if is_known and self._find(place) is None:
                self._make(tournament_id, tournament, place, secret)
        self.abort(places)

    def abort(self, places: Sequence[TournamentTable]) -> None:
        """End the games of some tables without a result. Raises `WrongKey`."""
        for place in places:
            table = self._find(place)
            if table is not None and not table.status.finished:
                self._rounds.abort(place.game)


def _seat(tournament: Tournament, number: int) -> Player:
    one = tournament.entrant(number).player
    return Player(one["id"], one["name"], kind=one.get("kind", ""), owner=one.get("owner", ""))


def _find_draws(
    tournament: Tournament, place: TournamentTable, secret: TournamentSecret | None
) -> RoundDraws | None:
    """Return what the draws of a duplicate round follow from, None for other tournaments."""
    if not tournament.terms.duplicate:
        return None
    commitment = tournament.rounds[place.round - 1].commitment
    link = None if secret is None or commitment is None else secret.find_link(commitment)
    assert link is not None, "a round whose secret is lost is void"
    assert tournament.entropy is not None
    return RoundDraws(link, tournament.entropy)
