"""The office: everything that operators decide with, as one object."""

from __future__ import annotations

from redis import Redis

from cartulary.events.accounts.deletion import Deletion
from cartulary.events.accounts.departures import Departures
from cartulary.events.chat.complaints import Complaints
from cartulary.events.chat.talk import Talk
from cartulary.events.company.seeks import Seeks
from cartulary.events.lists.inbox import Inbox
from cartulary.events.model.clock import Clock
from cartulary.events.order.answers import Answers
from cartulary.events.order.log import OperatorLog
from cartulary.events.order.name_rules import NameRules
from cartulary.events.order.operators import Operators
from cartulary.events.order.orders import Orders
from cartulary.events.order.standings import PlayerStandings
from cartulary.events.order.study_decisions import StudyDecisions
from cartulary.events.order.telling import Telling
from cartulary.events.order.tournament_decisions import TournamentDecisions
from cartulary.events.outside_bots.accounts import BotAccounts
from cartulary.events.people.name_index import NameIndex
from cartulary.events.people.players import PlayerRegistry
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.people.tokens import Tokens
from cartulary.events.server import keys
from cartulary.events.studies.studies import Studies
from cartulary.events.tournaments.tournaments import Tournaments


class Office:
    """The parts with which operators keep order. Thread-safe."""

    def __init__(
        self,
        redis: Redis,
        players: PlayerRegistry,
        tokens: Tokens,
        names: NameIndex,
        own_bots: BotAccounts,
        departures: Departures,
        seeks: Seeks,
        deletion: Deletion,
        complaints: Complaints,
        talk: Talk,
        inbox: Inbox,
        tournaments: Tournaments,
        studies: Studies,
        clock: Clock,
    ) -> None:
        self.muted = SentenceRegister(redis, keys.muted(), clock)
        self.suspended = SentenceRegister(redis, keys.suspended(), clock)
        self.operators = Operators(redis, players, tokens, clock)
        self.name_rules = NameRules(redis, players, self.operators)
        self.log = OperatorLog(redis, clock)
        telling = Telling(redis, inbox)
        self.answers = Answers(complaints, talk, self.log, telling)
        self.orders = Orders(
            *(redis, players, own_bots, self.muted, self.suspended),
            *(departures, seeks, deletion, self.name_rules, self.operators),
            *(self.log, telling, clock),
        )
        self.tournaments = TournamentDecisions(
            *(tournaments.writer, tournaments.secrets, tournaments.games),
            *(players, self.suspended, self.log),
        )
        self.studies = StudyDecisions(studies, self.log, telling)
        self.standings = PlayerStandings(
            *(players, names, self.muted, self.suspended),
            *(self.operators, complaints, self.log),
        )
