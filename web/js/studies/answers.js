/** What a question says to moves, as `studies.questions.judge_answer` has it. */

/** @param {any} value @returns {string} the same for equal values, whatever the order of their keys */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${name}:${canonical(value[name])}`)}}`;
}

/** @param {Move} one @param {Move} other */
export const isSame = (one, other) => canonical(one) === canonical(other);

/**
 * The answer to some moves; null: it waits for more of them.
 * @param {import("./study_tree.js").StudyQuestion} question @param {Move[]} played
 * @returns {{isRight: boolean, text: string} | null}
 */
export function judge({ right, wrong = [], otherwise = "" }, played) {
  const lines = [
    ...right.map((moves) => ({ moves, isRight: true, text: "" })),
    ...wrong.map(({ moves, text }) => ({ moves, isRight: false, text })),
  ];
  const fits = (/** @type {Move[]} */ short, /** @type {Move[]} */ long) =>
    short.length <= long.length && short.every((move, at) => isSame(move, long[at]));
  const found = lines.find(({ moves }) => fits(moves, played));
  if (found) return { isRight: found.isRight, text: found.text };
  return lines.some(({ moves }) => fits(played, moves)) ? null : { isRight: false, text: otherwise };
}
