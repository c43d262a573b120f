"""A toy game, small enough to read at once, that uses every corner of the engine protocol.

Beans: in turn, each seat rolls (a draw of 1 to 3 beans) and either keeps them or gives them away.
Giving asks another seat, chosen by the giver, whether it accepts; a seat that accepts may in turn
pass half of it on, which asks a third seat: the questions nest, on a stack. A gift of one bean
cannot be passed on, so that question is not asked (rule 2 of the move contract). The play ends
when a seat owns the goal; the end count gives one point per three beans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from cartulary.engine.chance import Chance, Shuffler
from cartulary.engine.contract import (
    COUNT,
    POSITIVE,
    SEAT,
    WHOLE,
    Contract,
    Question,
    facts_of,
    list_of,
    moves_of,
    object_of,
    one_of,
    or_null,
)
from cartulary.engine.core import Decision, Game, Json, State
from cartulary.engine.errors import ChanceError, SetupError
from cartulary.engine.options import Option
from cartulary.games.offer import Offer

DECLINE = -1
KEEP = -2
ACCEPT = -3


class BeansState(State[int]):
    """`stack` holds the open questions as (seat, kind, beans), the top one pending."""

    __slots__ = ("beans", "drawing", "stack", "turn")

    def __init__(self, seats: int, options: Mapping[str, Any], first: int) -> None:
        self.seats = seats
        self.options = options
        self.scores = [0] * seats
        self.facts = None
        self.beans = [0] * seats
        self.turn = first
        self.stack: list[tuple[int, str, int]] = []
        self.drawing = True

    @property
    def over(self) -> bool:
        return not self.drawing and not self.stack

    @property
    def chance(self) -> Chance | None:
        return Chance("roll", ("1", "2", "3"), (1, 1, 1)) if self.drawing else None

    @property
    def seat(self) -> int:
        return self.stack[-1][0] if self.stack else -1

    @property
    def kind(self) -> str:
        return self.stack[-1][1] if self.stack else ""

    @property
    def decision(self) -> Decision | None:
        if not self.stack:
            return None
        seat, kind, beans = self.stack[-1]
        return Decision(seat, kind, {"beans": beans})

    def moves(self) -> Sequence[int]:
        if not self.stack:
            return []
        seat, kind, _ = self.stack[-1]
        others = [other for other in range(self.seats) if other != seat]
        return {"turn": [KEEP, *others], "gift": [ACCEPT, DECLINE], "pass_on": [*others, DECLINE]}[
            kind
        ]

    def move_json(self, move: int) -> Json:
        names = {DECLINE: "decline", KEEP: "keep", ACCEPT: "accept"}
        return {"type": names[move]} if move < 0 else {"type": "give", "to": move}

    def play(self, move: int) -> None:
        seat, kind, beans = self.stack.pop()
        if move >= 0:
            gift = beans if kind == "turn" else beans // 2
            self._gain(seat, beans - gift)
            self.stack.append((move, "gift", gift))
        elif move == ACCEPT and beans > 1:
            self.stack.append((seat, "pass_on", beans))
        elif kind == "gift" and move == DECLINE:
            self._gain(self.turn, beans)
        else:
            self._gain(seat, beans)
        if not self.stack:
            self._next_turn()

    def _gain(self, seat: int, beans: int) -> None:
        self.beans[seat] += beans
        self.scores[seat] += beans
        if self.facts is not None and beans:
            self.facts.append({"type": "points", "seat": seat, "points": beans, "reason": "beans"})

    def _next_turn(self) -> None:
        self.turn = (self.turn + 1) % self.seats
        self.drawing = max(self.beans) < int(self.options["goal"])

    def resolve(self, outcome: str) -> None:
        if not self.drawing or outcome not in ("1", "2", "3"):
            raise ChanceError(f"{outcome!r} cannot be rolled")
        self.drawing = False
        self.stack.append((self.turn, "turn", int(outcome)))

    def copy(self) -> Self:
        twin = type(self)(self.seats, self.options, self.turn)
        twin.scores, twin.beans = self.scores[:], self.beans[:]
        twin.stack, twin.drawing = self.stack[:], self.drawing
        return twin

    def view(self) -> Json:
        beans = self.stack[-1][2] if self.stack else None
        return {
            "turn": self.turn,
            "offered": beans,
            "beans": self.beans[:],
            "scores": self.scores[:],
        }

    def beyond_view(self) -> Json:
        return {"stack": [list(question) for question in self.stack]}

    def count(self) -> list[Json]:
        return [
            {"seat": seat, "reason": "beans", "points": beans // 3, "detail": beans}
            for seat, beans in enumerate(self.beans)
            if beans >= 3
        ]

    def dump(self) -> Json:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "turn": self.turn,
            "scores": self.scores[:],
            "beans": self.beans[:],
            "stack": [list(question) for question in self.stack],
            "drawing": self.drawing,
        }


_BEANS = object_of("The beans in question.", {"beans": POSITIVE})

CONTRACT = Contract(
    moves=moves_of(
        {
            "keep": ("Keep the beans.", {}),
            "give": ("Give the beans, or half of a gift, to another seat.", {"to": SEAT}),
            "accept": ("Accept the gift.", {}),
            "decline": ("Decline the gift, or to pass it on.", {}),
        }
    ),
    decisions={
        "turn": Question("Does the seat keep the beans?", ("keep", "give"), _BEANS),
        "gift": Question("Does the seat accept the gift?", ("accept", "decline"), _BEANS),
        "pass_on": Question("Does half of the gift go on?", ("give", "decline"), _BEANS),
    },
    facts=facts_of(
        {
            "points": object_of(
                "A seat gains beans.", {"seat": SEAT, "points": WHOLE, "reason": one_of(["beans"])}
            )
        }
    ),
    view=object_of(
        "What everybody may see.",
        {
            "turn": SEAT,
            "offered": or_null(POSITIVE),
            "beans": list_of(COUNT),
            "scores": list_of(WHOLE),
        },
    ),
    counts={"beans": POSITIVE},
)


class Beans(Game):
    name = "beans"
    title = "Beans"
    rules_version = 1
    contract = CONTRACT
    setup_keys = ("first",)
    options = (Option("goal", (9, 4), "how many beans end the play"),)

    def draw_setup(self, seats: int, options: Mapping[str, Any], rng: Shuffler) -> Json:
        return {"first": rng.sample(range(seats), seats)[0]}

    def new(self, seats: int, options: Mapping[str, Any], setup: Json) -> BeansState:
        complete = self.check(seats, options)
        self.check_setup(setup)
        if setup.get("first") not in range(seats):
            raise SetupError("setup needs `first`, a seat")
        return BeansState(seats, complete, setup["first"])

    def load(self, dump: Json) -> BeansState:
        state = BeansState(dump["seats"], dump["options"], dump["turn"])
        state.scores, state.beans = dump["scores"][:], dump["beans"][:]
        state.stack = [(seat, kind, beans) for seat, kind, beans in dump["stack"]]
        state.drawing = dump["drawing"]
        return state

    def setup_of_transcript(self, setup: Json, draws: Sequence[str], bag: Json) -> Json:
        return dict(setup)

    def setup_to_transcript(self, setup: Json) -> Json:
        return dict(setup)


OFFER = Offer(rules=Beans())
"""A game of an author in a hurry: no bot of its own, no picture, no words."""
