"""What operators decide about studies: one that is hidden is read by its authors alone.

Each decision has a reason, which the authors read, and a line in the log of the operators. A
refused decision stores nothing; one that another command overtakes between the two may have left
its line.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.errors import Invalid
from cartulary.events.order.log import LogEntry, OperatorLog
from cartulary.events.order.orders import LONGEST_REASON
from cartulary.events.order.telling import Telling, What
from cartulary.events.studies.drafts import StudyDraft
from cartulary.events.studies.streams import KnownStudy
from cartulary.events.studies.studies import Studies
from cartulary.events.studies.writer import StudyWritten
from cartulary.studies import events as types
from cartulary.studies.state import StudyTree

Command = Literal["hide", "show"]
COMMANDS: Final[tuple[str, ...]] = get_args(Command)


class StudyOrder(NamedTuple):
    """What an operator orders; `report` is as in `LogEntry`."""

    command: Command
    reason: str
    report: str = ""


class StudyDecisions:
    """The decisions of operators. Thread-safe. All raise `NotFound`, `StaleVersion`, `RedisError`.

    Whether the caller is an operator is not asked here: the scope of the token says so.
    """

    def __init__(self, studies: Studies, log: OperatorLog, telling: Telling) -> None:
        self._studies, self._log, self._telling = studies, log, telling

    def read(self, study_id: str) -> KnownStudy:
        """Return any study, private or hidden."""
        return self._studies.streams.read(study_id)

    def order(self, intent: Intent, study_id: str, order: StudyOrder) -> StudyWritten:
        """Hide a study, or show it again to those who could read it; what is so changes nothing.

        Raises `Invalid` for a missing reason, or one that is too long.
        """
        if not 1 <= len(order.reason.strip()) <= LONGEST_REASON:
            raise Invalid([("/reason", f"must have 1 to {LONGEST_REASON} characters")])
        entries: list[LogEntry] = []

        def decide(study: StudyTree, draft: StudyDraft) -> None:
            if (study.hidden is not None) == (order.command == "hide"):
                return
            if order.command == "hide":
                draft.add(types.STUDY_HIDDEN, reason=order.reason)
            else:
                draft.add(types.STUDY_SHOWN)
            # Once, also where it is judged again because an author was faster.
            if not entries:
                entries.append(self._note(intent, study_id, study, order))

        use = intent.identify(f"{order.command}_study", intent.get_body([*order]))
        done = self._studies.writer.judge(study_id, use, decide)
        if entries and done.events:
            self._tell(study_id, done.study, order, entries[0])
        return done

    def _note(self, intent: Intent, study_id: str, study: StudyTree, order: StudyOrder) -> LogEntry:
        command = f"study_{order.command}"
        line = (command, study.owner, order.report, order.reason)
        return self._log.write(LogEntry("", "", intent.who.id, *line, study=study_id))

    def _tell(self, study_id: str, study: StudyTree, order: StudyOrder, entry: LogEntry) -> None:
        what: What = "study_hidden" if order.command == "hide" else "study_shown"
        more = {"study": study_id, "name": study.title}
        for author in study.authors:
            self._telling.tell(author["id"], what, entry, order.reason, **more)
