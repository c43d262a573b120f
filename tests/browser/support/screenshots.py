"""Screenshots compared with committed pictures, on any machine.

Letters differ by Chromium and by the fonts of the machine, so they are made transparent, and they
take the room of a monospaced font: the usual ones are equally wide (0.6 em). What is left are
places, colours, lines and shapes. A screenshot is reduced to blocks of `BLOCK` pixels, and each
block keeps its mean colour: so the smoothing of edges differs by little, and the committed pictures
are small. The browser itself reads and writes PNG (canvas): no other library is needed.

To write the pictures again (look at them before the commit):

    CARTULARY_PICTURES=write python -m pytest tests/browser/table/test_pictures.py
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

FOLDER: Final = Path(__file__).parents[1] / "pictures"
BLOCK: Final = 6
"""Pixels of the screenshot, along each side, for a pixel of the committed picture."""
NEAR: Final = 22
"""So far, of 255, a colour of a block may lie off."""
FEW: Final = 0.006
"""So large a share of the blocks may lie off farther: lines that break elsewhere move a little."""

MONOSPACED: Final = "'Liberation Mono', 'DejaVu Sans Mono', 'Noto Sans Mono', monospace"
"""Named fonts first: of `monospace` alone browsers make the letters smaller."""

BARE: Final = """
*, *::before, *::after {
  color: transparent !important;
  -webkit-text-fill-color: transparent !important;
  text-shadow: none !important;
  caret-color: transparent !important;
  font-family: FAMILY !important;
  line-height: 1.3 !important;
  animation: none !important;
  transition: none !important;
}
text { fill: transparent !important; stroke: transparent !important; }
"""
"""The style that takes the letters away; in the picture of the board as well."""

PREPARE: Final = """
  const bare = new CSSStyleSheet();
  bare.replaceSync(`CSS`);
  document.adoptedStyleSheets = [bare];
"""

STRIP: Final = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const roots = [document, ...[...document.querySelectorAll("*")].map((one) => one.shadowRoot)];
  for (const root of roots.filter(Boolean))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}"""

COMPARE: Final = """async ([shot, kept, block, near]) => {
  const read = async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    return image;
  };
  const canvasOf = (width, height) => {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    return [canvas, canvas.getContext("2d", { willReadFrequently: true })];
  };
  const pixels = (image) => {
    const [, pen] = canvasOf(image.width, image.height);
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  };
  const write = ({ width, height, data }) => {
    const [canvas, pen] = canvasOf(width, height);
    pen.putImageData(new ImageData(data, width, height), 0, 0);
    return canvas.toDataURL("image/png").split(",")[1];
  };
  /** Each block becomes one pixel: its mean colour, in steps of 8, so that the file is small. */
  const reduce = ({ width, height, data }) => {
    const [columns, rows] = [Math.floor(width / block), Math.floor(height / block)];
    const found = new Uint8ClampedArray(columns * rows * 4).fill(255);
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1)
        for (let part = 0; part < 3; part += 1) {
          let sum = 0;
          for (let y = 0; y < block; y += 1)
            for (let x = 0; x < block; x += 1)
              sum += data[((row * block + y) * width + column * block + x) * 4 + part];
          found[(row * columns + column) * 4 + part] = Math.round(sum / block ** 2 / 8) * 8;
        }
    return { width: columns, height: rows, data: found };
  };
  const actual = reduce(pixels(await read(shot)));
  const result = { actual: write(actual), off: 1, difference: null };
  if (!kept) return result;
  const wanted = pixels(await read(kept));
  if (wanted.width !== actual.width || wanted.height !== actual.height) return result;
  let count = 0;
  const shown = new Uint8ClampedArray(wanted.data.length);
  for (let at = 0; at < shown.length; at += 4) {
    const far = Math.max(...[0, 1, 2].map((part) =>
      Math.abs(wanted.data[at + part] - actual.data[at + part])));
    if (far > near) count += 1;
    shown.set(far > near ? [255, 0, 0, 255] : [far * 4, far * 4, far * 4, 255], at);
  }
  result.off = count / (shown.length / 4);
  result.difference = write({ width: wanted.width, height: wanted.height, data: shown });
  return result;
}"""


def prepare(page: Page, family: str = MONOSPACED) -> None:
    """Let the pages that are opened from now on have no letters, before anything is laid out."""
    page.add_init_script(PREPARE.replace("CSS`", f"{style(family)}`"))


def style(family: str = MONOSPACED) -> str:
    """Return the style without letters."""
    return BARE.replace("FAMILY", family)


def compare(page: Page, name: str, scratch: Page, failed: Path) -> None:
    """Compare what a page shows with the committed picture of this name.

    `scratch` is an empty page that reads the pictures. On a failure the folder `failed` gets the
    actual picture, the screenshot and the difference, in which red is too far off.
    """
    page.evaluate(STRIP, style())
    page.mouse.move(0, 0)
    shot = page.screenshot(animations="disabled", caret="hide", scale="css")
    file = FOLDER / f"{name}.png"
    kept = base64.b64encode(file.read_bytes()).decode() if file.exists() else None
    asked = [base64.b64encode(shot).decode(), kept, BLOCK, NEAR]
    found: dict[str, Any] = scratch.evaluate(COMPARE, asked)
    actual = base64.b64decode(found["actual"])
    if os.environ.get("CARTULARY_PICTURES") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_bytes(actual)
        return
    if found["off"] <= FEW:
        return
    failed.mkdir(parents=True, exist_ok=True)
    (failed / f"{name}-actual.png").write_bytes(actual)
    (failed / f"{name}-screenshot.png").write_bytes(shot)
    if found["difference"]:
        (failed / f"{name}-difference.png").write_bytes(base64.b64decode(found["difference"]))
    raise AssertionError(f"{name}: {found['off']:.1%} of the blocks differ, see {failed}")
