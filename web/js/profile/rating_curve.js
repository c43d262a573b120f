/** The curve of a rating: a line with its deviation. A touch shows a point: when, what the game changed, the game itself. */

import { h, show, svg } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { day } from "../platform/time_words.js";
import { HEIGHT, EDGE as NARROW, slider, WIDTH } from "../story/score_chart.js";
import { strength } from "./rating_words.js";

/** @typedef {Answer<"show_history">["points"][number]} Point */

/** A rating has four digits. */
const EDGE = { ...NARROW, left: 80 };
const STEPS = [25, 50, 100, 200, 500, 1000];
const LINES = 5;

/** How the points lie in the drawing; 0 is before the first game. @param {Point[]} points */
function scaleOf(points) {
  const [first] = points;
  const before = { rating: first.rating - first.change, deviation: first.deviation };
  const all = [before, ...points];
  const low = Math.min(...all.map(({ rating, deviation }) => rating - deviation / 2));
  const high = Math.max(...all.map(({ rating, deviation }) => rating + deviation / 2));
  const step = STEPS.find((one) => (high - low) / one <= LINES) ?? STEPS[STEPS.length - 1];
  const floor = Math.floor(low / step) * step;
  const top = Math.ceil(high / step) * step;
  const x = (/** @type {number} */ at) => EDGE.left + (at / points.length) * (WIDTH - EDGE.left - EDGE.right);
  const y = (/** @type {number} */ rating) => {
    const inside = Math.min(top, Math.max(floor, rating));
    return HEIGHT - EDGE.bottom - ((inside - floor) / (top - floor)) * (HEIGHT - EDGE.top - EDGE.bottom);
  };
  const grid = Array.from({ length: (top - floor) / step + 1 }, (_, n) => floor + n * step);
  return { all, x, y, grid };
}

/** @param {Point[]} points */
function draw(points) {
  const { all, x, y, grid } = scaleOf(points);
  const at = (/** @type {number} */ n, /** @type {number} */ rating) => `${x(n).toFixed(1)} ${y(rating).toFixed(1)}`;
  const upper = all.map(({ rating, deviation }, n) => at(n, rating + deviation));
  const lower = all.map(({ rating, deviation }, n) => at(n, rating - deviation)).reverse();
  const axis = { class: "axis", "text-anchor": "end" };
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("path", { class: "doubt", d: `M${[...upper, ...lower].join("L")}Z` }),
    grid.map((rating) => [
      svg("path", { class: "grid", d: `M${EDGE.left} ${y(rating)}H${WIDTH - EDGE.right}` }),
      svg("text", { ...axis, x: EDGE.left - 6, y: y(rating), "dominant-baseline": "central" }, rating),
    ]),
    svg("path", { class: "now", d: "" }),
    svg("path", { class: "line own", d: `M${all.map(({ rating }, n) => at(n, rating)).join("L")}` }),
    svg("text", { ...axis, "text-anchor": "start", x: EDGE.left, y: HEIGHT - 6 }, day(points[0].at)),
    points.length > 1
      ? svg("text", { ...axis, x: WIDTH - EDGE.right, y: HEIGHT - 6 }, day(points[points.length - 1].at))
      : null,
  );
}

/** @param {Point} point */
function tell({ at, change, ...known }) {
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
  return t("ui.profile.point", { date: day(at), rating: strength(known), change: `${sign}${Math.abs(change)}` });
}

/**
 * The curve, and the point that was touched below it: the last one at first.
 * @param {Point[]} points at least one
 */
export function ratingCurve(points) {
  const line = h("p", { class: "point", "aria-live": "polite" });
  const pointAt = (/** @type {number} */ n) => points[Math.min(points.length, Math.max(1, n)) - 1];
  const say = (/** @type {number} */ n) => {
    const point = pointAt(n);
    const link = { class: "button plain", href: `/games/${point.game}`, "data-key": "point-game" };
    show(line, h("span", {}, tell(point)), point.game ? h("a", link, t("ui.profile.open_game")) : null);
  };
  const chart = slider(draw(points), {
    label: t("ui.profile.curve"),
    now: points.length,
    first: 1,
    last: points.length,
    seek: say,
    edge: EDGE,
    words: (n) => tell(pointAt(n)),
  });
  say(points.length);
  return h("figure", { class: "chart curve" }, chart, h("figcaption", {}, line));
}
