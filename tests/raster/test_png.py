"""Pictures as PNG: their size, their letters, and the process that paints them."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Iterator

import pytest
from PIL import Image

from cartulary.pictures.colours import COLOURS
from cartulary.raster import painting
from cartulary.raster.letters import FONTS, MISSING, replace_missing
from cartulary.raster.painter import Painter, PaintingFailed
from cartulary.raster.png import MOST_PIXELS, TooLarge, draw_png, find_height
from tests.pictures.positions import CARCASSONNE, CAYLUS, position

PLAIN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}">{}</svg>'


def read(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


@pytest.fixture
def painter() -> Iterator[Painter]:
    made = Painter()
    yield made
    made.close()


@pytest.mark.slow
def test_a_picture_to_share_has_the_size_that_messengers_show() -> None:
    assert read(draw_png(position(CARCASSONNE, 60).draw(layout="share"), 1200)).size == (1200, 630)


def test_the_height_is_that_of_whole_pixels_and_nothing_is_stretched() -> None:
    svg = PLAIN.format(1228, 644, '<rect width="1228" height="614"/>')
    drawn = read(draw_png(svg, 1200))
    assert drawn.size == (1200, find_height(svg, 1200)) == (1200, 629)
    # 614 of 1228 units are 600 of 1200 pixels.
    assert [drawn.getpixel((5, y)) for y in (599, 600)] == [(0, 0, 0, 255), (0, 0, 0, 0)]


@pytest.mark.slow
def test_each_theme_has_its_page() -> None:
    svg = position(CAYLUS, 60).draw(layout="share")
    for at, theme in enumerate(("light", "dark")):
        found = read(draw_png(svg, 400, theme)).convert("RGB").getpixel((8, 200))
        assert "#{:02x}{:02x}{:02x}".format(*found) == COLOURS["page"][at]  # type: ignore[misc]


def test_letters_of_all_languages_are_drawn_without_the_fonts_of_the_machine() -> None:
    drawn = set()
    for letters in ("Ada", "Łódź", "Čedo", "Дарья", "ليلى", "עדה", "W", ""):
        text = f'<text x="2" y="20" font-family="serif" font-size="16">{letters}</text>'
        png = draw_png(PLAIN.format(80, 30, text), 200)
        dark = sum(read(png).convert("RGBA").getchannel("A").histogram()[128:])
        assert (dark > 60) is bool(letters), letters
        drawn.add(png)
    assert len(drawn) == 8


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada Łódź Дарья ליה عدا", "Ada Łódź Дарья ליה عدا"),
        ("囲碁 Ada", f"{MISSING * 2} Ada"),
        ("🦊", MISSING),
        ("👩\u200d🚀!", f"{MISSING}\u200d{MISSING}!"),
        ("\u2068Ada\u2069 · e\u0301", None),
    ],
)
def test_a_letter_that_no_font_has_is_drawn_as_a_sign(name: str, shown: str | None) -> None:
    replaced = replace_missing(name)
    assert (replaced == shown) if shown else (MISSING not in replaced)
    text = f'<text x="2" y="20" font-family="serif" font-size="16">{name}</text>'
    drawn = read(draw_png(PLAIN.format(200, 30, text), 200)).convert("RGBA").getchannel("A")
    assert sum(drawn.histogram()[128:]) > 10, "the name is not blank"


def test_the_fonts_come_with_their_licences() -> None:
    fonts = {path.name.split("-")[0].removesuffix(".ttf") for path in FONTS.glob("*.ttf")}
    texts = "".join(path.read_text("utf-8") for path in FONTS.glob("*-LICENSE.txt"))
    assert {name.removesuffix("Sans").removesuffix("Serif") for name in fonts} == {
        *("DejaVu", "Liberation")
    }
    assert "SIL OPEN FONT LICENSE" in texts
    assert "bitstream-vera" in texts


def test_a_picture_of_too_many_pixels_is_refused_with_the_widest_that_is_not() -> None:
    svg = PLAIN.format(10, 1000, "")
    with pytest.raises(TooLarge) as refused:
        draw_png(svg, 2400)
    widest = refused.value.widest
    assert find_height(svg, widest) * widest <= MOST_PIXELS
    with pytest.raises(TooLarge):
        find_height(svg, widest + 2)


@pytest.mark.process
def test_a_painter_paints_what_this_process_would_draw_and_goes_on_when_it_was_killed(
    painter: Painter,
) -> None:
    svg = position(CARCASSONNE, 20).draw()
    drawn = draw_png(svg, 300, "dark")
    assert painter.paint(svg, 300, "dark") == drawn
    process = painter._process  # noqa: SLF001 - the test stands for the operator who kills it
    assert process is not None
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == painting.NICENESS
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert painter.paint(svg, 300, "dark") == drawn


@pytest.mark.process
def test_what_cannot_be_painted_fails_and_the_next_picture_does_not(painter: Painter) -> None:
    with pytest.raises(PaintingFailed, match="no view"):
        painter.paint('<svg xmlns="http://www.w3.org/2000/svg"/>', 300)
    with pytest.raises(PaintingFailed, match="no element"):
        painter.paint("", 300)
    assert painter.paint(PLAIN.format(1, 1, ""), 300)


@pytest.mark.process
def test_a_picture_that_takes_too_long_has_failed() -> None:
    painter = Painter(longest_s=0.0)
    with pytest.raises(PaintingFailed, match="died"):
        painter.paint(position(CARCASSONNE, 60).draw(), 2400)
    painter.close()
