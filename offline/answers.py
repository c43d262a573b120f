"""What the API answers about a game, made from a local game."""

from __future__ import annotations

from random import Random

import orjson

from cartulary import locales, pictures
from cartulary.bots.reasons import explain
from cartulary.bots.thought import Budget
from cartulary.engine.core import Json
from cartulary.engine.errors import IllegalMove, Reason
from cartulary.events.model.chain import view_text
from cartulary.events.model.table import Table
from cartulary.events.model.types import MOVE_MADE
from cartulary.locales.reasoning import Sentences
from cartulary.locales.reasons import Reasons
from cartulary.offline.local_game import LocalGame
from cartulary.offline.refusals import not_found

LEVEL = "hard"
"""The level of the bot that gives hints."""


def describe_game(game: LocalGame) -> Json:
    """Return the game with its view and its decision.

    One person plays here, so a hint is unfair to no other player, also without a bot at the table.
    """
    table, view = game.table, game.table.view_text()
    hints = {"hints": table.terms.hints}
    return {**table.summary(), **hints, "view": view and orjson.Fragment(view)}


def describe_state(game: LocalGame, version: int | None) -> Json:
    """Return the table after an event, with its state hash."""
    table = game.table_at(version)
    view = table.view_text()
    return {
        "version": table.version,
        "decision": _describe_decision(table),
        "view": view and orjson.Fragment(view),
        "state_hash": table.state_hash,
    }


def describe_moves(game: LocalGame) -> Json:
    """Return every legal move now."""
    table = game.table
    moves = game.state.legal_moves() if table.decision else []
    return {"version": table.version, "decision": _describe_decision(table), "moves": moves}


def describe_events(game: LocalGame, after: int, limit: int) -> Json:
    """Return the events after a version."""
    events = game.events[after : after + limit]
    return {"events": events, "next_after": events[-1]["version"] if events else after}


def describe_features(game: LocalGame, version: int | None) -> Json:
    """Return the features on the board after an event."""
    table = game.table_at(version)
    features = [] if table.state is None else table.state.list_features()
    return {"version": table.version, "features": features}


def describe_written(game: LocalGame, events: list[Json]) -> Json:
    """Return what the answer to a move says besides picture and moves."""
    made = next((one for one in events if one["type"] == MOVE_MADE), events[0])
    return {
        "version": game.table.version,
        "event": made,
        "events": events,
        "game": describe_game(game),
    }


def preview(game: LocalGame, move: Json, version: int | None, further: bool) -> Json:
    """Return what a move would lead to, up to the first draw; raises `Refusal`."""
    found, state = game.find_move(move, version), game.state.copy()
    facts: list[Json] = []
    state.facts = facts
    before = state.list_features()
    state.play(found)
    decision = state.decision
    seen: Json = {
        "facts": facts,
        "view": orjson.Fragment(view_text(state)),
        "decision": decision and decision.to_json(),
        "chance": state.chance is not None,
    }
    if further:
        seen["moves"] = state.legal_moves() if decision else []
        seen["features"] = [one for one in state.list_features() if one not in before]
    return seen


def say_why(game: LocalGame, move: Json, lang: str) -> Json:
    """Return whether a move is legal now, and why not."""
    reasons = Reasons(lang, game.offer.words, _name_players(game, lang))
    try:
        game.state.find(move)
    except IllegalMove as error:
        sentence = error.reason
    else:
        return {"legal": True, "rule": None, "reason": "", "text": reasons.tell("legal", {})}
    known = isinstance(sentence, Reason)
    rule, details = (sentence.rule, sentence.details) if known else ("not_legal", {})  # type: ignore[attr-defined]
    told = reasons.tell(rule, details, sentence)
    return {"legal": False, "rule": rule, "reason": str(sentence), "text": told}


def give_hint(game: LocalGame, lang: str) -> Json:
    """Return the move that the strongest level would make, and why; raises `Refusal`."""
    if LEVEL not in game.offer.bots or game.table.decision is None:
        raise not_found("a hint for this position")
    bot, state = game.offer.bots[LEVEL], game.state.copy()
    rng = Random(f"hint/{game.id}/{game.table.position}")
    move, *plan = bot.think(state, rng, bot.budget_of(state.seats) or Budget(1)).moves
    why = explain(game.offer.reasons, state, move, plan)
    text = Sentences(lang, _name_players(game, lang)).say(game.offer.words, why)
    return {
        "version": game.table.version,
        "move": state.move_json(move),
        "why": why,
        "text": text,
    }


def draw_board(game: LocalGame, version: int | None, lang: str, wishes: Json) -> str:
    """Return the picture of the table after an event; raises `Refusal` without a picture."""
    table = game.table_at(version)
    if game.offer.picture is None or table.state is None:
        raise not_found("a picture of this game")
    moves = [one for one in game.events[: table.version] if one["type"] == MOVE_MADE]
    return pictures.draw(
        game.offer.picture,
        table.state.view(),
        decision=_describe_decision(table),
        players=_name_players(game, lang),
        status=table.status,
        result=table.result,
        last_move=moves[-1] if moves else None,
        options=table.state.options,
        words=game.offer.words.picture(lang),
        **wishes,
    )


def describe_proposals(game: LocalGame) -> Json:
    """Return what the player may propose: to take moves back."""
    free = game.table.free_takeback
    takeback = {
        "free_to": free and free.free_to,
        "ask": False,
        "own": free is not None,
        "why_not": None,
    }
    may = {"takeback": takeback, "pause": False, "abort": False, "end": False, "claim": None}
    return {"open": None, "may": may}


def _describe_decision(table: Table) -> Json | None:
    decision = table.decision
    return decision and decision.to_json()


def _name_players(game: LocalGame, lang: str) -> list[str]:
    bots = locales.terms(lang).get("bots", {})
    return [
        bots.get(seat["bot"], seat["bot"]) if seat["kind"] == "bot" else game.person["name"]
        for seat in game.seats
    ]
