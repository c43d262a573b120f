/** How many games wait for me: in the title, the icon of the page and the icon of the app. */

import { inbox } from "./inbox.js";

let title = "Cartulary";
let isMyTurn = false;

/** The title of the page, before the sign of the turns. @param {string} text */
export function titled(text) {
  title = `${text} · Cartulary`;
  show();
}

/** Does the table of this page wait for me? @param {boolean} waits */
export function marked(waits) {
  isMyTurn = waits;
  show();
}

function show() {
  const waiting = inbox.state.turns.length;
  const signs = [isMyTurn ? "●" : "", waiting ? `(${waiting})` : ""];
  document.title = [...signs, title].filter(Boolean).join(" ");
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
  const href = icon.href.replace(/icon(-turn)?\.svg$/, waiting || isMyTurn ? "icon-turn.svg" : "icon.svg");
  if (icon.href !== href) icon.href = href;
  badgeApp(waiting);
}

let badged = 0;

/** @param {number} waiting */
function badgeApp(waiting) {
  if (!("setAppBadge" in navigator) || waiting === badged) return;
  badged = waiting;
  const done = waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge();
  done.catch(() => {}); // not installed, or not allowed: the title says it as well
}

inbox.addEventListener("change", show);
