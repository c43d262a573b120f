/**
 * When what is shown: the events as beats of about 300 ms, all of them within two seconds.
 *
 * A beat is what happens at one place. The last pass of a phase leads to a whole phase, so an
 * event may have several beats. With many beats each begins sooner after the beat before.
 */

import { effectsOf, placeOf } from "./effects.js";

/** @typedef {import("./effects.js").Effect} Effect */
/** @typedef {{effects: Effect[], at: number}} Beat `at`: ms after the beginning */

export const BEAT = 300; // ms
export const MOST = 2000; // ms for all beats together

/** What one's own move puts on the board: the person has seen it before confirming. */
const KNOWN = new Set(["worker_placed", "tile_placed", "follower_placed"]);

/**
 * The effects of an event by beats.
 * @param {GameEvent} event @param {number[]} mine the seats of this person
 * @returns {Effect[][]}
 */
function beatsOf(event, mine) {
  /** @type {Effect[][]} */
  const beats = [];
  let last = "";
  const isOwn = event.seat !== undefined && mine.includes(event.seat);
  for (const fact of event.facts ?? []) {
    if (isOwn && fact.seat === event.seat && KNOWN.has(fact.type)) continue;
    const effects = effectsOf(fact);
    if (!effects.length) continue;
    const place = placeOf(fact);
    if (!beats.length || (place && last && place !== last)) beats.push([]);
    beats[beats.length - 1].push(...effects);
    last = place || last;
  }
  return beats;
}

/**
 * @param {GameEvent[]} events @param {number[]} mine @param {number} speed 1: as usual
 * @param {number} [most] ms for all of them
 * @returns {{beats: Beat[], length: number, total: number}} `length` of a beat and of all, in ms
 */
export function schedule(events, mine, speed, most = MOST) {
  const all = events.flatMap((event) => beatsOf(event, mine));
  const length = Math.max(0, Math.min(BEAT / speed, most));
  const gap = all.length > 1 ? Math.min(length, (most - length) / (all.length - 1)) : 0;
  const beats = all.map((effects, number) => ({ effects, at: Math.round(number * gap) }));
  return { beats, length, total: all.length ? Math.round(length + (all.length - 1) * gap) : 0 };
}
