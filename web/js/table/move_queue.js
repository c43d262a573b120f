/**
 * Moves on their way to the server. A move is kept in this browser from before it is sent until its
 * answer is here, so neither a cut line nor a reload loses it. It is always sent with the same
 * `Idempotency-Key` and version, so it is made once however often it is sent, and never after another
 * move. Several tabs may send it at the same time.
 */

import { api, newKey, Problem, Unreachable } from "../platform/api.js";

const KEPT = "cartulary.unsent.";
/** Events that are looked through for a move that may stand. */
const PAGE = 500;
/** Moves that say no. */
const NOES = new Set(["decline", "skip_follower", "pass"]);

/**
 * @typedef {object} QueuedMove
 * @property {Move} move
 * @property {Move[]} after moves of the same gesture, each sent when it is legal by then
 * @property {number} version the version that the move answers
 * @property {number} seat
 * @property {string} kind of the decision that it answers
 * @property {string} key
 * @property {string} title the move in words
 * @property {number} made so many moves of the gesture are stored already
 * @property {import("./standing_answer.js").StandingAnswer | null} [always] what is to hold once the moves are stored
 *
 * @typedef {{title: string, made: number, of: number}} PartlyMade so many moves of a gesture are made, of so many
 */

/**
 * @param {{move: Move, after: Move | Move[] | null, version: number, seat: number, kind: string, title: string,
 *   key?: string, always?: QueuedMove["always"]}} of key: of a planned move, which several tabs may send
 * @returns {QueuedMove}
 */
export function newEntry({ after, key = newKey(), ...rest }) {
  return { ...rest, after: after ? [after].flat() : [], key, made: 0 };
}

/** The move of a game that is not known to be stored. @param {string} game @returns {QueuedMove | null} */
export function findUnsent(game) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + game) ?? "null");
  } catch {
    return null; // a value written by hand or by another program
  }
}

export function listUnsent() {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(KEPT))
    .map((name) => name.slice(KEPT.length));
}

/** @param {string} game */
export function forgetUnsent(game) {
  localStorage.removeItem(KEPT + game);
}

/** Whether this is the name under which a move of the game is kept. @param {string | null} name @param {string} game */
export function isUnsentOf(name, game) {
  return name === KEPT + game;
}

/** The server may take the same move later: whether it has it is unknown. @param {unknown} error */
export function isPassing(error) {
  if (error instanceof Unreachable) return true;
  return error instanceof Problem && (error.status >= 500 || error.status === 429);
}

/**
 * Send a move, and the moves of the same gesture after it. Raises `Problem` when a move is refused,
 * with `made`: so many moves before it are stored. Raises what `isPassing` when the move is to be sent
 * again: it stays kept.
 * @param {string} game @param {QueuedMove} entry @param {any} layout of the picture in the answer
 * @param {(answer: Answer<"make_move">) => void} stored called after each move
 * @returns {Promise<PartlyMade | null>} how much of the gesture was made, when it lacks something
 */
export async function deliver(game, entry, layout, stored) {
  /** @type {QueuedMove | null} */
  let next = entry;
  while (next) {
    /** @type {QueuedMove} */
    const sent = next;
    localStorage.setItem(KEPT + game, JSON.stringify(sent));
    try {
      const answer = await api.move(game, sent.move, sent.version, sent.key, layout);
      // Withdrawn meanwhile, or another tab has sent the whole gesture: the rest is not sent.
      const isKept = findUnsent(game) !== null;
      next = isKept ? follow(sent, answer) : null;
      if (!next) forgetMade(game, sent);
      stored(answer);
      if (!next && isKept) return partOf(sent);
    } catch (error) {
      if (!isPassing(error)) forgetMade(game, sent);
      if (error instanceof Problem) Object.assign(error, { made: sent.made });
      throw error;
    }
  }
  return null;
}

/**
 * What was made of a gesture that ends with a move; null: nothing lacks. A no that is not asked for any
 * more is not missed.
 * @param {QueuedMove} entry @returns {PartlyMade | null}
 */
function partOf({ title, made, after }) {
  const lacks = after.filter(({ type }) => !NOES.has(type)).length;
  return lacks ? { title, made: made + 1, of: made + 1 + lacks } : null;
}

/** Forget a move that was answered; another tab may have gone on to the next move. @param {string} game @param {QueuedMove} entry */
function forgetMade(game, { key }) {
  if (findUnsent(game)?.key === key) forgetUnsent(game);
}

/**
 * What comes after a move that is stored; null when nothing is left, or when it cannot be made.
 * @param {QueuedMove} entry @param {Answer<"make_move">} answer @returns {QueuedMove | null}
 */
function follow({ after, ...entry }, { version, game, moves }) {
  const [move, ...rest] = after;
  const decision = game?.decision;
  if (!move || decision?.seat !== entry.seat || !moves?.some((one) => isSame(one, move))) return null;
  const { kind } = decision;
  // The same key in each tab: with keys of their own the later tab would be refused a move that is made.
  return { ...entry, kind, move, after: rest, version, key: `${entry.key}+`, made: entry.made + 1 };
}

/**
 * Whether a move that the server does not take stands nevertheless: made on another device, or under another token.
 * @param {string} game @param {QueuedMove} entry
 */
export async function isMade(game, { version, seat, move }) {
  const { events } = await api.events(game, version, { limit: PAGE }).catch(() => ({ events: [] }));
  const first = events.find(({ type }) => type === "move_made");
  return first?.type === "move_made" && first.seat === seat && isSame(first.move, move);
}

/** @param {Move} one @param {Move} other */
export function isSame(one, other) {
  return inOrder(one) === inOrder(other);
}

/** @param {any} value @returns {string} */
function inOrder(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(members.map(([name, one]) => [name, inOrder(one)]));
}
