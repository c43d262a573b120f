"""schemathesis: random requests, valid and not, against the whole description."""

from __future__ import annotations

import random
from typing import Any

import fakeredis
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig

from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import SMALL_CITY, Caller

# What no schema can say makes 400 (a cursor that is not ours), 412 (a version that has passed)
# and 422 (whether a move is legal, a transcript valid, an option known) answers to valid data.
UNSAYABLE = ["400", "412", "422"]


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


APP, ADA, GAMES = _served()
FINISHED = GAMES[-1:]
# Through WSGI schemathesis says that it takes gzip, and then does not decompress the answer.
PLAIN = {"Accept-Encoding": "identity"}
CALLERS = {
    "a player": {**PLAIN, "Authorization": f"Bearer {ADA.token}"},
    "nobody": PLAIN,
    "a stranger": {**PLAIN, "Authorization": "Bearer of-nobody"},
}
CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {
                "expected-statuses": ["2xx", "3xx", "401", "403", "404", "409", *UNSAYABLE]
            },
            "negative_data_rejection": {
                "expected-statuses": ["400", "401", "403", "404", "405", "409", "412", "415", "422"]
            },
        },
    }
)
schema = schemathesis.openapi.from_wsgi("/openapi.json", APP, config=CONFIG)


@schema.hook
def flatmap_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> Any:
    """Put ids that exist into most paths: random ones find nothing."""
    if not path_parameters:
        return st.just(path_parameters)
    # The stream of a game that goes on has no end; that of a finished game ends by itself.
    streamed = context.operation.path.endswith("/events/stream")
    known = {"game_id": FINISHED if streamed else GAMES, "player_id": [ADA.id]}
    return st.fixed_dictionaries(
        {
            name: st.sampled_from([*known.get(name, []), value])
            for name, value in path_parameters.items()
        }
    )


often = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
rarely = settings(often, max_examples=5)


@schema.parametrize()
@often
def test_schemathesis_finds_nothing(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(headers=CALLERS["a player"])


@pytest.mark.parametrize("caller", ["nobody", "a stranger"])
@schema.parametrize()
@rarely
def test_schemathesis_finds_nothing_without_a_token_that_counts(
    case: schemathesis.Case[Any], caller: str
) -> None:
    case.call_and_validate(headers=CALLERS[caller])
