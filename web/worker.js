/**
 * The service worker: it answers a visit of home, the lobby or a table with the page that it has kept,
 * and asks for the page of today when the visit has what it needs. The page is the same at all
 * addresses; what it shows comes from the API. So a new release is seen at the second visit after it,
 * or at the first visit after a day.
 *
 * Who has kept the client for the train (`js/platform/kept_files.js`) gets page, files and engine from
 * there while there is no network. No game of the service is kept: no old position can be taken for the
 * present position.
 *
 * Where this browser gets notices (`js/notices/subscribing.js`), the worker shows the messages that a push
 * service brings, also while no page is open, and closes the notices of turns that were taken since.
 */

const KEPT = "cartulary.page";
const TRAIN = "cartulary.train";
const SOURCE = "/settings"; // a page without the tags of a table
const PAGES = /^\/(lobby|games\/[^/]+)?$/;
const ANY_PAGE = /^\/((new|lobby|settings|local|analysis|puzzles)?|(games|learn|players|leaderboards|puzzles)\/[^/]+)$/;
/** What a page loads: at these addresses lies always the same, or what belongs to the kept engine. */
const FILES = /^\/(built\/|assets\/|locales\/|manifest\.webmanifest$|engine\.worker\.js$)/;
/** What the page of the rules asks for. */
const RULES = /^\/(api\/v1\/catalogue(\/|$)|learn\/[^/]+\/[^/]+\.(json|svg)$)/;
const DAY = 24 * 3600 * 1000; // ms for which a kept page is used
const LATER = 3000; // ms after which the visit has what it needs
const NOTICES = "cartulary.notices"; // a worker cannot read where the page keeps the token
const WISHES = "/notices"; // under this name lies what the page has left for the worker
const BROWSERS = "/api/v1/players/me/push_subscriptions";
const OF_A_TURN = ["your_turn", "turn_reminder"];
const MOST_GAMES = 100; // of an answer

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

// -- notices --------------------------------------------------------------------------------------

addEventListener("push", (event) => event.waitUntil(takePush(event.data)));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.navigate ?? "/"));
});

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event.newSubscription)));

/** Show a message in any case: browsers take the permission away from who gets messages and shows none. @param {any} data */
async function takePush(data) {
  const wishes = await readWishes();
  const { notification, app_badge: badge } = readPush(data);
  const { title, navigate = "/", data: about, body, lang, dir, tag, silent } = notification;
  const look = { icon: "/icons/icon-192.png", badge: "/icons/icon-192.png", lang, dir, tag, silent };
  const shown = { body: body ?? "", ...look, data: { ...about, navigate } };
  await alone(() => registration.showNotification(title ?? wishes.fallback ?? "Cartulary", shown));
  if (badge !== undefined) await setBadge(Number(badge));
  await closeStale(wishes.token);
}

/** The message as it was sent; an empty one when it cannot be read. @param {any} data */
function readPush(data) {
  try {
    const found = data.json();
    if (found?.web_push === 8030 && found.notification) return found;
  } catch (error) {
    console.info(String(error)); // what is shown is the text for this case
  }
  return { notification: {} };
}

/** What the page has left: token, key of the service, label of this browser, its id, a text. */
async function readWishes() {
  const kept = await caches.match(WISHES, { cacheName: NOTICES });
  return kept ? kept.json() : {};
}

/** @param {number} count */
async function setBadge(count) {
  // A browser without icons on a home screen has no badge, or refuses one.
  await navigator.setAppBadge?.(count).catch((error) => console.info(String(error)));
}

/** Close the notices of turns that were taken elsewhere. Without an answer they stay. @param {string | undefined} token */
async function closeStale(token) {
  if (!token) return;
  const address = `/api/v1/games?player=me&turn=me&limit=${MOST_GAMES}`;
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } }).catch(() => null);
  if (!answer?.ok) return;
  const { games } = await answer.json();
  if (games.length === MOST_GAMES) return; // there may be more
  const waiting = new Set(games.map(({ id }) => id));
  for (const notice of await alone(() => registration.getNotifications()))
    if (isStale(notice.data, waiting)) notice.close();
  await setBadge(waiting.size);
}

/**
 * Chromium forgets a notice that is being shown while another call lists the notices: one call at a time, also of the
 * pages (`js/platform/service_worker.js`).
 * @template T @param {() => Promise<T>} call
 */
function alone(call) {
  return navigator.locks.request("cartulary.shown", call);
}

/** A notice about several games leads home. @param {any} about @param {Set<string>} waiting */
function isStale(about, waiting) {
  if (!OF_A_TURN.includes(about?.type)) return false;
  return new URL(about.navigate, location.origin).pathname === "/" ? !waiting.size : !waiting.has(about.game);
}

/** Go to the page of a notice: in the window that shows it, else in a new one. @param {string} address */
async function openPage(address) {
  const { pathname, search, href, origin } = new URL(address, location.origin);
  const target = origin === location.origin ? href : `${location.origin}${pathname}${search}`;
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => new URL(url).pathname === pathname);
  await (shown ? shown.focus() : clients.openWindow(target));
}

/** The browser has another address for this page. @param {PushSubscription | null | undefined} given by the browser */
async function subscribeAgain(given) {
  const wishes = await readWishes();
  const { token, key, label, language, id } = wishes;
  if (!token) return; // the page subscribes at its next visit
  const subscription =
    given ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Accept-Language": language };
  const body = JSON.stringify({ ...subscription.toJSON(), label });
  const answer = await fetch(BROWSERS, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`push_subscriptions: ${answer.status}`);
  const renewed = await answer.json();
  if (renewed.id === id) return;
  await (await caches.open(NOTICES)).put(WISHES, new Response(JSON.stringify({ ...wishes, id: renewed.id })));
  await fetch(`${BROWSERS}/${id}`, { method: "DELETE", headers }); // nothing arrives at the address of before
}
