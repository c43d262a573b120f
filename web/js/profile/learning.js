/** What one's own analysed games say: how far luck decided them, and moments to try again. Bars stand in a table. */

import { h, svg } from "../elements/dom.js";
import { call } from "../platform/api.js";
import { language, t, titleOf } from "../platform/i18n.js";

/** @typedef {Answer<"show_learning">} LearningFigures */

/** @typedef {LearningFigures["games"][number]} LearnedGame */

const KINDS = /** @type {const} */ (["won_by_play", "won_by_luck", "lost_by_luck", "lost_by_play"]);

/** @param {number} points */
const signed = (points) =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: 1, signDisplay: "exceptZero" })
    .format(points)
    .replace("-", "−");

/**
 * A bar to the left or to the right of the middle.
 * @param {number} points @param {number} most @param {string} kind
 */
function bar(points, most, kind) {
  const width = (50 * Math.abs(points)) / most;
  const size = {
    y: 1,
    height: 12,
    rx: 3,
    width: `${width.toFixed(1)}%`,
    x: `${(points < 0 ? 50 - width : 50).toFixed(1)}%`,
  };
  return svg("svg", { class: `stripe ${kind}`, "aria-hidden": "true" }, points ? svg("rect", size) : null);
}

/** @param {LearnedGame} game @param {number} most */
function row({ id, game, at, margin, luck, played, won }, most) {
  const date = new Date(at).toLocaleDateString(language(), { day: "numeric", month: "numeric" });
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("a", { href: `/games/${id}` }, titleOf(game)),
      ` ${won ? "✓" : ""}`,
      h("span", { class: "soft" }, date),
    ),
    h("td", { class: "drawing" }, bar(played, most, "play"), bar(luck, most, "luck")),
    h("td", {}, signed(played)),
    h("td", {}, signed(luck)),
    h("td", {}, signed(margin)),
  );
}

/** @param {LearnedGame[]} games */
function drawMargins(games) {
  const most = Math.max(1, ...games.flatMap(({ played, luck }) => [Math.abs(played), Math.abs(luck)]));
  const heads = ["play", "luck"].map((name) => h("th", { scope: "col" }, t(`ui.learning.${name}`)));
  return h(
    "table",
    { class: "bars margins" },
    h("caption", {}, t("ui.learning.margins")),
    h(
      "thead",
      {},
      h("tr", {}, h("th", { scope: "col" }, t("ui.learning.game")), h("td", {}), heads, h("th", { scope: "col" }, "=")),
    ),
    h(
      "tbody",
      {},
      games.map((game) => row(game, most)),
    ),
  );
}

/** @param {number} n */
const leadOf = (n) => t(n === 1 ? "ui.learning.lead_one" : "ui.learning.lead", { n });

/** @param {LearningFigures} figures */
function drawKinds(figures) {
  return h(
    "ul",
    { class: "luck-kinds" },
    KINDS.map((kind) => h("li", {}, h("b", {}, figures[kind]), ` ${t(`ui.learning.${kind}`)}`)),
  );
}

/** Mistakes of one's own that have come back. @param {LearningFigures["moments"]} moments */
export function drawMoments(moments) {
  if (!moments.length) return null;
  const entry = (/** @type {LearningFigures["moments"][number]} */ { id, game, version }) =>
    h(
      "li",
      {},
      h("a", { href: `/games/${id}?ask=${version}` }, t("ui.learning.try", { game: titleOf(game), n: version })),
    );
  return [h("h3", {}, t("ui.learning.moments")), h("ul", { class: "moments-due" }, moments.map(entry))];
}

/** The section of one's own page. @returns {Promise<HTMLElement>} */
export async function drawLearning() {
  /** @type {LearningFigures} */
  const figures = await call("/players/me/learning");
  const { games, moments } = figures;
  return h(
    "section",
    { class: "learning", "aria-labelledby": "learning" },
    h("h2", { id: "learning" }, t("ui.learning.title")),
    games.length
      ? [h("p", {}, leadOf(games.length)), drawKinds(figures), drawMargins(games)]
      : h("p", { class: "soft" }, t("ui.learning.none")),
    drawMoments(moments),
  );
}
