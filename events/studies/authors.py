"""Who writes in a study: the owner asks, the one who is asked says yes, each of them may go.

A player becomes an author only with a yes, so no quota is filled by others.
"""

from __future__ import annotations

from typing import Any

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.lists.inbox import Inbox, make_item
from cartulary.events.model.errors import Invalid, NotFound, StaleVersion
from cartulary.events.model.types import Json
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import Player, PlayerRegistry, name_of
from cartulary.events.studies.drafts import StudyDraft
from cartulary.events.studies.listing import StudyLists
from cartulary.events.studies.rights import StudyRights
from cartulary.events.studies.streams import StudyStreams
from cartulary.events.studies.writer import (
    ATTEMPTS,
    StudyWriter,
    StudyWritten,
    must_own,
    refusing,
)
from cartulary.studies import events as types
from cartulary.studies.bounds import check_bounds
from cartulary.studies.state import StudyTree

_NOBODY = "there is no such player"


class StudyAuthors:
    """Invitations, and what becomes of authors. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        streams: StudyStreams,
        lists: StudyLists,
        writer: StudyWriter,
        rights: StudyRights,
        players: PlayerRegistry,
        blocks: Blocks,
        inbox: Inbox,
    ) -> None:
        self._streams, self._lists, self._writer, self._rights = streams, lists, writer, rights
        self._players, self._blocks, self._inbox = players, blocks, inbox

    def add(self, intent: Intent, study_id: str, player_id: str) -> StudyWritten:
        """Ask a player to write in a study, as its owner; or say yes, as the one who is asked.

        What is so already changes nothing. For a guest who has merged the account is asked: the
        guest has no token any more. Raises `NotFound` for a missing player, and where one of the
        two blocks the other, `NotAuthor`, `Muted`, `Invalid` for a study that is hidden; for a yes
        `QuotaExceeded`.
        """
        player_id = self._players.find_account(player_id)

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            if player_id != intent.who.id:
                self._invite(study, draft, intent.who, player_id)
            elif not study.has_author(player_id):
                self._join(study, draft, intent.who)

        done = self._writer.write(intent, study_id, "add_author", player_id, decide)
        if player_id != intent.who.id and done.study.has_invited(player_id):
            # Also where the request comes again: the first one may have ended before this.
            self._tell(study_id, done.study, intent.who, player_id)
        return done

    def _invite(self, study: StudyTree, draft: StudyDraft, who: Player, player_id: str) -> None:
        must_own(study, who)
        player = self._players.by_id(player_id)
        apart = self._blocks.find_apart(who.id, [player_id])
        if player is None or player.is_bot or apart:
            raise NotFound(_NOBODY)
        if study.has_author(player_id) or study.has_invited(player_id):
            return
        if study.hidden is not None:
            raise Invalid([("", "the study is hidden by the operators: its authors alone read it")])
        self._rights.must_have_the_word(who)
        draft.add(types.AUTHOR_INVITED, player=name_of(player), by=who.id)
        with refusing():
            check_bounds(draft.study)

    def _join(self, study: StudyTree, draft: StudyDraft, who: Player) -> None:
        apart = self._blocks.find_apart(who.id, [study.owner])
        if apart or not study.has_invited(who.id):
            raise NotFound("you are not asked to write in this study")
        self._rights.must_have_room(who)
        authors = [*study.authors, name_of(who)]
        draft.add(types.AUTHORS_CHANGED, authors=authors, by=who.id)

    def _tell(self, study_id: str, study: StudyTree, owner: Player, player_id: str) -> None:
        data: Json = {
            "study": study_id,
            "title": study.title,
            "player": name_of(owner),
            "url": f"/studies/{study_id}",
        }
        # The same item for each invitation to a study: who asks again and again tells once.
        item = make_item(study_id, "study_invited", player_id, study.updated_at, data)
        self._inbox.add(player_id, [item])

    def remove(self, intent: Intent, study_id: str, player_id: str) -> StudyWritten:
        """Take an author out of a study, or end an invitation.

        The owner removes others and withdraws invitations; each author may leave, and each who is
        asked may decline. Raises `NotFound` for a player who is neither, `NotAuthor`, `Invalid` for
        the owner, who may delete the study.
        """

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            if player_id != intent.who.id:
                must_own(study, intent.who)
            if study.has_invited(player_id):
                draft.add(types.INVITATION_CLOSED, player=player_id, by=intent.who.id)
                return
            if not study.has_author(player_id):
                raise NotFound("this player is no author of the study")
            if player_id == study.owner:
                raise Invalid([("", "the owner stays, or deletes the study")])
            authors = [one for one in study.authors if one["id"] != player_id]
            draft.add(types.AUTHORS_CHANGED, authors=authors, by=intent.who.id)

        return self._writer.write(intent, study_id, "remove_author", player_id, decide)

    # -- accounts ---------------------------------------------------------------------------------

    def forget(self, player_id: str) -> None:
        """Take a player whose account is deleted out of all studies and invitations.

        A study without another author is deleted with all its texts; else the next author owns it.
        May be repeated. Raises `StaleVersion` when others were faster each time.
        """
        for study_id in self._list_all(player_id):
            self._forget_in(study_id, player_id)

    def _forget_in(self, study_id: str, player_id: str) -> None:
        version = 0
        for _ in range(ATTEMPTS):
            found = self._streams.find(study_id)
            if found is None:
                return
            version = found.study.version
            if _writes_alone(found.study, player_id):
                if self._streams.drop(study_id, version):
                    return
            elif not self._replace(study_id, player_id, None).has_author(player_id):
                return
        raise StaleVersion(version)

    def take_over(self, guest_id: str, player: Player) -> None:
        """Let an account write in the place of a guest who has merged into it. May be repeated."""
        for study_id in self._list_all(guest_id):
            if self._streams.find(study_id) is not None:  # a list may be older than the studies
                self._replace(study_id, guest_id, player)

    def _list_all(self, player_id: str) -> list[str]:
        return [*self._lists.list_of(player_id), *self._lists.list_asked(player_id)]

    def _replace(self, study_id: str, gone: str, by: Player | None) -> StudyTree:
        """Put a player in the place of an author or of one who is asked, or none.

        Without a player a last author stays. Returns the study as it is then.
        """

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            if study.has_invited(gone):
                draft.add(types.INVITATION_CLOSED, player=gone, by=gone)
                known = by is None or study.has_author(by.id) or study.has_invited(by.id)
                if by is not None and not known:
                    draft.add(types.AUTHOR_INVITED, player=name_of(by), by=gone)
            if study.has_author(gone) and (by is not None or not _writes_alone(study, gone)):
                authors = _put(study.authors, gone, by)
                draft.add(types.AUTHORS_CHANGED, authors=authors, by=gone)

        return self._writer.judge(study_id, None, decide).study


def _writes_alone(study: StudyTree, player_id: str) -> bool:
    return all(author["id"] == player_id for author in study.authors)


def _put(authors: tuple[Json, ...], gone: str, by: Player | None) -> list[Json]:
    """Return authors with a player in the place of one; without a player those behind move up."""
    place: list[Any] = [] if by is None else [name_of(by)]
    kept: dict[str, Json] = {}
    for author in authors:
        for one in place if author["id"] == gone else [author]:
            kept.setdefault(one["id"], one)
    return [*kept.values()]
