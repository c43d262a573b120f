/**
 * A list that changes while a person looks at it, without moving what the person is about to touch: what is new comes at
 * the end, what is gone stays where it is, dimmed, until the person has rested for a while or looks elsewhere.
 */

import { h } from "../elements/dom.js";
import { renew } from "../elements/morph.js";

/** So long (ms) after the last touch, key or scroll nothing is about to be touched. */
const REST = 10_000;
const ACTS = ["pointerdown", "pointermove", "keydown", "scroll", "wheel"];

/** @typedef {{id: string}} Shown */

/** @template {Shown} T */
export class LiveShelf {
  /**
   * @param {string} name @param {(count: number) => string} title
   * @param {(one: T) => HTMLElement} draw makes the `li` of one @param {{empty?: string, gone: string}} words empty: what
   *   to say of an empty list (without it the list is hidden), gone: what to say of one that is gone
   */
  constructor(name, title, draw, { empty = "", gone }) {
    this.title = title;
    this.draw = draw;
    this.gone = gone;
    this.head = h("h2", {});
    this.list = h("ul", { class: "cards" });
    this.empty = h("p", { class: "soft", hidden: true }, empty);
    this.element = h("section", { class: `shelf shelf-${name}`, hidden: true }, this.head, this.list, this.empty);
    /** @type {Map<string, {item: HTMLElement, text: string, isGone: boolean}>} */
    this.shown = new Map();
    this.touched = performance.now();
    this.touch = () => {
      this.touched = performance.now();
    };
    this.leave = () => document.visibilityState !== "visible" && this.tidy();
    for (const act of ACTS) addEventListener(act, this.touch, { capture: true, passive: true });
    document.addEventListener("visibilitychange", this.leave);
    this.timer = setInterval(() => performance.now() - this.touched > REST && this.tidy(), REST / 4);
  }

  close() {
    clearInterval(this.timer);
    for (const act of ACTS) removeEventListener(act, this.touch, { capture: true });
    document.removeEventListener("visibilitychange", this.leave);
  }

  /** Begin again: the person has chosen other ones. */
  clear() {
    this.shown.clear();
    this.list.replaceChildren();
  }

  /** Show these, in this order as far as they are new. @param {T[]} all */
  update(all) {
    const present = new Set(all.map(({ id }) => id));
    for (const [id, one] of this.shown) if (!present.has(id)) this.#dim(one);
    for (const one of all) this.#put(one);
    this.head.textContent = this.title(all.length);
    this.empty.hidden = this.shown.size > 0;
    this.element.hidden = !this.shown.size && !this.empty.textContent;
  }

  /** @param {T} one */
  #put(one) {
    const text = JSON.stringify(one);
    const known = this.shown.get(one.id);
    if (known?.text === text && !known.isGone) return;
    const drawn = this.draw(one);
    if (!known) {
      this.shown.set(one.id, { item: drawn, text, isGone: false });
      this.list.append(drawn);
      return;
    }
    renew(known.item, [...drawn.childNodes]);
    known.item.classList.remove("gone");
    known.text = text;
    known.isGone = false;
  }

  /** @param {{item: HTMLElement, isGone: boolean}} one */
  #dim(one) {
    if (one.isGone) return;
    one.isGone = true;
    one.item.classList.add("gone");
    const state = one.item.querySelector(".state");
    if (state) state.textContent = this.gone;
    for (const button of one.item.querySelectorAll("button")) button.disabled = true;
  }

  /** Take away what is gone. */
  tidy() {
    for (const [id, { item, isGone }] of this.shown) {
      if (!isGone || item.contains(document.activeElement)) continue;
      item.remove();
      this.shown.delete(id);
    }
    this.empty.hidden = this.shown.size > 0;
    this.element.hidden = !this.shown.size && !this.empty.textContent;
  }
}
