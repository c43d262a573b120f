/** Where the points came from: a matrix of the sources and the players, and what was counted at the end. */

import { h } from "../elements/dom.js";
import { seal, seatName, signOf } from "../people/seats.js";
import { t, term } from "../platform/i18n.js";
import { gameModule } from "../play/game_module.js";
import { signed } from "../play/goods.js";
import { dropTakenBack } from "./score_chart.js";

const STAYED = new Set(["finished", "bot"]);

/** @typedef {Game & {result: Result}} EndedGame */

/**
 * The points of each source, a number for each seat. The points of the play are those of the facts,
 * the others those of the result; what neither tells is `other`.
 * @param {EndedGame} game @param {GameEvent[]} events
 * @returns {[string, number[]][]}
 */
function pointsBySource(game, events) {
  const groups = gameModule(game.game).sources ?? {};
  const sourceOf = (/** @type {string} */ reason) =>
    Object.keys(groups).find((source) => groups[source].includes(reason)) ?? reason;
  /** @type {Map<string, number[]>} */
  const found = new Map(Object.keys(groups).map((source) => [source, none(game)]));
  const add = (/** @type {{seat: number, reason: string, points: number}} */ { seat, reason, points }) => {
    const source = sourceOf(reason);
    if (!found.has(source)) found.set(source, none(game));
    /** @type {number[]} */ (found.get(source))[seat] += points;
  };
  for (const { facts = [] } of dropTakenBack(events))
    for (const { type, seat, reason, points } of facts) if (type === "points") add({ seat, reason, points });
  game.result.breakdown.forEach(add);
  const rest = game.result.scores.map((score, seat) =>
    [...found.values()].reduce((left, points) => left - points[seat], score),
  );
  const rows = [...found].filter(([, points]) => points.some(Boolean));
  return rest.some(Boolean) ? [...rows, ["other", rest]] : rows;
}

/** @param {EndedGame} game @returns {number[]} */
const none = (game) => game.seats.map(() => 0);

/** @param {Result} result */
function ranked({ scores, ranks }) {
  // A seat that was given up may have the most points, and is ranked behind those who stayed.
  return [...scores.keys()].sort((a, b) => (ranks ? ranks[a] - ranks[b] : scores[b] - scores[a]));
}

/** @param {EndedGame} game @param {string} source */
const sourceWords = (game, source) => (source === "other" ? t("ui.ending.other") : term(game.game, "scored", source));

/**
 * The matrix: a row for each source, a column for each player, the best one first.
 * @param {EndedGame} game @param {GameEvent[]} events
 */
export function drawMatrix(game, events) {
  const order = ranked(game.result);
  const { scores } = game.result;
  const cells = (/** @type {number[]} */ points) =>
    order.map((seat) => h("td", { class: points[seat] ? "" : "zero" }, String(points[seat]).replace("-", "−")));
  return h(
    "table",
    { class: "tally" },
    h("caption", { class: "spoken" }, t("ui.ending.sources")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, h("span", { class: "spoken" }, t("ui.ending.source"))),
        order.map((seat) => head(game, seat)),
      ),
    ),
    h(
      "tbody",
      {},
      pointsBySource(game, events).map(([source, points]) =>
        h("tr", { "data-source": source }, h("th", { scope: "row" }, sourceWords(game, source)), cells(points)),
      ),
    ),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("ui.scores.total")), cells(scores))),
  );
}

/** @param {EndedGame} game @param {number} seat */
function head(game, seat) {
  const { winners, outcomes } = game.result;
  const won = winners.includes(seat);
  const left = outcomes && !STAYED.has(outcomes[seat]);
  return h(
    "th",
    { scope: "col", class: won ? "winner" : "", "data-of": seat },
    seal(seat),
    h("span", { class: "who" }, seatName(game, seat), signOf(game, seat)),
    won ? h("em", {}, t("ui.scores.winner")) : null,
    left ? h("span", { class: "badge" }, t(`terms.outcomes.${outcomes[seat]}`)) : null,
  );
}

/** What was counted at the end, entry by entry; null when nothing was. @param {EndedGame} game */
export function entries(game) {
  const { breakdown } = game.result;
  if (!breakdown.length) return null;
  return h(
    "details",
    { class: "entries" },
    h("summary", {}, t("ui.ending.entries")),
    ranked(game.result).map((seat) => {
      const own = breakdown.filter((entry) => entry.seat === seat);
      return own.length
        ? [
            h("h3", {}, seal(seat), seatName(game, seat), signOf(game, seat)),
            h(
              "ul",
              {},
              own.map((entry) => h("li", {}, reason(game.game, entry), " ", h("b", {}, signed(entry.points)))),
            ),
          ]
        : null;
    }),
  );
}

/** An entry of the breakdown in words. @param {string} game @param {any} entry */
function reason(game, { reason: name, detail }) {
  const values = typeof detail === "object" && detail !== null ? detail : { n: detail };
  const extra = values.pennants ? `, ${t(`terms.${game}.amounts.pennants`, { n: values.pennants })}` : "";
  return t(`terms.${game}.counted.${name}`, values) + extra;
}
