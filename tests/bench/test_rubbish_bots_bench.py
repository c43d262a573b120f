"""The bench of rubbish bots: a person plays on next to bots that do everything wrong."""

from __future__ import annotations

import pytest

from bench.others import rubbish_bots
from tests.support.night import NIGHT


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.skipif(not NIGHT, reason="takes six seconds of a processor: script/night runs it")
def test_a_person_is_measured_next_to_bots_whose_rubbish_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rubbish_bots, "ROUNDS", 1)
    found = rubbish_bots.main(seconds=3.0, bots=10, pause=0.2)
    assert found["bot_answers"] >= 4
    assert set(found["rubbish"]) <= {"400", "409", "422"}
    assert min(found["rubbish"]["400"], found["rubbish"]["422"]) > 0
    assert found["ratio"] > 0
