"""Phase 5: activating the buildings along the road (rules 3, phase 5).

`cursor` is the space being activated. `stage` says how far its building is: `EFFECT`, `BONUS` of
the owner when its effect and all favours from it are done, `HOME` for its worker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cartulary.engine.caylus.accounts import affordable, exchange, score, tell
from cartulary.engine.caylus.buildings import (
    TILES,
    Build,
    BuildPrestige,
    Convert,
    Produce,
    Trade,
)
from cartulary.engine.caylus.construction import (
    construct,
    legal_builds,
    legal_converts,
    legal_prestige,
)
from cartulary.engine.caylus.moves import BONUSES, DECLINE, TAKES, TRADES, Move
from cartulary.engine.caylus.places import ROAD
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.road import go_home
from cartulary.engine.caylus.rounds import ask, next_phase

EFFECT: Final = 0
BONUS: Final = 1
HOME: Final = 2


def step(state: Position) -> bool:
    """Activate building after building up to the provost; then all go home."""
    worker = state.worker
    for space in range(state.cursor, state.provost + 1):
        if worker[space] != NO_SEAT:
            state.cursor = space
            if activate(state, space, worker[space]):
                return True
            go_home(state, space)
            state.stage = EFFECT
    for space in range(state.provost + 1, ROAD.stop):
        if worker[space] != NO_SEAT:
            tell(state, "building_idle", space, seat=worker[space])
            go_home(state, space)
    return next_phase(state)


Activation = Callable[[Position, int, int], bool]
"""The effect of a tile for the worker's seat; returns True when it asks."""


def activate(state: Position, space: int, seat: int) -> bool:
    """Do what the building on a space still has to do; returns True when it asks."""
    tile = state.building[space]
    if state.stage == EFFECT:
        state.stage = BONUS
        effect = EFFECTS[tile]
        if effect is not None and effect(state, seat, tile):
            return True
    if state.stage == BONUS:
        state.stage = HOME
        owner = state.owner[space]
        if BONUSES[tile] and owner != seat:
            return ask(state, owner, "owner_bonus", BONUSES[tile])
    return False


# -- what can be answered ------------------------------------------------------------------------


def legal_produce(state: Position, _: int) -> Sequence[Move]:
    """Return the goods that the building being activated gives, one of these."""
    return TAKES[state.building[state.cursor]]


def legal_bonus(state: Position, _: int) -> Sequence[Move]:
    """Return the cubes of which the owner takes one."""
    return BONUSES[state.building[state.cursor]]


def legal_trade(state: Position, seat: int) -> list[Move]:
    """Return the deals that the seat can pay, and `decline`."""
    return [*affordable(state, seat, TRADES[state.building[state.cursor]]), DECLINE]


def legal_build(state: Position, seat: int) -> list[Move]:
    """Return what the seat can build at this carpenter or mason, and `decline`."""
    category = CRAFTSMEN[state.building[state.cursor]]
    return [*legal_builds(state, seat, category), DECLINE]


def legal_convert(state: Position, seat: int) -> list[Move]:
    """Return what the seat can convert, and `decline`."""
    return [*legal_converts(state, seat), DECLINE]


def legal_build_prestige(state: Position, seat: int) -> list[Move]:
    """Return the prestige buildings that the seat can build, and `decline`."""
    return [*legal_prestige(state, seat), DECLINE]


CRAFTSMEN: Final = {
    number: tile.effect.category
    for number, tile in enumerate(TILES)
    if tile and isinstance(tile.effect, Build)
}
"""By tile: what a carpenter or mason builds."""

LEGAL: Final[dict[str, Callable[[Position, int], Sequence[Move]]]] = {
    "produce": legal_produce,
    "owner_bonus": legal_bonus,
    "trade": legal_trade,
    "build": legal_build,
    "convert": legal_convert,
    "build_prestige": legal_build_prestige,
}

# -- what the buildings do -----------------------------------------------------------------------


def produce(state: Position, seat: int, tile: int) -> bool:
    """Give the goods, which is mandatory; ask where the building says "or"."""
    choices = TAKES[tile]
    if len(choices) > 1:
        return ask(state, seat, "produce", choices)
    exchange(state, seat, choices[0], "production", state.cursor)
    return False


def optional(kind: str) -> Activation:
    """Return the effect that asks a question with the possibility to decline."""
    legal_of = LEGAL[kind]

    def ask_or_go_on(state: Position, seat: int, _: int) -> bool:
        legal = legal_of(state, seat)
        return len(legal) > 1 and ask(state, seat, kind, legal)

    return ask_or_go_on


BY_EFFECT: dict[type, Activation] = {
    Produce: produce,
    Trade: optional("trade"),
    Build: optional("build"),
    Convert: optional("convert"),
    BuildPrestige: optional("build_prestige"),
}
EFFECTS: Final[tuple[Activation | None, ...]] = tuple(
    BY_EFFECT.get(type(tile.effect)) if tile else None for tile in TILES
)
"""By tile: what its activation does."""

# -- the answers ---------------------------------------------------------------------------------


def answer_produce(state: Position, move: Move) -> None:
    """Give the chosen goods."""
    exchange(state, state.seat, move, "production", state.cursor)


def answer_bonus(state: Position, move: Move) -> None:
    """Give the owner his cube."""
    exchange(state, state.seat, move, "owner_bonus", state.cursor)


def answer_trade(state: Position, move: Move) -> None:
    """Let the deal take place."""
    if move is not DECLINE:
        exchange(state, state.seat, move, "trade", state.cursor)
        if move.points:
            score(state, state.seat, move.points, "trade", state.cursor)


def answer_construction(state: Position, move: Move) -> None:
    """Build or convert."""
    if move is not DECLINE:
        construct(state, state.seat, move, state.cursor)
