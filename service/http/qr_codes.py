"""QR codes of addresses of the web client."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Final

import segno

ORIGIN: Final = r"https?://([a-zA-Z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:[0-9]{1,5})?"
"""Where a page of the client comes from: behind a proxy only the browser knows it."""

_SCALE: Final = 6
"""Units of the picture for one square of a QR code."""


def draw_qr_code(text: str) -> str:
    """Return a QR code as an SVG document."""
    picture = BytesIO()
    code = segno.make_qr(text, error="m")
    code.save(picture, kind="svg", scale=_SCALE, light="#fff", xmldecl=False, nl=False)
    return picture.getvalue().decode()


@lru_cache(maxsize=256)
def draw_link(address: str) -> str:
    """Return the QR code of an address that is no secret, drawn once for all who ask."""
    return draw_qr_code(address)
