/** Numbers and moves of an analysis in words. */

import { language, t } from "../platform/i18n.js";
import { describe } from "../play/controls.js";

/** A number with at most one digit after the point. @param {number} value */
export function decimal(value) {
  const shown = Math.abs(value) < 0.05 ? 0 : value;
  return shown.toLocaleString(language(), { maximumFractionDigits: 1 }).replace("-", "−");
}

/**
 * A number with its text, for a word that goes with it.
 * @param {number} value @param {(value: number) => string} [write]
 */
export function amount(value, write = decimal) {
  return { count: Number(value.toFixed(1)), text: write(value) };
}

/** The same with a plus before a gain that shows. @param {number} value */
export function withSign(value) {
  return value < 0.05 ? decimal(value) : `+${decimal(value)}`;
}

/** @param {number} share 0 to 1 */
export function percent(share) {
  return `${Math.round(100 * share)} %`;
}

/**
 * What the controls need to describe a move that cannot be chosen.
 * @param {{view: any, decision: any}} asked @param {(seat: number) => string} name @param {any} board
 * @returns {any}
 */
export function askOf({ view, decision }, name, board) {
  return { view, decision, name, board, moves: [], events: null, isAnswered: () => false };
}

/**
 * The moves of a turn by their names.
 * @param {string} game @param {Move[]} moves @param {any} ask as of `askOf`
 */
export function nameMoves(game, moves, ask) {
  const names = moves.map((move) => {
    const { title, act } = describe(game, move, ask);
    return act && move.type !== "place_tile" ? act : title;
  });
  return names.join(", ");
}

/** @param {string} sentence */
export function sentence(sentence) {
  return sentence ? `${sentence.charAt(0).toLocaleUpperCase(language())}${sentence.slice(1)}.` : "";
}

/** @param {{loss: number, error: number}} decision */
export function lossOf({ loss, error }) {
  const n = amount(loss);
  return error >= 0.05 ? t("ui.analysis.loss_about", { n, error: decimal(error) }) : t("ui.analysis.loss", { n });
}
