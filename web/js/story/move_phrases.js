/**
 * What a move answers, read from the events before it: a move like `decline` says nothing about its
 * question, and its facts may be empty. `locales/thread.py` does the same on the server.
 */

/**
 * The phase at a move, and the last fact of the move before it.
 * @param {any} event @param {any[]} events @returns {{phase: string, last: any}}
 */
function findPhase(event, events) {
  const taken = new Set();
  let last = null;
  let isLast = true;
  const after = event.version ?? Infinity;
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const one = events[at];
    if (one.version >= after) continue;
    if (one.type === "moves_taken_back") for (const version of one.moves) taken.add(version);
    if (!one.facts || taken.has(one.version)) continue;
    if (isLast) last = one.facts.at(-1) ?? null;
    isLast = false;
    const begun = one.facts.findLast((/** @type {any} */ { type }) => type === "phase_begun");
    if (begun) return { phase: begun.phase, last };
  }
  return { phase: "", last };
}

/** The place from which the worker of the seat goes home without having worked. @param {any} event */
function findHome(event) {
  for (const fact of event.facts ?? []) {
    if (fact.type === "phase_begun") break;
    if (fact.type !== "worker_home" || fact.seat !== event.seat) continue;
    return { space: fact.space, ...(fact.building ? { building: fact.building } : {}) };
  }
  return null;
}

/**
 * The keys of the phrases for a move, the most exact first, each with more values.
 * @param {any} event @param {any[]} events all events that are loaded
 * @returns {[string, Record<string, any>][]}
 */
export function findPhraseKeys(event, events) {
  const { type } = event.move;
  const { phase, last } = findPhase(event, events);
  const home = findHome(event);
  /** @type {[string, Record<string, any>][]} */
  const keys = [];
  if (last && last.seat === event.seat) keys.push([`${type}_after_${last.type}`, {}]);
  if (phase) keys.push([`${type}_${phase}`, {}]);
  if (home?.building) keys.push([`${type}_building`, home]);
  if (home?.space !== undefined) keys.push([`${type}_space`, home]);
  return [...keys, [type, {}]];
}
