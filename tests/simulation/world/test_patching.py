"""No module of a run holds a clock, a random source, a lock or a thread of the machine."""

from __future__ import annotations

import pytest

from tests.simulation.worlds import run_in_world

pytestmark = [pytest.mark.process]


def test_no_module_has_kept_what_the_world_replaces() -> None:
    said = run_in_world("""
import _thread, random, time
import simulation.play.run
import cartulary.workers.films.making, cartulary.workers.notices.notifier
from types import BuiltinFunctionType
CLOCKS = {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "sleep"}
LOCKS = (_thread.allocate_lock, _thread.RLock, _thread.start_new_thread, _thread.LockType)
OURS = ("cartulary", "bench", "redis", "rq", "ulid")
checked = 0
for name, module in sorted(sys.modules.items()):
    if module is None or name.partition(".")[0] not in OURS:
        continue
    checked += 1
    for key, value in vars(module).items():
        of_time = isinstance(value, BuiltinFunctionType) and value.__self__ is time
        if (of_time and value.__name__ in CLOCKS) or any(value is one for one in LOCKS):
            print(name, key)
print(checked > 300)
""")
    assert said == "True\n"


def test_randomness_of_the_system_comes_from_the_seed() -> None:
    code = """
import os, random, secrets, uuid
def draw(seed):
    world = begin_world(seed)
    drawn = []
    def body():
        drawn.extend([os.urandom(8), secrets.token_hex(4), str(uuid.uuid4())])
        drawn.extend([random.Random().random(), random.SystemRandom().random()])
    world.start("p", body, forgiven=False)
    world.run(lambda: len(drawn) == 5, 10**12)
    return drawn
print(draw("1") == draw("1"), [a == b for a, b in zip(draw("1"), draw("2"))])
"""
    assert run_in_world(code) == "True [False, False, False, False, False]\n"
