"""The event types of a tournament's stream, one row each, and how an event is made.

A tournament has a stream of its own with the rules of a game's stream: versions without gaps, `at`,
`prev`, canonical JSON, integers only. Entrants are named by their numbers, which count the
`entered` events from 1; tables are counted from 1 over the whole tournament.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cartulary.events.model.effects.kinds import EventRow, Field, component
from cartulary.events.model.types import Json

TOURNAMENT_CREATED: Final = "tournament_created"
ENTERED: Final = "entered"
WITHDREW: Final = "withdrew"
ENTRANT_REMOVED: Final = "entrant_removed"
REINSTATED: Final = "reinstated"
TAKEN_OVER: Final = "taken_over"
STARTED: Final = "started"
ROUND_PAIRED: Final = "round_paired"
TIME_ACCEPTED: Final = "time_accepted"
TABLE_SCORED: Final = "table_scored"
TABLE_VOIDED: Final = "table_voided"
ROUND_CLOSED: Final = "round_closed"
CHAIN_RENEWED: Final = "chain_renewed"
TOURNAMENT_OVER: Final = "tournament_over"
TOURNAMENT_CANCELLED: Final = "tournament_cancelled"

LEFT, ABSENT, CLOSED, SUSPENDED = WITHDRAW_REASONS = ("left", "absent", "closed", "suspended")
"""Why an entrant withdrew: by the entrant's own word, absent from two tables, with the account
closed, or suspended by the operators."""

VOID_REASONS: Final = (
    "window",  # the window ended before every seat had three turns
    "aborted",  # an operator aborted the game
    "secret_lost",  # the secret of the game, or of the duplicate round, is lost
    "restored",  # a duplicate round was open in a backup: its secret may be known
    "time_over",  # the arena was over before the game
    "cancelled",  # the tournament was cancelled
    "operator",  # an operator decided it
)

CANCEL_CODES: Final = ("host", "unstarted", "empty", "secret_lost", "service")
"""Why a tournament was cancelled: by its host, not started in time with enough entrants, all
entrants left, the pairing secret lost, by the operators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEventKind(EventRow):
    """A row of a tournament's stream. `ends_stream`: no event follows."""

    ends_stream: bool = False


def _text(description: str = "", **more: Any) -> Json:
    schema: Json = {"type": "string", **more}
    return {**schema, "description": description} if description else schema


def _null_or(schema: Json) -> Json:
    return {**schema, "type": [schema["type"], "null"]}


def _list_of(item: Json, description: str = "") -> Json:
    schema: Json = {"type": "array", "items": item}
    return {**schema, "description": description} if description else schema


_NUMBER: Final[Json] = {"type": "integer", "minimum": 1}
_WHOLE: Final[Json] = {"type": "integer"}
_HEX: Final = _text(pattern="^[0-9a-f]{64}$")

_ENTRANT: Final = Field("entrant", int, {**_NUMBER, "description": "The number of the entrant."})
_ROUND: Final = Field("round", int, _NUMBER)
_TABLE: Final = Field("table", int, {**_NUMBER, "description": "The number of the table."})
_GAME_ID: Final = Field("game", str, _text("The id of the game."))
_PLAYER: Final = Field("player", dict, component("PlayerName"))


_BY_OPERATOR: Final = (
    Field("by", str, _text("The operator who decided it, by id."), required=False),
    Field(
        "explanation",
        str,
        _text("Why the operator decided it; missing in older events, and where no operator did."),
        required=False,
    ),
)


def _entropy(description: str) -> Field:
    return Field("entropy", str, _null_or(_text(description)), nullable=True)


def _secret(name: str, description: str, required: bool = True) -> Field:
    schema = _null_or({**_HEX, "description": description})
    return Field(name, str, schema, required=required, nullable=True)


TERMS_FIELDS: Final = (
    Field("name", str, _text("What the host calls it.")),
    Field("game", str, _text("The name of the game.")),
    Field("options", dict, {"type": "object", "description": "All options with their values."}),
    Field("table", list, _list_of({"type": "integer", "minimum": 2, "maximum": 5})),
    Field("format", str, _text(enum=["round_robin", "swiss", "arena"])),
    Field("rounds", int, _null_or({**_NUMBER}), nullable=True),
    Field("minutes", int, _null_or({**_NUMBER}), nullable=True),
    Field("pace", dict, component("Pace")),
    Field("window", int, _null_or({**_NUMBER, "description": "Hours."}), nullable=True),
    Field("entrants", dict, {"type": "object", "description": "Who may enter, and how many."}),
    Field("rated", bool, {"type": "boolean"}),
    Field("duplicate", bool, {"type": "boolean"}),
    Field("visibility", str, _text(enum=["public", "unlisted", "private"])),
    Field("start", dict, {"type": "object", "description": "What starts the tournament."}),
    Field("tiebreaks", list, _list_of(_text())),
)
"""What a tournament is, as `POST /tournaments` asks it, complete (`tournaments.terms`)."""

_SEATS_OF_A_TABLE: Final = {
    "type": "object",
    "properties": {"table": _NUMBER, "game": _text(), "seats": _list_of(_NUMBER)},
    "required": ["table", "game", "seats"],
}

