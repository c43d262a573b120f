/** Scores that count up while the points float: drawn over the score, which says the sum all the time. */

import { h } from "../elements/dom.js";

/** @typedef {import("./beats.js").Beat} Beat */

/**
 * The points of each seat, by the time when they float.
 * @param {Beat[]} beats @returns {Map<number, {at: number, points: number}[]>}
 */
export function pointsOf(beats) {
  const found = new Map();
  for (const { effects, at } of beats) {
    for (const { kind, seat = -1, bundle } of effects) {
      if (kind !== "float" || bundle?.points === undefined) continue;
      found.set(seat, [...(found.get(seat) ?? []), { at, points: bundle.points }]);
    }
  }
  return found;
}

/**
 * Cover a score with a number that counts from what it was.
 * @param {HTMLElement} score @param {{at: number, points: number}[]} steps @param {number} total ms
 * @returns {{element: HTMLElement, start: () => {animations: Animation[], timers: number[]}} | null}
 */
export function drawCounter(score, steps, total) {
  const sum = Number(score.dataset.n ?? score.textContent);
  const box = score.getBoundingClientRect();
  if (!Number.isFinite(sum) || !box.width) return null;
  let now = sum - steps.reduce((all, { points }) => all + points, 0);
  const element = h("div", { class: "sprite count" }, now);
  const { font, color } = getComputedStyle(score);
  const at = { left: `${box.left}px`, top: `${box.top}px`, font, color };
  for (const [name, value] of Object.entries(at)) element.style.setProperty(name, value);
  const start = () => ({
    animations: [score.animate([{ opacity: 0 }, { opacity: 0 }], { duration: total })],
    timers: steps.map((step) =>
      setTimeout(() => {
        now += step.points;
        element.textContent = String(now);
      }, step.at + 120),
    ),
  });
  return { element, start };
}
