"""The whole ledger, wired to one server: what the service and the workers hold."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING, Final

from redis import Redis

from cartulary.events.accounts.blocks import Blocks
from cartulary.events.accounts.deletion import Deletion
from cartulary.events.accounts.exporting import Exporting
from cartulary.events.accounts.links import LinkCodes
from cartulary.events.accounts.merging import Merging
from cartulary.events.accounts.recovery import RecoveryCodes
from cartulary.events.accounts.sessions import Sessions
from cartulary.events.accounts.tokens import Tokens
from cartulary.events.ages import RulesSince
from cartulary.events.analyses.asking import Asking
from cartulary.events.analyses.storage import Analyses
from cartulary.events.archive.bringing_back import BringingBack
from cartulary.events.archive.reading import NO_ARCHIVE, ArchiveReader, make_reader
from cartulary.events.archive.state import ArchiveState
from cartulary.events.audit import Audit
from cartulary.events.calendar import Calendar
from cartulary.events.chat.complaints import Complaints
from cartulary.events.chat.mutes import Mutes
from cartulary.events.chat.notes import Notes
from cartulary.events.chat.talk import Talk
from cartulary.events.clock import SYSTEM, Clock
from cartulary.events.clock_news import ClockNews
from cartulary.events.cluster import is_cluster_url
from cartulary.events.cluster_outbox import make_outbox
from cartulary.events.commands import Commands
from cartulary.events.connection import REPLICAS_WITHIN_MS, check, connect
from cartulary.events.draws import Draws
from cartulary.events.format import check_format, claim_format
from cartulary.events.heartbeat import Reports
from cartulary.events.inbox import Inbox
from cartulary.events.keyring import KEY_BYTES, Keyring
from cartulary.events.leases import Leases
from cartulary.events.ledger import Ledger
from cartulary.events.live import Hub
from cartulary.events.offers import Offers, Rules
from cartulary.events.outages import Outages
from cartulary.events.players import Players
from cartulary.events.preferences import Preferences
from cartulary.events.presence import Presence
from cartulary.events.projections import Projections
from cartulary.events.projector import CAPACITY, Projector
from cartulary.events.quotas import UNLIMITED, Limits, Quotas
from cartulary.events.seat_requests import SeatRequests
from cartulary.events.settings import ARCHIVE_AFTER_S, Settings
from cartulary.events.signals import Signals
from cartulary.events.snapshots import Snapshots
from cartulary.events.telling import Teller
from cartulary.events.tickets import Tickets
from cartulary.events.turns import Turns
from cartulary.events.vacations import Vacations
from cartulary.events.vault import Vault

if TYPE_CHECKING:
    from cartulary.events.archive.archiver import Archiver

_TEMPORARY: Final = os.urandom(KEY_BYTES)
"""The key of a store that nobody opens again: in tests and benches."""


def _find_keyring() -> Keyring:
    """Return the keyring of the environment, else one that lasts as long as this process."""
    text = os.environ.get("CARTULARY_SECRET", "")
    return Keyring.parse(text) if text else Keyring([_TEMPORARY])


class Store:
    """The parts of the ledger.

    `redis` is where the games are: the keys with the tag of a game, and the outboxes. `registry` is
    where everything else is, by default the same server.
    `offers` are the games on offer by name. `rng` makes the secrets of the draws; tests choose it.
    `limits` are the quotas of each player. `keyring` encrypts the secrets; by default that of
    `CARTULARY_SECRET`, and without the variable a key that lasts as long as this process. `clock`
    tells the commands the time; tests choose it. `archive` has the finished games that have left
    the server.
    """

    def __init__(
        self,
        redis: Redis,
        offers: Offers,
        cache_bytes: int = CAPACITY,
        rng: Random | None = None,
        limits: Limits = UNLIMITED,
        keyring: Keyring | None = None,
        clock: Clock = SYSTEM,
        registry: Redis | None = None,
        archive: ArchiveReader = NO_ARCHIVE,
        replicas_within_ms: int = 0,
    ) -> None:
        self.redis = redis
        self.registry = redis if registry is None else registry
        self._claimed = False
        self.rules: Rules = {name: offer.rules for name, offer in offers.items()}
        self.archive_state = ArchiveState(self.registry, clock)
        # Each store has its own note; NO_ARCHIVE is shared.
        archive = ArchiveReader() if archive is NO_ARCHIVE else archive
        archive.noted = self.archive_state.find_identity
        self.archive = archive
        self.archive_after: int | None = ARCHIVE_AFTER_S
        """So many seconds after its end a game is archived, None for never."""
        self.ledger = Ledger(redis, self.registry, archive, replicas_within_ms)
        self.snapshots = Snapshots(redis, self.rules)
        self.projector = Projector(self.ledger, self.snapshots, self.rules, cache_bytes)
        self.clock = clock
        self.since = RulesSince(self.registry, clock)
        self.outages = Outages(self.registry, clock)
        self.vacations = Vacations(self.registry, clock)
        self.calendar = Calendar(self.registry, clock, self.outages, self.vacations)
        self.masks = self.ledger.masks
        self.projections = Projections(self.registry, self.since.read, self.masks, redis, archive)
        self.teller = Teller(self.ledger, self.projector, self.projections, self.rules)
        self.bringing_back = BringingBack(
            self.ledger, self.projector, self.projections, archive, clock
        )
        self.ledger.pin = self.bringing_back.pin
        self.ledger.rewrite = lambda game_id: self.make_archiver().rewrite(game_id)
        self.players = Players(self.registry, clock=lambda: clock.now_ms() / 1000)
        self.tokens = Tokens(self.registry, self.players, clock)
        self.blocks = Blocks(self.registry, clock)
        self.preferences = Preferences(self.registry)
        self.tickets = Tickets(self.registry, self.players, clock)
        self.signals = Signals(redis, self.registry)
        self.inbox = Inbox(self.registry)
        self.seat_requests = SeatRequests(
            self.registry, self.projector, self.inbox, self.blocks, clock
        )
        self.mutes = Mutes(self.registry, clock)
        self.talk = Talk(self.ledger, self.projector, clock, self.signals, self.inbox, self.masks)
        self.notes = Notes(self.ledger, self.projector)
        self.complaints = Complaints(self.registry, self.projector, self.players, self.talk, clock)
        self.turns = Turns(self.registry, self.projections, self.inbox, self.rules, self.masks)
        self.links = LinkCodes(self.registry, clock)
        self.recovery = RecoveryCodes(self.registry, self.tokens, clock)
        self.sessions = Sessions(self.players, self.tokens, self.links, self.recovery, self.inbox)
        self.outbox = make_outbox(redis, self.registry)
        self.reports = Reports(self.registry)
        self.leases = Leases(redis)
        self.audit = Audit(self.ledger, self.rules)
        self.hub = Hub(self.ledger)
        keyring = _find_keyring() if keyring is None else keyring
        self.vault = Vault(redis, keyring, self.registry)
        self.draws = Draws(self.vault, rng)
        self.presence = Presence(self.registry, clock, self.signals, self.projections, self.hub)
        quotas = Quotas(self.registry, limits)
        self.analyses = Analyses(redis, clock, self.registry)
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
            clock,
            self.since,
            self.calendar,
        )
        self.commands.silence.last_seen = self.presence.last_seen
        self.projections.find_deadline = self.commands.time.find_deadline
        news = ClockNews(
            self.projector,
            self.projections,
            self.calendar,
            self.turns,
            self.signals,
            self.commands.time,
        )
        self.vacations.judge_again = news.follow_vacations
        self.exporting = Exporting(
            self.registry,
            self.players,
            self.preferences,
            self.tokens,
            self.blocks,
            self.vacations,
            self.projections,
            self.talk,
            self.notes,
            self.inbox,
            self.turns.mask_item,
        )
        self.merging = Merging(
            self.registry,
            self.players,
            self.tokens,
            self.blocks,
            self.projections,
            self.commands.writer,
            self.commands.creator,
            redis,
        )

        self.deletion = Deletion(
            self.ledger,
            self.projections,
            self.commands,
            self.players,
            offers,
            self.talk,
            self.notes,
            self.draws,
            clock,
        )

    @classmethod
    def open(cls, settings: Settings, offers: Offers) -> Store:
        """Connect to the events server of `settings`."""
        in_cluster = is_cluster_url(settings.events_url)
        store = cls(
            connect(settings.events_url),
            offers,
            settings.cache_bytes,
            limits=settings.limits,
            keyring=Keyring(settings.keys) if settings.keys else None,
            archive=make_reader(settings.archive_url),
            registry=connect(settings.queue_url) if in_cluster else None,
            replicas_within_ms=REPLICAS_WITHIN_MS if settings.replicated else 0,
        )
        store.outages.limits = settings.silence
        store.vacations.allowance = settings.allowance
        store.analyses.kept_days = settings.analysis_days
        store.archive_after = settings.archive_after
        return store

    def make_archiver(self) -> Archiver:
        """Return what archives the games of this store that are over."""
        # Imported here: it needs the libraries of the archive, which few processes use.
        from cartulary.events.archive.archiver import Archiver

        return Archiver(
            self.ledger,
            self.projector,
            self.projections,
            self.archive,
            self.archive_state,
            self.clock,
            self.bringing_back.unlist,
        )

    def ping(self) -> None:
        """Check that the events server answers within 2 s, and claim the store (`claim`).

        Raises `RedisError`, `UnusableStore`.
        """
        self._check()
        self.claim()

    def claim(self) -> None:
        """Note that this release writes to the store; once for each process.

        Raises `UnusableStore` (see `check_format`), `RedisError`.
        """
        if not self._claimed:
            claim_format(self.registry)
            self._claimed = True

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
        """End the live reader and all connections."""
        self.hub.close()
        self.leases.close()
        self.projector.close()
        self.ledger.close()
        self.archive.close()
        self.redis.close()
        self.registry.close()
