/** The page `/puzzles?history`: one's attempts, the curve of the ratings, what goes well by theme, days in a row. */

import { h } from "../elements/dom.js";
import { t, titleOf } from "../platform/i18n.js";
import { day } from "../platform/time_words.js";
import { ratingCurve } from "../profile/rating_curve.js";
import { findSolved } from "./calls.js";
import { themeName } from "./themes.js";

/** So many pages of attempts at most: 500. */
const PAGES = 10;

/** @typedef {import("./calls.js").Solved} Solved */
/** @typedef {Solved["attempts"][number]} Row */

/** The attempts, the newest first, as far as this page goes back. */
async function readAll() {
  const first = await findSolved();
  const rows = [...first.attempts];
  let cursor = first.next_cursor;
  for (let page = 1; cursor && page < PAGES; page += 1) {
    const next = await findSolved(cursor);
    rows.push(...next.attempts);
    cursor = next.next_cursor;
  }
  return { ...first, attempts: rows };
}

/** @param {string} game @param {Row[]} rows */
function curveOf(game, rows) {
  const rated = rows.filter((row) => row.game === game && row.rated).reverse();
  if (!rated.length) return null;
  const points = rated.map(({ at, change, after }) => ({ at, change, ...after, game: null }));
  return [h("h3", {}, titleOf(game)), ratingCurve(/** @type {any} */ (points))];
}

/** How many of each theme were right, what was tried most first. @param {string} game @param {Row[]} rows */
function themesOf(game, rows) {
  /** @type {Map<string, {right: number, all: number}>} */
  const counted = new Map();
  for (const { themes, right } of rows.filter((row) => row.game === game))
    for (const theme of themes) {
      const known = counted.get(theme) ?? { right: 0, all: 0 };
      counted.set(theme, { right: known.right + Number(right), all: known.all + 1 });
    }
  if (!counted.size) return null;
  const order = [...counted].sort(([, one], [, other]) => other.all - one.all);
  return h(
    "table",
    { class: "bars puzzle-themes" },
    h("caption", {}, titleOf(game)),
    h("tbody", {}, order.map(themeRow(game))),
  );
}

/** @param {string} game */
const themeRow =
  (game) =>
  (/** @type {[string, {right: number, all: number}]} */ [theme, { right, all }]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, themeName(game, theme)),
      h("td", {}, h("meter", { max: all, value: right, "aria-hidden": "true" })),
      h("td", {}, t("ui.puzzles.right_of", { right, all })),
    );

/** @param {Row} row */
function rowOf({ puzzle, game, at, right, change, rated }) {
  const by = change < 0 ? `−${-change}` : `+${change}`;
  const said = t(right ? "ui.puzzles.was_right" : "ui.puzzles.was_wrong", { game: titleOf(game) });
  const words = rated ? `${day(at)} · ${said} ${by}` : `${day(at)} · ${said}`;
  return h("li", {}, h("a", { class: "button plain", href: `/puzzles/${puzzle}` }, words));
}

/** @returns {Promise<HTMLElement>} */
export async function puzzleHistory() {
  const { attempts, streak } = await readAll();
  const games = [...new Set(attempts.map(({ game }) => game))].sort();
  const right = attempts.filter((row) => row.right).length;
  return h(
    "div",
    { class: "settings puzzles puzzle-history" },
    h("h1", {}, t("ui.puzzles.history")),
    h("p", {}, h("a", { class: "button plain", href: "/puzzles" }, `‹ ${t("ui.puzzles.title")}`)),
    h("p", { class: "streak" }, t("ui.puzzles.streak", { days: streak.days, best: streak.best })),
    attempts.length
      ? [
          h("p", {}, t("ui.puzzles.right_of", { right, all: attempts.length })),
          games.map((game) => curveOf(game, attempts)),
          h("h2", {}, t("ui.puzzles.theme")),
          games.map((game) => themesOf(game, attempts)),
          h("h2", {}, t("ui.puzzles.answered")),
          h("ol", { class: "puzzle-attempts" }, attempts.map(rowOf)),
        ]
      : h("p", { class: "soft" }, t("ui.puzzles.no_history")),
  );
}
