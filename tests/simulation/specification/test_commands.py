"""Traces of simulated web processes are runs of the model of a move; mutated ones are not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from simulation.specification.accepting import RefusedTrace
from simulation.specification.model import ModelStep
from simulation.specification.moving import APPENDED, CONFLICT, HEARD, LOST
from simulation.specification.observing import commands
from simulation.specification.observing.appends import SentAppend
from simulation.specification.observing.commands import OTHERS, CommandTracer, follow
from simulation.store.replies import ErrorReply
from tests.simulation.worlds import run_in_world

PLAYERS = {"web-1#1": "a key", "web-2#2": "another key", "web-2#3": "a key"}
"""Two requests with one key, and one next to them."""


def step(action: str, *words: object) -> ModelStep:
    return ModelStep(action, words)


SEEN = [
    *(step("take", "web-1#1"), step("look", "web-1#1", 1), step("find", "web-1#1", False)),
    *(step("take", "web-2#2"), step("look", "web-2#2", 1), step("find", "web-2#2", False)),
    step("append", "web-1#1", 1, 1, APPENDED, LOST),
    step("append", "web-2#2", 1, 1, CONFLICT, HEARD),
    step("send again", "web-1#1", 1, 1, APPENDED, HEARD),
    step("answer", "web-1#1", 2),
    step("append of others", OTHERS, 2),
    *(step("look", "web-2#2", 3), step("find", "web-2#2", False)),
    step("append", "web-2#2", 3, 2, APPENDED, HEARD),
    step("answer", "web-2#2", 4),
    *(step("take", "web-2#3"), step("look", "web-2#3", 4), step("find", "web-2#3", True)),
    *(step("check", "web-2#3", True), step("answer", "web-2#3", 2)),
]
"""What a run of the profile `taps` does, in short."""


def test_what_web_processes_have_done_is_a_run_of_the_model() -> None:
    assert follow(SEEN, PLAYERS) == len(SEEN)


def test_what_the_store_loses_may_be_appended_again() -> None:
    lost = [step("lose", 1), step("send again", "web-1#1", 1, 1, APPENDED, HEARD)]
    assert follow([*SEEN[:7], *lost], PLAYERS)
    with pytest.raises(RefusedTrace):
        follow([*SEEN[:6], *lost], PLAYERS)


def test_a_creation_whose_answer_was_lost_comes_again_and_is_no_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands, "find_append", lambda _words, reply: reply)
    tracer = CommandTracer()
    begun = SentAppend("G", 0, "nonce", "", ({"version": 1}, {"version": 2}), 1, 2)
    for _ in range(2):
        words = [b"EVALSHA", b"sha", b"5", b"{G}:events"]
        tracer.note_sent("web-1", 1, words)
        tracer.hear(words, begun)
    assert list(tracer.games) == ["G"]
    assert not list(tracer.find_refusals())


def test_a_read_that_the_store_refuses_is_no_step() -> None:
    tracer = CommandTracer()
    tracer.games["G"] = commands.GameTrace(2)
    reads = [[b"XRANGE", b"{G}:events", b"(0-0", b"+"], [b"HGET", b"{G}:idempotency", b"key"]]
    for words in reads:
        tracer.note_sent("web-1", 1, words)
        tracer.hear(words, ErrorReply("LOADING", "The server loads its data"))
    assert not tracer.games["G"].steps


def test_what_was_never_seen_ends_a_trace_after_a_loss_and_is_refused_without_one() -> None:
    for has_lost in (True, False):
        game = commands.GameTrace(2)
        if has_lost:
            game.note_loss()
        game.find("web-1#1", "key", False)
        game.look("web-1#1", 7)
        assert game.is_unsure == has_lost
        assert game.steps == ([] if has_lost else [step("look", "web-1#1", 0)])


def test_a_read_that_comes_again_before_the_key_was_looked_for_says_nothing_of_the_key() -> None:
    repeated = [step("look", "web-2#3", 4), step("look", "web-2#3", 4)]
    trace = _replace(step("look", "web-2#3", 4), *repeated)
    assert follow(trace, PLAYERS) == len(trace)
    game = commands.GameTrace(2)
    for version in (2, 2):
        game.look("web-1#1", version)
    assert [one.action for one in game.steps] == ["look", "look"]


def _replace(old: ModelStep, *new: ModelStep) -> list[ModelStep]:
    at = SEEN.index(old)
    return [*SEEN[:at], *new, *SEEN[at + 1 :]]


MUTATED = {
    "an append follows no last event": _replace(
        step("append", "web-2#2", 1, 1, CONFLICT, HEARD),
        step("append", "web-2#2", 1, 1, APPENDED, HEARD),
    ),
    "an append that is sent again is refused": _replace(
        step("send again", "web-1#1", 1, 1, APPENDED, HEARD),
        step("send again", "web-1#1", 1, 1, CONFLICT, HEARD),
    ),
    "the answer comes before the append": _replace(SEEN[6], step("answer", "web-1#1", 2), SEEN[6]),
    "the answer shows the event of another": _replace(SEEN[-1], step("answer", "web-2#3", 4)),
    "the record of a key is not there": _replace(
        step("find", "web-2#3", True), step("find", "web-2#3", False)
    ),
    "a repeated key is answered without a second look": _replace(SEEN[-2]),
    "a read goes back": _replace(step("look", "web-2#2", 3), step("look", "web-2#2", 2)),
    "others append at a version that is there": _replace(
        step("append of others", OTHERS, 2), step("append of others", OTHERS, 1)
    ),
}


@pytest.mark.parametrize("steps", MUTATED.values(), ids=MUTATED)
def test_a_mutated_trace_is_refused(steps: Sequence[ModelStep]) -> None:
    with pytest.raises(RefusedTrace):
        follow(steps, PLAYERS)


RUN = """
from simulation.play.profiles import PROFILES
from simulation.play.run import Run
run = Run("2", "taps", PROFILES["taps"], 0.003, None)
report = run.play()
print(sum(len(one.steps) for one in run.commands.games.values()))
print(*report.findings, sep="\\n")
"""

KEEPS_NO_RECORD = """
from simulation.known.patches import CodePatch, apply_patch
apply_patch(CodePatch("ledger/append.lua", "'head', ARGV[8], ARGV[4], record)", "'head', ARGV[8])"))
"""


@pytest.mark.process
@pytest.mark.timeout(300)
def test_what_a_simulated_service_does_for_a_game_is_a_run_of_the_model() -> None:
    steps, findings = run_in_world(RUN).split("\n", 1)
    assert int(steps) > 200
    assert findings.strip() == ""


@pytest.mark.process
@pytest.mark.timeout(300)
def test_a_service_that_keeps_no_record_of_a_key_is_refused() -> None:
    said = run_in_world(KEEPS_NO_RECORD + RUN)
    assert "is not in the model: find web-" in said
