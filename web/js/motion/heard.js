/** What is heard of what happened: pieces that are placed or taken, tiles and buildings. */

import { effectsOf } from "./effects.js";

/** @typedef {import("./effects.js").Effect} Effect */
/** @typedef {import("../sound/tones.js").Tone} Tone */

/** The tone of what happens at one place. @param {Effect[]} effects @returns {Tone | null} */
function toneOf(effects) {
  for (const { kind, to } of effects) {
    if (kind === "drop") return "build";
    if (kind === "fly") return to && "place" in to ? "place" : "take";
  }
  return null;
}

/**
 * @param {import("./beats.js").Beat[]} beats what is shown
 * @param {GameEvent[]} own moves of this person: their pieces are not shown, but heard at once
 * @returns {import("../sound/wishes.js").Heard[]}
 */
export function tonesOf(beats, own) {
  const atOnce = own.map((event) => ({ effects: (event.facts ?? []).flatMap(effectsOf), at: 0 }));
  return [...atOnce, ...beats].flatMap(({ effects, at }) => {
    const tone = toneOf(effects);
    return tone ? [{ tone, at: at / 1000 }] : [];
  });
}
