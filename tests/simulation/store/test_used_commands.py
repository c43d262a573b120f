from __future__ import annotations

import pytest
from redis import Redis

from simulation.store.server import ModelServer
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.real, pytest.mark.process, pytest.mark.slow]

NOT_THE_SERVICE = {"monitor", "latency", "memory", "slowlog", "debug"}
"""What only a person at a terminal asks; nothing of the project does."""


def test_the_model_has_each_command_that_a_service_uses_while_games_are_played(
    shared_service: Served,
) -> None:
    person = Person(shared_service)
    game_id = person.create("random")
    person.play(game_id, turns=6)
    person.post(f"games/{game_id}/resignation", {})
    assert until(lambda: person.get(f"games/{game_id}")["status"] == "over", within=60)
    (note,) = shared_service.data.rglob("valkey.socket")
    path = note.read_text()
    with Redis(unix_socket_path=path, protocol=2) as store:
        stats = store.info("commandstats")
    used = {name.removeprefix("cmdstat_").partition("|")[0] for name in stats}
    assert {"evalsha", "xreadgroup", "hset", "blmove"} & used
    known = {name.decode().lower() for name in ModelServer.commands}
    assert used - known - NOT_THE_SERVICE == set()
