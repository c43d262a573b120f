"""The step that moves a tournament on: starts, rounds, games, results, ends.

Each step looks at the stream, does what is missing, and may be killed anywhere: what it has
appended decides what the next step finds. The games of a round have their ids from `round_paired`,
so they are made once; a result is appended at the version that was looked at, so it counts once.
Several dispatchers may step at the same time.
"""

from __future__ import annotations

import logging
from typing import Final

from cartulary.events.draws.tournament_secrets import TournamentSecret, TournamentSecrets
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import LedgerError, NotFound
from cartulary.events.time.outages import Outages
from cartulary.events.tournaments.closing import add_cancellation, add_end, close_round
from cartulary.events.tournaments.pairing import RoundPairing
from cartulary.events.tournaments.results import Settled, add_results, make_void
from cartulary.events.tournaments.round_games import RoundGames
from cartulary.events.tournaments.starting import start_when_due
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.events.tournaments.stream.streams import KnownTournament, TournamentStreams
from cartulary.events.tournaments.stream.timing import (
    find_arena_end,
    find_next_look,
    find_window_end,
)
from cartulary.events.tournaments.stream.writer import DecideDraft, TournamentWriter
from cartulary.events.tournaments.telling import TournamentTelling
from cartulary.events.tournaments.unsealing import Unsealing
from cartulary.tournaments import events as types
from cartulary.tournaments.state import OPEN, RUNNING, Tournament, TournamentTable

AT_ONCE: Final = 20
"""The most tournaments of one look."""

PASSES: Final = 6
"""So often a tournament is moved on in one look: closed, paired again, its games made."""

FAILED_MS: Final = 30_000
"""A tournament that cannot be moved on is looked at again after so long."""

log = logging.getLogger(__name__)


