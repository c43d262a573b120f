/** News for everyone: a live region for screen readers, and a note that stays for a while. */

import { h } from "./dom.js";

let timer = 0;

/**
 * Say something to those who listen; the same text twice is said twice.
 * @param {string} text
 */
export function announce(text) {
  const region = /** @type {HTMLElement} */ (document.getElementById("news"));
  region.replaceChildren(h("p", {}, text));
}

/**
 * Show a note at the foot of the screen and say it.
 * @param {string} text
 * @param {"news" | "trouble"} [kind]
 */
export function note(text, kind = "news") {
  const place = /** @type {HTMLElement} */ (document.getElementById("notes"));
  place.replaceChildren(h("p", { class: `note ${kind}` }, text));
  announce(text);
  clearTimeout(timer);
  timer = setTimeout(() => place.replaceChildren(), kind === "trouble" ? 9000 : 5000);
}
