"""Pictures in pixels that cost nothing: for tests of everything about them but the pixels."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest

from cartulary.raster.painter import Painter

PNG = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG."""


def sketch(_painter: Painter, picture: str, *wishes: object) -> bytes:
    """Return the first bytes of a PNG and a digest of all that its pixels depend on."""
    return PNG + sha256(repr((picture, *wishes)).encode()).digest()


@pytest.fixture(scope="module")
def sketched_pictures() -> Iterator[None]:
    """Let the painters of this process only sketch: to paint takes a second of a processor.

    `tests/service/api/game/test_board_pngs.py` and `tests/raster` hold what is painted.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Painter, "paint", sketch)
        yield
