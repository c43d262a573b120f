"""Accounts: everything that a person does with a whole account, as one object."""

from __future__ import annotations

from typing import Protocol

from redis import Redis

from cartulary.events.accounts.deletion import Deletion
from cartulary.events.accounts.departures import Departures
from cartulary.events.accounts.exporting import Exporting
from cartulary.events.accounts.local_games import LocalGames
from cartulary.events.accounts.merging import Merging
from cartulary.events.accounts.sessions import Sessions
from cartulary.events.analyses.learning import Learning
from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.archiving.renewing import ArchivedRows
from cartulary.events.chat.complaints import Complaints
from cartulary.events.chat.notes import Notes
from cartulary.events.chat.talk import Talk
from cartulary.events.commands.commands import Commands
from cartulary.events.company.follows import Follows
from cartulary.events.company.seeks import Seeks
from cartulary.events.draws.draws import Draws
from cartulary.events.films.storage import Films
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.lists.inbox import Inbox
from cartulary.events.lists.projections import Projections
from cartulary.events.lists.turns import Turns
from cartulary.events.model.clock import Clock
from cartulary.events.model.offers import Offers, Rules
from cartulary.events.notices.registry import NoticeRegistry
from cartulary.events.outside_bots.accounts import BotAccounts
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.ceremonies import Ceremonies
from cartulary.events.people.links import LinkCodes
from cartulary.events.people.passkeys import Passkeys
from cartulary.events.people.players import PlayerRegistry
from cartulary.events.people.preferences import Preferences
from cartulary.events.people.recovery import RecoveryCodes
from cartulary.events.people.tokens import Tokens
from cartulary.events.profiles.counting import StatisticsCounter
from cartulary.events.puzzles.puzzles import Puzzles
from cartulary.events.studies.studies import Studies
from cartulary.events.time.vacations import Vacations
from cartulary.events.tournaments.tournaments import Tournaments


class AccountParts(Protocol):
    """The parts of a store from which accounts are made: an account is in almost all of them."""

    redis: Redis
    registry: Redis
    clock: Clock
    rules: Rules
    ledger: Ledger
    projections: Projections
    commands: Commands
    draws: Draws
    films: Films
    bringing_back: BringingBack
    archived_rows: ArchivedRows
    statistics: StatisticsCounter
    learning: Learning
    tournaments: Tournaments
    studies: Studies
    inbox: Inbox
    turns: Turns
    notices: NoticeRegistry
    players: PlayerRegistry
    tokens: Tokens
    links: LinkCodes
    recovery: RecoveryCodes
    passkeys: Passkeys
    ceremonies: Ceremonies
    preferences: Preferences
    vacations: Vacations
    blocks: Blocks
    follows: Follows
    seeks: Seeks
    own_bots: BotAccounts
    talk: Talk
    notes: Notes
    complaints: Complaints
    puzzles: Puzzles


class Accounts:
    """What people do with their accounts: sign in, export, merge, delete. Thread-safe."""

    def __init__(self, of: AccountParts, offers: Offers) -> None:
        self.local_games = LocalGames(of.registry, of.rules, of.clock)
        self.sessions = Sessions(
            *(of.players, of.tokens, of.links, of.recovery, of.passkeys, of.ceremonies),
            of.inbox,
        )
        self.exporting = Exporting(
            *(of.registry, of.players, of.preferences, of.tokens, of.passkeys),
            *(of.blocks, self.local_games, of.vacations, of.projections, of.talk),
            *(of.notes, of.inbox, of.notices, of.follows, of.seeks),
            *(of.complaints, of.learning, of.tournaments.lists, of.studies),
            *(of.turns.mask_item, of.puzzles.book),
        )
        writer, creator = of.commands.writer, of.commands.creator
        self.merging = Merging(
            *(of.registry, of.players, of.tokens, of.blocks, of.projections, writer, creator),
            *(self.local_games, of.own_bots, of.passkeys, of.notices, of.follows, of.seeks),
            of.learning,
            *(of.tournaments.commands, of.studies.authors, of.puzzles.book),
            of.redis,
        )
        self.departures = Departures(
            *(of.projections, writer, creator, offers, of.draws), of.tournaments.commands
        )
        self.deletion = Deletion(
            *(of.ledger, self.departures, writer.standings, of.players, of.talk, of.notes),
            *(of.clock, of.bringing_back, of.archived_rows, of.films, of.own_bots),
            *(of.notices, (of.blocks, of.follows), of.seeks, of.statistics, of.studies.authors),
            of.learning,
            of.puzzles.book,
        )
