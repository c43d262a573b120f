/** A small map of a board that is larger than its window: what lies there, the places, what is seen. */

import { h, svg } from "../elements/dom.js";

const SIZE = 72; // px of the longer side

/** @typedef {import("./viewport.js").Area} Area */

/** @param {Area[]} areas @param {number} width @param {number} height */
function outline(areas, width, height) {
  return areas
    .map((one) => {
      const wide = one.width * width;
      return `M${one.left * width} ${one.top * height}h${wide}v${one.height * height}h${-wide}z`;
    })
    .join("");
}

export class MiniMap {
  /** @param {import("./viewport.js").Viewport} viewport */
  constructor(viewport) {
    this.viewport = viewport;
    this.things = svg("path", { class: "things" });
    this.places = svg("path", { class: "places" });
    this.frame = svg("path", { class: "seen" });
    this.drawing = svg("svg", {}, this.things, this.places, this.frame);
    // for pointers: the arrows and the button of the whole board do the same for keys and listeners
    const onclick = (/** @type {MouseEvent} */ event) => this.#go(event);
    this.element = h(
      "div",
      { class: "mini-map away", "aria-hidden": "true", "data-key": "mini-map", onclick },
      this.drawing,
    );
    this.size = { width: SIZE, height: SIZE };
  }

  /** @param {Element[]} things @param {Element[]} places */
  draw(things, places) {
    const { viewport } = this;
    const { width, height } = viewport.measure;
    const scale = SIZE / Math.max(width, height);
    this.size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    this.drawing.setAttribute("viewBox", `0 0 ${this.size.width} ${this.size.height}`);
    this.element.style.width = `${this.size.width}px`;
    this.element.style.height = `${this.size.height}px`;
    this.#write(
      this.things,
      things.map((one) => viewport.areaOf(one)),
    );
    this.#write(
      this.places,
      places.map((one) => viewport.areaOf(one)),
    );
  }

  /** @param {SVGElement} path @param {Area[]} areas */
  #write(path, areas) {
    path.setAttribute("d", outline(areas, this.size.width, this.size.height));
  }

  /** Show or hide it; a board with sections has chips instead. @param {boolean} isNeeded */
  show(isNeeded) {
    const isShown = isNeeded && !this.viewport.hasSections;
    this.element.classList.toggle("away", !isShown);
    if (isShown) this.#write(this.frame, [this.viewport.seen]);
  }

  /** @param {MouseEvent} event */
  #go({ clientX, clientY }) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    this.viewport.goTo({ left: (clientX - left) / width, top: (clientY - top) / height, width: 0, height: 0 });
  }
}
