/**
 * Addresses and pages: `/` home, `/lobby` all tables, `/new` a new game, `/settings`, `/local` without a network,
 * `/admin` for the operators, `/analysis` a board to try moves on, from a link with `#…`,
 * `/puzzles` with `/puzzles/<id>`, `/studies` with `/studies/<id>`, `/tournaments` with `/tournaments/<id>`, `/learn/<game>` how to play it, `/players/<id>` a player, `/leaderboards/<game>` who plays best, `/explorer/<game>` what was played in a position, `/games/<id>` a table,
 * with `?v=57` at one moment of it. Links are real links; a plain click stays in the page, the back button works.
 */

import { markTurn, setTitle } from "./page_title.js";

/** @typedef {{element: HTMLElement, title: string, close?: () => void, shown?: () => void, update?: (url: URL) => boolean}} Page */

/** @type {Page | null} */
let page = null;
/** @type {(url: URL) => Promise<Page>} */
let openPage;
let turn = 0;

/**
 * Begin: `open` makes the page of an address.
 * @param {(url: URL) => Promise<Page>} open
 */
export function start(open) {
  openPage = open;
  addEventListener("popstate", () => render());
  document.addEventListener("click", follow);
  return render();
}

/** @param {MouseEvent} event */
function follow(event) {
  if (event.defaultPrevented) return; // the link does something of its own
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (!isPage(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

/** @param {string} path */
function isPage(path) {
  return (
    ["/", "/new", "/lobby", "/settings", "/local", "/analysis", "/admin", "/tournaments"].includes(path) ||
    ["/studies", "/puzzles"].includes(path) ||
    /^\/(games|learn|players|leaderboards|tournaments|studies|puzzles|explorer)\/[^/]+$/.test(path)
  );
}

/**
 * Go to another page.
 * @param {string} address
 * @param {{replace?: boolean}} [how] replace: without a new step for the back button
 */
export function go(address, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  return render();
}

/**
 * Change the address of the current page without opening the page again.
 * @param {string} address
 */
export function rewrite(address) {
  history.replaceState(null, "", address);
}

/** Open the page of the current address again, for example in another language. */
export async function reload() {
  page?.close?.();
  page = null;
  await render();
}

/**
 * Show something in place of the page until the next page comes.
 * @param {HTMLElement} element @returns {() => void} show the page again, unless another page came
 */
export function meanwhile(element) {
  const shown = page;
  main().replaceChildren(element);
  scrollTo(0, 0);
  return () => {
    if (page === shown && element.isConnected) main().replaceChildren(...(shown ? [shown.element] : []));
  };
}

function main() {
  return /** @type {HTMLElement} */ (document.getElementById("main"));
}

async function render() {
  const url = new URL(location.href);
  if (page?.update?.(url)) return;
  turn += 1;
  const mine = turn;
  page?.close?.();
  page = null;
  const next = await openPage(url);
  if (mine !== turn) {
    next.close?.(); // the person went on while this page was loading
    return;
  }
  page = next;
  main().replaceChildren(next.element);
  markTurn(false);
  setTitle(next.title);
  next.shown?.();
  scrollTo(0, 0);
  main().focus({ preventScroll: true });
}
