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

/** @typedef {{text: string, tag: string}} Answer */

const begun = performance.now();
const page = location.pathname;
/** Answers on their way or here, by question. @type {Map<string, Promise<Answer | null>>} */
const answers = new Map();
/** What this visit has asked, by the part of the question that is asked once. @type {Map<string, string>} */
const asked = new Map();

const isEarly = () => performance.now() - begun < WHILE;

/** @returns {Record<string, string[]>} the questions of the last visits, by page */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {};
  } catch {
    return {}; // written by another program
  }
}

/** A question without the version: which version is shown is known only later. @param {string} path */
function general(path) {
  return path.replace(/([?&])version=\d+&?/, "$1");
}

/** What a page asks at the first visit: a table names the game in its address. */
function first() {
  return /^\/games\/[^/]+$/.test(page) ? [page] : [];
}

/**
 * Ask what this page asked for the last time.
 * @param {(path: string) => Promise<Answer | null>} ask null: there is no such answer
 */
export function askAhead(ask) {
  for (const path of kept()[page] ?? first()) answers.set(path, ask(path));
}

/**
 * The answer to a question that was asked ahead; null when no such answer fits.
 * @param {string} path @returns {Promise<string | null>}
 */
export async function foreseen(path) {
  note(path);
  const key = general(path);
  const answer = isEarly() ? answers.get(key) : undefined;
  answers.delete(key); // a second question is about what is new
  const found = await answer;
  const version = /[?&]version=(\d+)/.exec(path)?.[1];
  if (!found || (version && !found.tag.match(`"v${version}[-.]`))) return null;
  return found.text;
}

/** @param {string} path */
function note(path) {
  if (!isEarly() || location.pathname !== page || !NEEDED.test(path)) return;
  const [name] = path.split("?");
  const before = [...asked.values()].join();
  asked.set(name.endsWith("board.svg") ? name : path, general(path));
  const paths = [...asked.values()];
  if (paths.join() === before) return;
  const others = Object.entries(kept()).filter(([other]) => other !== page);
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries([...others.slice(1 - PAGES), [page, paths]])));
}
