/**
 * Outlines round places of the picture. They stand on a layer of their own over the picture and
 * follow its zoom, so the picture itself stays as the service has drawn it.
 */

import { h } from "../elements/dom.js";

/** @typedef {import("../board/board.js").Board} Board */

/** @param {HTMLElement} element @param {Record<string, string>} style */
function dress(element, style) {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
  return element;
}

/** The outline of a box, in parts of the layer. @param {DOMRect} box @param {DOMRect} of */
function outline(box, of) {
  const part = (/** @type {number} */ length, /** @type {number} */ whole) => `${((length / whole) * 100).toFixed(3)}%`;
  return dress(h("div", { class: "happened" }), {
    position: "absolute",
    left: part(box.left - of.left, of.width),
    top: part(box.top - of.top, of.height),
    width: part(box.width, of.width),
    height: part(box.height, of.height),
    "box-sizing": "border-box",
    border: "3px solid var(--mark)",
    "border-radius": "6px",
    "box-shadow": "0 0 0 2px var(--panel), inset 0 0 0 1px var(--panel)",
  });
}

export class Outlines {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.layer = dress(h("div", { class: "marks", "aria-hidden": "true" }), {
      position: "absolute",
      inset: "0",
      "pointer-events": "none",
    });
  }

  /**
   * Mark these places too.
   * @param {string[]} places selectors
   * @returns {HTMLElement[]} the outlines
   */
  add(places) {
    const { board, layer } = this;
    const found = places.map((place) => board.find(place)).filter((element) => element !== null);
    if (!found.length) return [];
    if (!layer.isConnected) board.root.append(layer);
    const whole = layer.getBoundingClientRect();
    if (!whole.width || !whole.height) return [];
    const outlines = found.map((element) => outline(element.getBoundingClientRect(), whole));
    layer.append(...outlines);
    return outlines;
  }

  /** Mark these places and no others. @param {string[]} places */
  show(places) {
    this.clear();
    return this.add(places);
  }

  clear() {
    this.layer.replaceChildren();
    this.layer.remove();
  }
}
