/** Placing a follower: touch a segment of the tile just laid, or take one from the list. */

import { h, svg } from "../../dom.js";
import { t } from "../../i18n.js";
import { facets } from "../facets.js";

/** @typedef {import("../index.js").Ask} Ask */

const TILE_ON_SCREEN = 210;
const GRID = 12;

/**
 * Where each segment of a tile can be pointed at: the point that is farthest from all others.
 * @param {Element} tile the group of the tile in the picture
 * @returns {Map<string, {x: number, y: number}>} in units of the tile (100 × 100), as it lies
 */
export function spots(tile) {
  const areas = /** @type {SVGGeometryElement[]} */ ([...tile.querySelectorAll("[data-segment]")]);
  /** @type {{x: number, y: number, segment: string | null}[]} */
  const points = [];
  const box = /** @type {SVGGraphicsElement} */ (tile);
  const own = box.getScreenCTM();
  for (let row = 0; row <= GRID; row += 1) {
    for (let column = 0; column <= GRID; column += 1) {
      const [x, y] = [(column * 100) / GRID, (row * 100) / GRID];
      points.push({
        x,
        y,
        segment: onEdge(row) || onEdge(column) ? null : topmost(areas, own, x, y),
      });
    }
  }
  const found = new Map();
  for (const name of new Set(areas.map((area) => area.getAttribute("data-segment")))) {
    const inner = points.filter(({ segment }) => segment === name);
    const best = inner
      .map((point) => ({ point, room: room(point, points) }))
      .sort((a, b) => b.room - a.room)[0];
    if (best) found.set(name, best.point);
  }
  return found;
}

/** @param {number} step */
function onEdge(step) {
  return step === 0 || step === GRID;
}

/** @param {SVGGeometryElement[]} areas @param {DOMMatrix | null} own @param {number} x @param {number} y */
function topmost(areas, own, x, y) {
  for (const area of [...areas].reverse()) {
    const matrix = area.getScreenCTM();
    if (!matrix || !own) continue;
    const point = new DOMPoint(x, y).matrixTransform(own).matrixTransform(matrix.inverse());
    const isRoad = area.getAttribute("data-segment")?.startsWith("r");
    if (isRoad ? area.isPointInStroke(point) : area.isPointInFill(point))
      return area.getAttribute("data-segment");
  }
  return null;
}

/** @param {{x: number, y: number, segment: string | null}} point @param {{x: number, y: number, segment: string | null}[]} points */
function room(point, points) {
  const others = points.filter(({ segment }) => segment !== point.segment);
  return Math.min(...others.map(({ x, y }) => Math.hypot(x - point.x, y - point.y)));
}

/** @param {{x: number, y: number} | undefined} spot */
function direction(spot) {
  if (!spot) return "";
  const [dx, dy] = [spot.x - 50, spot.y - 50];
  const part = [
    Math.abs(dy) < 15 ? "" : dy < 0 ? "north" : "south",
    Math.abs(dx) < 15 ? "" : dx < 0 ? "west" : "east",
  ]
    .filter(Boolean)
    .join("_");
  return t(`ui.compass.${part || "middle"}`);
}

/** @param {Ask} ask */
export function followerControl(ask) {
  const { board, decision } = ask;
  const place = `g.tile[data-x="${decision.context.x}"][data-y="${decision.context.y}"]`;
  const tile = board.find(place);
  if (tile) queueMicrotask(() => board.reveal(tile, TILE_ON_SCREEN)); // when the panel has its size
  const found = tile ? spots(tile) : new Map();
  return facets(
    {
      moves: ask.moves,
      choose: ask.choose,
      touch: (targets) => {
        ask.touch(targets);
        if (tile) board.overlay(pins(targets, found), tile);
      },
    },
    [
      {
        label: t("ui.carcassonne.who"),
        key: (move) => move.segment ?? "skip",
        option: (key) => {
          if (key === "skip") return { face: t("ui.carcassonne.skip"), quiet: true };
          return {
            face: h(
              "span",
              { class: "role" },
              h("span", { class: "name" }, t(`terms.carcassonne.roles.${key[0]}`)),
              h(
                "span",
                { class: "does" },
                `${t(`terms.carcassonne.features.${key[0]}`)}, ${direction(found.get(key))}`,
              ),
            ),
            place: `${place} [data-segment="${key}"]`,
          };
        },
      },
    ],
  );
}

/**
 * A pin on each segment that may be taken.
 * @param {{place: string, chosen: boolean}[]} targets @param {Map<string, {x: number, y: number}>} found
 */
function pins(targets, found) {
  return svg(
    "g",
    { class: "pins" },
    targets.map(({ place, chosen }) => {
      const segment = /data-segment="(\w+)"/.exec(place)?.[1] ?? "";
      const spot = found.get(segment);
      return (
        spot &&
        svg(
          "g",
          {
            class: `pin${chosen ? " chosen" : ""}`,
            "data-segment": segment,
            transform: `translate(${spot.x} ${spot.y})`,
          },
          svg("circle", { class: "reach", r: 11 }),
          svg("circle", { r: 7.5 }),
          svg("path", { d: "M0-4v8M-4 0h8" }),
        )
      );
    }),
  );
}
