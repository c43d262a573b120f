"""Departures: a player leaves every game that waits or runs, as one who has left for good.

So it is when an account is deleted, when a bot is closed, and when the operators suspend a player.
Repeating a departure that was interrupted goes on; a game that was left is left once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.events.commands.judging.endings import abort_game, forfeit_seat, put_stand_in
from cartulary.events.commands.table.creating import Creator
from cartulary.events.commands.table.seating import next_person
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.writer import EventWriter
from cartulary.events.lists.projections import Projections
from cartulary.events.model.offers import Offers
from cartulary.events.model.seats import have_persons
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT_FAILED
from cartulary.events.model.types import HOST_CHANGED, SEAT_DECLINED, SEAT_LEFT, SEAT_READIED
from cartulary.events.people.players import Player
from cartulary.events.tournaments.commands import TournamentCommands

PAGE: Final = 100
"""Games that are read at once."""


class Departures:
    """Takes players out of their games. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        projections: Projections,
        writer: EventWriter,
        creator: Creator,
        offers: Offers,
        draws: Draws,
        tournaments: TournamentCommands,
    ) -> None:
        self._tournaments = tournaments
        self._projections, self._writer, self._creator = projections, writer, creator
        self._offers, self._draws = offers, draws

    def leave_tournaments(self, player: Player, reason: str) -> None:
        """Let a player leave all tournaments; `reason` is a word of `WITHDRAW_REASONS`."""
        self._tournaments.withdraw_from_all(player.id, reason)

    def leave_all(self, player: Player) -> int:
        """Let a player leave all games that wait or run; return how many there were."""
        games = [game for game, status in self.list_games(player.id) if not Status(status).finished]
        for game_id in games:
            self.leave(player, game_id)
        return len(games)

    def list_games(self, player_id: str) -> Iterator[tuple[str, str]]:
        """Yield the games that a player opened, holds a seat in, or is invited to, by status."""
        cursor: str | None = None
        while True:
            page = self._projections.games_of(player_id, limit=PAGE, cursor=cursor)
            yield from ((game["id"], game["status"]) for game in page.games)
            if (cursor := page.next_cursor) is None:
                return

    def leave(self, player: Player, game_id: str) -> None:
        """Let a player leave an open or a running game, in one append."""

        def decide(table: Table, draft: Draft) -> None:
            if table.status is Status.OPEN:
                self._leave_table(draft, player)
            elif table.running:
                self._forfeit(draft, player)

        written = self._writer.write(game_id, None, decide)
        self._creator.show(written)

    def _leave_table(self, draft: Draft, player: Player) -> None:
        """Give up seats and offers of a game that waits; another player becomes host.

        A game in which no person sits then, or of which no person could become host, is aborted.
        """
        for number, seat in enumerate(draft.table.seats):
            own = seat.player is not None and seat.player["id"] == player.id
            if own and draft.table.terms.tournament is not None:
                # A seat of a round stays the player's, who is not there when the game starts.
                if seat.ready:
                    draft.add(SEAT_READIED, seat=number, ready=False)
            elif own:
                draft.add(SEAT_LEFT, seat=number, player=seat.player)
            elif seat.offer is not None and seat.offer.player["id"] == player.id:
                draft.add(SEAT_DECLINED, seat=number, player=seat.offer.player)
        if draft.table.course.host != player.id:
            return
        if have_persons(draft.table.seats):
            follower = next_person(draft.table, len(draft.table.seats) - 1)
            draft.add(HOST_CHANGED, player=follower, by=player.id)
        else:
            abort_game(draft, self._draws, "empty", player.id)

    def _forfeit(self, draft: Draft, player: Player) -> None:
        """Give up all seats of a running game; another player who is there becomes host.

        A stand-in answers for a bot to the end: its owner has closed it, and the others play on.
        """
        for number, seat in enumerate(draft.table.seats):
            if not draft.table.running or not seat.is_held_by(player.id):
                continue
            if player.is_bot:
                if seat.away is None:
                    put_stand_in(draft, number, BOT_FAILED, None, self._offers)
            else:
                forfeit_seat(draft, number, "left", self._offers)
        table = draft.table
        if table.running and table.course.host == player.id and table.persons:
            follower = table.seats[table.persons[0]].player
            draft.add(HOST_CHANGED, player=follower, by=player.id)
