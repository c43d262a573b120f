/**
 * Asking ahead: what a page asked for the last time, one answer after the other, is asked for all at
 * once when the page is opened again, before anything else. So a slow line costs one trip instead of
 * four. An answer that does not fit any more (the game went on, the window has another size) is not
 * used, and the page asks as if nothing had been asked ahead.
 */

const KEPT = "cartulary.ahead";
const PAGES = 20; // pages whose questions are kept
const WHILE = 8000; // ms after the start in which questions are noted, and answers are fresh enough
/** What a page needs before it can show anything. */
const NEEDED = /^\/(catalogue|games|games\/[^/?]+(\/moves|\/board\.svg)?|catalogue\/[^/?]+)(\?|$)/;

/** @typedef {{text: string, tag: string}} PrefetchedAnswer */

const PHONE = 640; // px: a window up to this width shows the tall picture (`board/viewport.js`)

const begun = performance.now();
const page = location.pathname;
/**
 * Answers on their way or here, by question. The part of the page that asks first and the code of the
 * client are two copies of this module, so they share the answers by the window.
 */
const shared = /** @type {Window & {cartularyAhead?: Map<string, Promise<PrefetchedAnswer | null>>}} */ (window);
const isAsked = Boolean(shared.cartularyAhead);
const answers = shared.cartularyAhead ?? new Map();
shared.cartularyAhead = answers;
/** Answers that came with another answer, or were asked for while the page before was shown. @type {typeof answers} */
const handed = new Map();
/** What this visit has asked, by the part of the question that is asked once. @type {Map<string, string>} */
const asked = new Map();

const isEarly = () => performance.now() - begun < WHILE;

/** @returns {Record<string, string[]>} the questions of the last visits, by page */
function readKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {};
  } catch {
    return {}; // written by another program
  }
}

/**
 * A question without the version, which is known only later, and with the rest in one order.
 * @param {string} path
 */
function general(path) {
  const [name, query] = path.split("?");
  const asked = new URLSearchParams(query);
  asked.delete("version");
  asked.sort();
  return asked.size ? `${name}?${asked}` : name;
}

/** What the service has written into the page of a table. @param {string} name */
function written(name) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
}

/**
 * What a page asks at the first visit: a table names the game in its address, and the service names
 * the pieces of the game, and the picture if there is one.
 * @param {boolean} isStranger
 */
function first(isStranger) {
  if (page === "/") return ["/catalogue"];
  if (!/^\/games\/[^/]+$/.test(page)) return [];
  const board = isStranger && innerWidth <= PHONE ? written("board") : "";
  return [page, written("pieces"), board && `${board}?parts=board&layout=tall`].filter(Boolean);
}

/**
 * Ask what this page asked for the last time, and for the words; only once, and not again later.
 * @param {(path: string) => Promise<PrefetchedAnswer | null>} ask null: there is no such answer
 * @param {string} words where the words lie @param {boolean} isStranger no player is known on this device, so no seat
 *   is that of the reader
 */
export function askAhead(ask, words, isStranger) {
  if (isAsked) return;
  // A table of this device asks the service nothing.
  const paths = page.startsWith("/games/local-") ? [] : (readKept()[page] ?? first(isStranger));
  for (const path of [words, ...paths.map(general)]) answers.set(path, ask(path));
}

/** The answer to a question; each answer is used once. @param {string} key */
async function take(key) {
  const answer = handed.get(key) ?? (isEarly() ? answers.get(key) : undefined);
  handed.delete(key);
  answers.delete(key); // a second question is about what is new
  return (await answer) ?? null;
}

/** Whether the answer to a question is on its way already. @param {string} path */
export function isForeseen(path) {
  const key = general(path);
  return handed.has(key) || (isEarly() && answers.has(key));
}

/** Forget the unused answers: they are about another player, or in another language. */
export function forgetForeseen() {
  answers.clear();
  handed.clear();
}

/**
 * Have an answer ready for the page that is opened next.
 * @param {string} path @param {Promise<string>} text a failure is no answer: the page asks itself
 * @param {number} [version] that it is about
 */
export function handOn(path, text, version) {
  const answer = text.then(
    (found) => ({ text: found, tag: version === undefined ? "" : `"v${version}-` }),
    () => null,
  );
  handed.set(general(path), answer);
}

/** The words that lie at an address, when they were asked for ahead. @param {string} address */
export async function foreseenWords(address) {
  return (await take(address))?.text ?? null;
}

/**
 * The answer to a question that was asked ahead; null when no such answer fits.
 * @param {string} path @returns {Promise<string | null>}
 */
export async function foreseen(path) {
  note(path);
  const found = await take(general(path));
  const version = /[?&]version=(\d+)/.exec(path)?.[1];
  if (!found || (version && !found.tag.match(`"v${version}[-.]`))) return null;
  return found.text;
}

/** @param {string} path */
function note(path) {
  if (!isEarly() || location.pathname !== page || !NEEDED.test(path) || path.startsWith("/games/local-")) return;
  const [name] = path.split("?");
  const before = [...asked.values()].join();
  asked.set(name.endsWith("board.svg") ? name : path, general(path));
  const paths = [...asked.values()];
  if (paths.join() === before) return;
  const others = Object.entries(readKept()).filter(([other]) => other !== page);
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries([...others.slice(1 - PAGES), [page, paths]])));
}
