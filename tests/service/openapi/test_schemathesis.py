"""schemathesis: random requests, valid and not, against the whole description."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import fakeredis
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import SMALL_CITY, Caller
from tests.service.support.description import read_description
from tests.support.night import NIGHT, at_night, short_or_long

if TYPE_CHECKING:  # to import it takes a second, in each process that collects the tests
    import schemathesis
    from schemathesis.schemas import BaseSchema

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("sketched_pictures")]

NO_SUCH_FORMAT = "501"
"""What oEmbed wants for a format that a service lacks: any text but `json`."""

# What no schema can say makes 400 (a cursor that is not ours), 412 (a version that has passed),
# 422 (whether a move is legal, a transcript valid, an option known) and 429 (a player has five bots
# already) answers to valid data.
UNSAYABLE = ["400", "412", "422", "429", NO_SUCH_FORMAT]


@cache
def _served() -> tuple[Any, Caller, list[str]]:
    """Return an app with a caller and games in all conditions."""
    store = Store(fakeredis.FakeRedis(), OFFERS, rng=random.Random(1))
    # A dispatcher that has reported in the future: `/readyz` stays 200, however long this takes.
    store.heartbeats.write(queued=0, queue_age=0.0)
    store.redis.hincrbyfloat(keys.dispatcher(), "at", 86_400)
    app = create_app(WebSettings(max_wait=0.01, rates={}, log_requests=False), store, OFFERS)
    ada = Caller(app.test_client())
    made = ada.post("/players", {"name": "Ada"}).json
    ada.token, ada.id = made["token"], made["id"]
    games = [
        ada.open("me", "open")["id"],
        ada.open()["id"],
        ada.open("me", "me", visibility="private")["id"],
        ada.post("/games/import", SMALL_CITY).json["id"],
    ]
    return app, ada, games


# Through WSGI schemathesis says that it takes gzip, and then does not decompress the answer.
PLAIN = {"Accept-Encoding": "identity"}
CHECKS = {
    "positive_data_acceptance": {
        "expected-statuses": ["2xx", "3xx", "401", "403", "404", "409", *UNSAYABLE]
    },
    "negative_data_rejection": {
        "expected-statuses": [
            *("400", "401", "403", "404", "405", "409", "412", "415", "422"),
            NO_SUCH_FORMAT,
        ]
    },
    "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx", NO_SUCH_FORMAT]},
}


def _described(**phases: bool) -> BaseSchema:
    """Return the description of the service; a phase that is False makes no requests."""
    import schemathesis
    from schemathesis.config import SchemathesisConfig

    config = {
        "checks": CHECKS,
        "phases": {phase: {"enabled": enabled} for phase, enabled in phases.items()},
    }
    schema = schemathesis.openapi.from_wsgi(
        "/openapi.json", end_streams(_served()[0]), config=SchemathesisConfig.from_dict(config)
    )
    schema.hook(flatmap_path_parameters)
    return schema


def end_streams(app: Any) -> Any:
    """Return an app whose streams end after their first bytes: that of an inbox has no end."""

    def answer(environ: Any, start_response: Any) -> Any:
        body = app(environ, start_response)
        if not environ["PATH_INFO"].endswith(("/stream", "/streams")):
            return body
        first = next(iter(body), b"")
        body.close()
        return [first]

    return answer


def flatmap_path_parameters(_context: Any, path_parameters: dict[str, Any] | None) -> Any:
    """Put ids that exist into most paths: random ones find nothing."""
    if not path_parameters:
        return st.just(path_parameters)
    _, ada, games = _served()
    known = {"game_id": games, "player_id": [ada.id]}
    return st.fixed_dictionaries(
        {
            name: st.sampled_from([*known.get(name, []), value])
            for name, value in path_parameters.items()
        }
    )


in_every_phase = cache(_described)


@cache
def at_random() -> BaseSchema:
    """All phases at night: without a token most requests end before anything reads them."""
    return _described(coverage=NIGHT)


BY_NAME = {
    f"{method.upper()} {path}": (path, method)
    for path, methods in read_description()["paths"].items()
    for method in methods
}
OPERATIONS = [pytest.param(*found, id=name) for name, found in BY_NAME.items()]
COVERED_AT_NIGHT = {
    # Their moves are those of `…/moves`, which is covered by day.
    "/api/v1/games/{game_id}/preview",
    "/api/v1/games/{game_id}/standing_answers",
    "/api/v1/games/{game_id}/analysis/moments/{version}/attempts",
    # The same moves in a list, whose bounds are in `tests/service/api/puzzles/test_puzzles.py`.
    "/api/v1/puzzles/{puzzle_id}/preview",
    "/api/v1/puzzles/{puzzle_id}/attempts",
    # `tests/service/http/test_hostile_input.py` changes transcripts.
    "/api/v1/games/import",
    "/api/v1/streams",
    "/api/v1/streams/ticket",
    "/api/v1/players/me/notifications",
    "/api/v1/sessions",
}
"""The texts of the others follow patterns with up to 5000 characters: to make texts of exactly that
length takes up to fifteen seconds of a processor. `tests/service/api/streams/test_bad_streams.py`,
`tests/service/api/notices/test_notifications.py` and `tests/service/api/people/test_passkeys.py`
hold the bounds; in CI these paths get the random requests and the examples, as all others."""


def list_covered_by_day() -> set[tuple[str, str]]:
    """Return the operations that read a body, or the first to have one of their parameters.

    The boundaries of the id of a game are the same in each of the sixty paths that have one.
    """
    known, covered = set[str](), set[tuple[str, str]]()
    for path, method in BY_NAME.values():
        item = read_description()["paths"][path]
        operation = item[method]
        given = [*item.get("parameters", []), *operation.get("parameters", [])]
        read = {json.dumps(one, sort_keys=True) for one in given}
        if "requestBody" in operation or read - known:
            covered.add((path, method))
            known |= read
    return covered


COVERED = {*BY_NAME.values()} if NIGHT else list_covered_by_day()

often = settings(
    max_examples=short_or_long(2, 40), deadline=None, suppress_health_check=list(HealthCheck)
)
rarely = settings(often, max_examples=short_or_long(2, 5))


def send_cases(schema: BaseSchema, path: str, method: str, token: str | None) -> None:
    """Make the cases of an operation, send each and validate the answer.

    `schema.parametrize()` would make the cases of all operations when pytest collects the tests,
    which each of its processes does: hundreds of requests for each operation, 14 s in all.
    """
    from schemathesis.checks import load_all_checks
    from schemathesis.generation import derive_operation_seed
    from schemathesis.generation.hypothesis.builder import (
        HypothesisTestConfig,
        HypothesisTestMode,
        create_test,
    )

    headers = PLAIN if token is None else {**PLAIN, "Authorization": f"Bearer {token}"}

    def validate(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(headers=headers)

    load_all_checks()
    operation = schema[path][method]
    phases = schema.config.phases_for(operation=operation)
    create_test(
        operation=operation,
        test_func=validate,
        config=HypothesisTestConfig(
            project=schema.config,
            modes=[mode for mode in HypothesisTestMode if getattr(phases, mode.value).enabled],
            settings=schema.config.get_hypothesis_settings(operation=operation, phase="fuzzing"),
            explicit_settings=often if token == _served()[1].token else rarely,
            seed=derive_operation_seed(schema.config.seed, operation.label),
        ),
    )()


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_schemathesis_finds_nothing(path: str, method: str) -> None:
    is_covered = (path, method) in COVERED and path not in COVERED_AT_NIGHT
    schema = in_every_phase() if is_covered else at_random()
    send_cases(schema, path, method, _served()[1].token)


TOKENS = {"nobody": None, "a stranger": "of-nobody"}


@at_night(
    "tests/service/http/test_hostile_input.py::test_each_operation_answers_strangers_as_described"
)
@pytest.mark.parametrize("who", TOKENS)
@pytest.mark.parametrize("operation", BY_NAME if NIGHT else [])  # each skipped test is collected
def test_schemathesis_finds_nothing_without_a_token_that_counts(operation: str, who: str) -> None:
    send_cases(at_random(), *BY_NAME[operation], TOKENS[who])
