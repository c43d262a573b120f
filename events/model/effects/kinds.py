"""The event types, one row each.

Checking, upcasting and folding follow from the rows, and so do the JSON Schemas of the description
and the end of a live stream. `docs/ledger.md` lists the places of a new event type, and
`tests/project/test_event_types.py` names those that are missing.

Types are added; a type is never changed or removed. A new form of a type is a new schema of its
row, with an upcaster from the schema before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cartulary.events.model import types
from cartulary.events.model.chain import CHAINED
from cartulary.events.model.effects import (
    arranging,
    board,
    clocks,
    ladders,
    leaving,
    proposals,
    upcasters,
)
from cartulary.events.model.effects.folding import Folding
from cartulary.events.model.failures import Misfit, UnknownSchema
from cartulary.events.model.fairness import SCHEME
from cartulary.events.model.ladders import LADDERS, LEAVE_REASONS
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import DECLINE_REASONS
from cartulary.events.model.thinking import FALLBACKS
from cartulary.events.model.time.pace import MODES
from cartulary.events.model.types import Json

Effect = Callable[[Any, Json, Folding], Table]
"""(table, event, folding) -> table. The table is None for the type that opens a stream."""

Upcaster = Callable[[Json], Json]

UNCHAINED: Final[Mapping[int, Upcaster]] = {1: upcasters.keep}
"""The upcasters of a type that only the chain has changed."""

_BEFORE_THE_CHAIN: Final[dict[str, Any]] = {"schema": CHAINED, "upcasters": UNCHAINED}
"""What the types have that are older than the chain."""


_WITH_BOTS_OF_OTHERS: Final[dict[str, Any]] = {"schema": 2, "upcasters": UNCHAINED}
"""What the later types have that say more since players may be bots."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an event: its name, the Python type of its JSON value, its JSON Schema.

    References in the schema name components of `openapi.yaml`. A field that is not `required` may
    be missing; one that is `nullable` may be null.
    """

    name: str
    kind: type
    schema: Json
    required: bool = True
    nullable: bool = False

    def fault(self, event: Json) -> str | None:
        """Say why this field of an event is not as it should be, None when it is."""
        if self.name not in event:
            return f"{self.name!r} is missing" if self.required else None
        if self.nullable and event[self.name] is None:
            return None
        if type(event[self.name]) is not self.kind:
            return f"{self.name!r} is not of type {self.kind.__name__}"
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """What is known about an event type of any stream.

    `type`: its name. `text`: a sentence for people. `fields`: those besides the fields of
    `EVERY_EVENT` and the type. `schema`: the current one.
    """

    type: str
    text: str
    fields: tuple[Field, ...]
    schema: int = 1

    def fault(self, event: Json) -> str | None:
        """Say which field of an event (current schema) is missing or of another type, if any."""
        return next(filter(None, (one.fault(event) for one in self.fields)), None)

    def json_schema(self) -> Json:
        """Return the JSON Schema of an event of this type, as clients see it."""
        fields = (*EVERY_EVENT, Field("type", str, {"const": self.type}), *self.fields)
        return {
            "type": "object",
            "description": self.text,
            "properties": {one.name: one.schema for one in fields},
            "required": [one.name for one in fields if one.required],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind(EventRow):
    """A row: all that is known about one event type of a game's stream.

    `comes_in`: the statuses of a game in which it may come; empty for the type that opens a stream.
    `leads_to`: the status after it, None: the same. `changes_position`: a move that expects an
    earlier version is stale after it. `ends_stream`: no event follows. `apply`: what it does to the
    table. `upcasters`: by the schema that they read.
    """

    apply: Effect
    comes_in: tuple[Status, ...] = ()
    leads_to: Status | None = None
    changes_position: bool = False
    ends_stream: bool = False
    upcasters: Mapping[int, Upcaster] = field(default_factory=dict)
    has_state_hash: bool = field(init=False)
    has_chance: bool = field(init=False)

    def __post_init__(self) -> None:
        """Note what the fold asks for each event."""
        names = {one.name for one in self.fields}
        object.__setattr__(self, "has_state_hash", "state_hash" in names)
        object.__setattr__(self, "has_chance", "chance" in names)


def component(name: str) -> Json:
    """Return a reference to a component of `openapi.yaml`."""
    return {"$ref": f"#/components/schemas/{name}"}


def _list_of(item: Json, **more: Any) -> Json:
    return {"type": "array", "items": item, **more}


def _hash_field(name: str, description: str) -> Field:
    schema = {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": description}
    return Field(name, str, schema, required=False)


EVERY_EVENT: Final = (
    Field("version", int, {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}),
    Field(
        "at", str, {"type": "string", "format": "date-time", "description": "When it was stored."}
    ),
    _hash_field("prev", "Hash of the event before, 64 zeros for the first; old events have none."),
    _hash_field("hash", "SHA-256 of the canonical JSON of the event as it was appended."),
    Field(
        "upcast",
        bool,
        {"type": "boolean", "description": "True: appended in an older form. Take its `hash`."},
        required=False,
    ),
    Field(
        "masked",
        bool,
        {"type": "boolean", "description": "True: a name was deleted. Take its `hash`."},
        required=False,
    ),
)
_SEAT: Final = Field("seat", int, {"type": "integer", "minimum": 0})
_PLAYER: Final = Field("player", dict, component("PlayerName"))
_CHANCE: Final = Field(
    "chance", list, _list_of({"type": "string"}, description="What was drawn, in order.")
)
_FACTS: Final = Field("facts", list, _list_of(component("Fact")))
_ENTROPY: Final = Field(
    "entropy",
    str,
    {"type": "string", "description": "What the player adds to the seed of the draws."},
    required=False,
)
_BOT: Final = Field(
    "bot",
    dict,
    {
        "type": "object",
        "description": "Moves of bots: the `level` and its `version`; the `iterations` that the "
        "bot has used, and for how many `ms` it thought; in games with fair draws the `seed` of "
        "its generator, 16 hex digits. Level, version, iterations and seed are enough to repeat "
        "the move. Events of earlier releases have no `iterations` and `ms`. `planned`: the bot "
        "has thought of the move together with the move before it, so this one says 0 iterations. "
        "When another bot has moved than the bot of the seat, `level` is the bot that has moved, "
        "and `fallback` the reason: "
        + "; ".join(f"`{word}`, {line}" for word, line in FALLBACKS.items())
        + ".",
        "properties": {
            "level": {"type": "string"},
            "version": {"type": "integer", "minimum": 1},
            "iterations": {"type": "integer", "minimum": 0},
            "seed": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            "ms": {"type": "integer", "minimum": 0},
            "fallback": {"type": "string", "enum": [*FALLBACKS]},
            "planned": {"type": "boolean"},
        },
        "required": ["level", "version"],
    },
    required=False,
)
_COMMITMENT: Final = {"type": "string", "description": "SHA-256 of the secret of the draws."}
_SECRET: Final = Field(
    "secret",
    str,
    {
        "type": ["string", "null"],
        "description": "The secret of the draws, 64 hex digits; null when the secret was lost.",
    },
    required=False,
    nullable=True,
)
_BY_WHOM: Final = Field(
    "by",
    str,
    {
        "type": ["string", "null"],
        "description": "Id of the player who did it; null when the service did.",
    },
    nullable=True,
)
_BY: Final = Field("by", str, {"type": "string", "description": "Id of the player who did it."})
_BOT_NAME: Final = Field("bot", str, {"type": "string", "description": "Name of the bot."})
_EXPIRES_AT: Final = Field(
    "expires_at", str, {"type": "string", "format": "date-time", "description": "Until when."}
)
_PROPOSAL: Final = Field(
    "proposal", int, {"type": "integer", "minimum": 1, "description": "Version of its event."}
)
_VERSIONS: Final = {"type": "integer", "minimum": 1}
_SEATS: Final = {"type": "integer", "minimum": 0}
_STATE_HASH: Final = Field(
    "state_hash", str, {"type": "string", "description": "SHA-256 of the state after the event."}
)


def _optional(name: str, kind: type, description: str, **schema: Any) -> Field:
    names = {bool: "boolean", int: "integer", str: "string", dict: "object"}
    whole = {"type": names[kind], **schema, "description": description}
    return Field(name, kind, whole, required=False)


def _one_of(name: str, *words: str, text: str = "", required: bool = True) -> Field:
    described = {"description": text} if text else {}
    return Field(name, str, {"type": "string", "enum": [*words], **described}, required=required)


_CREATED_SEAT: Final = {
    "type": "object",
    "description": "A seat with a player or a bot; an open seat has neither.",
    "properties": {
        "seat": {"type": "integer", "minimum": 0},
        "player": {"anyOf": [component("PlayerName"), {"type": "null"}]},
        "bot": {"type": ["string", "null"], "description": "Name of the bot."},
        "entropy": {"type": "string", "description": "What the player adds to the draws."},
    },
    "required": ["seat", "player", "bot"],
}
_CLOCK: Final[Json] = {
    "type": "object",
    "properties": {
        name: {"type": "integer", "minimum": 0, "description": text}
        for name, text in {
            "used": "What was charged, in ms.",
            "stopped": "Time that did not count (pause, vacation, outage), in ms.",
            "bank": "What the seat has in its bank after it, in ms.",
        }.items()
    },
    "required": ["used", "stopped", "bank"],
}
_TAKEBACK_CLOCK: Final = _optional(
    "clock",
    dict,
    "Timed games: what a takeback costs that needed no consent while others contend. Missing: "
    "nothing, and the seat that is asked has a full delay.",
    properties={
        **{name: _CLOCK["properties"][name] for name in ("used", "stopped")},
        "turn_used": {"type": "integer", "minimum": 0, "description": "Of the turn by now, in ms."},
        "banks": _list_of(
            {"type": "integer", "minimum": 0}, description="Of each seat after it, in ms."
        ),
    },
    required=["used", "stopped", "turn_used", "banks"],
)
_TERMS: Final = (
    _one_of("takebacks", "none", "undo", "consent", text="Missing: `none`.", required=False),
    _one_of(
        "on_timeout",
        "stand_in",
        "forfeit",
        "claim",
        text="What follows from silence; missing: `claim`.",
        required=False,
    ),
    _optional("substitutes", bool, "Others may take over the seats of players who forfeited."),
    _one_of("fill", "bots", text="Others may take over the seats of bots.", required=False),
    _one_of("start", "full", "host", text="When the game starts; missing: `full`.", required=False),
    _optional("stand_in", str, "Name of the bot that stands in for players."),
    _optional("expires_in", int, "Seconds that the game waits for its start.", minimum=1),
    _optional("bot_delay", int, "For so many ms after the last event no bot moves.", minimum=0),
    Field(
        "pace",
        dict,
        {
            "type": ["object", "null"],
            "description": "The time of the players, in seconds; missing or null: untimed.",
            "properties": {
                "mode": {"type": "string", "enum": [*MODES]},
                "delay": {"type": "integer", "minimum": 1},
                "bank": {"type": "integer", "minimum": 0},
                "refill": {"type": "integer", "minimum": 0},
                "vacation": {"type": "boolean"},
            },
            "required": ["mode", "delay", "bank", "refill"],
        },
        required=False,
        nullable=True,
    ),
    _optional("hints", bool, "The person of this practice game may ask for hints."),
    _optional("rated", bool, "The game counts for the ratings of its players."),
    _optional("rematch_of", str, "Id of the game that this game repeats."),
    _optional(
        "branched_from",
        dict,
        "The position that this game goes on from.",
        properties={"game": {"type": "string"}, "version": {"type": "integer", "minimum": 1}},
        required=["game", "version"],
    ),
    _optional(
        "tournament",
        dict,
        "The table of a round of a tournament for which the service has made the game.",
        properties={
            "id": {"type": "string", "description": "Id of the tournament."},
            "round": {"type": "integer", "minimum": 1, "description": "Number of the round."},
            "table": {
                "type": "integer",
                "minimum": 1,
                "description": "Number of the table in the tournament.",
            },
        },
        required=["id", "round", "table"],
    ),
)

ROWS: Final[tuple[EventKind, ...]] = (
    EventKind(
        type=types.GAME_CREATED,
        text="A player opened the game, or the service did for a round of a tournament.",
        fields=(
            Field("game", str, component("GameName")),
            Field("options", dict, {"type": "object", "description": "Complete, with defaults."}),
            Field("seats", list, _list_of(_CREATED_SEAT)),
            Field("visibility", str, component("Visibility")),
            Field("created_by", str, {"type": "string", "description": "Id of the player."}),
            Field(
                "names",
                list,
                _list_of(
                    {"type": "string"}, description="Imported games: the names in the transcript."
                ),
                required=False,
            ),
            Field(
                "bot_seats",
                list,
                _list_of(
                    {"type": "integer", "minimum": 0},
                    description="Imported games: the seats that bots had.",
                ),
                required=False,
            ),
            Field(
                "extra_hash",
                str,
                {
                    "type": "string",
                    "description": "Imported games with unknown keys: SHA-256 of their JSON.",
                },
                required=False,
            ),
            Field(
                "extra",
                dict,
                {"type": "object", "description": "The unknown keys, in events of old releases."},
                required=False,
            ),
            Field(
                "shuffle_seats",
                bool,
                {"type": "boolean", "description": "The lot decides at the start who sits where."},
                required=False,
            ),
            Field(
                "fair",
                dict,
                {
                    "type": ["object", "null"],
                    "properties": {
                        "scheme": {"const": SCHEME},
                        "commitment": _COMMITMENT,
                        "given": {"type": "integer", "minimum": 0},
                        "round": {
                            "type": "string",
                            "description": "Games of a duplicate round: `<tournament>/<number>`. "
                            "All games of the round have the same draws.",
                        },
                        "entropy": {
                            "type": "string",
                            "pattern": "^[0-9a-f]{64}$",
                            "description": "Games of a duplicate round: the only entropy of the "
                            "seed, that of the tournament.",
                        },
                    },
                    "required": ["scheme", "commitment", "given"],
                    "description": "The commitment to the secret of the draws. Missing in games "
                    "from before fair draws, null where nothing is left to draw.",
                },
                required=False,
                nullable=True,
            ),
            *_TERMS,
        ),
        apply=board.create_game,
        schema=CHAINED,
        upcasters={0: upcasters.seats_as_objects, **UNCHAINED},
    ),
    EventKind(
        type=types.SEAT_TAKEN,
        text="A player sat down.",
        fields=(_SEAT, _PLAYER, _ENTROPY),
        comes_in=(Status.OPEN,),
        apply=arranging.take_seat,
        **_BEFORE_THE_CHAIN,
    ),
    EventKind(
        type=types.SEAT_LEFT,
        text="A player left before the start.",
        fields=(_SEAT, _PLAYER),
        comes_in=(Status.OPEN,),
        apply=arranging.leave_seat,
        **_BEFORE_THE_CHAIN,
    ),
    EventKind(
        type=types.SEAT_OFFERED,
        text="A seat was offered to a player: no other player may take it until then.",
        fields=(_SEAT, _PLAYER, _BY, _EXPIRES_AT),
        comes_in=(Status.OPEN, Status.RUNNING),
        apply=arranging.offer_seat,
    ),
    EventKind(
        type=types.SEAT_DECLINED,
        text="A player declined the offer of a seat, or the service did it for a bot.",
        fields=(
            _SEAT,
            _PLAYER,
            _one_of(
                "reason",
                *DECLINE_REASONS,
                text="Why the service declined for a bot; missing where the player declined.",
                required=False,
            ),
        ),
        comes_in=(Status.OPEN, Status.RUNNING),
        apply=arranging.decline_seat,
        **_WITH_BOTS_OF_OTHERS,
    ),
    EventKind(
        type=types.SEAT_ASSIGNED,
        text="The host put a bot on an open seat.",
        fields=(_SEAT, _BOT_NAME, _BY),
        comes_in=(Status.OPEN,),
        apply=arranging.assign_seat,
    ),
    EventKind(
        type=types.SEAT_OPENED,
        text="A seat is open again, or its offer has ended.",
        fields=(
            _SEAT,
            Field(
                "was",
                dict,
                {
                    "type": "object",
                    "properties": {"player": component("PlayerName"), "bot": {"type": "string"}},
                    "minProperties": 1,
                    "maxProperties": 1,
                    "description": "The `player` or the `bot` that had the seat or its offer.",
                },
            ),
            _BY_WHOM,
            _one_of("reason", "removed", "changed", "offer_withdrawn", "offer_expired"),
        ),
        comes_in=(Status.OPEN, Status.RUNNING),
        apply=arranging.open_seat,
    ),
    EventKind(
        type=types.SEATS_DROPPED,
        text="Open seats were taken away; the others close up.",
        fields=(Field("seats", list, _list_of(_SEATS)), _BY_WHOM),
        comes_in=(Status.OPEN,),
        apply=arranging.drop_seats,
    ),
    EventKind(
        type=types.HOST_CHANGED,
        text="Another player is the host.",
        fields=(_PLAYER, _BY_WHOM),
        comes_in=(Status.OPEN, Status.RUNNING),
        apply=arranging.change_host,
    ),
    EventKind(
        type=types.SEAT_READIED,
        text="A player at a live table is ready for the start, or is not ready any more.",
        fields=(_SEAT, Field("ready", bool, {"type": "boolean"})),
        comes_in=(Status.OPEN,),
        apply=clocks.ready_seat,
    ),
    EventKind(
        type=types.GAME_STARTED,
        text="All seats were taken.",
        fields=(
            Field("setup", dict, {"type": "object", "description": "The chance of the start."}),
            _CHANCE,
            _FACTS,
            Field("rules_version", int, {"type": "integer", "minimum": 1}),
            _STATE_HASH,
            Field(
                "seating",
                list,
                _list_of(
                    {"type": "integer", "minimum": 0},
                    description="Shuffled seats: each seat is now held by the holder of the seat "
                    "with this number.",
                ),
                required=False,
            ),
            _one_of(
                "ladder",
                *LADDERS,
                text="For which ratings the game counts; missing: for none.",
                required=False,
            ),
            _optional(
                "strengths",
                dict,
                "Games that count: how strong the bots of the service are that sit here, by name.",
                additionalProperties={"type": "integer"},
            ),
        ),
        comes_in=(Status.OPEN,),
        leads_to=Status.RUNNING,
        changes_position=True,
        apply=board.start_game,
        schema=CHAINED,
        upcasters={0: upcasters.chance_from_drawn, **UNCHAINED},
    ),
    EventKind(
        type=types.MOVE_MADE,
        text="A decision was answered.",
        fields=(
            _SEAT,
            Field("move", dict, component("Move")),
            _CHANCE,
            _FACTS,
            _STATE_HASH,
            _BOT,
            _one_of(
                "by",
                "stand_in",
                "standing_answer",
                text="Missing: the person or the bot of the seat has answered.",
                required=False,
            ),
            Field(
                "clock",
                dict,
                {**_CLOCK, "description": "What the answer of a person costs in a timed game."},
                required=False,
            ),
        ),
        comes_in=(Status.RUNNING,),
        changes_position=True,
        apply=board.make_move,
        schema=CHAINED,
        upcasters={0: upcasters.chance_from_drawn, **UNCHAINED},
    ),
    EventKind(
        type=types.SEAT_FORFEITED,
        text="A player is out for good.",
        fields=(
            _SEAT,
            _PLAYER,
            _one_of("reason", "resigned", "timed_out", "removed", "left"),
            Field(
                "stand_in",
                str,
                {
                    "type": ["string", "null"],
                    "description": "Name of the bot that plays on; null when the play ends.",
                },
                nullable=True,
            ),
        ),
        comes_in=(Status.RUNNING,),
        apply=leaving.forfeit_seat,
    ),
    EventKind(
        type=types.STAND_IN_SEATED,
        text="A bot answers for a player, who may come back.",
        fields=(
            _SEAT,
            _BOT_NAME,
            _one_of("reason", "timed_out", "absent", "requested", "bot_failed"),
            _BY_WHOM,
        ),
        comes_in=(Status.RUNNING,),
        apply=leaving.seat_stand_in,
        **_WITH_BOTS_OF_OTHERS,
    ),
    EventKind(
        type=types.SEAT_RETURNED,
        text="A player came back to the table.",
        fields=(_SEAT, _PLAYER),
        comes_in=(Status.RUNNING,),
        apply=leaving.return_seat,
    ),
    EventKind(
        type=types.SEAT_TAKEN_OVER,
        text="Another player took over a vacant seat.",
        fields=(
            _SEAT,
            _PLAYER,
            Field(
                "from",
                dict,
                {
                    "type": "object",
                    "properties": {
                        "player": component("PlayerName"),
                        "reason": {"type": "string"},
                        "bot": {"type": "string"},
                    },
                    "description": "Who had the seat, and why that player left; or the `bot` that "
                    "had it.",
                },
            ),
        ),
        comes_in=(Status.RUNNING,),
        apply=leaving.take_over_seat,
        schema=2,
        upcasters=UNCHAINED,
    ),
    EventKind(
        type=types.TURN_TIMED_OUT,
        text="The time of the seat that is asked is over: its flag fell.",
        fields=(
            _SEAT,
            Field("clock", dict, {**_CLOCK, "description": "What the turn has cost so far."}),
            Field(
                "deadline_at",
                str,
                {"type": "string", "format": "date-time", "description": "When the time was over."},
            ),
        ),
        comes_in=(Status.RUNNING,),
        apply=clocks.time_out_turn,
    ),
    EventKind(
        type=types.TIME_GIVEN,
        text="A player gave time to another seat.",
        fields=(
            _SEAT,
            _BY,
            Field("ms", int, {"type": "integer", "minimum": 1, "description": "Milliseconds."}),
        ),
        comes_in=(Status.RUNNING,),
        apply=clocks.give_time,
    ),
    EventKind(
        type=types.GAME_PAUSED,
        text="The clocks stand until a given time; moves stay legal.",
        fields=(
            Field(
                "until",
                str,
                {"type": "string", "format": "date-time", "description": "When the pause ends."},
            ),
            Field(
                "proposal",
                int,
                {
                    "type": ["integer", "null"],
                    "minimum": 1,
                    "description": "The proposal that was accepted; null without one.",
                },
                nullable=True,
            ),
            _one_of("reason", "agreed", "service"),
        ),
        comes_in=(Status.RUNNING,),
        apply=clocks.pause_game,
    ),
    EventKind(
        type=types.GAME_RESUMED,
        text="The clocks run again.",
        fields=(_BY_WHOM, _one_of("reason", "move", "due", "agreed")),
        comes_in=(Status.RUNNING,),
        apply=clocks.resume_game,
    ),
    EventKind(
        type=types.PROPOSAL_MADE,
        text="A player proposed something that others have to agree to.",
        fields=(
            _SEAT,
            _one_of("kind", "takeback", "pause", "abort", "end", "forfeit"),
            Field("needs", list, _list_of(_SEATS, description="The seats that have to agree.")),
            _EXPIRES_AT,
            _optional("to_version", int, "Takebacks: the version to go back to.", minimum=1),
            Field(
                "moves",
                list,
                _list_of(_VERSIONS, description="Takebacks: the versions of the moves."),
                required=False,
            ),
            _optional("target", int, "Claims: the seat that is claimed.", minimum=0),
            _optional("until", str, "Pauses: until when.", format="date-time"),
        ),
        comes_in=(Status.RUNNING,),
        apply=proposals.make_proposal,
    ),
    EventKind(
        type=types.PROPOSAL_ANSWERED,
        text="A player answered the proposal.",
        fields=(
            _PROPOSAL,
            _SEAT,
            _one_of("answer", "accept", "decline"),
            Field(
                "auto",
                bool,
                {"type": "boolean", "description": "The preference of the player answered."},
            ),
        ),
        comes_in=(Status.RUNNING,),
        apply=proposals.answer_proposal,
    ),
    EventKind(
        type=types.PROPOSAL_CLOSED,
        text="The proposal is closed.",
        fields=(
            _PROPOSAL,
            _one_of("outcome", "accepted", "declined", "withdrawn", "lapsed", "expired"),
        ),
        comes_in=(Status.RUNNING,),
        apply=proposals.close_proposal,
    ),
    EventKind(
        type=types.MOVES_TAKEN_BACK,
        text="Moves were taken back: the game goes on from an earlier position.",
        fields=(
            _SEAT,
            Field(
                "to_version",
                int,
                {"type": "integer", "minimum": 1, "description": "The version gone back to."},
            ),
            Field(
                "moves",
                list,
                _list_of(_VERSIONS, description="The versions of the moves, in order."),
            ),
            Field(
                "proposal",
                int,
                {
                    "type": ["integer", "null"],
                    "minimum": 1,
                    "description": "The proposal that was accepted; null for a free takeback.",
                },
                nullable=True,
            ),
            _STATE_HASH,
            _TAKEBACK_CLOCK,
        ),
        comes_in=(Status.RUNNING,),
        changes_position=True,
        apply=proposals.take_back_moves,
        schema=2,
        upcasters={1: upcasters.keep},
    ),
    EventKind(
        type=types.LADDER_LEFT,
        text="The practice game counts for no rating any more: its player had help.",
        fields=(_one_of("reason", *LEAVE_REASONS),),
        comes_in=(Status.RUNNING,),
        apply=ladders.leave_ladder,
    ),
    EventKind(
        type=types.PLAY_ENDED,
        text="The play ended before its time: the score is counted as it stands.",
        fields=(
            _one_of("reason", "forfeits", "agreement", "window"),
            _optional(
                "slowest",
                int,
                "`window`: the seat that had used the most time, and is ranked last.",
                minimum=0,
            ),
        ),
        comes_in=(Status.RUNNING,),
        leads_to=Status.SCORING,
        apply=board.end_play,
    ),
    EventKind(
        type=types.DRAWS_RENEWED,
        text="The secret of the draws was lost: later draws follow from another secret.",
        fields=(Field("commitment", str, _COMMITMENT),),
        comes_in=(Status.OPEN, Status.RUNNING),
        schema=CHAINED,
        apply=board.renew_draws,
    ),
    EventKind(
        type=types.GAME_SCORED,
        text="The score was counted: the game is over.",
        fields=(Field("result", dict, component("Result")), _SECRET),
        comes_in=(Status.SCORING,),
        leads_to=Status.OVER,
        ends_stream=True,
        apply=board.score_game,
        **_BEFORE_THE_CHAIN,
    ),
    EventKind(
        type=types.GAME_ABORTED,
        text="The game ended without a result.",
        fields=(
            Field("reason", str, {"type": "string"}),
            _SECRET,
            _one_of(
                "code",
                "host",
                "early",
                "agreed",
                "unstarted",
                "empty",
                "service",
                text="Why, for programs; missing in old events.",
                required=False,
            ),
            Field(
                "by",
                str,
                {"type": ["string", "null"], "description": "Id of the player who did it."},
                required=False,
                nullable=True,
            ),
        ),
        comes_in=(Status.OPEN, Status.RUNNING, Status.SCORING),
        leads_to=Status.ABORTED,
        ends_stream=True,
        apply=board.abort_game,
        **_BEFORE_THE_CHAIN,
    ),
)

KINDS: Final[dict[str, EventKind]] = {row.type: row for row in ROWS}
"""The rows by type."""


def shape_problem(event: Json) -> str | None:
    """Say which field of an event (current schema) is missing or of another type, if any."""
    return KINDS[event["type"]].fault(event)


def check_event(kinds: Mapping[str, EventRow], noun: str, version: int, event: Json) -> EventRow:
    """Return the row of an event that follows a version, 0: none.

    Raises `Misfit` for a type that is unknown, a field that is missing, or another version; `noun`
    is what the stream is of, with its article.
    """
    row = kinds.get(event.get("type", ""))
    if row is None:
        raise Misfit("field", f"{noun} has no event {event.get('type')!r}")
    if fault := row.fault(event):
        raise Misfit("field", fault)
    if event["version"] != version + 1:
        raise Misfit("version", f"version {event['version']} does not come next")
    return row


def ends_stream(type_: str) -> bool:
    """Return whether no event follows an event of this type."""
    return KINDS[type_].ends_stream


def upcast(stored: Json) -> Json:
    """Return a stored event in the current schema, without `schema`; may change `stored`.

    Raises `UnknownSchema` for a type or a schema that this release does not know, `ValueError` for
    what is no type or no schema.
    """
    type_, schema = stored["type"], stored.pop("schema")
    kind = KINDS.get(type_)
    if kind is None:
        raise UnknownSchema(f"no reader for events of type {type_!r}")
    if schema != kind.schema:
        for step in _steps(kind, schema):
            stored = step(stored)
    return stored


def _steps(kind: EventKind, schema: Any) -> Iterator[Upcaster]:
    """Yield the upcasters from a schema to the current one."""
    if type(schema) is not int:
        raise ValueError(f"{schema!r} is no schema")
    steps = [kind.upcasters.get(old) for old in range(schema, kind.schema)]
    if not steps or None in steps:
        raise UnknownSchema(f"no reader for {kind.type!r}, schema {schema}")
    return filter(None, steps)
