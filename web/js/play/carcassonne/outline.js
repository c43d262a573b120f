/**
 * The outline of a feature over all its tiles, and the farms by owner. A feature is drawn from the
 * areas of its segments in the picture; what lies inside is cut out, so that the seams between the
 * tiles do not show.
 */

import { svg } from "../../elements/dom.js";
import { leaders } from "./features.js";
import { spots } from "./segment_spots.js";

/**
 * @typedef {import("./features.js").Feature} Feature
 * @typedef {import("./features.js").Segment} Segment
 * @typedef {import("../../board/board.js").Board} Board
 */

const BY_THE_FOLLOWER = 22; // units from a follower to its number
const FAR = 20_000; // units: beyond every board
let masks = 0;

/**
 * The area of a segment, where its tile lies.
 * @param {Board} board @param {Segment} part @returns {SVGElement | null}
 */
function areaOf(board, { x, y, segment }) {
  const tile = `[data-x="${x}"][data-y="${y}"]`;
  const found = board.find(`.preview${tile} [data-segment="${segment}"], g.tile${tile} [data-segment="${segment}"]`);
  if (!found) return null;
  const rotation = found.closest("[data-rotation]")?.getAttribute("data-rotation") ?? 0;
  return svg("path", {
    d: found.getAttribute("d"),
    class: segment.startsWith("r") ? "line" : "area",
    transform: `translate(${x * 100} ${y * 100}) rotate(${rotation} 50 50)`,
  });
}

/** @param {(SVGElement | null)[]} shapes */
function cut(shapes) {
  masks += 1;
  const id = `cut-${masks}`;
  const ground = svg("rect", { x: -FAR, y: -FAR, width: 2 * FAR, height: 2 * FAR, fill: "#fff" });
  const box = { maskUnits: "userSpaceOnUse", x: -FAR, y: -FAR, width: 2 * FAR, height: 2 * FAR };
  return { id, mask: svg("mask", { id, class: "cut", ...box }, ground, shapes) };
}

/**
 * A line round a feature.
 * @param {Board} board @param {Feature} feature
 */
function outlineOf(board, { kind, segments }) {
  const shapes = () => segments.map((part) => areaOf(board, part));
  const { id, mask } = cut(shapes());
  return svg(
    "g",
    { class: "outline", "data-kind": kind, "data-segments": segments.length, "pointer-events": "none" },
    mask,
    svg("g", { class: "under", mask: `url(#${id})` }, shapes()),
    svg("g", { class: "over", mask: `url(#${id})` }, shapes()),
  );
}

/** Cities lie over fields: they are cut out of a farm. @param {Board} board @param {Segment} part */
function citiesAround(board, { x, y }) {
  const tile = board.find(`g.tile[data-x="${x}"][data-y="${y}"]`);
  const cities = tile?.querySelectorAll('[data-segment^="c"], [data-segment^="r"]') ?? [];
  return [...cities].map((city) => areaOf(board, { x, y, segment: city.getAttribute("data-segment") ?? "" }));
}

/** One farm in the colours of the seats with the most farmers. @param {Board} board @param {Feature} farm */
function farmOf(board, farm) {
  const owners = leaders(farm);
  const { id, mask } = cut(farm.segments.flatMap((part) => citiesAround(board, part)));
  const shapes = () => farm.segments.map((part) => areaOf(board, part));
  const seats = owners.length ? owners : ["none"];
  return svg(
    "g",
    { class: "farm", "data-owners": owners.join(" "), "data-now": farm.now },
    mask,
    seats.map((seat, at) => svg("g", { class: `ground of-${seat} layer-${at}`, mask: `url(#${id})` }, shapes())),
    label(board, farm),
  );
}

/** The points of an occupied farm, on a segment without a follower. @param {Board} board @param {Feature} farm */
function label(board, farm) {
  if (!leaders(farm).length) return null;
  const free = farm.segments.find((part) => !isTaken(board, part));
  const part = free ?? farm.segments[0];
  const tile = board.find(`g.tile[data-x="${part.x}"][data-y="${part.y}"]`);
  const spot = tile && spots(tile).get(part.segment);
  if (!spot) return null;
  const [x, y] = free ? [spot.x, spot.y] : [spot.x + BY_THE_FOLLOWER, spot.y - BY_THE_FOLLOWER];
  return svg(
    "g",
    { class: "points", transform: `translate(${part.x * 100 + x} ${part.y * 100 + y})` },
    svg("circle", { r: 14 }),
    svg("text", { y: 6, "text-anchor": "middle" }, farm.now),
  );
}

/** Does a follower stand on the tile of a segment? @param {Board} board @param {Segment} part */
function isTaken(board, { x, y }) {
  const [left, top] = [x * 100, y * 100];
  const places = [...(board.picture?.querySelectorAll(".follower") ?? [])].map((one) =>
    /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(one.getAttribute("transform") ?? ""),
  );
  return places.some((at) => {
    const [dx, dy] = [Number(at?.[1]) - left, Number(at?.[2]) - top];
    return dx >= 0 && dx <= 100 && dy >= 0 && dy <= 100;
  });
}

/** @param {Board} board @param {Feature[]} features */
export function farmsOf(board, features) {
  const farms = features.filter(({ kind }) => kind === "farm");
  return svg(
    "g",
    { class: "farms", "pointer-events": "none" },
    farms.map((farm) => farmOf(board, farm)),
  );
}

/** The one outline that is shown over a board. */
class Outline {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {SVGElement | null} */
    this.drawing = null;
  }

  /** @param {Feature | null | undefined} feature in place of the feature before */
  show(feature) {
    this.drawing?.remove();
    this.drawing = null;
    const within = this.board.find(".board");
    if (!feature || !within) return;
    this.drawing = outlineOf(this.board, feature);
    const over = this.board.find(".board > .pins");
    if (over) over.before(this.drawing);
    else within.append(this.drawing);
  }
}

/** @type {WeakMap<Board, Outline>} */
const outlines = new WeakMap();

/** @param {Board} board @returns {Outline} */
export function outlineOn(board) {
  const outline = outlines.get(board) ?? new Outline(board);
  outlines.set(board, outline);
  return outline;
}
