"""What authors do to studies. A refused command stores nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.engine.transcript import from_json
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.rounds.importing import SealedGames
from cartulary.events.ledger.ledger import Idempotency, Ledger, VersionConflict
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import (
    IdempotencyMismatch,
    Invalid,
    Muted,
    NotAuthor,
    NotForBots,
    NotFound,
    QuotaExceeded,
    StaleVersion,
)
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import Player, PlayerRegistry, name_of
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.server import keys
from cartulary.events.studies.drafts import StudyDraft
from cartulary.events.studies.listing import StudyLists, is_readable
from cartulary.events.studies.streams import MISSING, KnownStudy, StudyStreams
from cartulary.studies import events as types
from cartulary.studies.bounds import check_bounds, check_stream
from cartulary.studies.checking import check
from cartulary.studies.editing import OF_OWNER, AskedChange, make_event, place_chapter
from cartulary.studies.faults import FaultyStudy
from cartulary.studies.state import StudyTree

MOST: Final = 200
"""So many studies a player may have a part in."""

ATTEMPTS: Final = 10
"""How often a command is judged: again after each append that came too late."""

DecideStudy = Callable[[StudyTree, StudyDraft], None]
"""Judges a command on a study: adds events to the draft, or raises a `Refused`."""


class StudyWritten(NamedTuple):
    """What a command did: the study as of its last event, and its events.

    `replayed`: the key was used before, and this is what the command did then.
    """

    study: StudyTree
    events: list[Json]
    replayed: bool = False


class StudyCommands:
    """The commands of studies. Thread-safe. All raise `RedisError`; writes `StaleVersion`."""

    def __init__(
        self,
        registry: Redis,
        streams: StudyStreams,
        lists: StudyLists,
        ledger: Ledger,
        players: PlayerRegistry,
        blocks: Blocks,
        rules: Rules,
        clock: Clock,
        sealed: SealedGames,
    ) -> None:
        self._streams, self._lists, self._ledger = streams, lists, ledger
        self._players, self._blocks, self._rules, self._clock = players, blocks, rules, clock
        self._sealed = sealed
        self._muted = SentenceRegister(registry, keys.muted(), clock)

    # -- authors ----------------------------------------------------------------------------------

    def create(self, intent: Intent, document: Json) -> tuple[str, StudyWritten]:
        """Begin a study from a study file, whose chapters may be none; returns its id.

        It is private. Raises `Invalid`, `NotForBots`, `QuotaExceeded`, `RoundOpen`.
        """
        use = intent.identify_creation("study", intent.get_body(document))
        reserved = use and keys.creation(intent.who.id, f"study:{use.field.rpartition(':')[2]}")
        known = reserved and self._ledger.reserved(reserved)
        record = self._streams.record(known, use.field) if known and use else None
        if known and use and record:
            return known, self._replay(known, record, use)
        self._must_have_room(intent.who)
        if faults := check(document, self._rules):
            raise Invalid([(one.pointer, one.detail, one.code) for one in faults])
        study_id = known or self._ledger.draw_id()
        if reserved:
            study_id = self._ledger.reserve(reserved, study_id)
        draft = self._draft(intent.who, study_id, document)
        self._must_show_no_open_round(intent.who, draft)
        try:
            return study_id, self._append(draft, use)
        except VersionConflict as error:
            # Two requests with one key at once: the other has stored it.
            raise StaleVersion(error.current_version) from error

    def _must_have_room(self, player: Player) -> None:
        if player.is_bot:
            raise NotForBots("a bot writes no study")
        used = self._lists.count_of(player.id)
        if used >= MOST:
            raise QuotaExceeded("studies", MOST, used, 0, None)

    def _draft(self, who: Player, study_id: str, document: Json) -> StudyDraft:
        draft = StudyDraft(study_id, self._clock)
        draft.add(
            types.STUDY_CREATED,
            title=document["title"],
            language=document["language"],
            visibility=types.PRIVATE,
            author=name_of(who),
        )
        for index, chapter in enumerate(document["chapters"]):
            path = ("chapters", index)
            with _refusing():
                fields = place_chapter(draft.study, chapter, self._rules, path)
                draft.add(types.CHAPTER_ADDED, **fields, by=who.id)
                check_bounds(draft.study)
        return draft

    def change(self, intent: Intent, study_id: str, changes: Sequence[Json]) -> StudyWritten:
        """Make some changes of a study, all or none.

        Raises `NotFound`, `NotAuthor`, `Muted`, `Invalid`, `RoundOpen`.
        """

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            with _refusing():
                for index, change in enumerate(changes):
                    asked = AskedChange(draft.study, change, self._rules, ("changes", index))
                    type_, fields = make_event(asked)
                    if type_ in OF_OWNER:
                        _must_own(study, intent.who)
                    draft.add(type_, **fields, by=intent.who.id)
                check_bounds(draft.study)
                if any(event["type"] not in OF_OWNER for event in draft.events):
                    check_stream(draft.size)
            self._must_show_no_open_round(intent.who, draft)
            if _is_told(draft):
                self._must_have_the_word(intent.who)

        return self._write(intent, study_id, "change", list(changes), decide)

    def _must_show_no_open_round(self, player: Player, draft: StudyDraft) -> None:
        """Raise `RoundOpen` for a new chapter with the draws of an open round of the player."""
        for event in draft.events:
            if event["type"] == types.CHAPTER_ADDED:
                start = from_json(event["start"], self._rules)
                drawn = [draw for node in event["line"] for draw in node.get("draws", [])]
                read = replace(start, draws=[*start.draws, *drawn])
                self._sealed.must_not_show(player.id, read)

    def _must_have_the_word(self, player: Player) -> None:
        """Raise `Muted` for a player who may write nothing that others read."""
        sentence = self._muted.find(player.id)
        if sentence is not None:
            raise Muted(sentence.until_text)

    def add_author(self, intent: Intent, study_id: str, player_id: str) -> StudyWritten:
        """Let another player write in a study; one who does changes nothing.

        For a guest who has merged the account writes: the guest has no token any more.
        Raises `NotFound` for a missing player, or one who blocks the owner, `NotAuthor`, `Muted`.
        """
        player_id = self._players.find_account(player_id)

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            _must_own(study, intent.who)
            player = self._players.by_id(player_id)
            apart = self._blocks.find_apart(intent.who.id, [player_id])
            if player is None or player.is_bot or apart:
                raise NotFound("there is no such player")
            if study.has_author(player_id):
                return
            self._must_have_the_word(intent.who)
            authors = [*study.authors, name_of(player)]
            draft.add(types.AUTHORS_CHANGED, authors=authors, by=intent.who.id)
            with _refusing():
                check_bounds(draft.study)

        return self._write(intent, study_id, "add_author", player_id, decide)

    def remove_author(self, intent: Intent, study_id: str, player_id: str) -> StudyWritten:
        """Take an author out of a study: the owner removes others, each of them may leave.

        Raises `NotFound` for a player who is no author, `NotAuthor`, `Invalid` for the owner, who
        may delete the study.
        """

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            if player_id != intent.who.id:
                _must_own(study, intent.who)
            if not study.has_author(player_id):
                raise NotFound("this player is no author of the study")
            if player_id == study.owner:
                raise Invalid([("", "the owner stays, or deletes the study")])
            authors = [one for one in study.authors if one["id"] != player_id]
            draft.add(types.AUTHORS_CHANGED, authors=authors, by=intent.who.id)

        return self._write(intent, study_id, "remove_author", player_id, decide)

    def delete(self, intent: Intent, study_id: str) -> None:
        """Delete a study for good. Raises `NotFound`, `NotAuthor` for others than the owner."""
        found = self.read(study_id, intent.who.id)
        _must_own(found.study, intent.who)
        self._streams.drop(study_id)

    def read(self, study_id: str, player_id: str | None) -> KnownStudy:
        """Return a study that a caller may read; raises `NotFound`."""
        found = self._streams.read(study_id)
        if not is_readable(found.study, player_id):
            raise NotFound(MISSING)
        return found

    # -- accounts ---------------------------------------------------------------------------------

    def forget_author(self, player_id: str) -> None:
        """Take a player whose account is deleted out of all studies.

        A study without another author is deleted with all its texts; else the next author owns it.
        May be repeated.
        """
        for study_id in self._lists.list_of(player_id):
            found = self._streams.find(study_id)
            if found is None:
                continue
            if all(one["id"] == player_id for one in found.study.authors):
                self._streams.drop(study_id)
            else:
                self._replace(study_id, player_id, None)

    def take_over(self, guest_id: str, player: Player) -> None:
        """Let an account write in the place of a guest who has merged into it. May be repeated."""
        for study_id in self._lists.list_of(guest_id):
            if self._streams.find(study_id) is not None:  # a list may be older than the studies
                self._replace(study_id, guest_id, player)

    def _replace(self, study_id: str, gone: str, by: Player | None) -> None:
        """Put a player in the place of an author, or none: then those behind move up."""

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            if not study.has_author(gone):
                return
            place = [] if by is None else [name_of(by)]
            found = [place if one["id"] == gone else [one] for one in study.authors]
            authors: dict[str, Json] = {}
            for one in (one for many in found for one in many):
                authors.setdefault(one["id"], one)
            draft.add(types.AUTHORS_CHANGED, authors=[*authors.values()], by=gone)

        self._judge(study_id, None, decide)

    # -- shared -----------------------------------------------------------------------------------

    def _write(
        self, intent: Intent, study_id: str, command: str, body: Any, decide: DecideStudy
    ) -> StudyWritten:
        def decide_as_author(study: StudyTree, draft: StudyDraft) -> None:
            if not is_readable(study, intent.who.id):
                raise NotFound(MISSING)
            if not study.has_author(intent.who.id):
                raise NotAuthor("only its authors write in a study")
            if intent.expected not in (None, study.version):
                raise StaleVersion(study.version)
            decide(study, draft)

        use = intent.identify(command, intent.get_body(body))
        return self._judge(study_id, use, decide_as_author)

    def _judge(self, study_id: str, use: Idempotency | None, decide: DecideStudy) -> StudyWritten:
        """Judge a command on the stored study and append; again when others were faster."""
        current = 0
        for _ in range(ATTEMPTS):
            found = self._streams.read(study_id)
            record = use and self._streams.record(study_id, use.field)
            if use is not None and record:
                return self._replay(study_id, record, use)
            draft = StudyDraft(study_id, self._clock, found.study, found.head, found.size)
            decide(found.study, draft)
            if not draft.events:
                return StudyWritten(found.study, [])
            try:
                return self._append(draft, use)
            except VersionConflict as conflict:
                current = conflict.current_version
        raise StaleVersion(current)

    def _append(self, draft: StudyDraft, use: Idempotency | None) -> StudyWritten:
        record = self._streams.append(draft, use)
        if record is not None and use is not None:
            return self._replay(draft.id, record, use)
        return StudyWritten(draft.study, draft.events)

    def _replay(self, study_id: str, record: IdempotencyRecord, use: Idempotency) -> StudyWritten:
        """Return what a key led to the first time. Raises `IdempotencyMismatch`."""
        if record.digest != use.digest:
            raise IdempotencyMismatch
        events = self._streams.deliver(study_id, record.first - 1, record.last - record.first + 1)
        return StudyWritten(self._streams.read_at(study_id, record.last), events, replayed=True)


def _must_own(study: StudyTree, player: Player) -> None:
    if study.owner != player.id:
        raise NotAuthor("only the owner of the study does this")


def _is_told(draft: StudyDraft) -> bool:
    """Return whether another player reads what an author has written."""
    written = any(event["type"] not in OF_OWNER for event in draft.events)
    return draft.study.visibility != types.PRIVATE or (written and len(draft.study.authors) > 1)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise `Invalid` for what is wrong with a study."""
    try:
        yield
    except FaultyStudy as error:
        fault = error.fault
        raise Invalid([(fault.pointer, fault.detail, fault.code)]) from error
