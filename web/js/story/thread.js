/**
 * What a move answers, read from the events before it: a move like `decline` says nothing about its
 * question, and its facts may be empty. `locales/thread.py` does the same on the server.
 */

import { tellingRules } from "../platform/i18n.js";

/** @param {Fact} fact */
const begins = (fact) => fact.type === tellingRules().thread.phase;

/**
 * The phase at a move, and the last fact of the move before it.
 * @param {number} version of the move @param {GameEvent[]} events @returns {{phase?: string, last?: any}}
 */
function findPhase(version, events) {
  const taken = new Set();
  let last;
  let isLast = true;
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const one = events[at];
    if (one.version >= version) continue;
    if (one.type === "moves_taken_back") for (const moved of one.moves) taken.add(moved);
    if (!one.facts || taken.has(one.version)) continue;
    if (isLast) last = one.facts.at(-1);
    isLast = false;
    const begun = one.facts.findLast(begins);
    if (begun) return { phase: begun.phase, last };
  }
  return { last };
}

/** The place from which a worker of the seat goes home without having worked. @param {GameEvent} event */
function findUnused({ seat, facts = [] }) {
  const { unused } = tellingRules().thread;
  const end = facts.findIndex(begins);
  const before = end < 0 ? facts : facts.slice(0, end);
  const found = before.find((fact) => fact.type === unused && fact.seat === seat);
  if (!found) return {};
  return { space: found.space, ...(found.building ? { building: found.building } : {}) };
}

/**
 * What the patterns of moves may name: `phase`, `after`, and what is left unused.
 * @param {GameEvent} event @param {GameEvent[]} events all events that are loaded
 */
export function findThread(event, events) {
  const { phase, last } = findPhase(event.version ?? Infinity, events);
  return { phase, ...(last?.seat === event.seat ? { after: last?.type } : {}), ...findUnused(event) };
}
