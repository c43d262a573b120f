"""The bench of the environments measures every game, and others in the same run."""

from __future__ import annotations

import pytest

from bench.games import environments
from cartulary.games import GAMES
from tests.support.night import short_or_long


@pytest.mark.slow
def test_the_bench_measures_masks_and_observations_and_ratios(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(environments, "SEATS", short_or_long((5,), (2, 5)))
    measured = environments.main(0)
    kinds = {
        f"{what}_{how}" for what in ("masks", "observations") for how in ("of_engine", "with_moves")
    }
    for name in GAMES:
        for seats in environments.SEATS:
            rates = measured[f"{name}_{seats}"]
            assert rates.keys() == kinds | {"pettingzoo", "openspiel"}
            assert min(rates.values()) > 0
            ratio = rates["observations_with_moves"] / measured["others_per_second"]["catanatron"]
            assert measured["ratios"][f"{name}_{seats}_to_catanatron"] == ratio
