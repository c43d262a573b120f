/** What this person wants to hear and feel: both off by default, one switch each. */

import { prefs } from "../platform/prefs.js";
import { sound } from "./tones.js";

/** @typedef {import("./tones.js").Tone} Tone */

/** Milliseconds of vibration and silence in turn. @type {Record<"turn" | "own", number[]>} */
const PATTERNS = { turn: [60, 40, 60], own: [12] };

/** How many seconds after now which tone is heard. @typedef {{tone: Tone, at: number}} Heard */

export function canVibrate() {
  return "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
}

/** @param {keyof typeof PATTERNS} why */
export function vibrate(why) {
  if (canVibrate()) navigator.vibrate(PATTERNS[why]);
}

/** @param {keyof typeof PATTERNS} why */
export function feel(why) {
  if (prefs().vibration) vibrate(why);
}

/**
 * Let tones sound where that is wanted.
 * @param {Heard[]} tones
 * @returns {() => void} ends them
 */
export function hear(tones) {
  // Without a touch of the page since it was opened the browser allows no sound.
  if (!prefs().sound || navigator.userActivation?.hasBeenActive === false) return () => {};
  const started = tones.map(({ tone, at }) => sound(tone, at));
  return () => {
    for (const ending of started) ending.then((end) => end());
  };
}
