/**
 * The places that are out of sight: at each edge of the window an arrow with their number, which leads to
 * the nearest of them, and a small map. A place under an arrow or under the map counts as out of sight.
 */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { middleOf } from "./fingers.js";
import { MiniMap } from "./mini_map.js";

/** Where along its edge an arrow stands: the first place that covers nothing that is chosen. */
const STATIONS = ["50%", "20%", "80%"];
const WAYS = /** @type {const} */ (["left", "right", "up", "down"]);

/**
 * @typedef {typeof WAYS[number]} Way
 * @typedef {{x: number, y: number}} Point
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 * @typedef {{place: Element, way: Way, far: number}} Hidden far: how many pixels beyond the edge
 */

const ROUNDING = 2; // px: a touch at the edge of a button is a touch on it

/** A box that is larger on each side. @param {Box} box @param {number} by @returns {Box} */
function grow({ left, right, top, bottom }, by) {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

/** The middle of a box, half as wide and as high: the rest of what is chosen may be covered. @param {Box} box @returns {Box} */
function core({ left, right, top, bottom }) {
  const [x, y] = [(right - left) / 4, (bottom - top) / 4];
  return { left: left + x, right: right - x, top: top + y, bottom: bottom - y };
}

/** @param {Point} point @param {Box} box */
function isIn({ x, y }, { left, right, top, bottom }) {
  return x >= left && x <= right && y >= top && y <= bottom;
}

/** @param {Box} a @param {Box} b */
function meet(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** How far a point lies beyond each edge of a box; inside a box all are negative. @param {Point} point @param {Box} box */
function beyond({ x, y }, { left, right, top, bottom }) {
  return { left: left - x, right: x - right, up: top - y, down: y - bottom };
}

/** The edge that is nearest to a place. @param {Element} place @param {Box} box @returns {Hidden} */
function leave(place, box) {
  const out = beyond(middleOf(place), box);
  const way = WAYS.reduce((best, one) => (out[one] > out[best] ? one : best));
  return { place, way, far: out[way] };
}

export class Beyond {
  /** @param {import("./viewport.js").Viewport} viewport @param {HTMLElement} buttons that lie over the board, too */
  constructor(viewport, buttons) {
    this.viewport = viewport;
    this.buttons = buttons;
    /** @type {Element[]} */
    this.places = [];
    /** What is chosen: nothing may lie over its middle. @type {Element[]} */
    this.chosen = [];
    /** @type {Hidden[]} */
    this.hidden = [];
    this.map = new MiniMap(viewport);
    this.arrows = WAYS.map((way) => ({ way, button: this.#arrow(way) }));
    this.element = h(
      "div",
      { class: "edges" },
      this.map.element,
      this.arrows.map(({ button }) => button),
    );
    this.waits = false;
    viewport.scroller.addEventListener("scroll", () => this.later(), { passive: true });
  }

  /** @param {Way} way */
  #arrow(way) {
    const onclick = () => this.#follow(way);
    return h("button", { class: `edge to-${way}`, "data-key": `beyond-${way}`, onclick });
  }

  /** Count these places from now on. @param {Element[]} places @param {Element[]} chosen of these @param {Element[]} things of the map */
  watch(places, chosen, things) {
    this.places = places;
    this.chosen = chosen;
    this.map.draw(things, places);
    this.later();
  }

  later() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      if (this.element.isConnected) this.#update();
    });
  }

  #update() {
    this.#fill();
    for (const { button } of this.arrows) this.#dodge(button);
    const outside = this.places.map((place) => leave(place, this.viewport.box)).filter(({ far }) => far > -ROUNDING);
    this.hidden = outside;
    if (outside.length) this.hidden = this.#countAll();
    this.map.show(outside.length > 0 && this.#isFree(this.map.element));
    for (const { way, button } of this.arrows) this.#write(way, button);
  }

  /** Leave alone what is chosen, if there is a place. @param {HTMLElement} button */
  #dodge(button) {
    for (const at of STATIONS) {
      button.style.setProperty("--at", at);
      if (this.#isFree(button)) return;
    }
  }

  /** Take the part of the window that is free. */
  #fill() {
    const { left, top, width, height } = this.viewport.box;
    const at = this.element.parentElement?.getBoundingClientRect() ?? new DOMRect();
    const { style } = this.element;
    style.left = `${left - at.left}px`;
    style.top = `${top - at.top}px`;
    style.width = `${width}px`;
    style.height = `${height}px`;
  }

  /** Those outside, and those under what lies over the board; each arrow that is added may cover another place. */
  #countAll() {
    const { box } = this.viewport;
    /** @type {Hidden[]} */
    let found = [];
    let before = -1;
    while (found.length > before) {
      before = found.length;
      const over = this.#lying(found);
      found = this.places
        .filter(
          (place) => !isIn(middleOf(place), grow(box, -ROUNDING)) || over.some((one) => isIn(middleOf(place), one)),
        )
        .map((place) => leave(place, box));
    }
    return found;
  }

  /** What lies over the board, when these places are hidden. @param {Hidden[]} hidden */
  #lying(hidden) {
    const shown = this.arrows.filter(({ way }) => hidden.some((one) => one.way === way)).map(({ button }) => button);
    const free = [this.map.element, ...shown].filter((one) => this.#isFree(one));
    return [...free, ...this.buttons.children].map((one) => grow(one.getBoundingClientRect(), ROUNDING));
  }

  /**
   * Does it leave alone what is chosen, such as a tile with its pins? What is held may be a whole section.
   * @param {Element} element
   */
  #isFree(element) {
    const { heldBox, hasSections } = this.viewport;
    const boxes = this.chosen.map((one) => core(one.getBoundingClientRect()));
    if (boxes.length && heldBox && !hasSections) boxes.push(heldBox);
    return !boxes.some((box) => meet(element.getBoundingClientRect(), box));
  }

  /** @param {Way} way @param {HTMLElement} button */
  #write(way, button) {
    const n = this.hidden.filter((one) => one.way === way).length;
    button.classList.toggle("away", n === 0 || !this.#isFree(button));
    if (button.dataset.count === String(n)) return;
    button.dataset.count = String(n);
    button.setAttribute("aria-label", t(`ui.board.beyond.${way}`, { n }));
    button.replaceChildren(h("span", { "aria-hidden": "true" }, "‹"), String(n));
  }

  /** Lead to the nearest place beyond an edge. @param {Way} way */
  #follow(way) {
    const there = this.hidden.filter((one) => one.way === way).sort((a, b) => a.far - b.far);
    if (there.length) this.viewport.hold(there[0].place);
  }
}
