/** The title of the page and the icons: do games wait for me, how many, and does this one? */

let title = "Cartulary";
let isMyTurn = false;
let waiting = 0;
let badged = 0;

/** Name the page, after the sign of the turns. @param {string} text */
export function setTitle(text) {
  title = `${text} · Cartulary`;
  show();
}

/** @param {boolean} waits */
export function markTurn(waits) {
  isMyTurn = waits;
  show();
}

/** @param {number} count */
export function showWaiting(count) {
  waiting = count;
  show();
}

function show() {
  const signs = [isMyTurn ? "●" : "", waiting ? `(${waiting})` : ""];
  document.title = [...signs, title].filter(Boolean).join(" ");
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
  const href = icon.href.replace(/icon(-turn)?\.svg$/, waiting || isMyTurn ? "icon-turn.svg" : "icon.svg");
  if (icon.href !== href) icon.href = href;
  badgeApp();
}

function badgeApp() {
  if (!("setAppBadge" in navigator) || waiting === badged) return;
  badged = waiting;
  const done = waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge();
  done.catch(() => {}); // not installed, or not allowed: the title says it as well
}
