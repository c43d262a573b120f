"""What the games say and accept is what their contracts describe, and all of it occurs.

Every view, decision, legal move, fact and count of many games is held against the contract of its
game with the `jsonschema` library, and strictly: a key that the contract does not name is a fault.
What a contract names must occur in these games, or be listed in `UNSEEN` with a reason.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema_rs import Draft202012Validator, meta

from cartulary.engine.chance import RandomSource
from cartulary.engine.contract import Contract, close
from cartulary.engine.core import Game, Json, State
from cartulary.engine.schema import ANNOTATIONS, KEYWORDS, Schema, parts, referred
from cartulary.engine.transcript import Playback, from_json
from cartulary.games import GAMES
from tests.engine.caylus.busy import choose
from tests.engine.caylus.test_coverage import STARTS
from tests.engine.random_play import opened, pick
from tests.engine.schema_slots import list_slots, list_used
from tests.engine.test_playthroughs import SCRIPTS
from tests.support.games import ALL_GAMES

OF_ANY_GAME = 2
"""Random games for each number of seats."""

UNSEEN: dict[str, dict[str, str]] = {
    "caylus": {
        "Place=road-26": "the road seldom reaches so far, and no player put a worker there",
    },
}

Played = Iterator[tuple[State[Any], list[Json]]]
Choose = Callable[[Any, random.Random], Any]


CASES = Path(__file__).parents[1] / "cases"
EVERY = 23
"""Of a game, the views of every 23rd position are read, and of the last ones."""


def steps(state: State[Any], rng: random.Random, chosen: Choose) -> Played:
    """Play to the end; yield every position with the facts that led to it."""
    source = RandomSource(rng)
    state.settle(source)
    yield state, []
    while not state.over:
        move = state.move_json(chosen(state, rng))
        yield state, state.apply(move, source).facts


def random_games(game: Game) -> Iterator[Played]:
    for seats in range(game.seats_from, game.seats_to + 1):
        for seed in range(OF_ANY_GAME):
            rng = random.Random(seed)
            options = {option.name: rng.choice(option.values) for option in game.options}
            yield steps(opened(game, seats, options, rng)[1], rng, pick)


def playthroughs(name: str, game: Game) -> Iterator[Played]:
    for script in SCRIPTS:
        if script.game == name:
            rng = random.Random(script.seed)
            yield steps(opened(game, script.seats, script.options, rng)[1], rng, pick)


def cases(name: str) -> Iterator[Played]:
    for path in sorted((CASES / name).glob("*.json")):
        playback = Playback(from_json(json.loads(path.read_text()), GAMES), GAMES)
        yield ((playback.state, playback.step().facts) for _ in playback.transcript.moves)


def busy_games() -> Iterator[Played]:
    """Games of Caylus in which much is built: random play hardly ever gets there."""
    for start, count in STARTS:
        for seed in range(count // 5):
            yield steps(start(random.Random(seed)), random.Random(seed), choose)


def games(name: str) -> Iterator[Played]:
    game = ALL_GAMES[name]
    yield from playthroughs(name, game)
    yield from cases(name)
    yield from random_games(game)
    if name == "caylus":
        yield from busy_games()


class Report(NamedTuple):
    faults: list[str]
    seen: set[str]


class Reader:
    """Holds values against the schemas of a contract, and remembers what has occurred."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.report = Report([], set())
        self.known: set[str] = set()
        self.looks = 0
        self.validators: dict[str, Draft202012Validator] = {}

    def read(self, part: str, schema: Schema | None, value: Any) -> None:
        if (said := f"{part} {value!r}") in self.known:
            return
        self.known.add(said)
        if schema is None:
            self.report.faults.append(f"{part} is not in the contract")
            return
        if part not in self.validators:
            self.validators[part] = strict(self.contract, schema)
        self.report.faults.extend(
            f"{part} {error.instance_path}: {error.message}"
            for error in self.validators[part].iter_errors(value)
        )
        self.report.seen.update(list_used(self.contract, schema, value, part))

    def look(self, state: State[Any], facts: list[Json]) -> None:
        contract = self.contract
        for fact in facts:
            self.read(f"fact {fact['type']}", contract.facts.get(fact["type"]), fact)
        self.looks += 1
        if self.looks % EVERY == 0 or state.over:
            self.read("view", contract.view, state.view())
        decision = state.decision
        if decision is not None:
            kind = decision.kind
            question = contract.decisions.get(kind)
            context = None if question is None else question.context
            self.read(f"decision {kind}", context, decision.context)
            for move in state.legal_moves():
                self.read(f"move {move['type']}", contract.moves.get(move["type"]), move)
                if question is None or move["type"] not in question.moves:
                    self.report.faults.append(f"decision {kind} is answered by {move['type']}")
        for entry in state.count() if state.over else ():
            reason = entry["reason"]
            self.read(f"count {reason}", contract.counts.get(reason), entry["detail"])


def strict(contract: Contract, schema: Schema) -> Draft202012Validator:
    """Return a validator for which a key that is not named is a fault."""
    definitions = {name: close(part) for name, part in contract.definitions.items()}
    return Draft202012Validator({**close(schema), "$defs": definitions})


def schemas(contract: Contract) -> Iterator[tuple[str, Schema]]:
    """Yield every schema of a contract that a value is held against, with its name."""
    yield from ((f"move {name}", schema) for name, schema in contract.moves.items())
    yield from ((f"decision {name}", q.context) for name, q in contract.decisions.items())
    yield from ((f"fact {name}", schema) for name, schema in contract.facts.items())
    yield from ((f"count {name}", schema) for name, schema in contract.counts.items())
    yield "view", contract.view


@pytest.fixture(scope="module", params=ALL_GAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def contract(name: str) -> Contract:
    return ALL_GAMES[name].contract


@pytest.fixture(scope="module")
def report(name: str, contract: Contract) -> Report:
    reader = Reader(contract)
    for game in games(name):
        for state, facts in game:
            reader.look(state, facts)
    return reader.report


@pytest.mark.slow
def test_everything_that_a_game_says_is_in_its_contract(report: Report) -> None:
    assert sorted(set(report.faults)) == []


@pytest.mark.slow
def test_everything_in_a_contract_occurs_or_is_listed_with_a_reason(
    name: str, contract: Contract, report: Report
) -> None:
    slots = {
        slot for part, schema in schemas(contract) for slot in list_slots(contract, schema, part)
    }
    assert sorted(slots - report.seen) == sorted(UNSEEN.get(name, {}))


def test_a_contract_is_valid_json_schema_of_the_keywords_that_are_checked(
    contract: Contract,
) -> None:
    written = [schema for _, schema in schemas(contract)]
    for schema in (*written, *contract.definitions.values()):
        meta.validate(contract.document(schema))
        for part in parts(schema):
            assert part.keys() <= KEYWORDS.keys() | ANNOTATIONS


def test_every_definition_is_used_and_every_reference_leads_to_one(contract: Contract) -> None:
    written = [schema for _, schema in schemas(contract)]
    found = {
        referred(part)
        for schema in (*written, *contract.definitions.values())
        for part in parts(schema)
    }
    assert found - {None} == contract.definitions.keys()


def test_every_move_answers_a_decision_and_every_decision_is_answered_by_moves(
    contract: Contract,
) -> None:
    answers = {name for question in contract.decisions.values() for name in question.moves}
    assert answers == contract.moves.keys()


def test_a_move_is_closed_and_says_its_type(contract: Contract) -> None:
    for name, schema in contract.moves.items():
        assert schema["properties"]["type"]["const"] == name
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) == schema["properties"].keys()
