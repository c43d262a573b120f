/** What the games of a player come to, as pictures: bars that a table holds, so that they can be read out as well. */

import { playerLink } from "../bots/bot_sign.js";
import { h, svg } from "../elements/dom.js";
import { botName } from "../people/seats.js";
import { language, t, term, titleOf } from "../platform/i18n.js";
import { span } from "../platform/time_words.js";

/** @typedef {Answer<"show_statistics">} Statistics */
/** @typedef {{label: Child, size: number, text: string}} Bar */

/** So many values of a habit are shown. */
const VALUES = 6;

/** @param {number} n */
const round = (n) => new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(n);
/** @param {number} share */
const percent = (share) =>
  new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(share);

/** A table of bars. @param {string} title @param {Bar[]} rows */
function bars(title, rows) {
  if (!rows.length) return null;
  const most = Math.max(1, ...rows.map(({ size }) => size));
  return h(
    "table",
    { class: "bars" },
    h("caption", {}, title),
    h(
      "tbody",
      {},
      rows.map(({ label, size, text }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, label),
          h("td", { class: "drawing" }, bar(size / most)),
          h("td", {}, text),
        ),
      ),
    ),
  );
}

/** @param {number} share of the longest bar */
function bar(share) {
  const size = { y: 1, height: 12, rx: 3, width: `${(100 * share).toFixed(1)}%` };
  return svg("svg", { class: "stripe", "aria-hidden": "true" }, share > 0 ? svg("rect", size) : null);
}

/** @param {number} n @param {number} of */
const part = (n, of) => `${n} (${percent(of ? n / of : 0)})`;

/** @param {Statistics} statistics */
function drawRanks({ ranks, games }) {
  const rows = ranks.map((times, at) => ({
    label: t("ui.profile.rank", { n: at + 1 }),
    size: times,
    text: part(times, games),
  }));
  return bars(t("ui.profile.ranks"), rows);
}

/** The points of a game from each source, on average. @param {Statistics} statistics */
function drawSources({ game, points, finished }) {
  const rows = points.map(({ source, points: all }) => ({
    label: source === "other" ? t("ui.ending.other") : term(game, "scored", source),
    size: all / finished,
    text: round(all / finished).replace("-", "−"),
  }));
  return bars(t("ui.ending.sources"), rows);
}

/** In which group of terms the values of a habit are. @type {Record<string, string>} */
const VALUES_OF = { followers: "scored", first_building: "buildings", favours: "lines" };

/** @param {string} game @param {Statistics["habits"][number]} habit */
function drawHabit(game, { habit, values }) {
  const all = values.reduce((sum, { times }) => sum + times, 0);
  const rows = values.slice(0, VALUES).map(({ value, times }) => ({
    label: term(game, VALUES_OF[habit] ?? habit, value),
    size: times,
    text: part(times, all),
  }));
  return bars(term(game, "habits", habit), rows);
}

/** @param {Statistics} statistics */
function drawNumbers({ games, scores, median_turn_s: turn }) {
  const best = scores && h("a", { href: `/games/${scores.best.game}` }, t("ui.profile.best", { n: scores.best.score }));
  return h(
    "ul",
    { class: "facts" },
    h("li", {}, t("ui.profile.games", { n: games })),
    scores ? h("li", {}, t("ui.profile.mean", { n: round(scores.mean) })) : null,
    best ? h("li", {}, best) : null,
    turn === null ? null : h("li", {}, t("ui.profile.turn", { time: span(1000 * turn) })),
  );
}

const RESULTS = /** @type {const} */ (["games", "won", "tied", "lost"]);

/** Results against others. @param {string} title @param {[Child, Record<typeof RESULTS[number], number>][]} rows */
function results(title, rows) {
  if (!rows.length) return null;
  const heads = RESULTS.map((name) => h("th", { scope: "col" }, t(`ui.profile.results.${name}`)));
  return h(
    "table",
    { class: "against" },
    h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("td", {}), heads)),
    h(
      "tbody",
      {},
      rows.map(([who, record]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, who),
          RESULTS.map((name) => h("td", {}, record[name])),
        ),
      ),
    ),
  );
}

/** All figures of one game. @param {Statistics} statistics */
export function drawFigures(statistics) {
  const { game, against, levels, habits } = statistics;
  return h(
    "section",
    { class: `figures game-${game}`, "data-game": game, "aria-label": titleOf(game) },
    h("h3", {}, titleOf(game)),
    drawNumbers(statistics),
    h(
      "div",
      { class: "pictures" },
      drawRanks(statistics),
      drawSources(statistics),
      habits.map((habit) => drawHabit(game, habit)),
      results(
        t("ui.profile.against"),
        against.map(({ player, ...record }) => [playerLink(player), record]),
      ),
      results(
        t("ui.profile.levels"),
        levels.map(({ bot, ...record }) => [botName(bot), record]),
      ),
    ),
  );
}

/** How reliably a player ends games; nothing before the first one. @param {NonNullable<Answer<"show_player">["reliability"]>} known */
export function drawReliability({ games, finished, timed_out: late, since_timeout: since }) {
  if (!games) return null;
  return h(
    "p",
    { class: "soft reliability" },
    t("ui.profile.finished", { n: finished, games }),
    late ? ` ${t("ui.profile.late", { n: late })}` : "",
    since ? ` ${t("ui.profile.since_late", { n: since })}` : "",
  );
}
