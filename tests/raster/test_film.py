"""Films: how long, how large, and what stands at the end."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image, ImageSequence

from cartulary.raster import film
from cartulary.raster.film import FilmKind, count_frames, make_film


def draw(colour: tuple[int, int, int]) -> bytes:
    into = io.BytesIO()
    Image.new("RGB", (40, 20), colour).save(into, "PNG")
    return into.getvalue()


FRAMES = [draw((250 * at // 3, 40, 250 - 60 * at)) for at in range(4)]


@pytest.mark.parametrize("kind", ["webp", "gif"])
def test_a_film_shows_each_picture_once_and_the_last_one_stands(kind: FilmKind) -> None:
    made: Any = Image.open(io.BytesIO(make_film(FRAMES, kind, 200)))
    assert (made.n_frames, made.size) == (4, (40, 20))
    shown = []
    for frame in ImageSequence.Iterator(made):
        frame.load()
        shown.append(frame.info["duration"])
    assert shown == [200, 200, 200, film.LAST_MS]
    # WebP counts how often it plays; a GIF that says nothing plays once.
    assert made.info.get("loop", 1) == 1
    red, _green, blue = made.convert("RGB").getpixel((20, 10))
    assert red > 200 > blue


@pytest.mark.parametrize("ms", [100, 237, 500, 5000])
def test_a_film_takes_a_minute_at_most(ms: int) -> None:
    frames = count_frames(ms)
    assert (frames - 1) * ms + film.LAST_MS <= film.LONGEST_MS
    assert frames <= film.MOST_FRAMES


def test_a_film_of_one_picture_is_that_picture() -> None:
    made: Any = Image.open(io.BytesIO(make_film(FRAMES[:1], "webp", 500)))
    assert getattr(made, "n_frames", 1) == 1


def test_a_film_that_is_too_large_is_made_of_smaller_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = len(make_film(FRAMES, "gif", 200))
    monkeypatch.setattr(film, "MOST_BYTES", whole - 1)
    made = make_film(FRAMES, "gif", 200)
    assert len(made) < whole
    assert Image.open(io.BytesIO(made)).width < 40
    monkeypatch.setattr(film, "MOST_BYTES", 10)
    with pytest.raises(ValueError, match="more than 10 bytes"):
        make_film(FRAMES, "gif", 200)
