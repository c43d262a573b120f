/**
 * What of a picture is seen, and how large: zoom, scroll position, the parts that other things cover.
 *
 * What is free of the window may shrink and grow at any time, because sheets and lines lie over it. The
 * window itself keeps its size; the picture gets padding instead. What a question brought into sight
 * (`reveal`) is brought there again when something would cover it.
 *
 * Zoom 1 is the size to read: on a phone the width of the window where the picture has sections, else
 * the whole picture; in both cases large enough for the smallest letters of the picture (`data-letter`).
 */

import { calm } from "../elements/dom.js";
import { middleOf, mostWithin } from "./fingers.js";

const MOST = 6; // by hand; a question comes as near as a finger needs
const FINGER = 44; // px
const LETTER = 11; // px: the smallest letters that can be read
export const NARROW = 640; // px: such a window shows the tall picture
const STRIP = 2; // a picture that is so much higher than wide is read, not seen as a whole

/** @typedef {{left: number, top: number, width: number, height: number}} Area in shares of the picture */

export class Viewport {
  /** @param {HTMLElement} scroller @param {HTMLElement} host */
  constructor(scroller, host) {
    this.scroller = scroller;
    this.host = host;
    /** Width and height of the picture, and its smallest letters, in its own units. */
    this.measure = { width: 1, height: 1, letter: 0 };
    /** The picture has sections, to be read one after the other. */
    this.hasSections = false;
    this.zoom = 1;
    /** The zoom at which the places of the question can be touched. */
    this.handy = 1;
    this.isAfar = false;
    /** The zoom was chosen for a question, not by the person. */
    this.guided = false;
    /** Measures what lies over the window: pixels from above and from below; of these, what always does. */
    this.covers = () => ({ above: 0, below: 0, always: 0 });
    /** The last answer of `covers`. */
    this.covered = { above: 0, below: 0, always: 0 };
    /** What a question has brought into sight. @type {Area | null} */
    this.held = null;
    /** The person has moved the picture since. */
    this.isMoved = false;
    for (const name of ["pointerdown", "wheel", "touchstart", "keydown"])
      scroller.addEventListener(name, () => (this.isMoved = true), { passive: true });
  }

  get isNarrow() {
    return this.scroller.clientWidth <= NARROW;
  }

  get ratio() {
    const { clientWidth, clientHeight } = this.scroller;
    return clientWidth / Math.max(1, this.isOverview ? this.#free : clientHeight);
  }

  /** Does the picture stand in sections, one below the other? */
  get isStrip() {
    return this.isNarrow && this.hasSections;
  }

  /** Is a strip to be seen as a whole, in another arrangement of the picture? */
  get isOverview() {
    return this.isAfar && this.isStrip;
  }

  /** Is the picture read from top to bottom instead of seen as a whole? */
  get isRead() {
    const { width, height } = this.measure;
    return !this.isOverview && (this.isStrip || (this.isNarrow && height > STRIP * width));
  }

  /** Take the measure of a picture. @param {SVGSVGElement} picture @param {boolean} hasSections */
  take(picture, hasSections) {
    const { width, height } = picture.viewBox.baseVal;
    const isFirst = this.measure.width === 1;
    if (width !== this.measure.width || height !== this.measure.height) this.held = null;
    this.measure = { width, height, letter: Number(picture.dataset.letter ?? 0) };
    this.hasSections = hasSections;
    this.#read();
    this.apply();
    if (isFirst && !this.isRead) this.scrollTo(this.host);
  }

  /** The width in pixels that shows the whole picture in a part of the window. @param {number} high */
  #whole(high) {
    const { width, height } = this.measure;
    return Math.min(this.scroller.clientWidth, (high * width) / height);
  }