_ROWS: Final = (
    TournamentEventKind(
        type=TOURNAMENT_CREATED,
        text="A host has announced the tournament.",
        fields=(
            *TERMS_FIELDS,
            Field("host", dict, component("PlayerName")),
            Field(
                "pairing",
                dict,
                {
                    "type": "object",
                    "description": "How rounds are paired: the version of the rule, and the "
                    "SHA-256 of the secret that seeds it.",
                    "properties": {"scheme": _text(), "commitment": _HEX},
                    "required": ["scheme", "commitment"],
                },
            ),
            _secret("commitment", "The end of the chain of secrets of a duplicate, else null."),
        ),
    ),
    TournamentEventKind(
        type=ENTERED,
        text="A player has entered.",
        fields=(
            _ENTRANT,
            _PLAYER,
            Field(
                "owner",
                str,
                _null_or(_text("Whose bot the player is, by id; null for a person.")),
                nullable=True,
            ),
            _entropy("What the player adds to the draws of a duplicate."),
        ),
    ),
    TournamentEventKind(
        type=WITHDREW,
        text="An entrant plays no further table.",
        fields=(_ENTRANT, Field("reason", str, _text(enum=[*WITHDRAW_REASONS]))),
    ),
    TournamentEventKind(
        type=ENTRANT_REMOVED,
        text="The host has removed an entrant before the start, or an operator later.",
        fields=(
            _ENTRANT,
            Field("by", str, _text("Who did, by id.")),
            Field("reason", str, _text()),
        ),
    ),
    TournamentEventKind(
        type=REINSTATED,
        text="An operator has let an entrant who was gone back in: the entrant plays again from "
        "the next round on, and earlier absences count no more.",
        fields=(
            _ENTRANT,
            Field("by", str, _text("The operator, by id.")),
            Field("reason", str, _text()),
        ),
    ),
    TournamentEventKind(
        type=TAKEN_OVER,
        text="A guest has merged into an account, which enters, hosts and is invited in its place.",
        fields=(Field("from", str, _text("The guest, by id.")), _PLAYER),
    ),
    TournamentEventKind(
        type=STARTED,
        text="Entries are closed; the first round follows.",
        fields=(_entropy("SHA-256 of the entropies of all entries, of a duplicate; else null."),),
    ),
    TournamentEventKind(
        type=ROUND_PAIRED,
        text="A round begins: who sits where, and in which game.",
        fields=(
            _ROUND,
            Field("tables", list, _list_of(_SEATS_OF_A_TABLE)),
            Field("byes", list, _list_of(_NUMBER, "The entrants without a table.")),
            Field(
                "ends_at",
                str,
                _null_or(_text("When the window ends; outages move it.", format="date-time")),
                nullable=True,
            ),
        ),
    ),
    TournamentEventKind(
        type=TIME_ACCEPTED,
        text="An entrant would play at this time; it is agreed when all of the table would.",
        fields=(_TABLE, _ENTRANT, Field("time", str, _text(format="date-time"))),
    ),
    TournamentEventKind(
        type=TABLE_SCORED,
        text="A table has its result. One with a `reason` is an operator's, and replaces another.",
        fields=(
            _TABLE,
            _GAME_ID,
            Field("ranks", list, _list_of(_NUMBER)),
            Field("scores", list, _list_of(_WHOLE)),
            Field("outcomes", list, _list_of(_text())),
            Field(
                "absent",
                list,
                _list_of(_WHOLE, "The seats whose players were not there at the start."),
                required=False,
            ),
            Field("reason", str, _text(), required=False),
            Field("by", str, _text("The operator, by id."), required=False),
        ),
    ),
    TournamentEventKind(
        type=TABLE_VOIDED,
        text="A table has no result and does not count.",
        fields=(_TABLE, Field("reason", str, _text(enum=[*VOID_REASONS])), *_BY_OPERATOR),
    ),
    TournamentEventKind(
        type=ROUND_CLOSED,
        text="All tables of the round have ended. A duplicate shows the secret of its draws.",
        fields=(_ROUND, _secret("secret", "Of a duplicate; null where it is lost.", False)),
    ),
    TournamentEventKind(
        type=CHAIN_RENEWED,
        text="The secrets of the rounds to come are those of a new chain.",
        fields=(Field("commitment", str, _HEX),),
    ),
    TournamentEventKind(
        type=TOURNAMENT_OVER,
        text="The last round is closed.",
        fields=(
            Field("standings", list, _list_of({"type": "object"})),
            Field("pairing_secret", str, _HEX),
        ),
        ends_stream=True,
    ),
    TournamentEventKind(
        type=TOURNAMENT_CANCELLED,
        text="The tournament ends without a winner.",
        fields=(
            Field("code", str, _text(enum=[*CANCEL_CODES])),
            _secret("pairing_secret", "Null where it is lost."),
            _secret("secret", "That of the open round of a duplicate.", False),
            *_BY_OPERATOR,
        ),
        ends_stream=True,
    ),
)

TOURNAMENT_KINDS: Final[Mapping[str, TournamentEventKind]] = {row.type: row for row in _ROWS}
"""The rows by type."""


def ends_stream(type_: str) -> bool:
    """Return whether no event follows one of this type."""
    kind = TOURNAMENT_KINDS.get(type_)
    return kind is not None and kind.ends_stream
