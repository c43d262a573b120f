/** The scores over time as a chart, which is also a slider: it leads to the move at that point. */

import { h, show, svg } from "../elements/dom.js";
import { seal, seatName, signOf } from "../people/seats.js";
import { labelled, t } from "../platform/i18n.js";

export const WIDTH = 600;
export const HEIGHT = 240;
export const EDGE = { left: 52, right: 12, top: 12, bottom: 30 };
const DASHES = ["", "9 4", "3 4", "12 4 3 4", "6 3"];

/** The events without the moves that were taken back. @param {GameEvent[]} events */
export function dropTakenBack(events) {
  const taken = new Set(events.flatMap(({ type, moves }) => (type === "moves_taken_back" ? moves : [])));
  return taken.size ? events.filter(({ version }) => !taken.has(version)) : events;
}

/**
 * The scores after each event, from the facts.
 * @param {GameEvent[]} events @param {number} seats
 * @returns {{version: number, scores: number[]}[]}
 */
function scoresOverTime(events, seats) {
  const scores = Array(seats).fill(0);
  const line = [{ version: 0, scores: [...scores] }];
  for (const event of dropTakenBack(events)) {
    const points = (event.facts ?? []).filter((fact) => fact.type === "points");
    for (const fact of points) scores[fact.seat] += fact.points;
    const result = event.type === "game_scored" ? event.result.scores : null;
    if (points.length || result) line.push({ version: event.version, scores: result ? [...result] : [...scores] });
  }
  line.push({ version: events.at(-1)?.version ?? 0, scores: line[line.length - 1].scores });
  return line;
}

/** A round number of points between the lines of the chart. @param {number} most */
function stepFor(most) {
  return [5, 10, 20, 25, 50, 100, 200, 500].find((step) => most / step <= 5) ?? 1000;
}

/**
 * @typedef {object} Seeking
 * @property {number} first the version at which the game began
 * @property {(version: number) => void} seek show the table after a version
 * @property {() => void} [settle] the pointer is up again, or Enter was pressed
 * @property {(version: number) => string} words which move that is
 */

/**
 * The chart of the scores.
 * @param {Game} game @param {GameEvent[]} events @param {number} [now] the version that is shown
 * @param {Seeking} [seeking] makes the chart a slider
 */
export function chart(game, events, now, seeking) {
  const line = scoresOverTime(events, game.seats.length);
  const most = Math.max(10, ...line.flatMap(({ scores }) => scores));
  return plot(game, line, { title: t("ui.scores.over_time"), most }, now, seeking);
}

/**
 * @typedef {object} ChartLook
 * @property {string} title
 * @property {number} most the number at the upper edge
 * @property {string} [unit] behind each number
 * @property {boolean} [isStraight] points are joined directly, not by steps
 * @property {{version: number, seat: number, sign: string}[]} [signs] drawn on the lines
 */

/**
 * A chart of one number per seat. Lines differ by colour and by dashes; a key names the seats.
 * @param {Game} game @param {{version: number, scores: number[]}[]} line @param {ChartLook} look
 * @param {number} [now] the version that is shown @param {Seeking} [seeking] makes the chart a slider
 */
export function plot(game, line, look, now, seeking) {
  const { title, unit = "" } = look;
  const { version, scores } = line[line.length - 1];
  const last = Math.max(1, version);
  const words = scores.map((points, seat) => labelled(seatName(game, seat), `${points}${unit}`)).join(", ");
  const label = labelled(title, words);
  const spoken = seeking ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const hand = now || seeking ? (now ?? last) : null;
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, ...spoken }, ...drawLines(line, look, last, hand));
  return h(
    "figure",
    { class: "chart" },
    seeking ? slider(drawing, { label, now: now ?? last, last, ...seeking }) : drawing,
    h(
      "figcaption",
      {},
      scores.map((points, seat) => keyOf(game, seat, `${points}${unit}`)),
    ),
  );
}

/**
 * The grid, the hand at a version and the lines of the seats.
 * @param {{version: number, scores: number[]}[]} line @param {ChartLook} look
 * @param {number} last the version at the right edge @param {number | null} hand
 */
