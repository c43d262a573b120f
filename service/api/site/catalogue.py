"""The games on offer, and what their pieces cost, do and are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, request
from werkzeug.datastructures import ETags

from cartulary.engine.canonical import canonical_hash
from cartulary.engine.options import Option
from cartulary.events.model.time.pace import PRESETS
from cartulary.games.describing import describe_offer, describe_pieces
from cartulary.service.http.answers import answer_changed
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import InvalidProblem, not_found
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, count, list_of, nullable, text, whole
from cartulary.service.schemas.pace import PaceAnswer
from cartulary.service.schemas.references import game_name

blueprint = Blueprint("catalogue", __name__)


def _bundle(description: str) -> fields.Dict:
    return fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        allow_none=True,
        description=description,
    )


class OptionAnswer(Answer):
    """An option of a game."""

    name = text()
    text = text()
    values = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        description="All values; the default comes first.",
    )
    default = fields.Raw(required=True, metadata={"type": ["string", "integer"]})


class BotAnswer(Answer):
    """A bot for a seat; the weakest comes first."""

    name = text()
    description = text("How the bot plays, how strong it is, and how long it thinks.")
    text = text("The same as `description`.")
    strength = whole(
        0,
        description="A number like Elo from duels of the levels of this game; `medium` has "
        "1500. Null when it is not measured.",
        required=True,
        allow_none=True,
    )
    ms = count("So long the bot thinks of a move, usually at most.", required=True, allow_none=True)


class SeatsRange(Answer):
    """The number of players."""

    from_ = whole(1, required=True, data_key="from")
    to = whole(1, required=True)


class GameOffer(Answer):
    """A game on offer."""

    name = game_name()
    title = text()
    rules_version = whole(1, required=True)
    seats = fields.Nested(SeatsRange, required=True)
    options = list_of(OptionAnswer)
    bots = list_of(BotAnswer)


class PaceOffer(Answer):
    """A pace with a name."""

    name = text()
    pace = nullable(PaceAnswer, "For `pace` of a new game; null: untimed.")


class CatalogueAnswer(Answer):
    """The games on offer, and paces to choose from."""

    games = list_of(GameOffer)
    paces = list_of(PaceOffer, "Usual paces; a game may have any other.")


class PieceAnswer(Answer):
    """What a piece costs, does and is worth."""

    id = text("Unique within its kind; columns of one line of favours share it.")
    kind = text("For example `wood`, `prestige`, `castle`, `favour`, `feature`, `tile`.")
    name = text()
    rules = text("The section of the rules that it is taken from.")
    price = _bundle("What it costs; null for what no player buys.")
    effect = text("What it does, in words; empty for a piece that does nothing.")
    does = fields.Dict(
        required=True, description="The same for programs, by the names of effects of the game."
    )
    owner = text("What the owner gets when another seat uses the piece, in words; often empty.")
    owner_gets = fields.List(
        fields.Dict(keys=fields.String(), values=fields.Integer()),
        required=True,
        description="The same for programs: bundles of which the owner gets one.",
    )
    points = count(
        "What it is worth: to its builder, for a house, for a tile.", required=True, allow_none=True
    )
    favours = count("Favours for its builder.", required=True)
    column = whole(1, description="The column of a favour.")
    copies = whole(1, description="How many there are: tiles and followers.")


class PieceListAnswer(Answer):
    """The pieces of a game under some options."""

    game = game_name()
    options = fields.Dict(required=True, description="All options.")
    pieces = list_of(PieceAnswer)


@blueprint.get("/catalogue")
@operation(
    "catalogue",
    "The games on offer",
    {
        200: AnswerOf("The catalogue.", CatalogueAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    token="optional",
)
def show_catalogue(services: Services, known: ETags, lang: str) -> Response:
    """What can be played: seats, options with their values and defaults, and the bots.

    `title` and `text` are in the language that `Accept-Language` likes best.
    """
    paces = [
        {"name": name, "pace": None if pace is None else pace.to_json()}
        for name, pace in PRESETS.items()
    ]
    games = [describe_offer(offer, lang) for offer in services.offers.values()]
    catalogue = {"games": games, "paces": paces}
    tag = f'"{canonical_hash(catalogue)[:16]}"'
    answer = answer_changed(known, lambda: catalogue, tag, "public, max-age=60")
    return mark_language(answer, lang)


@blueprint.get("/catalogue/<game_name>")
@operation(
    "catalogue",
    "What the pieces of a game cost, do and are worth",
    {
        200: AnswerOf("The pieces.", PieceListAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    refusals=("not_found", "invalid"),
    any_query=True,
    token="optional",
)
def show_pieces(services: Services, game_name: str, known: ETags, lang: str) -> Response:
    """Under the options of the query (`?edition=second`); a missing option has its default.

    `name`, `effect` and `owner` are in the language that `Accept-Language` likes best, `price` and
    `does` are for programs. The numbers are those that the rules themselves use.
    """
    offer = services.offers.get(game_name)
    if offer is None:
        raise not_found("this game")
    options = read_options(offer.rules.options, request.args.to_dict(flat=False))
    shown = describe_pieces(offer, options, lang)
    tag = f'"{canonical_hash(shown)[:16]}"'
    answer = answer_changed(known, lambda: shown, tag, "public, max-age=60")
    return mark_language(answer, lang)


def read_options(
    options: Sequence[Option], query: Mapping[str, Sequence[str]]
) -> dict[str, str | int]:
    """Return all options with the values of a query; raises `InvalidProblem`."""
    chosen: dict[str, str | int] = {option.name: option.default for option in options}
    errors = [
        {"pointer": f"/{name}", "detail": "is no option of this game"}
        for name in query.keys() - chosen.keys()
    ]
    for option in options:
        values = {str(value): value for value in option.values}
        given = query.get(option.name, [])
        if len(given) > 1 or not set(given) <= values.keys():
            detail = f"must be one of: {', '.join(values)}"
            errors.append({"pointer": f"/{option.name}", "detail": detail})
        elif given:
            chosen[option.name] = values[given[0]]
    if errors:
        raise InvalidProblem(sorted(errors, key=lambda error: error["pointer"]))
    return chosen
