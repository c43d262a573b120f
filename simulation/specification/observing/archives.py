"""Operations on store and archive as steps of `simulation.specification.archiving`.

The content of a game is called by the number of messages in it: who writes to it says something.
Calls of the archive are recorded as operations with the names below; the database is no store.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cartulary.events.archiving.bringing_back import ABSENT
from simulation.specification.archiving import GONE, RELEASED, STAYS
from simulation.specification.model import ModelStep
from simulation.specification.recording import StoreOperation

SEALS, WRITE_ROW, READ_ROW, HEADS, REMOVE_ROW = (
    *("archive seals", "archive write", "archive read", "archive heads", "archive remove"),
)
OUTCOMES: Final = {0: STAYS, 1: RELEASED, 2: GONE}
ROOM: Final = ":chat:players"


class ArchiveStepReader:
    """Reads the operations on one game; `archivers` are the actors that archive."""

    def __init__(self, archivers: tuple[str, ...]) -> None:
        self._archivers = archivers
        self._refused: set[str] = set()
        """Guests whose last write the store has refused."""

    def is_risky(self, operation: StoreOperation) -> bool:
        """No answer gets lost here: what an archiver or a guest has not heard it begins again."""
        return False

    def read(self, operation: StoreOperation) -> Iterator[ModelStep]:
        """Yield the steps of an archiver, or of a guest of the game."""
        words, answer = operation.commands[0]
        by_name = {str(one[0]): found for one, found in operation.commands}
        if words[0] in (SEALS, WRITE_ROW, READ_ROW, HEADS, REMOVE_ROW):
            yield from self._read_archive(operation.actor, words, answer)
        elif operation.actor in self._archivers:
            yield from self._read_archiver(operation, by_name)
        else:
            yield from self._read_guest(operation, by_name)

    def _read_archive(self, actor: str, words: tuple[Any, ...], answer: Any) -> Iterator[ModelStep]:
        name, *details = words
        if actor in self._archivers:
            if name == SEALS:
                yield ModelStep("look", (actor, answer))
            elif name == WRITE_ROW:
                yield ModelStep("write row", (actor, details[0], answer))
            elif name == READ_ROW:
                yield ModelStep("read back", (actor, answer == details[0]))
        elif name == READ_ROW:
            yield ModelStep("fetch", (actor, answer))
        elif name == HEADS and answer is None:
            yield ModelStep("leave", (actor,))
        elif name == REMOVE_ROW:
            yield ModelStep("remove row", (actor, answer))

    def _read_archiver(
        self, operation: StoreOperation, by_name: Mapping[str, Any]
    ) -> Iterator[ModelStep]:
        actor = operation.actor
        if "XINFO STREAM" in by_name or "XINFO" in by_name:
            yield ModelStep("take", (actor, _count_messages(operation)))
        for words, answer in operation.commands:
            if words[0] == "EVALSHA" and str(words[4]).endswith(":pin"):
                yield ModelStep("release", (actor, OUTCOMES[answer]))

    def _read_guest(
        self, operation: StoreOperation, by_name: Mapping[str, Any]
    ) -> Iterator[ModelStep]:
        actor, names = operation.actor, [str(words[0]) for words, _ in operation.commands]
        sets_pin = any(
            words[0] == "SET" and str(words[1]).endswith(":pin") for words, _ in operation.commands
        )
        if sets_pin and names == ["SET", "EXISTS"]:
            name = "pin again" if actor in self._refused else "pin"
            self._refused.discard(actor)
            yield ModelStep(name, (actor, bool(by_name["EXISTS"])))
        elif sets_pin:
            yield ModelStep("put back", (actor, True))
        elif names == ["EXISTS"] and by_name["EXISTS"]:
            yield ModelStep("put back", (actor, False))
        for words, answer in operation.commands:
            if words[0] == "EVALSHA" and len(words) > 4 and str(words[4]).endswith(ROOM):
                is_done = answer[0] != ABSENT
                if not is_done:
                    self._refused.add(actor)
                yield ModelStep("write", (actor, is_done))


def _count_messages(operation: StoreOperation) -> int | None:
    """Return the messages of the game as it was read whole, None where it is not in the store."""
    found: dict[str, Any] = {
        str(words[1]): answer for words, answer in operation.commands if words[0] == "XRANGE"
    }
    events = next(answer for name, answer in found.items() if name.endswith(":events"))
    rooms = [answer for name, answer in found.items() if name.endswith(ROOM)]
    return len(rooms[0]) if events else None
