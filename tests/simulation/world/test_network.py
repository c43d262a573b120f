"""Requests and answers on their way: lost, late, in order, of a process that is killed."""

from __future__ import annotations

import pytest

from tests.simulation.worlds import run_in_world

pytestmark = [pytest.mark.process]

BEGIN = """
import random, time
from simulation.store.replies import BLOCKED
from simulation.store.server import ModelServer
from simulation.world import connection
from simulation.world.network import Fate, Network
from cartulary.events.server.connection import connect
from redis.exceptions import RedisError
def begin(seed="1"):
    world = begin_world(seed)
    network = Network(world, ModelServer(random.Random(1)), lambda reply: reply is BLOCKED)
    connection.use(network)
    def tick():
        network.tick()
        world.at(10**8, tick)
    tick()
    return world, network
done = []
def play(world, body):
    def run():
        body()
        done.append(True)
    world.start("p", run, forgiven=False)
    world.run(lambda: bool(done), 10**12)
"""


def test_the_client_of_the_product_works_unchanged() -> None:
    said = run_in_world(
        BEGIN
        + """
world, network = begin()
def body():
    redis = connect(connection.URL)
    redis.set("a", 1)
    pipe = redis.pipeline(transaction=True)
    pipe.incr("a")
    pipe.hset("h", mapping={"x": "y"})
    print(pipe.execute(), redis.hgetall("h"), redis.blpop(["none"], timeout=2))
    print(round(time.monotonic()))
play(world, body)
"""
    )
    assert said == "[2, 1] {b'x': b'y'} None\n2\n"


def test_a_lost_answer_leaves_what_was_done_and_the_client_sends_it_again() -> None:
    said = run_in_world(
        BEGIN
        + """
world, network = begin()
fates = [Fate(cut_after=True)]
network.meddle = lambda p, words: fates.pop() if fates and words[0] == b"INCRBY" else Fate()
play(world, lambda: print(connect(connection.URL).incr("a")))
"""
    )
    assert said == "2\n"


@pytest.mark.parametrize(("fate", "stored"), [("crash_before", "None"), ("crash_after", "b'1'")])
def test_a_process_that_is_killed_at_its_request_sees_no_answer(fate: str, stored: str) -> None:
    """The store has what was asked for where the process was killed after its request."""
    said = run_in_world(
        BEGIN
        + f"""
world, network = begin()
network.meddle = lambda p, words: Fate({fate}=words[0] == b"INCRBY")
seen = []
def body():
    try:
        seen.append(connect(connection.URL).incr("a"))
    finally:
        seen.append("unwinds")
world.start("dies", body)
world.run(lambda: bool(seen), 10**12)
network.meddle = lambda p, words: Fate()
play(world, lambda: print(seen, connect(connection.URL).get("a")))
"""
    )
    assert said == f"['unwinds'] {stored}\n"


def test_a_partition_costs_the_time_until_the_client_gives_up() -> None:
    said = run_in_world(
        BEGIN
        + """
world, network = begin()
def body():
    redis = connect(connection.URL)
    redis.ping()
    network.cut_off["p"] = world.now + 60 * 10**9
    try:
        redis.incr("a")
    except RedisError as error:
        print(type(error).__name__, round(time.monotonic()))
    time.sleep(100)
    print(redis.get("a"))
play(world, body)
"""
    )
    assert said == "TimeoutError 10\nb'1'\n"


def test_answers_keep_their_order_through_a_partition() -> None:
    said = run_in_world(
        BEGIN
        + """
world, network = begin()
def body():
    redis = connect(connection.URL)
    redis.set("a", 1)
    found = set()
    for _ in range(20):
        network.cut_off["p"] = world.now + 10**9
        pipe = redis.pipeline(transaction=False)
        for name in ("a", "none", "a", "none"):
            pipe.get(name)
        found.add(tuple(pipe.execute()))
    print(found)
play(world, body)
"""
    )
    assert said == "{(b'1', None, b'1', None)}\n"


def test_a_store_whose_full_disk_ends_it_as_a_key_expires_is_down() -> None:
    said = run_in_world(
        BEGIN
        + """
world, network = begin()
network.store.appendfsync = "always"
network.after_end.append(lambda: print("down"))
def body():
    connect(connection.URL).set("a", 1, px=500)
    network.store.is_disk_full = True
    time.sleep(1)
    print(network.is_up)
play(world, body)
"""
    )
    assert said == "down\nFalse\n"
