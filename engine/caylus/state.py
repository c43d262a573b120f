"""A position of Caylus that speaks the engine protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartulary.engine.canonical import quote
from cartulary.engine.caylus import counting, dump, explain, text, view
from cartulary.engine.caylus.coded import fill_tensor, list_codes
from cartulary.engine.caylus.flow import ANSWERS, advance, allows
from cartulary.engine.caylus.moves import Move, find_move
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.tables import OVER_PHASE
from cartulary.engine.chance import Chance, Source
from cartulary.engine.core import Decision, Json
from cartulary.engine.errors import ChanceError


class CaylusState(Position):
    """`Position` plus the rules; `moves` are the interned objects of `engine.caylus.moves`."""

    __slots__ = ()

    @property
    def decision(self) -> Decision | None:
        """The pending decision, or None when the play is over."""
        if not self.kind:
            return None
        return Decision(self.seat, self.kind, view.context(self))

    @property
    def chance(self) -> Chance | None:
        """Nothing: all chance is in the setup."""
        return None

    @property
    def over(self) -> bool:
        """True after the towers have been scored."""
        return self.phase == OVER_PHASE

    def moves(self) -> Sequence[Move]:
        """Return every legal move; the list is shared, not to be changed."""
        return self.legal

    def play(self, move: Move) -> None:
        """Answer the pending decision and go on to the next one."""
        ANSWERS[self.kind](self, move)
        advance(self)

    def settle(self, source: Source) -> list[str]:
        """Draw nothing: all chance is in the setup."""
        return []

    def resolve(self, outcome: str) -> None:
        """Refuse: nothing is drawn during play."""
        raise ChanceError(f"Caylus draws nothing during play, not even {quote(outcome)}")

    def move_json(self, move: Move) -> Json:
        """Return a move as a new contract object."""
        return move.to_json()

    def codes(self) -> list[int]:
        """Return the codes of the legal moves in the order of `moves()`, as a new list."""
        return list_codes(self)

    def tensor(self, seat: Any, out: Any) -> None:
        """Fill an array with what a seat may know, as `coded.PLANES` says."""
        fill_tensor(self, seat, out)

    def find(self, move: Json) -> Move:
        """Return the internal form of a contract move; raises `IllegalMove`.

        The moves are known by their contract form, so no legal move is compared with this move.
        """
        found = find_move(move)
        if found is None or not allows(self, found):
            raise self._illegal(move)
        return found

    def wording(self, move: Move) -> Json:
        """Return a move as the object that it carries."""
        return move.json

    def view(self) -> Json:
        """Return what everybody may see: everything."""
        return view.view(self)

    def beyond_view(self) -> Json:
        """Return the decision, what is pending, and the options."""
        return view.beyond(self)

    def count(self) -> list[Json]:
        """Return the breakdown of the end-of-game score."""
        return counting.count(self)

    def dump(self) -> Json:
        """Return the state as JSON for a snapshot."""
        return dump.dump(self)

    def explain(self, move: Json) -> str:
        """Say in words which rule an illegal move breaks."""
        return explain.explain(self, move)

    def text(self, move: Json) -> str:
        """Return a legal move of the pending decision as one line for people."""
        return text.line(self, move)
