"""The parts of studies as one object."""

from __future__ import annotations

from typing import Protocol

from redis import Redis

from cartulary.events.commands.rounds.importing import SealedGames
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.inbox import Inbox
from cartulary.events.model.clock import Clock
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import PlayerRegistry
from cartulary.events.studies.authors import StudyAuthors
from cartulary.events.studies.commands import StudyCommands
from cartulary.events.studies.evidence import copy_study
from cartulary.events.studies.house import HouseStudies
from cartulary.events.studies.listing import StudyLists
from cartulary.events.studies.rights import StudyRights
from cartulary.events.studies.streams import StudyStreams
from cartulary.events.studies.writer import StudyWriter


class StudyParts(Protocol):
    """The parts of a store from which studies are made."""

    registry: Redis
    clock: Clock
    rules: Rules
    ledger: Ledger
    projector: Projector
    players: PlayerRegistry
    blocks: Blocks
    inbox: Inbox


class Studies:
    """What is done to studies. Thread-safe.

    `streams` has the events, `lists` what lists show, `commands` are what authors ask for,
    `authors` who they are, `writer` appends; `house` has the lessons that come with the program.
    """

    def __init__(self, of: StudyParts) -> None:
        self.streams = StudyStreams(of.registry, of.ledger.masks)
        self.lists = StudyLists(of.registry, of.ledger.masks)
        self.house = HouseStudies(of.rules)
        self.writer = writer = StudyWriter(self.streams, of.clock)
        rights = StudyRights(of.registry, self.lists, of.clock)
        self.commands = StudyCommands(
            *(self.streams, of.ledger, writer, rights, of.rules, of.clock),
            SealedGames(of.registry, of.ledger, of.projector),
        )
        self.authors = StudyAuthors(
            *(self.streams, self.lists, writer, rights),
            *(of.players, of.blocks, of.inbox),
        )

    def copy_for_report(self, study_id: str, player_id: str) -> Json:
        """Return what a report keeps of a study that a player may read; raises `NotFound`."""
        return copy_study(self.commands.read(study_id, player_id))
