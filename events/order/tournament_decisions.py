"""What operators decide about tournaments: each decision has a reason, and a line in their log.

Operators decide about private tournaments as well. A refused decision stores nothing, in the log
neither; one that another command overtakes between the two may have left its line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, get_args

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.draws.tournament_secrets import TournamentSecrets
from cartulary.events.model.errors import (
    Invalid,
    NotEntered,
    NotFound,
    RoundOpen,
    TournamentFull,
    TournamentStarted,
)
from cartulary.events.order.log import LogEntry, OperatorLog
from cartulary.events.people.players import Player, PlayerRegistry, name_of
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.tournaments.closing import add_cancellation
from cartulary.events.tournaments.judging import (
    find_number,
    must_be_at,
    must_be_enough,
    must_be_open,
    must_be_unfinished,
)
from cartulary.events.tournaments.round_games import RoundGames
from cartulary.events.tournaments.starting import add_start
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.events.tournaments.stream.writer import (
    DecideTournament,
    TournamentWriter,
    TournamentWritten,
)
from cartulary.tournaments import events as types
from cartulary.tournaments.state import OPEN, PLAYING, RUNNING, Tournament, TournamentEntrant

Command = Literal["start", "cancel", "remove", "reinstate"]
COMMANDS: Final[tuple[str, ...]] = get_args(Command)

ABOUT_ENTRANTS: Final = ("remove", "reinstate")
"""The commands that name an entrant by the id of the player."""


class TableResult(NamedTuple):
    """What an operator decides about a table: ranks and scores by seat.

    Without ranks the table counts for no entrant.
    """

    reason: str
    ranks: Sequence[int] | None = None
    scores: Sequence[int] | None = None


class TournamentOrder(NamedTuple):
    """What an operator orders; `player` is the entrant of `ABOUT_ENTRANTS`, "" with others."""

    command: Command
    reason: str
    player: str = ""


class TournamentDecisions:
    """The decisions of operators. Thread-safe. All raise `NotFound`, `StaleVersion`, `RedisError`.

    Whether the caller is an operator is not asked here: the scope of the token says so.
    """

    def __init__(
        self,
        writer: TournamentWriter,
        secrets: TournamentSecrets,
        games: RoundGames,
        players: PlayerRegistry,
        suspended: SentenceRegister,
        log: OperatorLog,
    ) -> None:
        self._writer, self._secrets, self._games = writer, secrets, games
        self._players, self._suspended, self._log = players, suspended, log
        self._ordered: Mapping[str, Callable[[TournamentDraft, Intent, TournamentOrder], None]] = {
            "start": self._start,
            "cancel": self._cancel,
            "remove": self._remove,
            "reinstate": self._reinstate,
        }

    def decide_table(
        self, intent: Intent, tournament_id: str, number: int, result: TableResult
    ) -> TournamentWritten:
        """Replace the result of a table that has ended.

        Raises `NotFound` for a missing table, `RoundOpen` for one that is played or in a tournament
        that has ended, `Invalid`.
        """

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            _must_be_decidable(tournament, number)
            must_be_at(tournament, intent)
            _add_result(draft, intent, number, result)

        body = [number, result.reason, result.ranks, result.scores]
        line = LogEntry("", "", intent.who.id, "tournament_table", reason=result.reason)
        return self._write(intent, tournament_id, "decide", body, line, decide)

    def order(
        self, intent: Intent, tournament_id: str, order: TournamentOrder
    ) -> TournamentWritten:
        """Start or call off a tournament in place of its host, remove or reinstate an entrant.

        Running tables of an entrant who is removed are forfeited. One who is reinstated plays from
        the next round on, and has nothing from the rounds between; an entrant who is in already
        changes nothing. Raises `TournamentStarted`, `SeatsOpen`, `NotEntered`, `TournamentFull`,
        and `Invalid` at `/player` for a player who is gone or suspended; `WrongKey`.
        """

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            must_be_unfinished(tournament)
            must_be_at(tournament, intent)
            self._ordered[order.command](draft, intent, order)

        command = f"tournament_{order.command}"
        line = LogEntry("", "", intent.who.id, command, order.player, reason=order.reason)
        return self._write(intent, tournament_id, command, [*order], line, decide)

    # -- orders -----------------------------------------------------------------------------------

    def _start(self, draft: TournamentDraft, intent: Intent, order: TournamentOrder) -> None:
        must_be_open(draft.tournament)
        must_be_enough(draft.tournament)
        add_start(draft)

    def _cancel(self, draft: TournamentDraft, intent: Intent, order: TournamentOrder) -> None:
        if draft.tournament.terms.duplicate:
            secret = self._secrets.find(draft.id, draft.tournament.pairing)
            self._games.abort_all(draft.id, draft.tournament, secret)
        words = {"by": intent.who.id, "explanation": order.reason}
        add_cancellation(draft, self._secrets, "service", **words)

    def _remove(self, draft: TournamentDraft, intent: Intent, order: TournamentOrder) -> None:
        number = find_number(draft.tournament, order.player)
        by = intent.who.id
        draft.add(types.ENTRANT_REMOVED, entrant=number, by=by, reason=order.reason)

    def _reinstate(self, draft: TournamentDraft, intent: Intent, order: TournamentOrder) -> None:
        one = draft.tournament.find_entrant(order.player)
        if one is None:
            raise NotEntered
        if one.gone is None:
            return
        account = self._find_welcome(draft.tournament, one)
        by = intent.who.id
        draft.add(types.REINSTATED, entrant=one.number, by=by, reason=order.reason)
        if account.id != order.player:
            draft.add(types.TAKEN_OVER, **{"from": order.player}, player=name_of(account))

    def _find_welcome(self, tournament: Tournament, one: TournamentEntrant) -> Player:
        """Return who plays when an entrant comes back: of a guest who has merged the account.

        Refuses an entrant who cannot come back.
        """
        account = self._players.by_id(self._players.find_account(str(one.player["id"])))
        if account is None:
            raise Invalid([("/player", "the account of this player is closed")])
        if self._suspended.find(account.id) is not None:
            raise Invalid([("/player", "this player is suspended: lift that first")])
        if tournament.status == OPEN and tournament.full:
            raise TournamentFull
        if one.early and tournament.status == RUNNING:
            raise TournamentStarted("the entrant was gone before the start")
        if _plays_already(tournament, one, account):
            raise Invalid([("/player", "the same person plays with another entry")])
        return account

    # -- shared -----------------------------------------------------------------------------------

    def _write(
        self,
        intent: Intent,
        tournament_id: str,
        command: str,
        body: object,
        line: LogEntry,
        decide: DecideTournament,
    ) -> TournamentWritten:
        """Judge, write the line of the log, append; once where it is judged again."""
        logged = False

        def decide_and_log(tournament: Tournament, draft: TournamentDraft) -> None:
            nonlocal logged
            decide(tournament, draft)
            if draft.events and not logged:
                self._log.write(line._replace(tournament=tournament_id))
                logged = True

        use = intent.identify(command, intent.get_body(body))
        return self._writer.write(tournament_id, use, decide_and_log)


def _plays_already(tournament: Tournament, one: TournamentEntrant, account: Player) -> bool:
    """Return whether who would come back plays, in a duplicate also with a bot or as its owner.

    The entry of a bot keeps a guest as owner who has merged since then.
    """
    if tournament.terms.duplicate:
        persons = (one.person, account.owner or account.id)
        return any(other.person in persons for other in tournament.playing)
    return any(account.id == other.player["id"] for other in tournament.playing)


def _must_be_decidable(tournament: Tournament, number: int) -> None:
    table = tournament.tables.get(number)
    if table is None:
        raise NotFound("there is no table with this number")
    if tournament.status != RUNNING:
        raise RoundOpen("results are settled: the tournament has ended")
    if table.status == PLAYING:
        raise RoundOpen("the table is still played: its game decides")


def _add_result(draft: TournamentDraft, intent: Intent, number: int, result: TableResult) -> None:
    table, by = draft.tournament.tables[number], intent.who.id
    if result.ranks is None:
        words = {"explanation": result.reason, "by": by}
        draft.add(types.TABLE_VOIDED, table=number, reason="operator", **words)
        return
    _check_result(result, len(table.seats))
    draft.add(
        types.TABLE_SCORED,
        table=number,
        game=table.game,
        ranks=list(result.ranks),
        scores=list(result.scores or table.scores or [0] * len(table.seats)),
        outcomes=list(table.outcomes or ["finished"] * len(table.seats)),
        reason=result.reason,
        by=by,
    )


def _check_result(result: TableResult, seats: int) -> None:
    faults = []
    ranks, scores = list(result.ranks or ()), result.scores
    expected = [1 + sum(other < rank for other in ranks) for rank in ranks]
    if len(ranks) != seats or ranks != expected:
        faults.append(("/ranks", f"{seats} ranks, 1 is the best; ties share a rank, 1 2 2 4"))
    if scores is not None and len(scores) != seats:
        faults.append(("/scores", f"{seats} scores"))
    if faults:
        raise Invalid(faults)
