/** Where the segments of a tile can be pointed at, and what such a place is called. */

import { t } from "../../platform/i18n.js";

const GRID = 12;

/** @typedef {{x: number, y: number}} Spot in units of the tile (100 × 100), as it lies */

/**
 * Where each segment of a tile can be pointed at: the point that is farthest from all others.
 * @param {Element} tile the group of the tile in the picture
 * @returns {Map<string, Spot>}
 */
export function spots(tile) {
  const areas = areasOf(/** @type {SVGGraphicsElement} */ (tile));
  /** @type {(Spot & {segment: string | null})[]} */
  const points = [];
  for (let row = 0; row <= GRID; row += 1) {
    for (let column = 0; column <= GRID; column += 1) {
      const [x, y] = [(column * 100) / GRID, (row * 100) / GRID];
      const isInside = !onEdge(row) && !onEdge(column);
      points.push({ x, y, segment: isInside ? topmost(areas, x, y) : null });
    }
  }
  const found = new Map();
  for (const name of new Set(areas.map(({ name }) => name))) {
    const inner = points.filter(({ segment }) => segment === name);
    const best = inner.map((point) => ({ point, room: room(point, points) })).sort((a, b) => b.room - a.room)[0];
    if (best) found.set(name, best.point);
  }
  return found;
}

/**
 * The areas of the segments, the uppermost first, and the way from the tile to each.
 * @param {SVGGraphicsElement} tile
 */
function areasOf(tile) {
  const own = tile.getScreenCTM();
  const areas = /** @type {SVGGeometryElement[]} */ ([...tile.querySelectorAll("[data-segment]")]);
  return areas.reverse().flatMap((area) => {
    const matrix = area.getScreenCTM();
    const name = area.getAttribute("data-segment") ?? "";
    return own && matrix ? [{ area, name, way: matrix.inverse().multiply(own) }] : [];
  });
}

/** @param {number} step */
function onEdge(step) {
  return step === 0 || step === GRID;
}

/** @param {ReturnType<typeof areasOf>} areas @param {number} x @param {number} y */
function topmost(areas, x, y) {
  for (const { area, name, way } of areas) {
    const point = new DOMPoint(x, y).matrixTransform(way);
    const isLine = name.startsWith("r");
    if (isLine ? area.isPointInStroke(point) : area.isPointInFill(point)) return name;
  }
  return null;
}

/** @param {{x: number, y: number, segment: string | null}} point @param {{x: number, y: number, segment: string | null}[]} points */
function room(point, points) {
  const others = points.filter(({ segment }) => segment !== point.segment);
  return Math.min(...others.map(({ x, y }) => Math.hypot(x - point.x, y - point.y)));
}

/** The part of the tile in which a spot lies. @param {Spot | undefined} spot */
export function direction(spot) {
  if (!spot) return "";
  const [dx, dy] = [spot.x - 50, spot.y - 50];
  const part = [Math.abs(dy) < 15 ? "" : dy < 0 ? "north" : "south", Math.abs(dx) < 15 ? "" : dx < 0 ? "west" : "east"]
    .filter(Boolean)
    .join("_");
  return t(`ui.compass.${part || "middle"}`);
}
