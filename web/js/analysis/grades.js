/** How good a move was: a sign and a word, so colour is never the only difference. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";

/** @typedef {"best" | "good" | "inaccuracy" | "mistake" | "blunder"} Mark */

/** @type {Record<Mark, string>} */
export const SIGNS = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??" };

const LOUD = new Set(["inaccuracy", "mistake", "blunder"]);

/** Whether a move cost something that is worth a look. @param {{mark: Mark}} decision */
export function isLoud({ mark }) {
  return LOUD.has(mark);
}

/** @param {Mark} mark */
export function gradeBadge(mark) {
  return h(
    "span",
    { class: `mark ${mark}` },
    h("b", { "aria-hidden": "true" }, SIGNS[mark]),
    t(`ui.analysis.marks.${mark}`),
  );
}
