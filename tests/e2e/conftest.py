"""A service that the tests share which neither stop, kill nor configure it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.real_serve import Served


@pytest.fixture(scope="package")
def shared_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running `serve` with games of other tests; people may register as often as they like."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARTULARY_RATE_PLAYERS", "")
        with Served(tmp_path_factory.mktemp("shared") / "data") as served:
            yield served
