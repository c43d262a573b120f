/**
 * The service worker: it answers a visit of home, the lobby or a table with the page that it has kept,
 * and asks for the page of today when the visit has what it needs. The page is the same at all
 * addresses; what it shows comes from the API. So a new release is seen at the second visit after it,
 * or at the first visit after a day. Nothing else is kept: without the service the client shows no
 * game, and says so itself.
 */

const KEPT = "cartulary.page";
const SOURCE = "/settings"; // a page without the tags of a table
const PAGES = /^\/(lobby|games\/[^/]+)?$/;
const DAY = 24 * 3600 * 1000; // ms for which a kept page is used
const LATER = 3000; // ms after which the visit has what it needs

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(renew());
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  // Without a network the browser says so; a page whose files it lacks would say nothing.
  if (mode !== "navigate" || method !== "GET" || !navigator.onLine) return;
  if (!PAGES.test(new URL(url).pathname)) return;
  event.respondWith(pageFor(event.request));
  // Here and not in the page, so that a page with a fault is replaced as well.
  event.waitUntil(new Promise((done) => setTimeout(done, LATER)).then(renew));
});

/** Keep the page of today. Without an answer the page of the last visit stays. */
async function renew() {
  const page = await fetch(SOURCE).catch(() => null);
  if (page?.ok && !page.redirected) await (await caches.open(KEPT)).put(SOURCE, page);
}

/** The kept page, unless it is old. @param {Request} request */
async function pageFor(request) {
  const kept = await caches.match(SOURCE);
  const age = Date.now() - Date.parse(kept?.headers.get("Date") ?? "");
  return kept && age < DAY ? kept : fetch(request);
}
