"""What an analysis board asks of a local game: the best few moves, and another draw."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from cartulary.bots.thought import Budget
from cartulary.engine.chance import Chance, RandomSource
from cartulary.engine.core import Json, State
from cartulary.events.model.types import GAME_STARTED, MOVE_MADE
from cartulary.offline.local_game import LocalGame
from cartulary.offline.refusals import Refusal, invalid, not_found

LEVEL: Final = "hard"
MOST: Final = 5
"""The most moves that have a value: more would cover the board."""


def consider(game: LocalGame) -> Json:
    """Return the best moves of the position; raises `Refusal`.

    The first is what the bot would play. The others follow by margin: few samples may promise more.
    `margin` is the lead that a move is expected to bring, in points, and `win` the share of wins,
    both null for the only move of a question.
    """
    if game.table.decision is None:
        raise Refusal(409, "game_not_running", f"the game is {game.table.status}")
    if LEVEL not in game.offer.bots:
        raise not_found("a judgement of this game")
    bot, state = game.offer.bots[LEVEL], game.state.copy()
    rng = Random(f"board/{game.id}/{game.table.position}")
    thought = bot.think(state, rng, bot.budget_of(state.seats) or Budget(1))
    found: dict[Any, Json] = {}
    others = sorted(thought.values[1:], key=lambda value: value.margin, reverse=True)
    for value in (*thought.values[:1], *others):
        told = {"margin": round(value.margin, 2), "win": round(value.win, 3)}
        found.setdefault(value.move, {"move": state.move_json(value.move), **told})
    if not found:
        move = thought.moves[0]
        found[move] = {"move": state.move_json(move), "margin": None, "win": None}
    return {"version": game.table.version, "moves": list(found.values())[:MOST]}


def describe_draw(game: LocalGame) -> Json | None:
    """Return what could have been drawn before this question, None where nothing was drawn.

    `outcomes` has each outcome with its weight.
    """
    if game.table.decision is None or not (drawn := _last_event(game)["chance"]):
        return None
    question = _before_draw(game)[1]
    pairs = zip(question.outcomes, question.weights, strict=True)
    outcomes = [{"outcome": outcome, "weight": weight} for outcome, weight in pairs if weight]
    return {"kind": question.kind, "drawn": drawn[-1], "outcomes": outcomes}


def redraw(game: LocalGame, outcome: str) -> Json:
    """Return the transcript of the same moves with another last draw; raises `Refusal`."""
    known = describe_draw(game)
    if known is None:
        raise Refusal(409, "nothing_drawn", "nothing was drawn before this question")
    possible = [one["outcome"] for one in known["outcomes"]]
    if outcome not in possible:
        raise invalid("/outcome", f"one of {', '.join(possible)}")
    state, _ = _before_draw(game)
    state.resolve(outcome)
    # What fits nowhere is set aside by the rules, and something else is drawn.
    further = state.settle(RandomSource(Random(f"board/{game.id}/{outcome}")))
    transcript = game.transcript()
    bag = game.offer.rules.bag(state)
    draws = [*transcript.draws[:-1], outcome, *further]
    changed = {"draws": draws, **({} if bag is None else {"bag": bag})}
    return {**transcript.to_json(), **changed}


def _last_event(game: LocalGame) -> Json:
    """Return the event that led to the position: the start, or the last move that stands."""
    made = (GAME_STARTED, MOVE_MADE)
    standing = (one for one in reversed(game.events) if game.table.stands(one["version"]))
    return next(one for one in standing if one["type"] in made)


def _before_draw(game: LocalGame) -> tuple[State[Any], Chance]:
    """Return the position before the last draw, and what it asked."""
    event = _last_event(game)
    if event["type"] == GAME_STARTED:
        state = game.offer.rules.new(len(game.seats), game.table.options, game.table.setup)
    else:
        earlier = game.table_at(event["version"] - 1).state
        assert earlier is not None
        state = earlier.copy()
        state.play(state.find(event["move"]))
    for outcome in event["chance"][:-1]:
        state.resolve(outcome)
    question = state.chance
    assert question is not None
    return state, question
