/**
 * The board: the picture from the server, shown inline so that its places can be touched.
 *
 * The picture stands in a shadow root. Its stylesheet is adopted as a constructed one (the page's
 * Content-Security-Policy allows no inline styles), so it applies to the picture and nothing else.
 * Whatever carries a contract id (`data-space`, `data-x` …) can be made a target with `touch`.
 */

import { calm, h, svg } from "../dom.js";
import { t } from "../i18n.js";
import { morphPicture } from "../morph.js";
import { boardStyle } from "./boardstyle.js";
import { panning } from "./panning.js";

const MOST = 6;
const FINGER = 44;
const STYLE = /<style[^>]*>([^<]*)<\/style>/g;

/** @typedef {{place: string, pick: () => void, chosen: boolean}} Target */

/** @type {Promise<CSSStyleSheet> | undefined} */
let ownStyle;

/** The style of the targets. */
function targetStyle() {
  ownStyle ??= boardStyle().then((text) => new CSSStyleSheet().replace(text));
  ownStyle.catch(() => {
    ownStyle = undefined; // the next picture asks again
  });
  return ownStyle;
}

export class Board {
  constructor() {
    this.host = h("div", { class: "picture" });
    this.root = this.host.attachShadow({ mode: "open" });
    this.scroller = h(
      "div",
      { class: "scroller", tabindex: "0", role: "group", "aria-label": t("ui.board.title") },
      this.host,
    );
    this.element = h("div", { class: "board" }, this.scroller);
    this.buttons = this.#buttons();
    /** @type {SVGSVGElement | null} */
    this.picture = null;
    /** @type {Target[]} */
    this.targets = [];
    /** @type {Element[]} */
    this.overlays = [];
    this.zoom = 1;
    /** The zoom was chosen for a question, not by the person. */
    this.guided = false;
    this.host.addEventListener("click", (event) => this.#click(event));
    panning(this.scroller, (factor, x, y) => this.#byHand(factor, x, y));
  }

  #buttons() {
    const button = (
      /** @type {string} */ name,
      /** @type {string} */ face,
      /** @type {() => void} */ onclick,
    ) =>
      h(
        "button",
        {
          class: "round",
          type: "button",
          "aria-label": t(`ui.board.${name}`),
          title: t(`ui.board.${name}`),
          onclick,
        },
        face,
      );
    return h(
      "div",
      { class: "zoom" },
      button("larger", "+", () => this.#byHand(1.4)),
      button("smaller", "−", () => this.#byHand(1 / 1.4)),
    );
  }

  /** Which of the two arrangements of the picture fits the room there is. */
  get layout() {
    const { clientWidth, clientHeight } = this.scroller;
    return clientWidth > 700 && clientWidth > clientHeight * 0.9 ? "wide" : "tall";
  }

  /**
   * Show a picture.
   * @param {string} text SVG
   */
  async set(text) {
    // The stylesheet is taken out before the parser sees it: the policy forbids it even there.
    /** @type {string[]} */
    const rules = [];
    const bare = text.replace(STYLE, (_, css) => {
      rules.push(css);
      return "";
    });
    const picture = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
    if (picture.nodeName !== "svg") throw new Error("the answer is not a picture");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules.join("\n"));
    this.root.adoptedStyleSheets = [sheet, await targetStyle()];
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    const { scrollLeft, scrollTop } = this.scroller;
    this.overlays.forEach((overlay) => overlay.remove());
    this.overlays = [];
    this.#place(/** @type {any} */ (picture));
    this.scroller.scrollTo(scrollLeft, scrollTop);
    this.host.dispatchEvent(new Event("pictured"));
  }

  /** Put a picture in place of the last one: where both have the same frame, nodes stay. @param {SVGSVGElement} next */
  #place(next) {
    const isAlike = this.picture?.getAttribute("viewBox") === next.getAttribute("viewBox");
    if (this.picture && isAlike) {
      this.picture = morphPicture(this.picture, next);
    } else {
      this.picture = document.importNode(next, true);
      this.root.replaceChildren(this.picture);
    }
  }

  /**
   * Let these places be touched, instead of those before.
   * @param {Target[]} targets
   */
  touch(targets) {
    this.targets = targets;
    this.overlays.forEach((overlay) => overlay.remove());
    this.overlays = [];
    if (!this.picture) return;
    for (const { place, chosen } of targets) {
      for (const element of this.picture.querySelectorAll(place)) this.#mark(element, chosen);
    }
  }

  /** Scroll to the first target when none is in sight; to be called when the panel has its size. */
  seek() {
    const box = this.scroller.getBoundingClientRect();
    const found = this.targets
      .map(({ place }) => this.find(place))
      .filter((element) => element !== null);
    const isSeen = found.some((element) => {
      const at = element.getBoundingClientRect();
      return (
        at.top >= box.top && at.bottom <= box.bottom && at.left >= box.left && at.right <= box.right
      );
    });
    if (found.length && !isSeen) this.reveal(found[0]);
  }

  /** @param {string} place @returns {SVGGraphicsElement | null} */
  find(place) {
    return this.picture?.querySelector(place) ?? null;
  }

  /**
   * Draw over the picture until the next call of `touch`.
   * @param {SVGElement} drawing
   * @param {Element} [within] the part of the picture whose measure it uses
   */
  overlay(drawing, within = /** @type {any} */ (this.picture)) {
    within.append(drawing);
    this.overlays.push(drawing);
  }

  /**
   * Put the sign of a seat on what is chosen: the move is seen before the server has answered.
   * @param {number} seat
   */
  stamp(seat) {
    const seal = this.find(`[id$="seal-${seat}"]`);
    if (!seal) return;
    for (const chosen of this.root.querySelectorAll(".touch.chosen, .pin.chosen")) {
      const { x, y, width, height } = /** @type {SVGGraphicsElement} */ (chosen).getBBox();
      const size = Math.min(width, height, 36) / 40;
      const at = chosen.matches(".pin") ? "" : `translate(${x + width / 2} ${y + height / 2})`;
      const sign = svg("use", {
        href: `#${seal.id}`,
        class: "stamp",
        transform: `${at} scale(${size})`,
      });
      if (chosen.matches(".pin")) chosen.append(sign);
      else chosen.after(sign);
      this.overlays.push(sign);
    }
  }

  /** @param {Element} element @param {boolean} chosen */
  #mark(element, chosen) {
    const shape = /** @type {SVGGraphicsElement} */ (element);
    const name = `touch${chosen ? " chosen" : ""}`;
    if (shape.tagName !== "g" && shape.tagName !== "svg") {
      const twin = /** @type {SVGElement} */ (shape.cloneNode(false));
      twin.setAttribute("class", `${name} shape`);
      twin.removeAttribute("id");
      shape.after(twin);
      this.overlays.push(twin);
      return;
    }
    const { x, y, width, height } = shape.getBBox();
    const frame = svg("rect", {
      class: name,
      x,
      y,
      width,
      height,
      rx: Math.min(width, height) / 10,
    });
    shape.append(frame);
    this.overlays.push(frame);
  }

