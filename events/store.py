"""The whole ledger, wired to one server: what the service and the workers hold."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

from redis import Redis

from cartulary.events.accounts.accounts import Accounts
from cartulary.events.analyses.asking import Asking
from cartulary.events.analyses.learning import Learning
from cartulary.events.analyses.returned_mistakes import ReturnedMistakes
from cartulary.events.analyses.storage import Analyses
from cartulary.events.archive.reading import ArchiveReader, MakeReader, choose_reader
from cartulary.events.archive.state import ArchiveState
from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.archiving.renewing import ArchivedRows
from cartulary.events.audit.audit import Audit
from cartulary.events.chat.complaints import Complaints
from cartulary.events.chat.mutes import Mutes
from cartulary.events.chat.notes import Notes
from cartulary.events.chat.talk import Talk
from cartulary.events.commands.commands import Commands
from cartulary.events.commands.game.clock_news import ClockNews
from cartulary.events.commands.rounds.closing import RoundCommands
from cartulary.events.commands.rounds.making import RoundMaker
from cartulary.events.commands.table.seat_requests import SeatRequests
from cartulary.events.company.attendance import Attendance
from cartulary.events.company.company import Companions
from cartulary.events.company.follows import Follows
from cartulary.events.company.lobby import Lobby
from cartulary.events.company.matchmaker import Matchmaker
from cartulary.events.company.seeks import Seeks
from cartulary.events.draws.draws import Draws
from cartulary.events.draws.keyring import Keyring
from cartulary.events.draws.tournament_secrets import TournamentSecrets
from cartulary.events.draws.vault import Vault
from cartulary.events.explorer.explorer import Explorer
from cartulary.events.films.storage import Films
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import CAPACITY, Projector
from cartulary.events.ledger.snapshots import Snapshots
from cartulary.events.lists.inbox import Inbox
from cartulary.events.lists.presence import Presence
from cartulary.events.lists.projections import Projections
from cartulary.events.lists.turns import Turns
from cartulary.events.lists.update_lists import ListUpdater
from cartulary.events.live.signals import Signals
from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.model.offers import Offers, Rules
from cartulary.events.model.time.timing import find_deadline
from cartulary.events.notices.log import NoticeLog
from cartulary.events.notices.registry import NoticeRegistry
from cartulary.events.order.office import Office
from cartulary.events.outside_bots.accepts import Acceptance
from cartulary.events.outside_bots.accounts import BotAccounts
from cartulary.events.outside_bots.connections import BotConnections
from cartulary.events.outside_bots.questions import BotQuestions
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.ceremonies import Ceremonies
from cartulary.events.people.links import LinkCodes
from cartulary.events.people.name_index import NameIndex
from cartulary.events.people.passkeys import Passkeys
from cartulary.events.people.players import PlayerRegistry
from cartulary.events.people.preferences import Preferences
from cartulary.events.people.quotas import UNLIMITED, QuotaLimits, Quotas
from cartulary.events.people.recovery import RecoveryCodes
from cartulary.events.people.tickets import Tickets
from cartulary.events.people.tokens import Tokens
from cartulary.events.profiles.counting import StatisticsCounter
from cartulary.events.profiles.reading import ProfileReader
from cartulary.events.puzzles.puzzles import Puzzles
from cartulary.events.puzzles.shipped import find_pack
from cartulary.events.ratings.describing import GameRatings
from cartulary.events.ratings.folding import RatingFolder
from cartulary.events.ratings.reading import RatingReader
from cartulary.events.server.connection import REPLICAS_WITHIN_MS, check
from cartulary.events.server.format import check_format
from cartulary.events.server.heartbeat import Reports
from cartulary.events.server.leases import Leases
from cartulary.events.server.servers import connect_games, make_outbox
from cartulary.events.settings import ARCHIVE_AFTER_S, REPLICATED, StoreSettings
from cartulary.events.studies.studies import Studies
from cartulary.events.time.calendar import Calendar
from cartulary.events.time.outages import Outages
from cartulary.events.time.rules_since import RulesSince
from cartulary.events.time.vacations import Vacations
from cartulary.events.tournaments.tournaments import Tournaments

if TYPE_CHECKING:
    from cartulary.events.archiving.archiver import Archiver
    from cartulary.events.explorer.building import Builder


class Store:
    """The parts of the ledger.

    `redis` is where the games are: the keys with the tag of a game, and the outboxes. `registry` is
    where everything else is, by default the same server.
    `offers` are the games on offer by name. `rng` makes the secrets of the draws; tests choose it.
    `limits` are the quotas of each player. `keyring` encrypts the secrets; by default that of
    `CARTULARY_SECRET`, and without the variable a key that lasts as long as this process. `clock`
    tells the commands the time; tests choose it. `archive` makes the reader of the archive, which
    has the finished games that have left the server; by default the store has no archive.
    """

    def __init__(
        self,
        redis: Redis,
        offers: Offers,
        cache_bytes: int = CAPACITY,
        rng: Random | None = None,
        limits: QuotaLimits = UNLIMITED,
        keyring: Keyring | None = None,
        clock: Clock = SYSTEM,
        registry: Redis | None = None,
        archive: MakeReader = ArchiveReader,
        replicas_within_ms: int = 0,
    ) -> None:
        self.redis = redis
        self.registry = redis if registry is None else registry
        self.clock = clock
        self.rules: Rules = {name: offer.rules for name, offer in offers.items()}
        keyring = Keyring.find() if keyring is None else keyring
        self.keyring = keyring
        self.vault = Vault(redis, keyring, self.registry)
        self._wire_ledger(archive, cache_bytes, replicas_within_ms)
        self._wire_time()
        self._wire_lists()
        self._wire_people(offers)
        self._wire_talk()
        self._wire_commands(offers, limits, rng)
        self.tournaments = Tournaments(self, TournamentSecrets(self.vault, self.draws))
        self._wire_accounts(offers)

    def _wire_ledger(self, archive: MakeReader, cache_bytes: int, replicas_within_ms: int) -> None:
        """Make what holds the events and folds them."""
        self.archive_state = ArchiveState(self.registry, self.clock)
        self.archive = archive(self.archive_state.find_identity)
        self.archive_after: int | None = ARCHIVE_AFTER_S
        """Seconds from the end of a game until it is archived, None for never."""
        self.ledger = Ledger(self.redis, self.registry, self.archive, replicas_within_ms)
        self.snapshots = Snapshots(self.redis, self.rules)
        self.projector = Projector(self.ledger, self.snapshots, self.rules, cache_bytes)
        self.masks = self.ledger.masks
        self.audit = Audit(self.ledger, self.rules)
        self.outbox = make_outbox(self.redis, self.registry)
        self.leases = Leases(self.redis)
        self.heartbeats = Reports(self.registry, clock=self.clock)
        self.signals = Signals(self.redis, self.registry)

    def _wire_time(self) -> None:
        """Make what measures time."""
        self.since = RulesSince(self.registry, self.clock)
        self.outages = Outages(self.registry, self.clock)
        self.vacations = Vacations(self.registry, self.clock)
        self.calendar = Calendar(self.registry, self.clock, self.outages, self.vacations)

    def _wire_lists(self) -> None:
        """Make the projections, and what moves games between them and the archive."""
        self.projections = Projections(
            self.registry,
            self.since.read,
            self.masks,
            self.redis,
            self.archive,
            partial(find_deadline, calendar=self.calendar),
        )
        self.list_updater = ListUpdater(self.ledger, self.projector, self.projections, self.rules)
        self.bringing_back = BringingBack(
            self.ledger, self.projector, self.projections, self.archive, self.clock
        )
        self.archived_rows = ArchivedRows(self.ledger, self.projector, self.make_archiver)
        self.ratings = RatingFolder(self.registry, self.clock)
        self.rating_reader = RatingReader(self.registry, self.clock)
        self.statistics = StatisticsCounter(self.registry, self.rules)
        self.explorer = Explorer(self._make_builder)
        self.game_ratings = GameRatings(self.rating_reader, self.ledger.events)
        self.inbox = Inbox(self.registry)
        self.turns = Turns(self.registry, self.projections, self.inbox, self.rules, self.masks)
        self.presence = Presence(self.registry, self.clock, self.signals, self.projections)
        self.notices = NoticeRegistry(self.registry, self.clock)
        self.notice_log = NoticeLog(self.registry)

    def _wire_people(self, offers: Offers) -> None:
        """Make what is known of people."""
        self.players = PlayerRegistry(self.registry, clock=lambda: self.clock.now_ms() / 1000)
        self.names = NameIndex(self.registry)
        self.tokens = Tokens(self.registry, self.players, self.clock)
        self.blocks = Blocks(self.registry, self.clock)
        self.follows = Follows(self.registry, self.clock)
        self.preferences = Preferences(self.registry)
        self.puzzles = Puzzles(
            self.registry, self.rules, self.clock, lambda game: find_pack(offers[game])
        )
        self.profiles = ProfileReader(self.registry, self.players, self.preferences)
        self.tickets = Tickets(self.registry, self.players, self.clock)
        self.seat_requests = SeatRequests(
            self.registry, self.projector, self.inbox, self.blocks, self.clock
        )
        self.company = Companions(
            *(self.registry, self.follows, self.blocks, self.preferences),
            *(self.players, self.presence, self.projections),
        )
        self.seeks = Seeks(self.registry, self.clock)
        self.lobby = Lobby(self.registry, self.projections, self.seeks, self.rules)
        self.attendance = Attendance(self.registry, self.clock)
        self.connected_bots = BotConnections(self.registry, self.presence, self.clock)
        self.bot_questions = BotQuestions(
            self.registry, self.notices, self.connected_bots, self.clock, self.projector.table
        )
        self.acceptance = Acceptance(self.registry, self.bot_questions.is_there, self.follows.has)
        self.links = LinkCodes(self.registry, self.clock)
        self.recovery = RecoveryCodes(self.registry, self.tokens, self.clock)
        self.passkeys = Passkeys(self.registry, self.tokens, self.clock)
        self.ceremonies = Ceremonies(self.registry, self.passkeys, self.clock)

    def _wire_talk(self) -> None:
        """Make what people say to each other, and what they write for others."""
        self.mutes = Mutes(self.registry)
        self.studies = Studies(self)
        self.talk = Talk(
            *(self.ledger, self.projector, self.clock, self.signals, self.inbox),
            *(self.bringing_back, self.archived_rows),
        )
        self.notes = Notes(self.ledger, self.projector, self.bringing_back)
        self.complaints = Complaints(
            *(self.registry, self.projector, self.players, self.talk),
            *(self.studies.copy_for_report, self.clock),
        )

    def _wire_commands(self, offers: Offers, limits: QuotaLimits, rng: Random | None) -> None:
        """Make what changes games, and what tells of it."""
        self.draws = Draws(self.vault, rng)
        quotas = Quotas(self.registry, limits)
        self.analyses = Analyses(self.redis, self.clock, self.registry)
        self.learning = Learning(self.registry, self.clock)
        self.returned_mistakes = ReturnedMistakes(
            self.registry, self.learning, self.analyses, self.inbox, self.rules, self.clock
        )
        self.films = Films(self.redis, self.registry, self.clock)
        self.asking = Asking(self.analyses, quotas)
        self.commands = Commands(
            self.ledger,
            self.projector,
            self.projections,
            self.snapshots,
            offers,
            self.vault,
            self.draws,
            self.players,
            self.blocks,
            quotas,
            self.clock,
            self.since,
            self.calendar,
            self.bringing_back,
            self.presence.last_seen,
            self.acceptance,
        )
        commands = self.commands
        self.round_maker = RoundMaker(
            *(self.registry, self.projector, commands.creator, commands.round_starts),
            *(commands.rated, offers, commands.writer.level.read, self.bot_questions.is_there),
        )
        self.round_commands = RoundCommands(
            *(self.ledger, commands.writer, commands.creator, commands.round_starts),
            *(self.draws, offers, self.clock, self.outbox.put),
        )
        self.matchmaker = Matchmaker(
            *(self.seeks, self.commands, self.players, self.projector, self.projections),
            *(self.blocks, self.presence, quotas, self.inbox, offers),
            self.rating_reader,
        )
        self.clock_news = ClockNews(
            self.projector,
            self.projections,
            self.calendar,
            self.turns,
            self.signals,
            self.commands.time,
            self.vacations,
            self.clock,
        )

    def _wire_accounts(self, offers: Offers) -> None:
        """Make what a person does with a whole account, and what operators do with one."""
        self.own_bots = BotAccounts(
            *(self.registry, self.players, self.tokens, self.clock),
            self.commands.writer.level.read,
            self.notices.drop_webhooks,
        )
        self.accounts = Accounts(self, offers)
        self.office = Office(
            *(self.registry, self.players, self.tokens, self.names, self.own_bots),
            self.accounts.departures,
            self.seeks,
            self.accounts.deletion,
            *(self.complaints, self.talk, self.inbox),
            *(self.tournaments, self.studies, self.clock),
        )

    @classmethod
    def open(
        cls,
        settings: StoreSettings,
        offers: Offers,
        clock: Clock = SYSTEM,
        rng: Random | None = None,
    ) -> Store:
        """Connect to the events server of `settings`; `clock` and `rng` are as in a new store."""
        games, registry = connect_games(settings.events_url, lambda: settings.queue_url)
        store = cls(
            games,
            offers,
            settings.cache_bytes,
            rng,
            limits=settings.limits,
            keyring=Keyring(settings.keys) if settings.keys else None,
            clock=clock,
            archive=choose_reader(settings.archive_url),
            registry=registry,
            replicas_within_ms=REPLICAS_WITHIN_MS if settings.replicated else 0,
        )
        store.outages.limits = settings.silence
        store.vacations.allowance = settings.allowance
        store.analyses.kept_days = settings.analysis_days
        store.archive_after = settings.archive_after
        store.explorer.url = settings.explorer_url
        return store

    @property
    def durability(self) -> str:
        """What this process waits for: `replicated`, '' where the server alone decides."""
        return REPLICATED if self.ledger.replicas_within_ms else ""

    def show_life(self, name: str) -> None:
        """Show in the store that this process works; `name` is that in the `Procfile`.

        Raises `RedisError`.
        """
        self.heartbeats.show(name, self.durability, self.keyring.mark)

    def make_archiver(self) -> Archiver:
        """Return what archives the games of this store that are over."""
        # Imported here: it needs the libraries of the archive, which few processes use.
        from cartulary.events.archiving.archiver import Archiver

        return Archiver(
            *(self.ledger, self.projector, self.projections, self.archive),
            *(self.archive_state, self.clock, self.bringing_back.unlist),
        )

    def _make_builder(self) -> Builder:
        # Imported here for the same reason.
        from cartulary.events.explorer.building import Builder

        return Builder(self.ledger, self.archive, self.rating_reader, self.rules)

    def ping(self) -> None:
        """Check that the events server answers within 2 s, and claim the store (`claim`).

        Raises `RedisError`, `UnusableStore`.
        """
        self._check()
        self.claim()

    def claim(self) -> None:
        """Note that this release writes to the store (`Level.claim`), until that is settled.

        Raises `UnusableStore` (see `check_format`), `RedisError`.
        """
        self.commands.writer.level.claim()

    def inspect(self) -> None:
        """Check that the server answers within 2 s and that this release can read the store.

        Changes nothing. Raises `RedisError`, `UnusableStore`.
        """
        self._check()
        check_format(self.registry)

    def _check(self) -> None:
        check(self.redis)
        if self.registry is not self.redis:
            check(self.registry)

    def close(self) -> None:
        """End all connections."""
        self.leases.close()
        self.projector.close()
        self.archive.close()
        self.explorer.close()
        self.redis.close()
        self.registry.close()
