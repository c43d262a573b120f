/**
 * Games of this device: what is asked about them is answered in the browser, by the engine in a worker
 * (`local/desk.js`), in the words of the API. Nothing else in the client needs to know.
 */

const MARK = "local-";
/** What the id of the table of a puzzle begins with: nothing about it is sent as about a game. */
export const PUZZLE = `${MARK}puzzle-`;
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 20;

/** The id of the person at this device while the service knows no player of this browser. */
export const HERE = "here";

/** Answers a question; null: the service shall answer it. @typedef {(path: string, request: RequestInit) => Promise<Response | null>} Desk */

/** @type {Desk | null} */
let desk = null;

/** Answers about puzzles, each by the id of its table: a page that was overtaken may be open next to the one that is shown. @type {{id: string, answer: Desk}[]} */
let puzzleDesks = [];

/**
 * Answer questions about the table of a puzzle from now on.
 * @param {string} id @param {Desk} answer @returns {() => void} ends it, for this answerer alone
 */
export function answerPuzzle(id, answer) {
  const own = { id, answer };
  puzzleDesks.push(own);
  return () => {
    puzzleDesks = puzzleDesks.filter((one) => one !== own);
  };
}

/** Answer questions about local games from now on. @param {Desk} answer */
export function answerHere(answer) {
  desk = answer;
}

/** Whether a game is of this device. @param {string} id */
export function isLocal(id) {
  return id.startsWith(MARK);
}

export function newLocalId() {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return MARK + Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/**
 * What answers a question: this device, or null for the service. What pieces are, the engine knows as well.
 * @param {string} path below the root of the API
 */
export function deskFor(path) {
  if (path.startsWith(`/games/${PUZZLE}`)) {
    const [, , id] = path.split(/[/?]/);
    return puzzleDesks.findLast((one) => one.id === id)?.answer ?? null;
  }
  return desk && (path.startsWith(`/games/${MARK}`) || path.startsWith("/catalogue/")) ? desk : null;
}