class TournamentDriver:
    """Moves tournaments on. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        streams: TournamentStreams,
        writer: TournamentWriter,
        lists: TournamentLists,
        secrets: TournamentSecrets,
        games: RoundGames,
        pairing: RoundPairing,
        unsealing: Unsealing,
        telling: TournamentTelling,
        outages: Outages,
        clock: Clock,
    ) -> None:
        self._streams, self._writer, self._lists = streams, writer, lists
        self._secrets, self._games, self._pairing = secrets, games, pairing
        self._unsealing, self._telling = unsealing, telling
        self._outages, self._clock = outages, clock

    def run(self) -> int:
        """Look at the tournaments whose time has come; return how many there were."""
        due = self._lists.list_due(self._clock.now_ms(), AT_ONCE)
        for tournament_id in due:
            self._try_to_step(tournament_id)
        return len(due)

    def _try_to_step(self, tournament_id: str) -> None:
        """Move a tournament on; one that cannot be moved on keeps the others from nothing."""
        try:
            self.step(tournament_id)
        except NotFound:
            self._lists.forget(tournament_id)
        except LedgerError as error:
            log.warning("tournament %s waits: %s", tournament_id, error)
            self._lists.look_again(tournament_id, self._clock.now_ms() + FAILED_MS)

    def wake(self, tournament_id: str) -> None:
        """Queue a tournament for the next look: one of its games has ended."""
        self._lists.look_again(tournament_id, self._clock.now_ms())

    def follow(self, tournament_id: str) -> None:
        """Show a changed tournament in the lists; it is due then, if it goes on by itself."""
        known = self._streams.find(tournament_id)
        if known is not None:
            self._lists.show(tournament_id, known.tournament)

    def renew_after_restore(self, tournament_id: str) -> bool:
        """Void the open round of a duplicate, and begin a new chain; return whether it was one.

        For a store that was restored from a backup: the secrets of its chain may have been shown
        since. Raises `WrongKey`.
        """
        known = self._streams.read(tournament_id)
        tournament = known.tournament
        if not tournament.terms.duplicate or tournament.status not in (OPEN, RUNNING):
            return False
        secret = self._secrets.find(tournament_id, tournament.pairing)
        if secret is None:
            return False  # the next step cancels it
        places = list(tournament.playing_tables())
        self._games.abort(places)

        def decide(draft: TournamentDraft) -> None:
            add_results(draft, [make_void(one, "restored") for one in places])
            close_round(draft, secret)
            if not draft.tournament.last_round_closed:
                self._pairing.add_chain(draft, secret)

        return self._write(known, decide)

    def step(self, tournament_id: str) -> None:
        """Move a tournament on as far as it goes now. Raises `NotFound`, `DrawsUnavailable`."""
        is_complete = True
        for _ in range(PASSES):
            known = self._streams.read(tournament_id)
            changed, is_complete = self._advance(known)
            if not changed:
                break
        known = self._streams.read(tournament_id)
        self._unsealing.unseal(tournament_id, known.tournament)
        if known.tournament.ended:
            self._games.abort(_list_called_off(known.tournament))
        self._lists.show(tournament_id, known.tournament)
        if is_complete:
            self._telling.tell(tournament_id, known.tournament)
        if known.tournament.ended:
            self._lists.show(tournament_id, known.tournament, is_settled=True)
        now = self._clock.now_ms()
        again = find_next_look(known.tournament, now, self._find_end(known)) if is_complete else now
        if again is not None:
            self._lists.look_again(tournament_id, again)

    def _advance(self, known: KnownTournament) -> tuple[bool, bool]:
        """Do what comes next; return whether something was appended, and whether no game lacks."""
        tournament, now = known.tournament, self._clock.now_ms()
        if tournament.status == OPEN:
            write = self._write(known, lambda draft: start_when_due(draft, self._secrets, now))
            return write, True
        if tournament.status != RUNNING:
            return False, True
        secret = self._secrets.find(known.id, tournament.pairing)
        if secret is None:
            return self._cancel(known, "secret_lost"), True
        if tournament.find_absent():
            return self._write(known, _withdraw_absent), True
        return self._play(known, secret, now)

    def _play(
        self, known: KnownTournament, secret: TournamentSecret, now: int
    ) -> tuple[bool, bool]:
        """Follow the games of the open tables; close the round, and pair the next one."""
        tournament, end = known.tournament, self._find_end(known)
        is_over = end is not None and now >= end
        if self._is_lost(tournament, secret):
            self._games.abort(list(tournament.playing_tables()))
            settled = [make_void(one, "secret_lost") for one in tournament.playing_tables()]
            return self._settle(known, settled, secret), True
        seen = self._games.look(
            known.id, tournament, secret, is_over and not tournament.terms.arena
        )
        settled = seen.settled
        if is_over and tournament.terms.arena:
            done = {one.table for one in settled}
            playing = (one for one in tournament.playing_tables() if one.number not in done)
            settled = [*settled, *(make_void(one, "time_over") for one in playing)]
            return self._end_arena(known, settled, secret), True
        if not seen.is_complete:
            return False, False
        if self._settle(known, settled, secret):
            return True, True
        if tournament.open_round is not None:
            return False, True
        return self._write(known, lambda draft: self._go_on(draft, secret, now)), True

    def _settle(
        self, known: KnownTournament, settled: list[Settled], secret: TournamentSecret
    ) -> bool:
        """Append results, and the end of the round with the last of them.

        Those of a duplicate wait for the last: the versions between would tell of the other tables.
        """
        tournament = known.tournament
        waiting = sum(1 for _ in tournament.playing_tables())
        if tournament.terms.duplicate and len(settled) < waiting:
            return False

        def decide(draft: TournamentDraft) -> None:
            add_results(draft, settled)
            close_round(draft, secret)

        return self._write(known, decide)

    def _go_on(self, draft: TournamentDraft, secret: TournamentSecret, now: int) -> None:
        """Add the next round, or the end where no round is left."""
        tournament = draft.tournament
        if tournament.last_round_closed:
            add_end(draft, secret, self._secrets)
        elif tournament.terms.duplicate and tournament.chain is None:
            self._pairing.add_chain(draft, secret)
        elif not self._pairing.add_round(draft, secret, now) and not tournament.terms.arena:
            add_end(draft, secret, self._secrets)

    def _end_arena(
        self, known: KnownTournament, settled: list[Settled], secret: TournamentSecret
    ) -> bool:
        def decide(draft: TournamentDraft) -> None:
            add_results(draft, settled)
            add_end(draft, secret, self._secrets)

        return self._write(known, decide)

    def _is_lost(self, tournament: Tournament, secret: TournamentSecret) -> bool:
        """Return whether the secret of the open round of a duplicate is lost."""
        round_ = tournament.open_round
        if round_ is None or round_.commitment is None:
            return False
        return secret.find_link(round_.commitment) is None

    def _cancel(self, known: KnownTournament, code: str) -> bool:
        self._games.abort(list(known.tournament.playing_tables()))
        return self._write(known, lambda draft: add_cancellation(draft, self._secrets, code))

    def _find_end(self, known: KnownTournament) -> int | None:
        """Return when the open round, or the arena, is over; None while nothing has an end."""
        tournament = known.tournament
        if tournament.status != RUNNING:
            return None
        stops = self._outages.read()
        if tournament.terms.arena:
            return find_arena_end(tournament, stops)
        return find_window_end(tournament, stops)

    def _write(self, known: KnownTournament, decide: DecideDraft) -> bool:
        """Append what `decide` adds at the version that was looked at; return whether it did.

        Others were faster where the version has changed: the next pass looks again.
        """
        return self._writer.write_at(known, decide)


def _withdraw_absent(draft: TournamentDraft) -> None:
    for number in draft.tournament.find_absent():
        draft.add(types.WITHDREW, entrant=number, reason=types.ABSENT)


def _list_called_off(tournament: Tournament) -> list[TournamentTable]:
    """Return the tables whose games have no result because the tournament was cancelled."""
    return [one for one in tournament.tables.values() if one.reason == "cancelled"]
