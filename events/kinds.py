"""The event types, one row each.

Checking, upcasting and folding follow from the rows, and so do the JSON Schemas of the description
and the end of a live stream. A new event type takes a row here, a function in `events.effects`, a
sentence per language in `locales/`, and an example in `service/description/examples.py`;
`tests/test_event_types.py` says what is missing.

Types are added; a type is never changed or removed. A new form of a type is a new schema of its
row, with an upcaster from the schema before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cartulary.events import effects, types, upcasters
from cartulary.events.chain import CHAINED
from cartulary.events.errors import UnknownSchema
from cartulary.events.fairness import SCHEME
from cartulary.events.status import Status
from cartulary.events.table import Table
from cartulary.events.thinking import FALLBACKS
from cartulary.events.types import Json

Effect = Callable[[Any, Json, effects.Folding], Table]
"""(table, event, folding) -> table. The table is None for the type that opens a stream."""

Upcaster = Callable[[Json], Json]

UNCHAINED: Final[Mapping[int, Upcaster]] = {1: upcasters.keep_unchained}
"""The upcasters of a type that only the chain has changed."""


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
class Kind:
    """A row: all that is known about one event type.

    `type`: its name. `text`: a sentence for people. `schema`: the current one. `fields`: those
    beside `version`, `type` and `at`. `comes_in`: the statuses of a game in which it may come;
    empty for the type that opens a stream. `leads_to`: the status after it, None: the same.
    `changes_position`: a move that expects an earlier version is stale after it. `ends_stream`: no
    event follows. `apply`: what it does to the table. `upcasters`: by the schema that they read.
    """

    type: str
    text: str
    fields: tuple[Field, ...]
    apply: Effect
    schema: int = CHAINED
    comes_in: tuple[Status, ...] = ()
    leads_to: Status | None = None
    changes_position: bool = False
    ends_stream: bool = False
    upcasters: Mapping[int, Upcaster] = field(default_factory=lambda: UNCHAINED)
    has_state_hash: bool = field(init=False)
    has_chance: bool = field(init=False)

    def __post_init__(self) -> None:
        """Note what the fold asks for each event."""
        names = {one.name for one in self.fields}
        object.__setattr__(self, "has_state_hash", "state_hash" in names)
        object.__setattr__(self, "has_chance", "chance" in names)

    def fault(self, event: Json) -> str | None:
        """Say which field of an event (current schema) is missing or of another type, if any."""
        return next(filter(None, (one.fault(event) for one in self.fields)), None)

    def json_schema(self) -> Json:
        """Return the JSON Schema of an event of this type, as clients see it."""
        fields = (*_EVERY_EVENT, Field("type", str, {"const": self.type}), *self.fields)
        return {
            "type": "object",
            "description": self.text,
            "properties": {one.name: one.schema for one in fields},
            "required": [one.name for one in fields if one.required],
        }


def component(name: str) -> Json:
    """Return a reference to a component of `openapi.yaml`."""
    return {"$ref": f"#/components/schemas/{name}"}


def _list_of(item: Json, **more: Any) -> Json:
    return {"type": "array", "items": item, **more}


def _hash_field(name: str, description: str) -> Field:
    schema = {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": description}
    return Field(name, str, schema, required=False)


_EVERY_EVENT: Final = (
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
        "description": "Moves of bots: the `level` and its `version`; in games with fair draws the "
        "`seed` of the bot's generator, 16 hex digits. When another bot has moved than the bot of "
        "the seat, `level` is the bot that has moved, and `fallback` the reason: "
        + "; ".join(f"`{word}`, {line}" for word, line in FALLBACKS.items())
        + ".",
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
_STATE_HASH: Final = Field(
    "state_hash", str, {"type": "string", "description": "SHA-256 of the state after the event."}
)

ROWS: Final[tuple[Kind, ...]] = (
    Kind(
        type=types.GAME_CREATED,
        text="Somebody opened the game.",
        fields=(
            Field("game", str, component("GameName")),
            Field("options", dict, {"type": "object", "description": "Complete, with defaults."}),
            Field("seats", list, _list_of(component("Seat"))),
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
                    },
                    "required": ["scheme", "commitment", "given"],
                    "description": "The commitment to the secret of the draws. Missing in games "
                    "from before fair draws, null where nothing is left to draw.",
                },
                required=False,
                nullable=True,
            ),
        ),
        apply=effects.create_game,
        upcasters={0: upcasters.seats_as_objects, **UNCHAINED},
    ),
    Kind(
        type=types.SEAT_TAKEN,
        text="A player sat down.",
        fields=(_SEAT, _PLAYER, _ENTROPY),
        comes_in=(Status.OPEN,),
        apply=effects.take_seat,
    ),
    Kind(
        type=types.SEAT_LEFT,
        text="A player left before the start.",
        fields=(_SEAT, _PLAYER),
        comes_in=(Status.OPEN,),
        apply=effects.leave_seat,
    ),
    Kind(
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
        ),
        comes_in=(Status.OPEN,),
        leads_to=Status.RUNNING,
        changes_position=True,
        apply=effects.start_game,
        upcasters={0: upcasters.chance_from_drawn, **UNCHAINED},
    ),
    Kind(
        type=types.MOVE_MADE,
        text="A decision was answered.",
        fields=(_SEAT, Field("move", dict, component("Move")), _CHANCE, _FACTS, _STATE_HASH, _BOT),
        comes_in=(Status.RUNNING,),
        changes_position=True,
        apply=effects.make_move,
        upcasters={0: upcasters.chance_from_drawn, **UNCHAINED},
    ),
    Kind(
        type=types.DRAWS_RENEWED,
        text="The secret of the draws was lost: later draws follow from another secret.",
        fields=(Field("commitment", str, _COMMITMENT),),
        comes_in=(Status.OPEN, Status.RUNNING),
        upcasters={},
        apply=effects.renew_draws,
    ),
    Kind(
        type=types.GAME_SCORED,
        text="The score was counted: the game is over.",
        fields=(Field("result", dict, component("Result")), _SECRET),
        comes_in=(Status.SCORING,),
        leads_to=Status.OVER,
        ends_stream=True,
        apply=effects.score_game,
    ),
    Kind(
        type=types.GAME_ABORTED,
        text="The game ended without a result.",
        fields=(Field("reason", str, {"type": "string"}), _SECRET),
        comes_in=(Status.OPEN, Status.RUNNING, Status.SCORING),
        leads_to=Status.ABORTED,
        ends_stream=True,
        apply=effects.abort_game,
    ),
)

KINDS: Final[dict[str, Kind]] = {row.type: row for row in ROWS}
"""The rows by type."""


def shape_problem(event: Json) -> str | None:
    """Say which field of an event (current schema) is missing or of another type, if any."""
    return KINDS[event["type"]].fault(event)


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


def _steps(kind: Kind, schema: Any) -> Iterator[Upcaster]:
    """Yield the upcasters from a schema to the current one."""
    if type(schema) is not int:
        raise ValueError(f"{schema!r} is no schema")
    steps = [kind.upcasters.get(old) for old in range(schema, kind.schema)]
    if not steps or None in steps:
        raise UnknownSchema(f"no reader for {kind.type!r}, schema {schema}")
    return filter(None, steps)
