/** What the things on the board of Caylus are: places, buildings, lines of favours, the castle. */

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { countColumns, findPiece } from "../pieces.js";
import { buildingName, effectLine, favourEffect, spaceName } from "./effects.js";
import { roadAt } from "./rules.js";

/** @typedef {import("../../inspect/card.js").Facts} Facts */
/** @typedef {import("../../inspect/card.js").Subject} Subject */
/** @typedef {import("../../table/model.js").Decision | null} Asked */

/** A place for workers, with the building that stands there. @param {string} space @param {any} view @param {Asked} asked @returns {Facts} */
function place(space, view, asked) {
  const standing = roadAt(view, space);
  const piece = findPiece(standing ? (standing.building ?? "") : space);
  const type = { place_worker: "place_worker", gate: "move_worker" }[asked?.kind ?? ""];
  return {
    title: spaceName(space, view),
    lines: [piece ? effectLine(piece) : t("ui.card.empty")],
    piece,
    owner: standing?.owner,
    move: type ? { type, space } : null,
  };
}

/** A building of the stock. @param {string} id @param {Asked} asked @returns {Facts} */
function building(id, asked) {
  const piece = findPiece(id);
  const builds = ["build", "favour_buildings"].includes(asked?.kind ?? "");
  const { price } = piece ?? {};
  return {
    title: buildingName(id),
    lines: [effectLine(piece)],
    piece,
    move: builds && price && !price.any ? { type: "build", building: id, pay: price } : null,
  };
}

/** A line of the favours. @param {string} line @param {any} view @param {Asked} asked @returns {Facts} */
function favours(line, view, asked) {
  const columns = Array.from({ length: countColumns() }, (_, at) =>
    h("li", {}, favourEffect(line, at + 1)),
  );
  return {
    title: t(`terms.caylus.lines.${line}`),
    lines: [h("ol", {}, columns)],
    move: asked?.kind === "favour" ? { type: "choose_favour", line } : null,
  };
}

/** A section of the castle. @param {string} section @param {any} view @returns {Facts} */
function castle(section, view) {
  const { houses, scored } = view.sections[section];
  const piece = findPiece(section);
  return {
    title: t(`terms.caylus.sections.${section}`),
    lines: [piece?.effect ?? null, t("ui.card.houses", { houses: houses.join(", ") }), scored ? t("ui.card.scored") : null],
    piece,
  };
}

/**
 * @param {Subject} subject @param {any} view @param {Asked} asked
 * @returns {Facts | null}
 */
export function inspect(subject, view, asked) {
  // A section of the castle lies within the place of the castle; the others are parts of the board.
  if (view.sections[subject.section]) return castle(subject.section, view);
  if (subject.space) return place(subject.space, view, asked);
  if (subject.building) return building(subject.building, asked);
  return subject.line ? favours(subject.line, view, asked) : null;
}