function drawLines(line, { most, isStraight = false, signs = [] }, last, hand) {
  const x = (/** @type {number} */ version) => EDGE.left + (version / last) * (WIDTH - EDGE.left - EDGE.right);
  const y = (/** @type {number} */ points) =>
    HEIGHT - EDGE.bottom - (Math.max(0, points) / most) * (HEIGHT - EDGE.top - EDGE.bottom);
  const step = stepFor(most);
  const grid = Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
  const pointAt = (/** @type {number} */ version) => line.findLast((one) => one.version <= version) ?? line[0];
  const axis = { class: "axis", "text-anchor": "end" };
  return [
    grid.map((points) => [
      svg("path", { class: "grid", d: `M${EDGE.left} ${y(points)}H${WIDTH - EDGE.right}` }),
      svg("text", { ...axis, x: EDGE.left - 6, y: y(points), "dominant-baseline": "central" }, points),
    ]),
    svg("text", { ...axis, x: WIDTH - EDGE.right, y: HEIGHT - 6 }, t("ui.scores.moment", { n: last })),
    hand === null ? null : svg("path", { class: "now", d: `M${x(hand)} ${EDGE.top}V${HEIGHT - EDGE.bottom}` }),
    line[0].scores.map((_, seat) => stroke(seat, isStraight ? straight(line, seat, x, y) : course(line, seat, x, y))),
    signs.map(({ version, seat, sign }) =>
      svg(
        "text",
        {
          class: `sign-at seat-${seat}`,
          x: x(version),
          y: y(pointAt(version).scores[seat]) - 6,
          "text-anchor": "middle",
        },
        sign,
      ),
    ),
  ];
}

/** @param {number} seat @param {string} d */
function stroke(seat, d) {
  return svg("path", { class: `line seat-${seat}`, d, "stroke-dasharray": DASHES[seat] || null });
}

/** What a line stands for. @param {Game} game @param {number} seat @param {string} points */
function keyOf(game, seat, points) {
  const dash = svg("svg", { class: "dash", viewBox: "0 0 36 6", "aria-hidden": "true" }, stroke(seat, "M0 3H36"));
  return h(
    "span",
    { class: "key" },
    seal(seat),
    dash,
    `${seatName(game, seat)} `,
    signOf(game, seat),
    h("b", {}, points),
  );
}

/**
 * @param {{version: number, scores: number[]}[]} line @param {number} seat
 * @param {(v: number) => number} x @param {(p: number) => number} y
 */
function course(line, seat, x, y) {
  return line
    .map(({ version, scores }, at) =>
      at ? `H${x(version).toFixed(1)}V${y(scores[seat]).toFixed(1)}` : `M${x(0)} ${y(scores[seat]).toFixed(1)}`,
    )
    .join("");
}

/** @type {typeof course} */
function straight(line, seat, x, y) {
  return line
    .map(({ version, scores }, at) => `${at ? "L" : "M"}${x(version).toFixed(1)} ${y(scores[seat]).toFixed(1)}`)
    .join("");
}

/** The chart of a table, drawn again when there are more events; else only its hand moves. */
export class Graph {
  constructor() {
    this.drawn = "";
    this.element = h("div", { class: "graph" });
  }

  /** @param {Game} game @param {GameEvent[]} events @param {number | null} now @param {Seeking} seeking */
  render(game, events, now, seeking) {
    const state = `${events.length} ${game.status}`;
    const at = now ?? events.length;
    if (state !== this.drawn) show(this.element, chart(game, events, at, seeking));
    else this.element.querySelector(".seek")?.dispatchEvent(new CustomEvent("at", { detail: at }));
    this.drawn = state;
  }
}

/** Keys of a slider: by how many moves each goes. @type {Record<string, number>} */
const KEYS = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Make the chart a slider: touch and drag go to the move below the pointer, keys go move by move.
 * @param {SVGElement} drawing
 * @param {Seeking & {label: string, now: number, last: number, edge?: typeof EDGE}} how edge: around the lines
 */
export function slider(drawing, { label, now, first, last, seek, settle, words, edge = EDGE }) {
  let at = now;
  const element = h(
    "div",
    {
      class: "seek",
      role: "slider",
      tabindex: "0",
      "aria-label": label,
      "aria-valuemin": first,
      "aria-valuemax": last,
      "data-key": "seek",
    },
    drawing,
  );
  const say = () => {
    element.setAttribute("aria-valuenow", String(at));
    element.setAttribute("aria-valuetext", words(at) || String(at));
    const x = edge.left + (at / last) * (WIDTH - edge.left - edge.right);
    drawing.querySelector(".now")?.setAttribute("d", `M${x} ${EDGE.top}V${HEIGHT - EDGE.bottom}`);
  };
  const move = (/** @type {number} */ version) => {
    const next = Math.min(last, Math.max(first, Math.round(version)));
    if (next === at) return;
    at = next;
    say();
    seek(at);
  };
  const drag = (/** @type {PointerEvent} */ event) => {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    move(((x - edge.left) / (WIDTH - edge.left - edge.right)) * last);
  };
  element.addEventListener("at", (event) => {
    at = /** @type {CustomEvent} */ (event).detail;
    say();
  });
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    drag(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) drag(event);
  });
  element.addEventListener("pointerup", () => settle?.());
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter") settle?.();
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    event.stopPropagation(); // the arrows do nothing else meanwhile
    move(at + KEYS[event.key]);
  });
  say();
  return element;
}
