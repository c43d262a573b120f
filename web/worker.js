/**
 * The service worker: it answers a visit of home, the lobby or a table with the page that it has kept,
 * and asks for the page of today when the visit has what it needs. The page is the same at all
 * addresses; what it shows comes from the API. So a new release is seen at the second visit after it,
 * or at the first visit after a day.
 *
 * Who has kept the client for the train (`js/platform/kept_files.js`) gets page, files and engine from
 * there while there is no network. No game of the service is kept: no old position can be taken for the
 * present position.
 */

const KEPT = "cartulary.page";
const TRAIN = "cartulary.train";
const SOURCE = "/settings"; // a page without the tags of a table
const PAGES = /^\/(lobby|games\/[^/]+)?$/;
const ANY_PAGE = /^\/((new|lobby|settings|local|analysis)?|(games|learn)\/[^/]+)$/;
/** What a page loads: at these addresses lies always the same, or what belongs to the kept engine. */
const FILES = /^\/(built\/|assets\/|locales\/|manifest\.webmanifest$|engine\.worker\.js$)/;
/** What the page of the rules asks for. */
const RULES = /^\/(api\/v1\/catalogue(\/|$)|learn\/[^/]+\/[^/]+\.(json|svg)$)/;
const DAY = 24 * 3600 * 1000; // ms for which a kept page is used
const LATER = 3000; // ms after which the visit has what it needs

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(renew());
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  const { pathname, origin } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (mode !== "navigate") {
    if (FILES.test(pathname)) event.respondWith(fileFor(event.request));
    else if (!navigator.onLine && RULES.test(pathname)) event.respondWith(rulesFor(event.request));
    return;
  }
  if (!navigator.onLine) {
    if (ANY_PAGE.test(pathname)) event.respondWith(pageInTrain(event.request));
    return;
  }
  if (!PAGES.test(pathname)) {
    if (ANY_PAGE.test(pathname)) event.respondWith(fetch(event.request).catch(() => pageInTrain(event.request)));
    return;
  }
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
  const kept = await caches.match(SOURCE, { cacheName: KEPT });
  const age = Date.now() - Date.parse(kept?.headers.get("Date") ?? "");
  return kept && age < DAY ? kept : fetch(request).catch(() => pageInTrain(request));
}

/** The page that was kept for the train; without it the browser says that there is no network. @param {Request} request */
async function pageInTrain(request) {
  return (await caches.match(SOURCE, { cacheName: TRAIN })) ?? fetch(request);
}

/** A file of the page: from the network, and without a network from what was kept. @param {Request} request */
async function fileFor(request) {
  const kept = navigator.onLine && isFresh(request) ? null : await inTrain(request);
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    const late = await inTrain(request);
    if (late) return late;
    throw error;
  }
}

/** The rules that were kept; the browser says when they were not. @param {Request} request */
async function rulesFor(request) {
  return (await inTrain(request)) ?? fetch(request);
}

/** Whether a file may have changed at its address. @param {Request} request */
function isFresh({ url }) {
  return /\/(engine\.json|engine\.worker\.js|manifest\.webmanifest)$/.test(new URL(url).pathname);
}

/** @param {Request} request */
function inTrain(request) {
  return caches.match(request, { cacheName: TRAIN, ignoreVary: true });
}
