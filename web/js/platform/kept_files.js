/**
 * What the client needs without a network, kept for the service worker (`web/worker.js`) in a cache of its
 * own: the page and its files, words, rules, the engine. Each file of the engine is checked against its
 * SHA-256 before it is kept, so a file that was cut off is fetched again.
 */

import { preferred, wordsAt } from "./languages.js";

export const CACHE = "cartulary.train";
const PAGE = "/settings";
const ROOT = "/built/engine/";
const LIST = `${ROOT}engine.json`;
const CATALOGUE = "/api/v1/catalogue";
const WORKER = "/engine.worker.js";
const TRIES = 3;

/** @typedef {{path: string, sha256: string, bytes: number, sent: number}} EngineFile */
/** @typedef {{done: number, all: number, again: boolean}} KeepProgress bytes; again: a damaged file is fetched again */

/** A file came damaged each time. */
export class DamagedFile extends Error {}
/** A file did not come. */
export class MissingFile extends Error {}

/** Whether this browser can keep the files at all: it needs a service worker, and hashes. */
export function canKeep() {
  return Boolean(navigator.serviceWorker && globalThis.caches && crypto.subtle);
}

/** Whether the page and the whole engine are kept. */
export async function isKept() {
  if (!canKeep()) return false;
  const cache = await caches.open(CACHE);
  const list = await cache.match(LIST);
  if (!list || !(await cache.match(PAGE))) return false;
  for (const { path } of filesOf(await list.json())) if (!(await cache.match(ROOT + path))) return false;
  return true;
}

export async function forgetKept() {
  await caches.delete(CACHE);
}

/** @param {{files: Record<string, EngineFile>}} list */
function filesOf({ files }) {
  return Object.values(files);
}

/**
 * Fetch and keep everything; what is kept and whole already is not fetched again. Raises `MissingFile`, `DamagedFile`,
 * and what the browser raises when it has no room.
 * @param {(progress: KeepProgress) => void} tell
 */
export async function keepFiles(tell) {
  const cache = await caches.open(CACHE);
  const list = await fetchWhole(LIST);
  const files = filesOf(await list.clone().json());
  const all = files.reduce((sum, { sent }) => sum + sent, 0);
  let done = 0;
  tell({ done, all, again: false });
  for (const file of files) {
    await keepEngineFile(cache, file, () => tell({ done, all, again: true }));
    done += file.sent;
    tell({ done, all, again: false });
  }
  await keepPage(cache);
  await keepRules(cache);
  await cache.put(LIST, list); // last: it says that all is there
  await forgetOld(cache, files);
}

/** @param {Cache} cache @param {EngineFile} file @param {() => void} again called before a file is fetched again */
async function keepEngineFile(cache, file, again) {
  const address = ROOT + file.path;
  const kept = await cache.match(address);
  if (kept && (await isWhole(kept.clone(), file))) return;
  if (kept) {
    again();
    await cache.delete(address); // else the service worker would answer with it again
  }
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    // The cache of the browser may hold the damaged file: another try goes past it.
    const found = await fetchWhole(address, attempt > 1 ? { cache: "reload" } : {});
    if (await isWhole(found.clone(), file)) {
      await cache.put(address, found);
      return;
    }
    again();
  }
  throw new DamagedFile(file.path);
}

/** @param {Response} answer @param {EngineFile} file */
async function isWhole(answer, { sha256, bytes }) {
  const body = await answer.arrayBuffer();
  if (body.byteLength !== bytes) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/** @param {string} address @param {RequestInit} [how] */
async function fetchWhole(address, how) {
  const answer = await fetchBody(address, how);
  if (!answer.ok) throw new MissingFile(`${address}: ${answer.status}`);
  return answer;
}

/** An answer that is here to its end: the line may break inside it. @param {string} address @param {RequestInit} [how] */
async function fetchBody(address, how) {
  try {
    const answer = await fetch(address, how);
    await answer.clone().arrayBuffer();
    return answer;
  } catch (error) {
    throw new MissingFile(`${address}: ${error}`);
  }
}

/** Keep the page of today with what it loads. @param {Cache} cache */
async function keepPage(cache) {
  const page = await fetchWhole(PAGE, { cache: "no-cache" });
  const text = await page.clone().text();
  const read = new DOMParser().parseFromString(text, "text/html");
  const linked = [...read.querySelectorAll("link[href], script[src]")].map(
    (one) => /** @type {string} */ (one.getAttribute("href") ?? one.getAttribute("src")),
  );
  const icons = linked.filter((address) => address.endsWith("/icon.svg")).flatMap(iconsNextTo);
  const words = [wordsAt(preferred())];
  for (const address of new Set([...linked, ...icons, ...words, WORKER]))
    await cache.put(address, await fetchWhole(address));
  await cache.put(PAGE, page);
}

/**
 * Keep the rules in the language of today: the games on offer, their lessons and pieces, under each value of each
 * option. @param {Cache} cache
 */
async function keepRules(cache) {
  const lang = preferred();
  const headers = { Accept: "application/json", "Accept-Language": lang };
  const offers = await fetchWhole(CATALOGUE, { headers });
  const { games } = await offers.clone().json();
  for (const { name, options } of games) {
    await cache.put(`/learn/${name}/${lang}.json`, await fetchWhole(`/learn/${name}/${lang}.json`));
    for (const chosen of variantsOf(options)) {
      const address = `${CATALOGUE}/${name}?${chosen}`;
      await cache.put(address, await fetchWhole(address, { headers }));
      for (const theme of ["auto", "light", "dark"]) {
        const picture = `/learn/${name}/pieces.svg?${chosen}${chosen && "&"}lang=${lang}&theme=${theme}`;
        const drawn = await fetchBody(picture);
        if (drawn.ok) await cache.put(picture, drawn); // a game may have no picture of its pieces
      }
    }
  }
  await cache.put(CATALOGUE, offers);
}

/** The usual options, and each other value alone, as a part of an address. @param {any[]} options @returns {Set<string>} */
function variantsOf(options) {
  const usual = Object.fromEntries(options.map((option) => [option.name, option.default]));
  const others = options.flatMap(({ name, values }) =>
    values.map((/** @type {any} */ value) => ({ ...usual, [name]: value })),
  );
  return new Set([usual, ...others].map((chosen) => String(new URLSearchParams(chosen))));
}

/** @param {string} address */
function iconsNextTo(address) {
  return ["caylus", "carcassonne"].map((game) => address.replace(/icon\.svg$/, `${game}.svg`));
}

/** Forget the engine of an earlier release. @param {Cache} cache @param {EngineFile[]} files */
async function forgetOld(cache, files) {
  const wanted = new Set(files.map(({ path }) => ROOT + path));
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(ROOT) && pathname !== LIST && !wanted.has(pathname)) await cache.delete(request);
  }
}
