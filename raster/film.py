"""A film: pictures one after the other, as animated WebP or GIF.

It plays once, and the last picture stands.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal

from cartulary.raster import png

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES: Final = 4_000_000
LONGEST_MS: Final = 60_000
LAST_MS: Final = 3000
"""For so long the last picture is shown at least; programs that repeat films begin again then."""
MOST_FRAMES: Final = 240

_TRIES: Final = 6
_QUALITY: Final = 70

FilmKind = Literal["webp", "gif"]


def is_installed() -> bool:
    """Return whether the extra `pictures` is installed."""
    return png.is_installed() and find_spec("PIL") is not None


def count_frames(ms: int) -> int:
    """Return how many pictures of `ms` milliseconds a film has at most."""
    return min(MOST_FRAMES, (LONGEST_MS - LAST_MS) // ms + 1)


def make_film(pictures: Sequence[bytes], kind: FilmKind, ms: int) -> bytes:
    """Return the film of pictures of one size, each shown for `ms` milliseconds.

    A film that is too large is made again from smaller pictures. Raises `ValueError` where even
    these are too large.
    """
    from PIL import Image

    frames = [Image.open(io.BytesIO(one)).convert("RGB") for one in pictures]
    for _ in range(_TRIES):
        made = _encode(frames, kind, ms)
        if len(made) <= MOST_BYTES:
            return made
        factor = min(0.9, (MOST_BYTES / len(made)) ** 0.5)
        size = tuple(max(1, int(side * factor)) for side in frames[0].size)
        frames = [frame.resize((size[0], size[1])) for frame in frames]
    raise ValueError(f"a film of {len(frames)} pictures has more than {MOST_BYTES} bytes")


def _encode(frames: Sequence[Image], kind: FilmKind, ms: int) -> bytes:
    first, *rest = frames if kind == "webp" else [frame.quantize(128) for frame in frames]
    durations = [*[ms] * len(rest), max(ms, LAST_MS)]
    into = io.BytesIO()
    how = {"quality": _QUALITY, "method": 2, "loop": 1} if kind == "webp" else {"optimize": False}
    shown = durations if rest else LAST_MS
    first.save(into, kind.upper(), save_all=True, append_images=rest, duration=shown, **how)
    return into.getvalue()
