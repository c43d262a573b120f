"""Tournaments: everything that is done to them, as one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from redis import Redis

from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.state import ArchiveState
from cartulary.events.commands.commands import Commands
from cartulary.events.commands.rounds.closing import RoundCommands
from cartulary.events.commands.rounds.making import RoundMaker
from cartulary.events.draws.tournament_secrets import TournamentSecrets
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.inbox import Inbox
from cartulary.events.model.clock import Clock
from cartulary.events.model.offers import Rules
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import PlayerRegistry
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.ratings.reading import RatingReader
from cartulary.events.server import keys
from cartulary.events.time.outages import Outages
from cartulary.events.tournaments.archiving.tournament_return import TournamentReturn
from cartulary.events.tournaments.availability import Availabilities
from cartulary.events.tournaments.calendars import PlayerCalendars
from cartulary.events.tournaments.commands import TournamentCommands
from cartulary.events.tournaments.driving import TournamentDriver
from cartulary.events.tournaments.entering import EntryRules
from cartulary.events.tournaments.pairing import RoundPairing
from cartulary.events.tournaments.round_games import RoundGames
from cartulary.events.tournaments.stream.archived import ArchivedTournaments
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.events.tournaments.stream.ranking import TournamentRanking
from cartulary.events.tournaments.stream.streams import TournamentStreams
from cartulary.events.tournaments.stream.writer import TournamentWriter
from cartulary.events.tournaments.telling import TournamentTelling
from cartulary.events.tournaments.unsealing import Unsealing

if TYPE_CHECKING:
    from cartulary.events.tournaments.archiving.tournament_archiver import TournamentArchiver


class TournamentParts(Protocol):
    """The parts of a store from which tournaments are made."""

    redis: Redis
    registry: Redis
    archive: ArchiveReader
    archive_state: ArchiveState
    clock: Clock
    rules: Rules
    ledger: Ledger
    projector: Projector
    commands: Commands
    inbox: Inbox
    players: PlayerRegistry
    blocks: Blocks
    rating_reader: RatingReader
    round_maker: RoundMaker
    round_commands: RoundCommands
    outages: Outages


class Tournaments:
    """What is done to tournaments. Thread-safe.

    `streams` has the events, `lists` what lists show, `ranking` the standings; `commands` are what
    people ask for, `driver` moves tournaments on, `telling` writes to inboxes, `bringing_back`
    brings archived ones back; `availabilities` and `calendars` are those of players. `secrets`,
    `writer` and `games` are what operators decide with (`events.order`).
    """

    def __init__(self, of: TournamentParts, secrets: TournamentSecrets) -> None:
        self._of = of
        self.secrets = secrets
        self.streams = TournamentStreams(
            *(of.redis, of.registry, of.ledger.masks, ArchivedTournaments(of.archive)),
            of.ledger.replicas_within_ms,
        )
        self.lists = TournamentLists(of.registry, of.ledger.masks)
        self.bringing_back = TournamentReturn(of.redis, self.streams, self.lists, of.clock)
        self.telling = TournamentTelling(of.registry, self.streams, of.inbox)
        self.ranking = TournamentRanking()
        self.availabilities = Availabilities(of.registry)
        self.calendars = PlayerCalendars(of.registry, self.streams, self.lists, of.rules)
        self.writer = TournamentWriter(self.streams, self.lists, of.clock)
        suspended = SentenceRegister(of.registry, keys.suspended(), of.clock)
        self.games = RoundGames(of.round_maker, of.round_commands, of.projector, of.ledger)
        self.commands = TournamentCommands(
            *(self.streams, self.writer, self.lists, secrets, of.players),
            EntryRules(of.players, of.blocks, suspended, of.rating_reader),
            *(self.games, of.rules, of.clock, of.commands.writer.level.read),
        )
        self.driver = TournamentDriver(
            *(self.streams, self.writer, self.lists, secrets, self.games),
            RoundPairing(of.round_maker, secrets, self.streams.draw_id),
            Unsealing(self.streams, of.ledger.closed_rounds, of.round_commands),
            *(self.telling, of.outages, of.clock),
        )

    def make_archiver(self) -> TournamentArchiver:
        """Return what archives the tournaments of this store that have ended."""
        # Imported here: it needs the libraries of the archive, which few processes use.
        from cartulary.events.archiving.claiming import ArchiveClaim
        from cartulary.events.tournaments.archiving.tournament_archiver import TournamentArchiver

        of = self._of
        claim = ArchiveClaim(of.archive, of.archive_state)
        parts = (of.redis, self.streams, self.lists, claim)
        return TournamentArchiver(*parts, of.archive_state, of.clock)
