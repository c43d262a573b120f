"""Whole runs: the same bytes, promises kept, and what is broken is found."""

from __future__ import annotations

import json
import re

import pytest

from tests.simulation.worlds import run_in_world, simulate

pytestmark = [pytest.mark.process, pytest.mark.timeout(600)]

BEGIN = """
from simulation.play.profiles import Profile
def play(seed, faults):
    from simulation.play.run import Run
    profile = Profile(webs=1, tables=1, thinks_s=1.0, looks_s=1.0, has_keys=0.0, faults=faults)
    report = Run(seed, "own", profile, 0.01, None).play()
    print(*report.findings, sep="\\n")
"""


def test_one_seed_is_one_run_byte_for_byte_and_keeps_its_promises_through_faults() -> None:
    """The digest is of every line of the story, so the second run may tell it."""
    words = ["9", "--hours=0.008", "--profile=storm"]
    first, second = simulate(*words, "--json"), simulate(*words, "--trace")
    report = json.loads(first.stdout)
    assert f"digest {report['digest']}\n" in second.stdout
    for figures in (
        "{games} games, {moves} moves, {events} events, "
        "{calls} calls, {retries} repeated, {taken} taken by fall-backs\n",
        "{steps} steps, {requests} requests to the store\n",
        "; {restarts} restarts of processes\n",
    ):
        assert figures.format(**report) in second.stdout
    faults = [f"{count} {kind}" for kind, count in report["faults"].items()]
    (told,) = re.findall(r"^faults: (.*);", second.stdout, re.MULTILINE)
    assert sorted(told.split(", ")) == sorted(faults)
    assert report["findings"] == []
    assert (first.returncode, second.returncode) == (0, 0)
    assert report["moves"] > 20
    assert sum(report["faults"].values()) > 5
    tells_its_faults_and_appends(second.stdout)


def tells_its_faults_and_appends(story: str) -> None:
    assert " appends 1 (" in story
    assert ": stored" in story
    assert "world fault " in story


def test_a_worker_that_ends_while_its_daemon_threads_wait_is_started_again() -> None:
    """Seed 302 once left its games without an end: the keeper took the worker for alive."""
    said = run_in_world(
        """
import threading
from simulation.play.service import ProcessKeeper
world = begin_world("1")
keeper = ProcessKeeper(world)
def work():
    threading.Thread(target=threading.Event().wait, daemon=True).start()
keeper.keep("worker", work)
world.run(lambda: keeper.restarts > 1, 60 * 10**9)
print(keeper.restarts)
"""
    )
    assert said == "2\n"


def test_a_store_that_ends_forgets_and_is_slow_loses_nothing() -> None:
    report = json.loads(simulate("302", "--hours=0.01", "--profile=store", "--json").stdout)
    assert report["findings"] == []
    assert report["moves"] > 100


def test_a_repeated_key_that_is_answered_after_a_fall_back_promises_nothing_new() -> None:
    """Seed 410 once said that a move was doubled."""
    report = json.loads(simulate("410", "--hours=0.012", "--profile=storm", "--json").stdout)
    assert report["findings"] == []


def test_answers_that_are_lost_lose_and_double_nothing() -> None:
    assert run_in_world(BEGIN + "play('1', {'cut_after': 8000.0})").strip() == ""


def test_a_store_that_does_not_know_an_append_again_is_found() -> None:
    said = run_in_world(
        BEGIN
        + """
import cartulary.events.server.scripts as scripts
read = scripts.read_script
known = "return entry[2][i + 1] == ARGV[3]"
assert known in read("ledger", "append.lua")
scripts.read_script = lambda *names: read(*names).replace(known, "return false")
play('2', {'cut_after': 8000.0})
"""
    )
    assert "doubled: " in said
    assert "was never answered for" in said


def test_rated_timed_and_private_games_keep_their_promises() -> None:
    words = ["4", "--hours=0.005", "--profile=clocks", "--json"]
    report = json.loads(simulate(*words).stdout)
    assert report["findings"] == []
    assert report["rated"] > 0
    assert report["flags"] > 0
    assert report["looks"] > 5
