"""The end of a round for its games: the window, players who leave, the unsealing of a duplicate.

The rules are in `docs/tournaments.md`, "Windows and times" and "Duplicates".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cartulary.events.commands.game.takebacks import PastEvents
from cartulary.events.commands.judging.endings import abort_game, end_by_window, forfeit_seat
from cartulary.events.commands.rounds.starting import RoundStarts, is_due
from cartulary.events.commands.table.creating import Creator
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.closed_rounds import RoundClosing
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.writer import Decide, EventWriter, Written
from cartulary.events.model.clock import Clock
from cartulary.events.model.ladders import have_turns
from cartulary.events.model.offers import Offers
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import SEAT_READIED, Json

Put = Callable[[str, int, str], None]
"""Lets the dispatcher follow a game again: its id, its version, and why."""

CLOSED = "round_closed"
"""Why the dispatcher follows a game again that was sealed."""


class RoundCommands:
    """What the service does with the games of a round. Thread-safe; each may be repeated.

    All raise `NotFound` for a game that is not there, `RedisError`, and `StaleVersion` when others
    are always faster.
    """

    def __init__(
        self,
        ledger: Ledger,
        writer: EventWriter,
        creator: Creator,
        starts: RoundStarts,
        draws: Draws,
        offers: Offers,
        clock: Clock,
        put: Put,
    ) -> None:
        self._ledger, self._writer, self._creator = ledger, writer, creator
        self._starts, self._draws, self._offers = starts, draws, offers
        self._clock, self._put = clock, put

    def start(self, game_id: str) -> Written:
        """Start a game whose players are all ready, or whose time to be ready is over.

        Else do nothing, also where it has started. Raises `DrawsUnavailable`.
        """

        def decide(table: Table, draft: Draft) -> None:
            if table.status is Status.OPEN and is_due(table, self._clock.now_ms()):
                self._starts.begin(draft)

        return self._write(game_id, decide)

    def end(self, game_id: str) -> Written:
        """End a game whose window is over: by its score once every seat has had three turns.

        Else it is aborted, and its table is void: `table.status` tells. A game that has ended stays
        as it is. Raises `WrongKey`.
        """

        def decide(table: Table, draft: Draft) -> None:
            if table.running and self._is_played(table):
                end_by_window(draft, self._find_slowest(draft))
            elif table.status in (Status.OPEN, Status.RUNNING):
                abort_game(draft, self._draws, "service")

        return self._write(game_id, decide)

    def abort(self, game_id: str) -> Written:
        """End a game without a result, whose table is void. Raises `WrongKey`."""

        def decide(table: Table, draft: Draft) -> None:
            if not table.status.finished:
                abort_game(draft, self._draws, "service")

        return self._write(game_id, decide)

    def forfeit(self, game_id: str, seat: int) -> Written:
        """Let the entrant on a seat, who has left the tournament, leave the game.

        An open game starts without. It is the seat that counts: after a merge one player may hold
        the seats of two entrants, of whom one plays on.
        """

        def decide(table: Table, draft: Draft) -> None:
            if table.status is Status.OPEN and table.seats[seat].ready:
                draft.add(SEAT_READIED, seat=seat, ready=False)
            elif table.running and table.seats[seat].contending:
                forfeit_seat(draft, seat, "left", self._offers)

        return self._write(game_id, decide)

    def unseal(
        self, tournament: str, number: int, closing: RoundClosing, games: Iterable[str]
    ) -> None:
        """Open the games of a duplicate round that is closed, whose ids are `games`, to all.

        From the note on everybody may see them; then lists, ratings and figures follow.
        """
        self._ledger.closed_rounds.note(tournament, number, closing)
        for game_id in games:
            version = self._ledger.stored_version(game_id)
            if version:  # an archived game was open to all already
                self._put(game_id, version, CLOSED)

    def _write(self, game_id: str, decide: Decide) -> Written:
        return self._creator.show(self._writer.write(game_id, None, decide))

    def _is_played(self, table: Table) -> bool:
        moves = PastEvents(self._ledger, table).moves_back()
        return have_turns(moves, len(table.seats), len(table.seats))

    def _list_moves(self, table: Table) -> Sequence[Json]:
        return list(PastEvents(self._ledger, table).moves_back())[::-1]

    def _find_slowest(self, draft: Draft) -> int | None:
        """Return the contending seat whose player has used the most time, None without a player."""
        table = draft.table
        used = {
            number: 0
            for number, seat in enumerate(table.seats)
            if seat.player is not None and seat.contending and seat.away is None
        }
        for move in self._list_moves(table):
            if move["seat"] in used and "clock" in move:
                used[move["seat"]] += move["clock"]["used"]
        decision = table.decision
        if decision is not None and decision.seat in used and table.clocks is not None:
            used[decision.seat] += draft.charge(draft.now()).used
        return max(used, key=used.__getitem__, default=None)
