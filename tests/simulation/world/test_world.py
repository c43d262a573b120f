"""Virtual time, strands in lock-step, locks, and processes that are killed."""

from __future__ import annotations

import pytest

from tests.simulation.worlds import run_in_world

pytestmark = [pytest.mark.process]


def test_sleep_takes_virtual_time_and_the_longer_one_ends_later() -> None:
    said = run_in_world("""
import time
world = begin_world("1")
order = []
def wait(seconds):
    def body():
        before = time.monotonic()
        time.sleep(seconds)
        order.append((seconds, round(time.monotonic() - before, 1)))
    return body
for seconds in (3600, 1, 60):
    world.start(f"p{seconds}", wait(seconds))
world.run(lambda: len(order) == 3, 10**13)
print(order)
""")
    assert said == "[(1, 1.0), (60, 60.0), (3600, 3600.0)]\n"


def test_a_lock_is_held_by_one_thread_at_a_time_and_a_condition_wakes() -> None:
    said = run_in_world("""
import threading, time, queue
world = begin_world("2")
inside, most, done = 0, 0, []
def main():
    lock, line = threading.Lock(), queue.Queue()
    def work():
        global inside, most
        for _ in range(20):
            with lock:
                inside += 1
                most = max(most, inside)
                time.sleep(0.01)
                inside -= 1
        line.put("over")
    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    done.append([line.get(timeout=1) for _ in threads])
    event = threading.Event()
    done.append(event.wait(0.5))
world.start("p", main, forgiven=False)
world.run(lambda: len(done) == 2, 10**12)
print(most, done)
""")
    assert said == "1 [['over', 'over', 'over', 'over'], False]\n"


def test_a_deadlock_is_found_and_says_who_waits() -> None:
    said = run_in_world("""
import threading, time
from simulation.world.world import Deadlock
world = begin_world("3")
first, second = threading.Lock(), threading.Lock()
def take(one, other):
    def body():
        with one:
            time.sleep(1)
            with other:
                pass
    return body
world.start("web-1", take(first, second))
world.start("web-2", take(second, first))
try:
    world.run(lambda: False, 10**12)
except Deadlock as error:
    print(error)
""")
    assert said == "web-1 waits for a lock; web-2 waits for a lock\n"


def test_a_killed_process_runs_its_finally_and_can_wait_for_nothing_any_more() -> None:
    said = run_in_world("""
import threading, time
world = begin_world("4")
seen = []
def body():
    try:
        time.sleep(100)
    finally:
        seen.append("cleans up")
        try:
            time.sleep(1)
        finally:
            seen.append("still")
        seen.append("never")
process = world.start("p", body)
world.at(10**9, lambda: world.halt(process))
world.at(2 * 10**9, lambda: seen.append("later"))
world.run(lambda: seen[-1:] == ["later"], 10**12)
print(seen)
""")
    assert said == "['cleans up', 'still', 'later']\n"


def test_each_process_has_clocks_of_its_own() -> None:
    said = run_in_world("""
import time
world = begin_world("5")
seen = {}
def look(name):
    def body():
        time.sleep(1000)
        seen[name] = round(time.time()) - 1_800_000_000, round(time.monotonic())
    return body
for name in ("right", "ahead", "fast"):
    world.start(name, look(name))
world.processes["ahead"].ahead = 60 * 10**9
world.processes["fast"].drift = 10_000
world.run(lambda: len(seen) == 3, 10**13)
print(sorted(seen.items()))
""")
    assert said == "[('ahead', (1060, 1000)), ('fast', (1010, 1010)), ('right', (1000, 1000))]\n"


def test_another_seed_is_another_order_and_the_same_seed_the_same() -> None:
    code = """
import threading
def play(seed):
    world = begin_world(seed)
    order = []
    def body(name):
        lock = threading.Lock()
        def run():
            for _ in range(5):
                with lock:
                    order.append(name)
                threading.Event().wait(0.00001)
        return run
    for name in "abc":
        world.start(name, body(name))
    world.run(lambda: len(order) == 15, 10**12)
    return "".join(order), world.trace.read_digest()
print(play("1") == play("1"), play("1") != play("2"))
"""
    assert run_in_world(code) == "True True\n"
