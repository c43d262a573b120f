/** The scores: over time as a chart, and at the end the counting, entry by entry. */

import { h, svg } from "../dom.js";
import { t } from "../i18n.js";
import { signed } from "../play/goods.js";
import { seal, seatName } from "./seats.js";

const WIDTH = 600;
const HEIGHT = 240;
const EDGE = { left: 34, right: 12, top: 10, bottom: 26 };
const DASHES = ["", "9 4", "3 4", "12 4 3 4", "6 3"];

/**
 * The scores after each event, from the facts.
 * @param {any[]} events @param {number} seats
 * @returns {{version: number, scores: number[]}[]}
 */
export function scoresOverTime(events, seats) {
  const scores = Array(seats).fill(0);
  const line = [{ version: 0, scores: [...scores] }];
  for (const event of events) {
    const points = (event.facts ?? []).filter((/** @type {any} */ fact) => fact.type === "points");
    for (const fact of points) scores[fact.seat] += fact.points;
    const result = event.type === "game_scored" ? event.result.scores : null;
    if (points.length || result)
      line.push({ version: event.version, scores: result ? [...result] : [...scores] });
  }
  line.push({ version: events.at(-1)?.version ?? 0, scores: line[line.length - 1].scores });
  return line;
}

/** A round number of points between the lines of the chart. @param {number} most */
function stepFor(most) {
  return [5, 10, 20, 25, 50, 100, 200, 500].find((step) => most / step <= 5) ?? 1000;
}

/**
 * The chart. Lines differ by colour and by dashes; the end of each bears the sign of the seat.
 * @param {any} game @param {any[]} events @param {number} [now] the moment that is shown
 */
export function chart(game, events, now) {
  const line = scoresOverTime(events, game.seats.length);
  const last = Math.max(1, line[line.length - 1].version);
  const most = Math.max(10, ...line.flatMap(({ scores }) => scores));
  const x = (/** @type {number} */ version) =>
    EDGE.left + (version / last) * (WIDTH - EDGE.left - EDGE.right);
  const y = (/** @type {number} */ points) =>
    HEIGHT - EDGE.bottom - (Math.max(0, points) / most) * (HEIGHT - EDGE.top - EDGE.bottom);
  const step = stepFor(most);
  const lines = Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
  const final = line[line.length - 1].scores;
  const words = final.map((points, seat) => `${seatName(game, seat)}: ${points}`).join(", ");
  return h(
    "figure",
    { class: "chart" },
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img",
        "aria-label": `${t("ui.scores.over_time")}: ${words}`,
      },
      lines.map((points) => [
        svg("path", { class: "grid", d: `M${EDGE.left} ${y(points)}H${WIDTH - EDGE.right}` }),
        svg(
          "text",
          { class: "axis", x: EDGE.left - 6, y: y(points) + 4, "text-anchor": "end" },
          points,
        ),
      ]),
      svg(
        "text",
        { class: "axis", x: WIDTH - EDGE.right, y: HEIGHT - 6, "text-anchor": "end" },
        t("ui.scores.moment", { n: last }),
      ),
      now
        ? svg("path", { class: "now", d: `M${x(now)} ${EDGE.top}V${HEIGHT - EDGE.bottom}` })
        : null,
      final.map((_, seat) =>
        svg("path", {
          class: `line seat-${seat}`,
          d: course(line, seat, x, y),
          "stroke-dasharray": DASHES[seat] || null,
        }),
      ),
    ),
    h(
      "figcaption",
      {},
      final.map((points, seat) =>
        h(
          "span",
          { class: "key" },
          seal(seat),
          svg(
            "svg",
            { class: "dash", viewBox: "0 0 36 6", "aria-hidden": "true" },
            svg("path", {
              class: `line seat-${seat}`,
              d: "M0 3H36",
              "stroke-dasharray": DASHES[seat] || null,
            }),
          ),
          `${seatName(game, seat)} `,
          h("b", {}, points),
        ),
      ),
    ),
  );
}

/**
 * @param {{version: number, scores: number[]}[]} line @param {number} seat
 * @param {(v: number) => number} x @param {(p: number) => number} y
 */
function course(line, seat, x, y) {
  return line
    .map(({ version, scores }, at) =>
      at
        ? `H${x(version).toFixed(1)}V${y(scores[seat]).toFixed(1)}`
        : `M${x(0)} ${y(scores[seat]).toFixed(1)}`,
    )
    .join("");
}

const STAYED = new Set(["finished", "bot"]);

/**
 * What was counted at the end, seat by seat.
 * @param {any} game
 */
export function counting(game) {
  const { scores, winners, breakdown, ranks, outcomes } = game.result;
  // A seat that was given up may have the most points, and is ranked behind those who stayed.
  const ranked = [...scores.keys()].sort((a, b) =>
    ranks ? ranks[a] - ranks[b] : scores[b] - scores[a],
  );
  return h(
    "div",
    { class: "counting" },
    ranked.map((seat) => {
      const entries = breakdown.filter((/** @type {any} */ entry) => entry.seat === seat);
      const counted = entries.reduce(
        (/** @type {number} */ sum, /** @type {any} */ entry) => sum + entry.points,
        0,
      );
      return h(
        "table",
        { class: winners.includes(seat) ? "winner" : "" },
        h(
          "caption",
          {},
          seal(seat),
          `${seatName(game, seat)} `,
          winners.includes(seat) ? h("em", {}, t("ui.scores.winner")) : null,
          outcomes && !STAYED.has(outcomes[seat])
            ? h("span", { class: "badge" }, t(`terms.outcomes.${outcomes[seat]}`))
            : null,
        ),
        h(
          "tbody",
          {},
          row(t("ui.scores.in_play"), scores[seat] - counted),
          entries.map((/** @type {any} */ entry) =>
            row(reason(game.game, entry), entry.points, true),
          ),
        ),
        h("tfoot", {}, row(t("ui.scores.total"), scores[seat])),
      );
    }),
  );
}

/** @param {string} what @param {number} points @param {boolean} [sign] */
function row(what, points, sign = false) {
  return h("tr", {}, h("th", { scope: "row" }, what), h("td", {}, sign ? signed(points) : points));
}

/** An entry of the breakdown in words. @param {string} game @param {any} entry */
function reason(game, { reason: name, detail }) {
  const values = typeof detail === "object" && detail !== null ? detail : { n: detail };
  const extra = values.pennants
    ? `, ${t(`terms.${game}.amounts.pennants`, { n: values.pennants })}`
    : "";
  return t(`terms.${game}.counted.${name}`, values) + extra;
}
