/** QR codes, drawn by the client: it knows its own address. */

import { generate } from "../vendor/lean-qr.js";
import { svg } from "./dom.js";

const MARGIN = 4; // modules around a QR code, as its standard wants

/** @param {string} text @param {string} title */
export function drawQr(text, title) {
  const code = generate(text);
  const cells = [...Array(code.size).keys()];
  const path = cells.flatMap((y) => cells.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`));
  const size = code.size + 2 * MARGIN;
  return svg(
    "svg",
    { class: "qr", viewBox: `${-MARGIN} ${-MARGIN} ${size} ${size}`, role: "img", "aria-label": title },
    svg("rect", { x: -MARGIN, y: -MARGIN, width: size, height: size, fill: "#fff" }),
    svg("path", { d: path.join(""), fill: "#000", "shape-rendering": "crispEdges" }),
  );
}
