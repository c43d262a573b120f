/** News for everyone: a live region for screen readers, and a note that stays for a while. */

import { h } from "./dom.js";

let timer = 0;

const place = /** @type {HTMLElement} */ (document.getElementById("notes"));

/**
 * Let the notes stand in an element, which has a place for them; null: at the foot of the window again.
 * @param {Element | null} element
 */
export function lodgeNotes(element) {
  (element ?? document.body).append(place);
}

/**
 * Say something to those who listen; the same text twice is said twice.
 * @param {string} text
 */
export function announce(text) {
  const region = /** @type {HTMLElement} */ (document.getElementById("news"));
  region.replaceChildren(h("p", {}, text));
}

/**
 * Show a note for a while and say it. News go with the next touch: the person has begun to do something.
 * @param {string} text
 * @param {"news" | "trouble"} [kind]
 */
export function note(text, kind = "news") {
  const shown = h("p", { class: `note ${kind}` }, text);
  place.replaceChildren(shown);
  announce(text);
  clearTimeout(timer);
  timer = setTimeout(() => place.replaceChildren(), kind === "trouble" ? 9000 : 5000);
  if (kind === "news") addEventListener("pointerdown", () => shown.remove(), { once: true, capture: true });
}
