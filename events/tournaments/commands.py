"""What hosts, entrants and operators do to tournaments. A refused command stores nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.table.opening import must_be_entropy
from cartulary.events.draws.tournament_secrets import TournamentSecrets
from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.model.clock import Clock, format_time, milliseconds
from cartulary.events.model.errors import (
    Invalid,
    NotForBots,
    NotFound,
    NotHost,
    NotSeated,
    QuotaExceeded,
    RoundOpen,
    StaleVersion,
    TournamentFull,
)
from cartulary.events.model.failures import BrokenHistory, NewerRelease
from cartulary.events.model.offers import Rules
from cartulary.events.people.players import Player, PlayerRegistry, name_of
from cartulary.events.server import keys
from cartulary.events.server.format import WITH_TOURNAMENTS
from cartulary.events.tournaments.closing import add_cancellation
from cartulary.events.tournaments.entering import EntryRules
from cartulary.events.tournaments.judging import (
    find_number,
    must_be_at,
    must_be_enough,
    must_be_open,
    must_be_unfinished,
)
from cartulary.events.tournaments.round_games import RoundGames
from cartulary.events.tournaments.starting import add_start
from cartulary.events.tournaments.stream.describing import is_visible
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.events.tournaments.stream.streams import TournamentStreams
from cartulary.events.tournaments.stream.writer import TournamentWriter, TournamentWritten
from cartulary.tournaments import events as types
from cartulary.tournaments.lots import PAIRING_SCHEME
from cartulary.tournaments.state import OPEN, PLAYING, RUNNING, Tournament, TournamentTable
from cartulary.tournaments.terms import AT, complete_terms, find_faults

MOST_HOSTED: Final = 10
"""The most tournaments that have not ended that a player may host."""

LATEST_MS: Final = 365 * 24 * 3_600_000
"""A tournament starts within a year."""

log = logging.getLogger(__name__)


class TournamentCommands:
    """The commands of tournaments. Thread-safe. All raise `RedisError`; writes `StaleVersion`."""

    def __init__(
        self,
        streams: TournamentStreams,
        writer: TournamentWriter,
        lists: TournamentLists,
        secrets: TournamentSecrets,
        players: PlayerRegistry,
        entry_rules: EntryRules,
        games: RoundGames,
        rules: Rules,
        clock: Clock,
        read_format: Callable[[], int],
    ) -> None:
        self._streams, self._writer, self._lists = streams, writer, lists
        self._secrets, self._players, self._entry_rules = secrets, players, entry_rules
        self._games, self._rules, self._clock = games, rules, clock
        self._read_format = read_format

    # -- hosts ------------------------------------------------------------------------------------

    def create(self, intent: Intent, request: Mapping[str, Any]) -> tuple[str, TournamentWritten]:
        """Announce a tournament; returns its id.

        Raises `Invalid`, `NotForBots`, `QuotaExceeded`, `RoundOpen` while an earlier release runs.
        """
        use = intent.identify_creation("tournament", intent.get_body(request))
        pointer = None
        if use is not None:
            pointer = keys.creation(intent.who.id, f"tournament:{use.field.rpartition(':')[2]}")
            known = self._streams.reserved(pointer)
            record = known and self._streams.record(known, use.field)
            if known and record:
                return known, self._writer.replay(known, record, use)
        if self._read_format() < WITH_TOURNAMENTS:
            raise RoundOpen("wait with tournaments until the upgrade of the service is complete")
        self._check_request(intent, request)
        tournament_id = self._streams.draw_id()
        if pointer is not None:
            tournament_id = self._streams.reserve(pointer, tournament_id)
        draft = self._draft_creation(intent, request, tournament_id)
        try:
            return tournament_id, self._writer.append(draft, use)
        except VersionConflict as error:
            # Two requests with one key at once: the other has stored it.
            raise StaleVersion(error.current_version) from error

    def _draft_creation(
        self, intent: Intent, request: Mapping[str, Any], tournament_id: str
    ) -> TournamentDraft:
        terms = complete_terms(request, self._rules)
        if AT in terms["start"]:
            terms["start"] = {AT: format_time(milliseconds(terms["start"][AT]))}
        draft = TournamentDraft(tournament_id, self._clock)
        secret = self._secrets.make(terms["duplicate"])
        draft.add(
            types.TOURNAMENT_CREATED,
            **terms,
            host=name_of(intent.who),
            pairing={"scheme": PAIRING_SCHEME, "commitment": secret.commit_pairing()},
            commitment=secret.commit_chain(terms["rounds"] or 0),
        )
        self._secrets.store_with(tournament_id, secret, draft.side_keys)
        return draft

    def _check_request(self, intent: Intent, request: Mapping[str, Any]) -> None:
        if intent.who.is_bot:
            raise NotForBots("a bot hosts no tournament")
        faults = list(find_faults(request, self._rules))
        faults += [] if faults else list(self._list_faults(request))
        if faults:
            raise Invalid(faults)
        hosted = self._lists.count_hosted(intent.who.id)
        if hosted >= MOST_HOSTED:
            raise QuotaExceeded("tournaments", MOST_HOSTED, hosted, 0, None)

    def _list_faults(self, request: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """Return what the forms of a request do not show: times that are past, missing players."""
        faults = []
        if AT in request["start"]:
            ahead = milliseconds(request["start"][AT]) - self._clock.now_ms()
            if not 0 < ahead <= LATEST_MS:
                faults.append(("/start/at", "must lie ahead, within a year"))
        invited = (request.get("entrants") or {}).get("invited") or []
        for number, found in enumerate(self._players.find_all(invited)):
            if found is None:
                faults.append((f"/entrants/invited/{number}", "there is no such player"))
        return faults

    def start(self, intent: Intent, tournament_id: str) -> TournamentWritten:
        """Start a tournament now, whatever was to start it.

        Raises `NotHost`, `TournamentStarted`, `SeatsOpen` where too few have entered.
        """

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            _must_be_host(tournament, intent)
            must_be_open(tournament)
            must_be_at(tournament, intent)
            must_be_enough(tournament)
            add_start(draft)

        return self._write(intent, tournament_id, "start", [], decide)

    def cancel(self, intent: Intent, tournament_id: str) -> TournamentWritten:
        """Call a tournament off. Raises `NotHost`, `TournamentStarted` for one that has ended.

        Games of a duplicate end first: `tournament_cancelled` shows the secret of their draws.
        """

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            _must_be_host(tournament, intent)
            must_be_unfinished(tournament)
            must_be_at(tournament, intent)
            if tournament.terms.duplicate:
                secret = self._secrets.find(tournament_id, tournament.pairing)
                self._games.abort_all(tournament_id, tournament, secret)
            add_cancellation(draft, self._secrets, "host")

        return self._write(intent, tournament_id, "cancel", [], decide)

    def remove(self, intent: Intent, tournament_id: str, player_id: str) -> TournamentWritten:
        """Remove an entrant before the start.

        Raises `NotHost`, `TournamentStarted`, `NotEntered`.
        """

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            _must_be_host(tournament, intent)
            must_be_open(tournament)
            must_be_at(tournament, intent)
            number = find_number(tournament, player_id)
            draft.add(types.ENTRANT_REMOVED, entrant=number, by=intent.who.id, reason="host")

        return self._write(intent, tournament_id, "remove", player_id, decide)

    # -- entrants ---------------------------------------------------------------------------------

    def enter(self, intent: Intent, tournament_id: str, entropy: str | None) -> TournamentWritten:
        """Enter a tournament; a player who is in it changes nothing.

        Raises `Invalid`, `TournamentStarted`, `TournamentFull`, and what `EntryRules` raises.
        """
        must_be_entropy(entropy)

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            known = tournament.find_entrant(intent.who.id)
            if known is not None and known.gone is None:
                return
            must_be_open(tournament)
            must_be_at(tournament, intent)
            if known is not None and known.gone == "removed":
                self._entry_rules.refuse_removed()
            self._entry_rules.check(tournament, intent.who)
            if tournament.full:
                raise TournamentFull
            owner = intent.who.owner or None
            number = len(tournament.entrants) + 1
            who = name_of(intent.who)
            draft.add(types.ENTERED, entrant=number, player=who, owner=owner, entropy=entropy)

        return self._write(intent, tournament_id, "enter", [entropy], decide)

    def withdraw(
        self, intent: Intent, tournament_id: str, reason: str = types.LEFT
    ) -> TournamentWritten:
        """Leave a tournament: running tables are forfeited. Raises `NotEntered`."""

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            must_be_unfinished(tournament)
            number = find_number(tournament, intent.who.id)
            must_be_at(tournament, intent)
            draft.add(types.WITHDREW, entrant=number, reason=reason)

        return self._write(intent, tournament_id, "withdraw", [], decide)

    def accept_time(
        self, intent: Intent, tournament_id: str, number: int, at: int
    ) -> TournamentWritten:
        """Say that the caller would play at a time (ms since the epoch) at an own table.

        The time is agreed when all at the table would. Raises `NotFound` for a missing table,
        `NotSeated`, `RoundOpen` for a table that has ended, `Invalid` for a time that is past or
        behind the window.
        """

        def decide(tournament: Tournament, draft: TournamentDraft) -> None:
            table = find_own_table(tournament, intent.who.id, number)
            entrant = find_number(tournament, intent.who.id)
            if table.status != PLAYING:
                raise RoundOpen("the table has ended")
            must_be_at(tournament, intent)
            ends_at = tournament.rounds[table.round - 1].ends_at
            late = ends_at is not None and at > milliseconds(ends_at)
            if late or at <= self._clock.now_ms():
                raise Invalid([("/time", "must lie ahead, within the window of the round")])
            time = format_time(at)
            if table.accepted.get(entrant) != time:
                draft.add(types.TIME_ACCEPTED, table=number, entrant=entrant, time=time)

        return self._write(intent, tournament_id, "accept", [number, at], decide)

    def withdraw_from_all(self, player_id: str, reason: str) -> None:
        """Let a player who is gone leave all tournaments; those that the player hosts go on.

        `reason` is a word of `WITHDRAW_REASONS`. May be repeated.
        """
        for tournament_id in self._lists.list_entered(player_id):
            self._writer.write(tournament_id, None, _leave(player_id, reason))

    def take_over(self, guest_id: str, player: Player) -> None:
        """Let an account enter and host in the place of a guest who has merged into it.

        Where both have entered, the guest leaves; in a duplicate also where a bot of the account
        has, and where the account was removed. What the guest is invited to the account is invited
        to. May be repeated.
        """
        for tournament_id in self._lists.list_entered(guest_id):
            try:
                self._writer.write(tournament_id, None, _replace_guest(guest_id, player))
            except (BrokenHistory, NewerRelease, NotFound) as error:
                # One that cannot be written to does not keep the account from all else.
                log.warning("tournament %s does not follow a merge: %s", tournament_id, error)

    # -- shared -----------------------------------------------------------------------------------

    def _write(
        self, intent: Intent, tournament_id: str, command: str, body: Any, decide: Any
    ) -> TournamentWritten:
        def decide_seen(tournament: Tournament, draft: TournamentDraft) -> None:
            if not is_visible(tournament, intent.who.id):
                raise NotFound("there is no tournament with this id")
            decide(tournament, draft)

        use = intent.identify(command, intent.get_body(body))
        with self._streams.hiding_damage(tournament_id, intent.who.id):
            return self._writer.write(tournament_id, use, decide_seen)


def find_own_table(tournament: Tournament, player_id: str, number: int) -> TournamentTable:
    """Return a table at which a player sits; raises `NotFound`, `NotSeated`."""
    table = tournament.tables.get(number)
    if table is None:
        raise NotFound("there is no table with this number")
    if all(tournament.entrant(one).player["id"] != player_id for one in table.seats):
        raise NotSeated("common times are for those who sit at the table")
    return table


def _leave(player_id: str, reason: str) -> Any:
    def decide(tournament: Tournament, draft: TournamentDraft) -> None:
        entrant = tournament.find_entrant(player_id)
        unfinished = tournament.status in (OPEN, RUNNING)
        if entrant is not None and entrant.gone is None and unfinished:
            draft.add(types.WITHDREW, entrant=entrant.number, reason=reason)

    return decide


def _replace_guest(guest_id: str, player: Player) -> Any:
    def decide(tournament: Tournament, draft: TournamentDraft) -> None:
        if tournament.status not in (OPEN, RUNNING):
            return
        playing = {str(one.player["id"]): one.number for one in tournament.playing}
        if guest_id in playing and _keeps_guest_out(tournament, player):
            draft.add(types.WITHDREW, entrant=playing.pop(guest_id), reason=types.LEFT)
        invited = tournament.terms.invited or ()
        if guest_id in (*playing, tournament.host["id"], *invited):
            draft.add(types.TAKEN_OVER, **{"from": guest_id}, player=name_of(player))

    return decide


def _keeps_guest_out(tournament: Tournament, player: Player) -> bool:
    """Return whether a player, or in a duplicate a bot of the player, plays, or was removed."""
    known = tournament.find_entrant(player.id)
    if known is not None and known.gone == "removed":
        return True
    if tournament.terms.duplicate:
        return any(player.id == one.person for one in tournament.playing)
    return any(player.id == one.player["id"] for one in tournament.playing)


def _must_be_host(tournament: Tournament, intent: Intent) -> None:
    if tournament.host["id"] != intent.who.id:
        raise NotHost("only the host of the tournament may do this")
