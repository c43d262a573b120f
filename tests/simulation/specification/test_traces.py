"""The real code on a real server: what it does is a run of the models; what mutants do is not."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from simulation.specification.accepting import RefusedTrace, accept
from tests.simulation.specification.mutants import MUTANTS, Mutant, apply
from tests.simulation.specification.scenes import SCENES
from tests.support.night import at_night, short_or_long

pytestmark = pytest.mark.real

SEEDS = {"moves": 12, "archives": 3, "takebacks": 5, "flags": 2, "creations": 6, "replicas": 1}
NIGHTLY = short_or_long(2, 40)
TRIED = 30
"""Seeds within which a mutant shows what it is."""


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let no scene fill the report: lost versions and dead processes are its matter."""
    log = logging.getLogger("cartulary")
    before = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(before)


def find_refusal(mutant: Mutant, url: str) -> str:
    """Return why a run of a mutant is refused, '' where none of its runs is."""
    for seed in range(TRIED):
        try:
            follow(mutant.scene, seed, url, mutant)
        except RefusedTrace as refusal:
            return str(refusal)
    return ""


def follow(name: str, seed: int, url: str, mutant: Mutant | None = None) -> int:
    """Let the model accept a run; return the number of steps. Raises `RefusedTrace`."""
    scene = SCENES[name](url, seed)
    with pytest.MonkeyPatch.context() as patched:
        if mutant is not None:
            apply(mutant, patched)
        steps = scene.run()
    return accept(scene.make_model(), steps).steps


@pytest.mark.parametrize("name", SCENES)
def test_what_the_code_does_is_a_run_of_the_model(name: str, real_redis_url: str) -> None:
    assert sum(follow(name, seed, real_redis_url) for seed in range(SEEDS[name])) > 20


@at_night(
    "tests/simulation/specification/test_traces.py::test_what_the_code_does_is_a_run_of_the_model"
)
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SCENES)
def test_many_runs_of_the_code_are_runs_of_the_model(name: str, real_redis_url: str) -> None:
    for seed in range(1000, 1000 + NIGHTLY):
        follow(name, seed, real_redis_url)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_what_a_mutated_implementation_does_is_refused(mutant: Mutant, real_redis_url: str) -> None:
    refusal = find_refusal(mutant, real_redis_url)
    print(f"{mutant.name}: {refusal}")
    assert mutant.refused in refusal.splitlines()[0]


def test_one_seed_is_one_run(real_redis_url: str) -> None:
    runs = [SCENES["moves"](real_redis_url, 7).run() for _ in range(2)]
    assert runs[0] == runs[1]


def test_each_scene_has_a_mutant() -> None:
    assert {mutant.scene for mutant in MUTANTS} == set(SCENES)
    assert len(MUTANTS) >= 10
