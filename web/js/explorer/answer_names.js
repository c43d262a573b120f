/** What the answers of the explorer are called: they are words of keys, the same in every language. */

import { has, t } from "../platform/i18n.js";
import { bundleWords, signed } from "../play/goods.js";

/** @typedef {Answer<"explore_position">["answers"][number]} Given */

const STEPS = /^(forward|back)-(\d)$/;
const GOODS = /^(\d*)(food|wood|stone|cloth|gold|deniers|prestige)$/;

/**
 * In Carcassonne what a tile joins; else the move, and where no position has said it, the words of the key.
 * @param {string} game @param {string} kind the kind of decision @param {Given} one
 */
export function nameAnswer(game, kind, { answer, text, moves }) {
  if (game === "carcassonne") return nameJoin(answer, moves.length);
  return text ?? (game === "caylus" ? nameCaylus(kind, answer) : answer);
}

/** @param {string} answer @param {number} moves */
function nameJoin(answer, moves) {
  const parts = answer.split("+").map((part) => {
    const words = part.split("-").map((word) => t(`ui.explorer.words.${word}`));
    return words.join(" · ");
  });
  const name = parts.join(", ");
  return moves > 1 ? `${name} (${moves})` : name;
}

/** @param {string} kind @param {string} answer */
function nameCaylus(kind, answer) {
  const id = answer.replaceAll("-", "_");
  const paths = [
    ...(kind === "favour" ? [`terms.caylus.lines.${id}`] : []),
    ...["buildings", "spaces"].map((list) => `terms.caylus.${list}.${id}`),
    ...(answer === "decline" ? [`ui.caylus.decline.${kind}`, "ui.explorer.words.nothing"] : []),
    ...(answer === "pass" ? ["ui.caylus.moves.pass"] : []),
    ...(["joust", "stay", "leave"].includes(answer) ? [`ui.caylus.${answer}`] : []),
  ];
  const path = paths.find(has);
  return path ? t(path) : (nameSteps(answer) ?? nameTrade(answer) ?? answer);
}

/** How far the provost goes. @param {string} answer */
function nameSteps(answer) {
  const [, way, steps] = STEPS.exec(answer) ?? [];
  return way ? `${t("terms.caylus.pieces.provost")} ${signed(way === "back" ? -Number(steps) : Number(steps))}` : null;
}

/** Goods, or goods for goods; null for what is neither. @param {string} answer */
function nameTrade(answer) {
  const sides = answer.split("-for-").map(nameGoods);
  return sides.includes(null) ? null : sides.join(" → ");
}

/** @param {string} answer */
function nameGoods(answer) {
  if (answer === "nothing") return t("ui.explorer.words.nothing");
  const found = answer.split("+").map((part) => GOODS.exec(part));
  /** @type {Record<string, number>} */
  const bundle = {};
  for (const one of found) if (one) bundle[one[2]] = Number(one[1] || 1);
  return found.includes(null) ? null : bundleWords(bundle);
}
