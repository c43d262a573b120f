"""Processes that share nothing but a cluster, a server of queues and a database are one service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from threading import Thread
from typing import Any

import pytest
import requests

from bench.cluster_nodes import BenchCluster, ClusterNode, is_in_step
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.server.slots import SLOTS, find_slot
from tests.cluster.installation import DISPATCHER, WORKER, Follower, Installation, Role, install
from tests.events.archive.postgresql import make_schema, run_cluster
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import Player
from tests.support.night import at_night
from tests.support.polling import until

pytestmark = pytest.mark.real

WITHIN_S = 90.0


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BenchCluster]:
    """Three masters, the first of them with a replica."""
    with BenchCluster(tmp_path_factory.mktemp("cluster"), 3, 1, timeout_ms=1000) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def archive_url() -> Iterator[str]:
    with run_cluster() as folder, make_schema(folder, "many") as url:
        yield url


@pytest.fixture(scope="module")
def machines(
    tmp_path_factory: pytest.TempPathFactory, nodes: BenchCluster, archive_url: str
) -> Iterator[Installation]:
    """Two web processes without a worker."""
    folder = tmp_path_factory.mktemp("machines")
    with install(folder, nodes, archive_url=archive_url) as found:
        yield found


@pytest.fixture(scope="module")
def ada(machines: Installation) -> Iterator[Player]:
    with Player(machines.webs[0]) as player:
        yield player


def follow(machines: Installation, ada: Player, path: str) -> Follower:
    return Follower(machines.webs, path, ada.token)


def send(ada: Player, web: Gunicorn, path: str, key: str, body: Any) -> requests.Response:
    """Send a request again with its key until there is an answer, as a client does."""

    def answer() -> list[requests.Response]:
        headers = {"Idempotency-Key": key}
        found = ada.post(web.api + path, json=body, headers=headers, timeout=60)
        assert found.status_code in (201, 503), found.text
        return [found] if found.ok else []

    return until(answer, within=WITHIN_S, every=0.1)[0]


def is_ready(web: Gunicorn) -> bool:
    return requests.get(f"{web.url}/readyz", timeout=60).ok


def open_on_first_master(ada: Player) -> str:
    """Open games until the first master has one."""
    while find_slot(game := ada.open()) >= SLOTS // 3:
        pass
    return game


def find_moves(ada: Player, web: Gunicorn, game: str) -> Any:
    def ask() -> Any:
        found = ada.get(f"{web.api}/games/{game}/moves", timeout=60)
        return found.json() if found.status_code == 200 else None

    return until(ask, within=WITHIN_S, every=0.1)


def move(ada: Player, web: Gunicorn, game: str) -> requests.Response:
    known = find_moves(ada, web, game)
    body = {"move": known["moves"][0], "expected_version": known["version"]}
    return send(ada, web, f"/games/{game}/moves", f"move-{known['version']}", body)


def take_over(nodes: BenchCluster, act: Callable[[ClusterNode, ClusterNode], object]) -> None:
    """Let the replica take over from its master by an act on both."""
    replica = next(node for node in (nodes.masters[0], nodes.replicas[0]) if is_in_step(node))
    master = nodes.masters[0] if replica is nodes.replicas[0] else nodes.replicas[0]
    until(lambda: _read_offset(master) == _read_offset(replica), within=WITHIN_S)
    act(master, replica)
    nodes.await_master(replica)


def _read_offset(node: ClusterNode) -> str:
    said = node.read("INFO", "replication")
    return said.get("slave_repl_offset", said["master_repl_offset"])


def test_streams_go_on_without_a_gap_when_nodes_change_and_connections_are_cut(
    machines: Installation, ada: Player, nodes: BenchCluster
) -> None:
    here, there = machines.webs
    game = open_on_first_master(ada)
    reached = [2]
    with ExitStack() as opened:
        events, messages = (
            follow(machines, ada, f"/games/{game}/{name}") for name in ("events", "messages")
        )
        inbox = follow(machines, ada, "/players/me/inbox")
        for one in (events, messages, inbox):
            opened.callback(one.leave)
            until(one.is_connected)

        def go_on(web: Gunicorn) -> None:
            reached.append(move(ada, web, game).json()["version"])
            said = {"room": "players", "phrase": "hello"}
            send(ada, web, f"/games/{game}/messages", f"hello-{reached[-1]}", said)
            until(lambda: events.ids[-1:] == [str(reached[-1])], within=WITHIN_S)
            until(partial(messages.has, len(reached) - 1), within=WITHIN_S)

        go_on(here)
        waited: list[int] = []
        poll = Thread(target=lambda: waited.extend(_wait_for(ada, there, game, reached[-1])))
        poll.start()
        take_over(nodes, lambda _, replica: replica.ask("CLUSTER", "FAILOVER"))
        go_on(there)
        poll.join(WITHIN_S)
        assert waited == [reached[-1]]
        until(partial(is_in_step, nodes.masters[0]), within=WITHIN_S)
        take_over(nodes, lambda master, _: master.kill())
        go_on(here)
        for node in nodes.masters:
            node.ask("CLIENT", "KILL", "TYPE", "pubsub")
        events.cut()
        messages.cut()
        go_on(there)
    assert events.ids == [str(version) for version in range(1, reached[-1] + 1)]
    assert len(messages.ids) == len(set(messages.ids)) == 4
    assert events.connected == [here.api, there.api]
    assert messages.connected[:2] == [here.api, there.api]
    assert inbox.ids == sorted(set(inbox.ids))


def _wait_for(ada: Player, web: Gunicorn, game: str, after: int) -> list[int]:
    """Wait for events, again and again; a wait may end without an event."""
    query = {"after": after, "wait": 20}

    def ask() -> list[int]:
        found = requests.get(f"{web.api}/games/{game}/events", params=query, timeout=60)
        return [one["version"] for one in found.json()["events"]] if found.ok else []

    return until(ask, within=WITHIN_S)


@at_night(
    "tests/cluster/test_many_machines.py::"
    "test_streams_go_on_without_a_gap_when_nodes_change_and_connections_are_cut"
)
def test_a_game_goes_from_machine_to_machine_and_into_the_archive(
    machines: Installation, ada: Player, archive_url: str, nodes: BenchCluster
) -> None:
    here, there = machines.webs
    shared = machines.environment | {
        "CARTULARY_ARCHIVE_URL": archive_url,
        "CARTULARY_ARCHIVE_AFTER": "0",
    }
    with ExitStack() as opened:
        first, *_ = [
            opened.enter_context(Role(words, machines.log / name, shared))
            for name, words in (
                ("dispatcher-a", DISPATCHER),
                ("dispatcher-b", DISPATCHER),
                ("fast", (*WORKER, "--fast")),
                ("worker", WORKER),
            )
        ]
        for web in machines.webs:
            until(partial(is_ready, web), WITHIN_S)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
        made = ada.post(f"{here.api}/games", json={"game": "carcassonne", "seats": seats})
        game = made.json()["id"]
        watching = [
            Follower((web,), f"/games/{game}/events/stream", ada.token) for web in machines.webs
        ]
        for number in range(10):
            web = machines.webs[number % 2]
            known = _await_turn(ada, web, game)
            body = {"move": known["moves"][0], "expected_version": known["version"]}
            key = str(known["version"])
            done = send(ada, web, f"/games/{game}/moves", key, body)
            if number == 5:
                first.process.kill()  # the other dispatcher goes on
        _await_turn(ada, here, game)
        send(ada, here, f"/games/{game}/resignation", "resign", {})
        games = connect(machines.nodes.url)
        until(lambda: not games.exists(keys.events(game)), within=WITHIN_S)
        games.close()
        for part in ("transcript", "verification", "events"):
            read = [ada.get(f"{web.api}/games/{game}/{part}", timeout=60) for web in machines.webs]
            assert read[0].status_code == 200
            assert read[0].json() == read[1].json()
        version = ada.get(f"{there.api}/games/{game}", timeout=60).json()["version"]
        for one in watching:
            until(partial(one.has, version), within=WITHIN_S)
            assert one.ids == [str(number) for number in range(1, version + 1)]
            one.leave()
        # The last move was made on the other machine.
        again = send(ada, here, f"/games/{game}/moves", key, body)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.json() == done.json()
        assert ada.get(f"{here.api}/games/{game}/verification", timeout=60).json()["valid"]


def _await_turn(ada: Player, web: Gunicorn, game: str) -> Any:
    """Wait until the player is asked; return the moves."""

    def ask() -> Any:
        known = find_moves(ada, web, game)
        return known if known["decision"]["seat"] == 0 else None

    return until(ask, within=WITHIN_S, every=0.05)
