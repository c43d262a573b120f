"""Questions: a decision as the explorer counts it, alike in many games.

Two games never have the same position for long, so a whole identity would find nothing. A question
keeps what a player weighs at such a decision. `wide` has few parts and is met in most games;
`narrow` has more of them and exists in the opening only. Each legal move is an answer in words that
hold wherever the question is met; moves that differ in nothing that matters share an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from cartulary.engine.core import Json, State
from cartulary.explorer.carcassonne import ask_carcassonne
from cartulary.explorer.caylus import ask_caylus
from cartulary.explorer.parts import AskedParts

FORM: Final = 1
"""The form of keys and answers: what was counted in another form is counted again."""

_ASKERS: Final[Mapping[str, Callable[[State[Any]], AskedParts]]] = {
    "carcassonne": ask_carcassonne,
    "caylus": ask_caylus,
}

LONGEST: Final = 120
MARK: Final = "/~"
"""What stands between a wide key and the rest of a narrow one."""

_PART: Final = r"[A-Za-z0-9][A-Za-z0-9_+-]*"
_KEY: Final = re.compile(rf"{_PART}(?:/{_PART}){{0,5}}(?:/~[0-9a-f]{{16}})?")


class ExplorerQuestion(NamedTuple):
    """A decision as it is counted; `answers` stand in the order of `State.moves()`."""

    wide: str
    narrow: str | None
    answers: Sequence[str]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys under which the question is counted, the wide one first."""
        return (self.wide,) if self.narrow is None else (self.wide, self.narrow)


def ask(game: str, state: State[Any]) -> ExplorerQuestion:
    """Return the question of a state that waits for a decision.

    A game without an asker of its own has a question for each kind, and types of moves as answers.
    """
    asked = _ASKERS.get(game, _ask_by_kind)(state)
    wide = "/".join(asked.parts)
    narrow = None if asked.narrow is None else f"{wide}{MARK}{_digest(asked.narrow)}"
    return ExplorerQuestion(wide, narrow, asked.answers)


def find_answer(question: ExplorerQuestion, state: State[Any], move: Json) -> str:
    """Return the answer that a legal contract move is. Raises `IllegalMove`."""
    return question.answers[list(state.moves()).index(state.find(move))]


def group_moves(question: ExplorerQuestion, state: State[Any]) -> dict[str, list[Json]]:
    """Return the legal moves of a state by their answers, in the order of the moves."""
    found: dict[str, list[Json]] = {}
    for answer, move in zip(question.answers, state.moves(), strict=True):
        found.setdefault(answer, []).append(state.move_json(move))
    return found


def is_key(text: str) -> bool:
    """Return whether a text has the form of a key; whether it was ever met, the counts say."""
    return len(text) <= LONGEST and _KEY.fullmatch(text) is not None


def find_wide(key: str) -> str:
    """Return the wide key that a key begins with."""
    return key.partition(MARK)[0]


def find_kind(key: str) -> str:
    """Return the kind of decision that a key begins with."""
    return key.partition("/")[0]


def _digest(parts: Sequence[str]) -> str:
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


def _ask_by_kind(state: State[Any]) -> AskedParts:
    answers = [str(state.wording(move).get("type", "move")) for move in state.moves()]
    return AskedParts((state.kind,), None, answers)
