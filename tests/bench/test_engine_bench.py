"""The engine's bench measures every game, and catanatron in the same run."""

from __future__ import annotations

import json
import sys

import pytest

from bench.__main__ import main
from cartulary.games import GAMES

pytestmark = pytest.mark.slow


def test_the_engine_bench_prints_rates_and_a_ratio(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "engine", "--seconds", "0", "--json"])
    main()
    measured = json.loads(capsys.readouterr().out.splitlines()[-1])
    for name in GAMES:
        assert measured[name].keys() == {"games_per_second", "decisions_per_second"}
        assert min(measured[name].values()) > 0
    actions = measured["catanatron"]["actions_per_second"]
    assert measured["ratio"] == measured["carcassonne"]["decisions_per_second"] / actions


def test_an_unknown_bench_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "no_such_bench"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "engine" in capsys.readouterr().err
