"""Answers and requests about puzzles."""

from __future__ import annotations

from marshmallow import validate

from cartulary.events.puzzles.puzzles import MOST_PACKED
from cartulary.pictures.colours import THEMES
from cartulary.pictures.frame import LAYOUTS
from cartulary.service.api.game.boards_schema import Colours, PictureQuery
from cartulary.service.api.game.features_schema import FeatureAnswer
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    JsonObject,
    Request,
    count,
    list_of,
    nullable,
    seat,
    text,
    time,
    whole,
)
from cartulary.service.schemas.references import decision, game_name, move, moves, refer, view

LINES = ("start", "best", "tempting")
MOST_MOVES = 12
"""More moves than any answer has."""
MOST_SECONDS = 366 * 24 * 3600


def _facts() -> fields.List:
    return fields.List(
        JsonObject(metadata=refer("LineFact")),
        required=True,
        description="What the line causes, then the reasons for it (`docs/facts.md`).",
    )


def _themes(description: str) -> fields.List:
    return fields.List(fields.String(), required=True, description=description)


class NextPuzzleQuery(Request):
    """Which puzzle comes next."""

    game = fields.String(
        validate=validate.Length(1, 64),
        description="The name of a game with puzzles; missing: the first one that has some.",
    )
    theme = fields.String(
        validate=validate.Length(1, 64), description="A theme; missing: of any theme."
    )


class SolvedQuery(Request):
    """Which page of the attempts."""

    cursor = fields.String(description="`next_cursor` of the page before.")


class PuzzleLineRequest(Request):
    """The moves of an answer, of the seat that is asked."""

    moves = moves(
        required=True,
        validate=validate.Length(1, MOST_MOVES),
        description="In their order, at most `line_moves`: a placement and its follower together.",
    )
    seconds_ago = whole(
        0,
        MOST_SECONDS,
        description="For an answer that was made without a network, at a puzzle of a pack: so long "
        "ago. The day of then counts, at the earliest that of the pack.",
    )


class PuzzlePackQuery(Request):
    """Of which game the pack is."""

    game = fields.String(
        validate=validate.Length(1, 64),
        description="The name of a game with puzzles; missing: the first one that has some.",
    )


class PuzzlePackRequest(Request):
    """How many puzzles shall be in the pack."""

    game = fields.String(
        required=True,
        validate=validate.Length(1, 64),
        description="The name of a game with puzzles.",
    )
    number = whole(
        1,
        MOST_PACKED,
        load_default=MOST_PACKED,
        description="So many that wait for an answer, those that are there already included.",
    )


class PuzzleTryRequest(Request):
    """The first moves of an answer, perhaps none."""

    moves = moves(
        required=True, validate=validate.Length(0, MOST_MOVES), description="In their order."
    )


class PuzzleHintRequest(Request):
    """Which hint."""

    step = whole(1, 2, required=True, description="1: the themes. 2: two lines, one is right.")


class PuzzleBoardQuery(PictureQuery):
    """The choice of a picture of a puzzle."""

    line = fields.String(
        load_default="start",
        validate=validate.OneOf(LINES),
        description="`start`: the position. `best`, `tempting`: what follows from the best line, "
        "and from the tempting one, once the caller has answered.",
    )
    step = whole(
        0, 500, text=True, load_default=0, description="After so many of the steps of `after`."
    )
    tried = fields.String(
        load_default="[]",
        validate=validate.Length(2, 4000),
        description="With `start`: after these first moves of an answer, as JSON.",
    )
    layout = fields.String(load_default="tall", validate=validate.OneOf(LAYOUTS))
    theme = fields.String(load_default="auto", validate=validate.OneOf(THEMES))
    colours = Colours(
        load_default=None,
        description="As for the picture of a table.",
        metadata={"pattern": "^[0-4]{5}$"},
    )


class PuzzleLineAnswer(Answer):
    """A line of moves."""

    moves = moves(required=True, description="In their order.")


class PuzzleHintAnswer(Answer):
    """What the caller has seen of the answer."""

    step = whole(1, 2, required=True, description="So many hints.")
    themes = _themes("What the puzzle is about, the most telling first.")
    candidates = fields.List(
        fields.Nested(PuzzleLineAnswer),
        required=True,
        allow_none=True,
        description="Two lines, one of which is right; null before the second step.",
    )


class PuzzleStep(Answer):
    """A move of a future."""

    seat = seat(required=True)
    move = move()
    chance = fields.List(fields.String(), required=True, description="What was drawn for the move.")


class PuzzleFuture(Answer):
    """What follows from a line."""

    line = moves(required=True)
    facts = _facts()
    text = text("The reasons in words, in the language asked for; may be empty.")
    after = list_of(
        PuzzleStep,
        "What may follow, the line first. The same draws come after both lines, as far as they ask "
        "for the same. `GET /puzzles/{id}/board.svg` draws each step.",
    )


class PuzzleMargin(Answer):
    """How much better the best line is than another idea."""

    points = fields.Float(required=True)
    wins = fields.Float(required=True, description="A share of the wins, 0 to 1.")


class PuzzleSkill(Answer):
    """A rating of Glicko-2: 400 points are ten times the chance; 1500 at the start."""

    rating = fields.Integer(required=True, description="1500 at the start.")
    deviation = count("The standard deviation of the rating.", required=True)


class PuzzleChange(Answer):
    """What an attempt has done to the rating of the player."""

    before = fields.Nested(PuzzleSkill, required=True, description="Before the attempt.")
    after = fields.Nested(PuzzleSkill, required=True, description="After it.")


