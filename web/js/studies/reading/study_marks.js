/** Marks on the board: a frame around a place, or an arrow between two, each with a sign of its own. */

import { svg } from "../../elements/dom.js";

/**
 * @typedef {Record<string, string | number>} Place
 * @typedef {{kind: "look" | "good" | "bad", at?: Place, from?: Place, to?: Place}} Mark
 */

/** The colour and the sign of each kind. */
export const LOOKS = { look: ["#1f5fbf", "●"], good: ["#1a7f37", "✓"], bad: ["#b3261e", "✗"] };

/** The members of a thing on the board that name a place together, those that say most first. */
const NAMES = [["x", "y", "segment"], ["x", "y"], ["space"], ["building"], ["line"], ["section"], ["seat"]];

/** The place that a touch means; null: nothing with a name. @param {Record<string, string>} subject @returns {Place | null} */
export function placeOf(subject) {
  const names = NAMES.find((some) => some.every((name) => name in subject));
  if (!names) return null;
  const value = (/** @type {string} */ name) =>
    ["x", "y", "seat"].includes(name) ? Number(subject[name]) : subject[name];
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

/** Where a place is found in the picture. @param {Place} place */
export function selectorOf({ segment, ...rest }) {
  const thing = Object.entries(rest)
    .map(([name, value]) => `[data-${name}="${CSS.escape(String(value))}"]`)
    .join("");
  return segment === undefined ? thing : `${thing} [data-segment="${CSS.escape(String(segment))}"]`;
}

/**
 * Where a place lies in the picture, in its units.
 * @param {import("../../board/board.js").Board} board @param {Place} place
 */
function boxOf(board, place) {
  const found = board.find(selectorOf(place));
  const matrix = board.picture?.getScreenCTM()?.inverse();
  if (!found || !matrix) return null;
  const { left, top, right, bottom } = found.getBoundingClientRect();
  const low = new DOMPoint(left, top).matrixTransform(matrix);
  const high = new DOMPoint(right, bottom).matrixTransform(matrix);
  return { x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y };
}

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @param {Box} box */
const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** @param {number} cx @param {number} cy @param {number} size @param {string} colour @param {string} sign */
function seal(cx, cy, size, colour, sign) {
  const middle = { "text-anchor": "middle", "dominant-baseline": "central" };
  return [
    svg("circle", { cx, cy, r: size / 1.6, fill: colour, stroke: "#fff", "stroke-width": size / 12 }),
    svg("text", { x: cx, y: cy, fill: "#fff", "font-size": size, stroke: "none", ...middle }, sign),
  ];
}

/** @param {Box} box @param {string} colour @param {string} sign */
function frame({ x, y, width, height }, colour, sign) {
  const size = Math.max(8, Math.min(width, height) / 3);
  const line = { fill: "none", "stroke-width": size / 4, rx: size / 2 };
  return [
    svg("rect", { x, y, width, height, stroke: "#fff", ...line, "stroke-width": size / 2.5 }),
    svg("rect", { x, y, width, height, stroke: colour, ...line }),
    ...seal(x + width, y, size, colour, sign),
  ];
}

/** An arrow with a white rim, and its sign in the middle. @param {Box} from @param {Box} to @param {string} colour @param {string} sign */
function arrow(from, to, colour, sign) {
  const [x1, y1] = middle(from);
  const [x2, y2] = middle(to);
  const size = Math.max(8, Math.min(to.width, to.height) / 3);
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const [half, tail] = [size / 6, long - size];
  const shape = `M0 ${-half}H${tail}V${-size / 2}L${long} 0L${tail} ${size / 2}V${half}H0Z`;
  const place = { d: shape, transform: `translate(${x1} ${y1}) rotate(${turn})`, "stroke-linejoin": "round" };
  return [
    svg("path", { ...place, fill: colour, stroke: "#fff", "stroke-width": size / 4, "paint-order": "stroke" }),
    ...seal((x1 + x2) / 2, (y1 + y2) / 2, size / 1.5, colour, sign),
  ];
}

/**
 * What the marks point at, as far as the picture shows it.
 * @param {import("../../board/board.js").Board} board @param {Mark[]} marks
 */
export function findMarked(board, marks) {
  const places = marks.flatMap(({ at, from, to }) => [at, from, to]).filter((place) => place !== undefined);
  return places.map((place) => board.find(selectorOf(place))).filter((element) => element !== null);
}

/**
 * Draw the marks of a position over its picture, until the next call of `Board.touch`.
 * @param {import("../../board/board.js").Board} board @param {Mark[]} marks
 */
export function drawMarks(board, marks) {
  for (const { kind, at, from, to } of marks) {
    const [colour, sign] = LOOKS[kind];
    const boxes = (at ? [at] : [from, to]).map((place) => place && boxOf(board, place));
    if (!boxes.every(Boolean)) continue; // a place that this picture does not show
    const [one, other] = /** @type {Box[]} */ (boxes);
    const parts = other ? arrow(one, other, colour, sign) : frame(one, colour, sign);
    board.overlay(svg("g", { class: `study-mark ${kind}`, "pointer-events": "none" }, ...parts));
  }
}
