/**
 * What of a picture is seen, and how large: zoom, scroll position, the part that a sheet covers.
 *
 * Zoom 1 is the size to read: on a phone the width of the window where the picture has sections, else
 * the whole picture; in both cases large enough for the smallest letters of the picture (`data-letter`).
 */

import { calm } from "../elements/dom.js";

const MOST = 6;
const FINGER = 44; // px
const LETTER = 11; // px: the smallest letters that can be read
export const NARROW = 640; // px: such a window shows the tall picture
const STRIP = 2; // a picture that is so much higher than wide is read, not seen as a whole

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
    /** The zoom was chosen for a question, not by the person. */
    this.guided = false;
    /** How much of the window a sheet covers, in pixels from below. */
    this.covered = 0;
  }

  get isNarrow() {
    return this.scroller.clientWidth <= NARROW;
  }

  get ratio() {
    const { clientWidth, clientHeight } = this.scroller;
    return clientWidth / Math.max(1, clientHeight);
  }

  /** Is the picture read from top to bottom instead of seen as a whole? */
  get isRead() {
    const { width, height } = this.measure;
    return this.isNarrow && (this.hasSections || height > STRIP * width);
  }

  /** Take the measure of a picture. @param {SVGSVGElement} picture @param {boolean} hasSections */
  take(picture, hasSections) {
    const { width, height } = picture.viewBox.baseVal;
    this.measure = { width, height, letter: Number(picture.dataset.letter ?? 0) };
    this.hasSections = hasSections;
    this.apply();
  }

  /** The width in pixels that shows the whole picture. @param {number} [hidden] px of the window */
  #whole(hidden = 0) {
    const { clientWidth, clientHeight } = this.scroller;
    const { width, height } = this.measure;
    return Math.min(clientWidth, ((clientHeight - hidden) * width) / height);
  }

  /** The width in pixels at zoom 1. */
  get #base() {
    const { width, letter } = this.measure;
    const readable = letter ? (LETTER / letter) * width : 0;
    return Math.max(this.isRead ? this.scroller.clientWidth : this.#whole(), readable, 1);
  }

  apply() {
    this.scroller.parentElement?.classList.toggle("reads", this.isRead);
    this.host.style.setProperty("--wide", `${Math.floor(this.#base * this.zoom)}px`);
  }

  /** A sheet covers so much of the window. @param {number} pixels */
  cover(pixels) {
    this.covered = pixels;
    for (const part of this.scroller.parentElement?.children ?? [])
      if (part instanceof HTMLElement) part.style.setProperty("--covered", `${pixels}px`);
  }

  /**
   * @param {number} zoom
   * @param {number} [x] what stays where it is, in pixels of the window
   * @param {number} [y]
   */
  zoomTo(zoom, x, y) {
    const least = Math.min(1, this.#whole(this.covered) / this.#base);
    const next = Math.min(MOST, Math.max(least, zoom));
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
    this.zoomTo(this.zoom * factor, x, y);
    this.guided = false;
  }

  /** Show the whole picture; when it is seen already, show it in the size to read. */
  fit() {
    const least = Math.min(1, this.#whole(this.covered) / this.#base);
    this.zoomTo(Math.abs(this.zoom - least) < 0.01 ? 1 : least);
    this.guided = false;
  }

  /** Show everything again after a question that needed a closer look. */
  overview() {
    if (this.guided) this.zoomTo(1);
    this.guided = false;
  }

  /** The part of the window that neither chips nor a sheet cover. */
  get box() {
    const { left, right, top, bottom } = this.scroller.getBoundingClientRect();
    const begin = top + (Number.parseFloat(getComputedStyle(this.scroller).scrollPaddingTop) || 0);
    const end = Math.max(begin + FINGER, bottom - this.covered);
    return { left, right, top: begin, bottom: end, width: right - left, height: end - begin };
  }

  /** Is an element in sight, as a whole? @param {Element} element */
  shows(element) {
    const { box } = this;
    const at = element.getBoundingClientRect();
    return at.top >= box.top && at.bottom <= box.bottom && at.left >= box.left && at.right <= box.right;
  }

  /** Bring an element into sight: into the middle, or with its upper end when it is larger. @param {Element} element */
  scrollTo(element) {
    const { box } = this;
    const at = element.getBoundingClientRect();
    const spare = { x: box.width - at.width, y: box.height - at.height };
    this.scroller.scrollBy({
      left: at.left - box.left - Math.max(0, spare.x) / 2,
      top: at.top - box.top - Math.max(0, spare.y) / 2,
      behavior: calm() ? "instant" : "smooth",
    });
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
    this.scrollTo(element);
  }

  /**
   * Show as much as possible, yet such parts at least this wide.
   * @param {Element} sample @param {number} size in pixels
   */
  fitFor(sample, size) {
    const whole = sample.getBoundingClientRect().width / this.zoom;
    if (!whole) return;
    this.zoomTo(Math.max(1, size / whole));
    this.guided = true;
  }
}