  /** The height that nothing covers. */
  get #free() {
    return this.box.height;
  }

  /** The width in pixels at zoom 1. */
  get #base() {
    const { scroller, measure, isRead, isOverview } = this;
    if (isOverview) return Math.max(1, this.#whole(this.#free));
    const readable = measure.letter ? (LETTER / measure.letter) * measure.width : 0;
    const whole = isRead ? scroller.clientWidth : this.#whole(scroller.clientHeight - this.covered.always);
    return Math.max(whole, readable, 1);
  }

  /** The zoom that shows the whole picture. */
  get #least() {
    return Math.min(1, this.#whole(this.#free) / this.#base);
  }

  apply() {
    const { scroller, host, measure } = this;
    const wide = Math.floor(this.#base * this.zoom);
    scroller.parentElement?.classList.toggle("reads", this.isRead || this.isStrip);
    host.style.setProperty("--wide", `${wide}px`);
    const high = (wide * measure.height) / measure.width;
    host.style.margin = `${this.#around(high, this.#free)}px ${this.#around(wide, scroller.clientWidth)}px`;
  }

  /**
   * The padding with which each place of a picture can be in the middle of the window. A picture with
   * sections is read from its upper end.
   * @param {number} size of the picture @param {number} free
   */
  #around(size, free) {
    return this.hasSections || size <= free + 1 ? 0 : Math.floor(free / 2);
  }

  /** Measure what covers the window. */
  #read() {
    const { scroller } = this;
    const { above, below, always } = this.covers();
    if (above === this.covered.above && below === this.covered.below && always === this.covered.always) return;
    this.covered = { above, below, always };
    for (const part of scroller.parentElement?.children ?? []) {
      if (!(part instanceof HTMLElement)) continue;
      part.style.setProperty("--covered", `${below}px`);
      part.style.setProperty("--over", `${above}px`);
    }
  }

  /** Something may have begun to cover the window, or its size has changed: what is held stays in sight. */
  follow() {
    const isWhole = this.zoom < 1 && Math.abs(this.zoom - this.#least) < 0.01;
    const stays = !isWhole && this.held && (!this.isMoved || this.#contains(this.#shown(this.held)));
    const before = this.host.getBoundingClientRect();
    this.#read();
    if (isWhole) this.zoom = this.#least;
    this.apply();
    const after = this.host.getBoundingClientRect();
    this.scroller.scrollBy({ left: after.left - before.left, top: after.top - before.top, behavior: "instant" });
    if (this.held && stays) this.#bring(this.held);
  }

  /**
   * @param {number} zoom
   * @param {number} [x] what stays where it is, in pixels of the window
   * @param {number} [y]
   */
  zoomTo(zoom, x, y) {
    const next = Math.max(this.#least, zoom);
    const box = this.scroller.getBoundingClientRect();
    const before = this.host.getBoundingClientRect();
    const [atX, atY] = [x ?? box.left + box.width / 2, y ?? box.top + box.height / 2];
    this.zoom = next;
    this.apply();
    const after = this.host.getBoundingClientRect();
    const grown = after.width / (before.width || 1);
    this.scroller.scrollBy({
      left: after.left + (atX - before.left) * grown - atX,
      top: after.top + (atY - before.top) * grown - atY,
      behavior: "instant",
    });
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] */
  byHand(factor, x, y) {
    this.zoomTo(Math.min(this.zoom * factor, Math.max(MOST, this.handy)), x, y);
    this.guided = false;
  }

  /** Show the whole picture; when it is seen already, show it in the size to read or to touch. */
  fit() {
    this.#read();
    const least = this.#least;
    const isWhole = Math.abs(this.zoom - least) < 0.01;
    this.isMoved = true;
    if (isWhole && this.held) this.#enlarge(this.held, this.handy);
    else this.zoomTo(isWhole ? this.handy : least);
    this.guided = false;
  }

  /** See a strip as a whole, or read it again: the picture comes. @param {boolean} isOverview */
  lookFromAfar(isOverview) {
    this.isAfar = isOverview;
    this.isMoved = false;
    this.zoom = 1;
  }

  /** Show everything again after a question that needed a closer look. */
  overview() {
    this.handy = 1;
    if (this.guided) this.zoomTo(1);
    this.guided = false;
  }

  /** The part of the window that nothing covers. */
  get box() {
    const { scroller } = this;
    const { left, top } = scroller.getBoundingClientRect();
    const { above, below } = this.covered;
    const width = scroller.clientWidth;
    const begin = top + above + (Number.parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0);
    const end = Math.max(begin + FINGER, top + scroller.clientHeight - below);
    return { left, right: left + width, top: begin, bottom: end, width, height: end - begin };
  }

  /** @param {{left: number, right: number, top: number, bottom: number}} at */
  #contains(at) {
    const { box } = this;
    return at.top >= box.top && at.bottom <= box.bottom && at.left >= box.left && at.right <= box.right;
  }

  /** Is an element in sight, as a whole? @param {Element} element */
  shows(element) {
    this.#read();
    return this.#contains(element.getBoundingClientRect());
  }

  /** Where a part of the picture is on the screen now. @param {Area} area */
  #shown({ left, top, width, height }) {
    const host = this.host.getBoundingClientRect();
    return new DOMRect(
      host.left + left * host.width,
      host.top + top * host.height,
      width * host.width,
      height * host.height,
    );
  }

  /** The part of the picture that elements take together. @param {...Element} elements @returns {Area} */
  areaOf(...elements) {
    const host = this.host.getBoundingClientRect();
    const boxes = elements.map((one) => one.getBoundingClientRect());
    const [left, top] = [Math.min(...boxes.map((one) => one.left)), Math.min(...boxes.map((one) => one.top))];
    return {
      left: (left - host.left) / host.width,
      top: (top - host.top) / host.height,
      width: (Math.max(...boxes.map((one) => one.right)) - left) / host.width,
      height: (Math.max(...boxes.map((one) => one.bottom)) - top) / host.height,
    };
  }

  /** Bring an element into sight: into the middle, or with its upper end when it is larger. @param {Element} element */
  scrollTo(element) {
    this.#read();
    this.#bring(this.areaOf(element));
  }

  /** @param {Area} area */
  #bring(area) {
    const { box } = this;
    const at = this.#shown(area);
    const spare = { x: box.width - at.width, y: box.height - at.height };
    this.scroller.scrollBy({
      left: at.left - box.left - Math.max(0, spare.x) / 2,
      top: at.top - box.top - Math.max(0, spare.y) / 2,
      behavior: calm() ? "instant" : "smooth",
    });
  }

  /**
   * Bring a part of the picture into sight, large enough for a finger, and keep it there.
   * @param {Element} element
   * @param {number} [size] the least width in pixels
   * @param {(Element | null)[]} [others] what has to be in sight, too
   */
  reveal(element, size = FINGER, others = []) {
    const now = element.getBoundingClientRect().width;
    if (!now) return;
    this.#read();
    this.apply();
    const area = this.areaOf(element, ...others.filter((one) => one !== null));
    this.#enlarge(area, (this.zoom * Math.max(now, size)) / now);
    this.handy = Math.max(1, this.zoom);
    this.held = area;
    this.isMoved = false;
  }

  /**
   * Bring as many elements into sight as the window has room for.
   * @param {Element[]} elements @param {Element | null} wanted what is to be seen as well, if there is a choice
   */
  gather(elements, wanted) {
    this.#read();
    const { width, height } = this.box;
    const all = [...elements, ...(wanted ? [wanted] : [])];
    const best = mostWithin(all.map(middleOf), { x: width / 2 - FINGER, y: height / 2 - FINGER });
    if (best.length) this.hold(...best.map((at) => all[at]));
  }

  /** Bring a part of the picture into sight at a zoom, or at the zoom at which it has room. @param {Area} area @param {number} zoom */
  #enlarge(area, zoom) {
    const { box } = this;
    const at = this.#shown(area);
    const most = this.zoom * Math.min(box.width / at.width, box.height / at.height);
    const next = this.hasSections ? zoom : Math.min(zoom, most);
    if (Math.abs(next - this.zoom) > 0.001) {
      this.zoomTo(next);
      this.guided = true;
    }
    this.#bring(area);
  }

  /** Bring elements into the middle and keep them in sight. @param {...Element} elements */
  hold(...elements) {
    this.#read();
    this.held = this.areaOf(...elements);
    this.isMoved = false;
    this.#bring(this.held);
  }

  /** Bring an element into sight unless it is there, and keep it there. @param {Element} element */
  keep(element) {
    if (!this.shows(element)) return this.hold(element);
    this.held = this.areaOf(element);
    this.isMoved = false;
  }

  /** Bring a part of the picture into sight, as a person does. @param {Area} area */
  goTo(area) {
    this.#read();
    this.isMoved = true;
    this.#bring(area);
  }

  /** Come near enough for a finger: to what is held, when the element belongs to it. @param {Element} element */
  approach(element) {
    this.#read();
    const { heldBox } = this;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const belongs =
      heldBox && left < heldBox.right && right > heldBox.left && top < heldBox.bottom && bottom > heldBox.top;
    this.#enlarge(belongs && this.held ? this.held : this.areaOf(element), this.handy);
  }

  /** Where that is which is held, on the screen. */
  get heldBox() {
    return this.held && this.#shown(this.held);
  }

  /** The part of the picture that is seen. @returns {Area} */
  get seen() {
    const { left, top, width, height } = this.box;
    const host = this.host.getBoundingClientRect();
    const within = (/** @type {number} */ share) => Math.max(0, Math.min(1, share));
    const begin = { left: within((left - host.left) / host.width), top: within((top - host.top) / host.height) };
    return {
      ...begin,
      width: within((left + width - host.left) / host.width) - begin.left,
      height: within((top + height - host.top) / host.height) - begin.top,
    };
  }

  /** Nothing has to stay in sight. */
  release() {
    this.held = null;
  }

  /**
   * Show as much as possible, yet such parts at least this wide.
   * @param {Element} sample @param {number} size in pixels
   */
  fitFor(sample, size) {
    const whole = sample.getBoundingClientRect().width / this.zoom;
    if (!whole) return;
    this.handy = Math.max(1, size / whole);
    this.zoomTo(this.handy);
    this.guided = true;
  }

  /** Is an element too small for a finger, and can it be made larger? @param {Element} element */
  isSmall(element) {
    return (this.isOverview || this.zoom < this.handy - 0.001) && element.getBoundingClientRect().width < FINGER;
  }
}
