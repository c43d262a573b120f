"""The search itself: on small models whose answers are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from simulation.specification.accepting import RefusedTrace, accept
from simulation.specification.liveness import check_promises
from simulation.specification.model import Action, Fairness, Model, ModelStep, Promise, Ways, put
from simulation.specification.search import Broken, explore

IDLE, WAITING, INSIDE = "idle", "waiting", "inside"


class Peterson(NamedTuple):
    """Two processes with their flags, and whose turn it is to wait."""

    does: tuple[str, ...] = (IDLE, IDLE)
    flags: tuple[bool, ...] = (False, False)
    turn: int = 0


def build_peterson(*, waits: bool = True, fair: Fairness = Fairness.WEAK) -> Model[Peterson]:
    def want(now: Peterson) -> Ways[Peterson]:
        for one in (0, 1):
            if now.does[one] == IDLE:
                flags, does = put(now.flags, one, True), put(now.does, one, WAITING)
                yield (one,), Peterson(does, flags, 1 - one)

    def enter(now: Peterson) -> Ways[Peterson]:
        for one in (0, 1):
            free = not now.flags[1 - one] or now.turn == one
            if now.does[one] == WAITING and (free or not waits):
                yield (one,), now._replace(does=put(now.does, one, INSIDE))

    def leave(now: Peterson) -> Ways[Peterson]:
        for one in (0, 1):
            if now.does[one] == INSIDE:
                flags, does = put(now.flags, one, False), put(now.does, one, IDLE)
                yield (one,), now._replace(does=does, flags=flags)

    return Model(
        "Peterson",
        "two processes",
        Peterson(),
        (
            Action("want", want, ""),
            Action("enter", enter, "", fair),
            Action("leave", leave, "", fair),
        ),
        {"one at most is inside": lambda now: now.does != (INSIDE, INSIDE)},
        (
            Promise(
                "who waits gets in",
                lambda now: now.does[0] == WAITING,
                lambda now: now.does[0] == INSIDE,
            ),
        ),
    )


class Table(NamedTuple):
    """Philosophers at a round table: who holds each fork (-1: it is free)."""

    forks: tuple[int, ...]
    eaten: bool = False


def build_dinner(number: int, *, left_handed: bool) -> Model[Table]:
    def order(one: int) -> tuple[int, int]:
        forks = (one, (one + 1) % number)
        return forks[::-1] if left_handed and one == number - 1 else forks

    def take(now: Table) -> Ways[Table]:
        for one in range(number):
            first, second = order(one)
            if now.forks[first] == -1 and now.forks[second] != one:
                yield (one,), now._replace(forks=put(now.forks, first, one))
            elif now.forks[first] == one and now.forks[second] == -1:
                yield (one,), now._replace(forks=put(now.forks, second, one))

    def eat(now: Table) -> Ways[Table]:
        for one in range(number):
            if all(now.forks[fork] == one for fork in order(one)):
                forks = tuple(-1 if owner == one else owner for owner in now.forks)
                yield (one,), Table(forks, eaten=True)

    return Model(
        "dinner",
        f"{number} philosophers",
        Table((-1,) * number),
        (Action("take", take, "", Fairness.WEAK), Action("eat", eat, "", Fairness.WEAK)),
        {},
        (Promise("somebody eats", lambda _: True, lambda now: now.eaten),),
    )


class Lock(NamedTuple):
    """A lock that two processes look at before they take it: what each of them has seen."""

    owner: int = -1
    seen: tuple[bool, ...] = (False, False)
    inside: tuple[bool, ...] = (False, False)


def build_broken_lock() -> Model[Lock]:
    def look(now: Lock) -> Ways[Lock]:
        for one in (0, 1):
            if now.owner == -1 and not now.seen[one]:
                yield (one,), now._replace(seen=put(now.seen, one, True))

    def take(now: Lock) -> Ways[Lock]:
        for one in (0, 1):
            if now.seen[one] and not now.inside[one]:
                yield (one,), now._replace(owner=one, inside=put(now.inside, one, True))

    return Model(
        "a broken lock",
        "two processes",
        Lock(),
        (Action("look", look, ""), Action("take", take, "")),
        {"one at most is inside": lambda now: now.inside != (True, True)},
    )


def check(model: Model[Peterson]) -> None:
    check_promises(explore(model))


def test_peterson_keeps_two_processes_apart_and_lets_both_in() -> None:
    graph = explore(build_peterson())
    check_promises(graph)
    assert len(graph.states) == 10


def test_two_processes_that_do_not_wait_are_inside_together() -> None:
    with pytest.raises(Broken, match="one at most is inside") as broken:
        explore(build_peterson(waits=False))
    assert [line.split(": ")[0] for line in broken.value.story] == [
        "  1. want 0",
        "  2. want 1",
        "  3. enter 0",
        "  4. enter 1",
    ]


def test_who_owes_nothing_may_wait_for_ever() -> None:
    with pytest.raises(Broken, match="nothing happens any more"):
        check(build_peterson(fair=Fairness.NO))


def test_philosophers_who_all_take_the_right_fork_first_starve() -> None:
    with pytest.raises(Broken, match="somebody eats"):
        check_promises(explore(build_dinner(3, left_handed=False)))


def test_one_left_handed_philosopher_lets_somebody_eat() -> None:
    check_promises(explore(build_dinner(3, left_handed=True)))


def test_the_story_of_a_broken_lock_is_the_shortest() -> None:
    with pytest.raises(Broken) as broken:
        explore(build_broken_lock())
    assert len(broken.value.story) == 4


class Door(NamedTuple):
    """A door that is opened and closed again and again; who waits passes while it is open."""

    is_open: bool = False
    has_passed: bool = False


@pytest.mark.parametrize(("fair", "passes"), [(Fairness.WEAK, False), (Fairness.STRONG, True)])
def test_strong_fairness_needs_no_chance_that_lasts(fair: Fairness, passes: bool) -> None:
    def swing(now: Door) -> Ways[Door]:
        yield (), now._replace(is_open=not now.is_open)

    def step(now: Door) -> Ways[Door]:
        if now.is_open:
            yield (), now._replace(has_passed=True)

    actions = (Action("swing", swing, "", Fairness.WEAK), Action("pass", step, "", fair))
    promise = Promise[Door]("who waits passes", lambda _: True, lambda now: now.has_passed)
    graph = explore(Model("a door", "one", Door(), actions, {}, (promise,)))
    if passes:
        check_promises(graph)
    else:
        with pytest.raises(Broken, match="who waits passes"):
            check_promises(graph)


def test_a_search_without_bounds_ends_with_an_error() -> None:
    class Number(NamedTuple):
        value: int = 0

    def count(now: Number) -> Ways[Number]:
        yield (), Number(now.value + 1)

    model = Model("numbers", "none", Number(), (Action("count", count, ""),), {})
    with pytest.raises(OverflowError, match="more than 10 states"):
        explore(model, most=10)


class TestTraces:
    @pytest.mark.parametrize("length", [3, 6])
    def test_a_run_is_accepted(self, length: int) -> None:
        steps = [ModelStep(name, (0,)) for name in ("want", "enter", "leave")] * 2
        assert accept(build_peterson(), steps[:length]).steps == length

    def test_a_step_that_is_not_possible_is_refused_with_what_might_be(self) -> None:
        trace = [ModelStep("want", (0,)), ModelStep("want", (1,)), ModelStep("enter", (1,))]
        with pytest.raises(RefusedTrace, match="step 3 is not in the model: enter 1") as refused:
            accept(build_peterson(), trace)
        assert "it might be: enter 0" in str(refused.value)

    def test_a_run_that_breaks_an_invariant_is_refused(self) -> None:
        trace = [ModelStep(name, (one,)) for name in ("want", "enter") for one in (0, 1)]
        with pytest.raises(RefusedTrace, match="not one at most is inside"):
            accept(build_peterson(waits=False), trace)

    def test_hidden_actions_come_in_between(self) -> None:
        model = build_peterson()
        hide: Callable[[Action[Peterson]], Action[Peterson]] = lambda one: one._replace(  # noqa: E731
            hidden=one.name == "enter"
        )
        hidden = model._replace(actions=tuple(map(hide, model.actions)))
        assert accept(hidden, [ModelStep("want", (0,)), ModelStep("leave", (0,))]).steps == 2
