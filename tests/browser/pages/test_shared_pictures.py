"""Pictures for other programs: resvg draws them as a browser does."""

from __future__ import annotations

import io
from base64 import b64encode
from itertools import product

import pytest
import requests
from PIL import Image, ImageChops
from playwright.sync_api import Browser

from cartulary.raster.letters import FONTS
from cartulary.raster.png import draw_png
from tests.pictures.positions import CARCASSONNE, position
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

FACES = (
    ("serif", "Serif-Regular", 400),
    ("serif", "Serif-Bold", 700),
    ("sans-serif", "Sans-Regular", 400),
    ("sans-serif", "Sans-Bold", 700),
)
MOST = 0.01
"""The mean difference of a colour, and the share of pixels that differ by more than a quarter."""


def load_fonts() -> str:
    """Return the style that gives a page the fonts of the package, whatever the machine has."""
    return "".join(
        f"@font-face{{font-family:'own {family}';font-weight:{weight};src:url(data:font/ttf;base64,"
        f"{b64encode((FONTS / f'Liberation{name}.ttf').read_bytes()).decode()})}}"
        for family, name, weight in FACES
    )


def draw_in_browser(browser: Browser, svg: str, size: tuple[int, int]) -> Image.Image:
    """Return what a browser draws of a picture in a window of this size."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height})
    for family in ("serif", "sans-serif"):
        svg = svg.replace(f'font-family="{family}"', f'font-family="own {family}"')
    page.set_content(
        f"<style>{load_fonts()}body{{margin:0}}svg{{display:block;width:100vw;height:auto}}</style>"
        + svg
    )
    page.evaluate("document.fonts.ready.then(() => true)")
    shot = page.screenshot()
    page.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


def measure(one: Image.Image, other: Image.Image) -> tuple[float, float]:
    """Return the mean difference of two pictures, and the share of pixels that differ much."""
    counts = ImageChops.difference(one, other).convert("L").histogram()
    pixels = sum(counts)
    mean = sum(grey * count for grey, count in enumerate(counts)) / 255 / pixels
    return mean, sum(counts[64:]) / pixels


def test_resvg_and_chromium_draw_a_picture_alike(
    served: Served, browser: Browser, finished: str
) -> None:
    address = f"{served.url}/api/v1/games/{finished}/board"
    every = [*product(("share", "tall", "wide"), ("light", "dark"), (1200, 500))]
    wishes = short_or_long([("share", "dark", 700)], every)
    for layout, theme, width in wishes:
        wish = f"layout={layout}&theme={theme}"
        svg = requests.get(f"{address}.svg?{wish}&style=plain", timeout=60).text
        png = requests.get(f"{address}.png?{wish}&width={width}", timeout=60)
        assert png.status_code == 200, png.text
        painted = Image.open(io.BytesIO(png.content)).convert("RGB")
        assert painted.width == width
        mean, share = measure(painted, draw_in_browser(browser, svg, painted.size))
        assert mean <= MOST, (wish, mean)
        assert share <= MOST, (wish, share)


def test_a_picture_with_another_board_is_noticed() -> None:
    pictures = []
    for moves in (20, 30):
        drawn = draw_png(position(CARCASSONNE, moves).draw(layout="share"), 200)
        pictures.append(Image.open(io.BytesIO(drawn)).convert("RGB"))
    assert min(measure(*pictures)) > MOST


@pytest.mark.parametrize("finished", ["carcassonne"], indirect=True)
def test_a_worker_makes_the_film_that_was_asked_for(served: Served, finished: str) -> None:
    version = requests.get(f"{served.url}/api/v1/games/{finished}", timeout=60).json()["version"]
    address = f"{served.url}/api/v1/games/{finished}/replay.webp?width=200&from={version - 2}"
    answer = requests.get(address, timeout=60)
    assert answer.status_code == 202

    def is_made() -> bool:
        nonlocal answer
        answer = requests.get(address, timeout=60)
        return answer.status_code != 202

    until(is_made, within=120)
    assert answer.status_code == 200, answer.text
    film = Image.open(io.BytesIO(answer.content))
    assert (film.format, film.size, getattr(film, "n_frames", 1)) == ("WEBP", (200, 105), 3)
