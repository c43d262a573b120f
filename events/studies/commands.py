"""What authors do to studies. A refused command stores nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cartulary.engine.transcript import Transcript, from_json
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.rounds.importing import SealedGames
from cartulary.events.ledger.ledger import Ledger, VersionConflict
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import Invalid, NotFound, StaleVersion
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player, name_of
from cartulary.events.server import keys
from cartulary.events.studies.drafts import StudyDraft
from cartulary.events.studies.drawn import ShownDraws, find_shown
from cartulary.events.studies.listing import is_readable
from cartulary.events.studies.rights import StudyRights
from cartulary.events.studies.streams import MISSING, KnownStudy, StudyStreams
from cartulary.events.studies.writer import (
    StudyWriter,
    StudyWritten,
    must_not_be_of_house,
    must_own,
    must_write,
    refusing,
)
from cartulary.studies import events as types
from cartulary.studies.bounds import check_bounds, check_stream
from cartulary.studies.checking import check
from cartulary.studies.editing import OF_OWNER, AskedChange, make_event, place_chapter
from cartulary.studies.state import StudyTree


class StudyCommands:
    """The commands of studies. Thread-safe. All raise `RedisError`; writes `StaleVersion`."""

    def __init__(
        self,
        streams: StudyStreams,
        ledger: Ledger,
        writer: StudyWriter,
        rights: StudyRights,
        rules: Rules,
        clock: Clock,
        sealed: SealedGames,
    ) -> None:
        self._streams, self._ledger, self._writer = streams, ledger, writer
        self._rights, self._rules, self._clock, self._sealed = rights, rules, clock, sealed

    def create(
        self, intent: Intent, asked: Json, make: Callable[[], Json] | None = None
    ) -> tuple[str, StudyWritten]:
        """Begin a study from a study file, whose chapters may be none; returns its id.

        It is private. `make` returns the file where what is asked only names it, and is not called
        for a key that was used before.

        Raises `Invalid`, `NotForBots`, `QuotaExceeded`, `RoundOpen`, and what `make` raises.
        """
        use = intent.identify_creation("study", intent.get_body(asked))
        reserved = use and keys.creation(intent.who.id, f"study:{use.field.rpartition(':')[2]}")
        known = reserved and self._ledger.reserved(reserved)
        record = self._streams.record(known, use.field) if known and use else None
        if known and use and record:
            return known, self._writer.replay(known, record, use)
        self._rights.must_have_room(intent.who)
        document = asked if make is None else make()
        if faults := check(document, self._rules):
            raise Invalid([(one.pointer, one.detail, one.code) for one in faults])
        study_id = known or self._ledger.draw_id()
        if reserved:
            study_id = self._ledger.reserve(reserved, study_id)
        draft, shown = self._draft(intent.who, study_id, document)
        self._must_show_no_open_round(intent.who, shown)
        try:
            return study_id, self._writer.append(draft, use)
        except VersionConflict as error:
            # Two requests with one key at once: the other has stored it.
            raise StaleVersion(error.current_version) from error

    def _draft(
        self, who: Player, study_id: str, document: Json
    ) -> tuple[StudyDraft, list[ShownDraws]]:
        draft, shown = StudyDraft(study_id, self._clock), list[ShownDraws]()
        draft.add(
            types.STUDY_CREATED,
            title=document["title"],
            language=document["language"],
            visibility=types.PRIVATE,
            author=name_of(who),
        )
        for index, chapter in enumerate(document["chapters"]):
            path = ("chapters", index)
            with refusing():
                fields = place_chapter(draft.study, chapter, self._rules, path)
                draft.add(types.CHAPTER_ADDED, **fields, by=who.id)
                check_bounds(draft.study)
            shown += find_shown(draft.study, draft.events[-1])
        return draft, shown

    def change(self, intent: Intent, study_id: str, changes: Sequence[Json]) -> StudyWritten:
        """Make some changes of a study, all or none.

        Raises `NotFound`, `NotAuthor`, `Muted`, `Invalid`, `RoundOpen`.
        """

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            must_write(study, intent.who)
            shown: list[ShownDraws] = []
            with refusing():
                for index, change in enumerate(changes):
                    asked = AskedChange(draft.study, change, self._rules, ("changes", index))
                    type_, fields = make_event(asked)
                    if type_ in OF_OWNER:
                        must_own(study, intent.who)
                    draft.add(type_, **fields, by=intent.who.id)
                    shown += find_shown(draft.study, draft.events[-1])
                check_bounds(draft.study)
                if any(event["type"] not in OF_OWNER for event in draft.events):
                    check_stream(draft.size)
            self._must_show_no_open_round(intent.who, shown)
            if _is_told(draft):
                self._rights.must_have_the_word(intent.who)

        return self._writer.write(intent, study_id, "change", list(changes), decide)

    def _must_show_no_open_round(self, player: Player, shown: Sequence[ShownDraws]) -> None:
        """Raise `RoundOpen` for a new line with the draws of an open round of the player."""

        def make() -> Iterator[Transcript]:
            for one in shown:
                start = from_json(one.start, self._rules)
                for draws in one.list_lines(self._rules):
                    yield replace(start, draws=draws)

        if shown:
            self._sealed.must_not_show(player.id, make)

    def delete(self, intent: Intent, study_id: str) -> None:
        """Delete a study for good. Raises `NotFound`, `NotAuthor` for others than the owner."""
        must_not_be_of_house(study_id)
        found = self.read(study_id, intent.who.id)
        must_own(found.study, intent.who)
        self._streams.drop(study_id)

    def read(self, study_id: str, player_id: str | None) -> KnownStudy:
        """Return a study that a caller may read; raises `NotFound`."""
        found = self._streams.read(study_id)
        if not is_readable(found.study, player_id):
            raise NotFound(MISSING)
        return found


def _is_told(draft: StudyDraft) -> bool:
    """Return whether another player reads what an author has written."""
    study = draft.study
    written = any(event["type"] not in OF_OWNER for event in draft.events)
    read = len(study.authors) + len(study.invited) > 1
    return study.visibility != types.PRIVATE or (written and read)
