/** What the things on the board of Carcassonne are: tiles, their features, empty places. */

import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { findPiece } from "../pieces.js";
import { shownFeature, shownName } from "./feature_pointer.js";
import { inFull } from "./feature_words.js";

/** @typedef {import("../game_module.js").Facts} Facts */
/** @typedef {import("../game_module.js").Subject} Subject */
/** @typedef {Decision | null} AskedDecision */

/** The piece of a segment, by its first letter. @type {Record<string, string>} */
const FEATURES = { c: "city", r: "road", m: "monastery", f: "farm" };

/** What the feature of a segment is worth; the line is filled when the server has answered. @param {Subject} subject */
function worth(subject) {
  const line = h("span", { class: "feature" });
  shownFeature(subject)
    .then((feature) => {
      if (feature) line.textContent = inFull(feature, shownName).join(" · ");
    })
    .catch(reportError);
  return line;
}

/**
 * Whose last tile this is: the view has the tiles in the order in which they were laid, and the seats
 * lay in turn. @param {View} view @param {Subject} subject
 */
function lastOf({ board, scores }, { x, y }) {
  const at = board.findIndex((/** @type {PlacedTile} */ tile) => tile.x === Number(x) && tile.y === Number(y));
  const isLast = at > 0 && at >= board.length - scores.length;
  return isLast ? t("ui.carcassonne.last", { name: shownName((at - 1) % scores.length) }) : null;
}

/** @param {Subject} subject @param {View} view @param {AskedDecision} asked @returns {Facts} */
function feature({ segment, x, y, tile }, view, asked) {
  const piece = findPiece(FEATURES[segment[0]]);
  const last = view.board.at(-1);
  const here = asked?.kind === "place_follower" && last?.x === Number(x) && last?.y === Number(y);
  return {
    title: t(`terms.carcassonne.features.${segment[0]}`),
    lines: [
      worth({ segment, x, y }),
      lastOf(view, { x, y }),
      piece?.effect ?? null,
      tile ? t(`terms.carcassonne.tiles.${tile}`) : null,
    ],
    move: here ? { type: "place_follower", segment } : null,
  };
}

/** A place without a tile. @param {Subject} subject @param {AskedDecision} asked @returns {Facts} */
function cell({ x, y }, asked) {
  const [column, row] = [Number(x), Number(y)];
  return {
    title: t("ui.carcassonne.cell"),
    lines: [t("ui.card.empty")],
    move: asked?.kind === "place_tile" ? { type: "place_tile", x: column, y: row, rotation: 0 } : null,
  };
}

/**
 * @param {Subject} subject @param {View} view @param {AskedDecision} asked
 * @returns {Facts | null}
 */
export function inspect(subject, view, asked) {
  if (subject.segment) return feature(subject, view, asked);
  if (subject.tile) {
    const piece = findPiece(subject.tile);
    const left = view.remaining?.[subject.tile] ?? 0;
    return { title: piece?.name ?? "", lines: [piece?.effect ?? null, t("ui.carcassonne.in_bag", { n: left })] };
  }
  return subject.x === undefined ? null : cell(subject, asked);
}