  /** @param {Event} event */
  #click(event) {
    for (const node of event.composedPath()) {
      if (node === this.root) break;
      const hit = node instanceof Element && this.targets.find(({ place }) => node.matches(place));
      if (hit) {
        hit.pick();
        return;
      }
    }
    const subject = this.#subject(event);
    if (subject) this.host.dispatchEvent(new CustomEvent("inspect", { detail: subject }));
  }

  /**
   * What lies under the pointer: the `data-` members of the nearest things that have a name.
   * @param {Event} event @returns {Record<string, string> | null}
   */
  #subject(event) {
    /** @type {Record<string, string>} */
    const found = {};
    for (const node of event.composedPath()) {
      if (node === this.root) break;
      if (node instanceof SVGElement) Object.assign(found, { ...node.dataset, ...found });
    }
    return Object.keys(found).length ? found : null;
  }

  /**
   * @param {number} zoom 1: the whole picture in the width there is
   * @param {number} [x] what stays where it is, in pixels of the window
   * @param {number} [y]
   */
  zoomTo(zoom, x, y) {
    const next = Math.min(MOST, Math.max(1, zoom));
    const box = this.scroller.getBoundingClientRect();
    const atX = (x ?? box.left + box.width / 2) - box.left;
    const atY = (y ?? box.top + box.height / 2) - box.top;
    const left = (this.scroller.scrollLeft + atX) * (next / this.zoom) - atX;
    const top = (this.scroller.scrollTop + atY) * (next / this.zoom) - atY;
    this.zoom = next;
    this.host.style.setProperty("--zoom", String(next));
    this.scroller.scrollTo(left, top);
  }

  /**
   * A drawing of the picture by itself, for the panel: it needs the definitions and the style of
   * the picture, so it stands in a shadow root, too.
   * @param {string} href of a symbol of 100 by 100
   * @returns {{element: HTMLElement, turn: (degrees: number) => void}}
   */
  piece(href) {
    const use = svg("use", { href });
    const definitions = this.find("defs")?.cloneNode(true);
    const element = h("div", { class: "piece", "aria-hidden": "true" });
    const root = element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = this.root.adoptedStyleSheets;
    const drawing = svg("svg", { class: "cartulary", viewBox: "0 0 100 100" }, definitions, use);
    root.append(drawing);
    return {
      element,
      turn: (degrees) => use.setAttribute("transform", `rotate(${degrees} 50 50)`),
    };
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] */
  #byHand(factor, x, y) {
    this.zoomTo(this.zoom * factor, x, y);
    this.guided = false;
  }

  /** Show everything again after a question that needed a closer look. */
  overview() {
    if (this.guided) this.zoomTo(1);
    this.guided = false;
  }

  /**
   * Bring a part of the picture into sight, large enough for a finger.
   * @param {Element} element
   * @param {number} [size] the least width in pixels
   */
  reveal(element, size = FINGER) {
    const now = element.getBoundingClientRect();
    if (!now.width) return;
    if (now.width < size) {
      this.zoomTo((this.zoom * size) / now.width);
      this.guided = true;
    }
    const box = this.scroller.getBoundingClientRect();
    const at = element.getBoundingClientRect();
    this.scroller.scrollBy({
      left: at.left + at.width / 2 - box.left - box.width / 2,
      top: at.top + at.height / 2 - box.top - box.height / 2,
      behavior: calm() ? "instant" : "smooth",
    });
  }

  /**
   * Show as much as possible, yet such parts at least this wide.
   * @param {Element} sample @param {number} size in pixels
   */
  fit(sample, size) {
    const whole = sample.getBoundingClientRect().width / this.zoom;
    if (!whole) return;
    this.zoomTo(size / whole);
    this.guided = true;
  }
}
