"""Readers of bytes from outside: hostile bytes are refused in words, and break nothing.

`python -m simulation.fuzzing` tries more, with the coverage as a guide; what it keeps is tried
here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulation.fuzzing.corpus import pack, read_corpus, unpack, write_corpus
from simulation.fuzzing.mutation import list_inputs
from simulation.fuzzing.samples import open_service
from simulation.fuzzing.target import Broke, FuzzTarget
from simulation.fuzzing.targets import TARGETS
from tests.support.night import short_or_long

TRIED = short_or_long(150, 20_000)
"""Changed inputs of a target: a second of a processor for all targets, minutes at night."""

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=lambda one: str(one.name))


@each_target
def test_each_reader_takes_a_valid_input(target: FuzzTarget) -> None:
    assert any(target.judge(seed) for seed in target.seeds())


@each_target
def test_changed_inputs_are_taken_or_refused_in_words(target: FuzzTarget) -> None:
    taken = [target.judge(data) for data in list_inputs(target, seed=36, number=TRIED)]
    assert len(taken) == TRIED


@each_target
def test_what_the_guided_fuzzing_keeps_breaks_nothing(target: FuzzTarget) -> None:
    kept = read_corpus(target.name)
    assert kept
    for data in kept:
        target.judge(data)


def test_the_same_seed_makes_the_same_inputs() -> None:
    target = TARGETS["engine_line"]
    first, again, other = (list(list_inputs(target, seed, 50)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def raise_(error: Exception) -> Any:
    raise error


@pytest.mark.parametrize("error", [KeyError("move"), ValueError(""), RecursionError()])
def test_an_exception_that_is_no_refusal_or_says_nothing_is_a_finding(error: Exception) -> None:
    target = FuzzTarget("broken", lambda _data: raise_(error), (ValueError,), list)
    with pytest.raises(Broke if isinstance(error, ValueError) else type(error)):
        target.judge(b"")


@pytest.mark.parametrize("status", ["400 BAD REQUEST", "503 SERVICE UNAVAILABLE"])
def test_an_answer_without_a_code_is_a_finding(
    status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(_environ: Any, start: Any) -> list[bytes]:
        start(status, [("Content-Type", "text/plain")])
        return [b"no"]

    monkeypatch.setattr(open_service().app, "wsgi_app", answer)
    with pytest.raises(Broke, match=f"answered {status[:3]} with the code None"):
        TARGETS["cursor"].judge(b"\x0012")


def test_a_corpus_is_kept_in_one_file_in_an_order_of_its_own(tmp_path: Path) -> None:
    inputs = [b"long input", b"\xff", b""]
    unpack(inputs, tmp_path / "apart")
    write_corpus("some", pack(tmp_path / "apart"), tmp_path)
    assert read_corpus("some", tmp_path) == sorted(inputs, key=len)
    assert read_corpus("other", tmp_path) == []