class PuzzleOutcome(Answer):
    """What became of the attempt, and the answer."""

    right = fields.Boolean(required=True)
    moves = moves(required=True, description="The moves of the caller.")
    at = time()
    hints = whole(0, 2, required=True, description="So many hints came before.")
    rated = fields.Boolean(
        required=True, description="False after a hint: no rating has moved then."
    )
    player = nullable(PuzzleChange, "Null where no rating has moved.")
    puzzle = fields.Nested(PuzzleSkill, required=True, description="The puzzle, as it is now.")
    explorer = text(
        "The `position` that `GET /explorer/{game}` takes; null without an explorer.",
        allow_none=True,
    )
    themes = _themes("What the puzzle is about, the most telling first.")
    margin = fields.Nested(
        PuzzleMargin, required=True, description="How far the answer is ahead of another idea."
    )
    accepted = list_of(PuzzleLineAnswer, "The lines that are right: one idea, in any order.")
    best = fields.Nested(PuzzleFuture, required=True, description="What follows from the answer.")
    tempting = fields.Nested(
        PuzzleFuture, required=True, description="What a good player would choose wrongly."
    )


class PuzzleMoment(Answer):
    """A position in which the seat is asked, or no more."""

    view = view()
    decision = decision()
    moves = moves(required=True, description="Every legal move; empty when the line ends here.")


class PuzzleTried(PuzzleMoment):
    """The position after the first moves of an answer, up to the first draw."""

    facts = fields.List(
        JsonObject(metadata=refer("Fact")),
        required=True,
        description="What the last of the moves leads to, in order.",
    )
    chance = fields.Boolean(required=True, description="True when a draw would follow.")
    features = list_of(FeatureAnswer, "What lies on several places of the board together.")


class PuzzleAnswer(PuzzleMoment):
    """A puzzle as the caller may see it."""

    id = text("The id of the puzzle.")
    game = game_name()
    options = JsonObject(required=True, description="All options with their values.")
    seats = whole(2, 5, required=True)
    seat = seat(required=True, description="The seat that is asked.")
    transcript = JsonObject(
        required=True, description="The game up to the question, as in `docs/transcript.md`."
    )
    line_moves = whole(
        1,
        MOST_MOVES,
        required=True,
        description="An answer has so many moves; fewer where the seat is asked no further.",
    )
    hint = nullable(PuzzleHintAnswer, "The hints that the caller has seen; null for none.")
    answer = nullable(PuzzleOutcome, "Null until the caller has answered.")


class PackedFacts(Answer):
    """What a line causes, then the reasons for it (`docs/facts.md`)."""

    best = fields.List(fields.Dict(), required=True, description="Of the best line.")
    tempting = fields.List(fields.Dict(), required=True, description="Of the tempting line.")


class PackedFutures(Answer):
    """What may follow from each of two lines, the line first."""

    best = list_of(PuzzleStep, "After the best line.")
    tempting = list_of(PuzzleStep, "After the tempting line.")


class PackedPuzzle(Answer):
    """A puzzle with its answer, for clients with the engine (`docs/making-puzzles.md`)."""

    id = text("The id of the puzzle.")
    game = game_name()
    options = JsonObject(required=True, description="All options with their values.")
    seat = seat(required=True, description="The seat that is asked.")
    transcript = JsonObject(
        required=True, description="The game up to the question, as in `docs/transcript.md`."
    )
    best = fields.List(
        moves(), required=True, description="The lines that are right: one idea, in any order."
    )
    tempting = moves(required=True, description="What a good player would choose wrongly.")
    after = fields.Nested(PackedFutures, required=True, description="What may follow.")
    themes = _themes("What the puzzle is about, the most telling first.")
    margin = fields.Nested(
        PuzzleMargin, required=True, description="How far the answer is ahead of another idea."
    )
    facts = fields.Nested(PackedFacts, required=True, description="What speaks for each line.")
    rating = fields.Integer(required=True, description="The first guess of its rating.")


class PuzzlePackAnswer(Answer):
    """The puzzles of a game that the caller has with their answers, and has not answered."""

    game = game_name()
    puzzles = list_of(PackedPuzzle, "Those that came first, first.")


class PuzzlePackedAnswer(Answer):
    """Which puzzles are in the pack now."""

    game = game_name()
    puzzles = fields.List(
        fields.String(), required=True, description="Their ids; fewer where there are no more."
    )


class PuzzleHistoryRow(Answer):
    """An attempt of the caller."""

    puzzle = text("The id of the puzzle.")
    game = game_name()
    at = time()
    right = fields.Boolean(required=True)
    hints = whole(0, 2, required=True, description="So many hints came before.")
    rated = fields.Boolean(required=True)
    change = fields.Integer(required=True, description="What the rating has gained or lost.")
    after = fields.Nested(PuzzleSkill, required=True, description="The rating after it.")
    themes = _themes("What the puzzle is about; empty where the puzzle is gone.")


class PuzzleRatingAnswer(PuzzleSkill):
    """The rating of the caller in a game."""

    game = game_name()


class PuzzleStreak(Answer):
    """Days in a row (UTC) with a puzzle solved at once and without a hint."""

    days = count("Now; a day without a puzzle ends them when it is over.", required=True)
    best = count("The longest so far.", required=True)


class SolvedAnswer(Answer):
    """What the caller has made of puzzles."""

    ratings = list_of(PuzzleRatingAnswer, "One for each game with a rated attempt.")
    streak = fields.Nested(PuzzleStreak, required=True, description="The days in a row.")
    attempts = list_of(PuzzleHistoryRow, "The newest first, fifty at most.")
    next_cursor = text(
        "The value of `cursor` for the next page; null: the last one.", allow_none=True
    )


class PuzzleThemes(Answer):
    """A game with puzzles."""

    game = game_name()
    themes = _themes("What its puzzles are about.")


class PuzzleListAnswer(Answer):
    """The games with puzzles."""

    games = list_of(PuzzleThemes)
