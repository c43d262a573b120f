/** The seats of a table: names, signs, scores. The signs are those of the pictures. */

import { botSign } from "../bots/bot_sign.js";
import { h, spoken, svg } from "../elements/dom.js";
import { has, isolate, t } from "../platform/i18n.js";
import { gameModule } from "../play/game_module.js";

/** Outlines of about 40 units around the origin, one per seat, so colour is never the only sign. */
const SHAPES = [
  ["circle", "M0-20A20 20 0 0 1 0 20A20 20 0 0 1 0-20z"],
  ["square", "M-15-18h30q3 0 3 3v30q0 3-3 3h-30q-3 0-3-3v-30q0-3 3-3z"],
  ["triangle", "M0-24q2 0 3 2l20 36q2 4-3 4h-40q-5 0-3-4l20-36q1-2 3-2z"],
  ["diamond", "M0-25q1.5 0 3 1.5l20.5 20.5q3 3 0 6l-20.5 20.5q-3 3-6 0l-20.5-20.5q-3-3 0-6l20.5-20.5q1.5-1.5 3-1.5z"],
  [
    "cross",
    "M-9-22h18q2 0 2 2v9h9q2 0 2 2v18q0 2-2 2h-9v9q0 2-2 2h-18q-2 0-2-2v-9h-9q-2 0-2-2v-18q0-2 2-2h9v-9q0-2 2-2z",
  ],
];

/** @param {number} seat */
export function seal(seat) {
  const [, outline] = SHAPES[seat % SHAPES.length];
  return svg(
    "svg",
    { class: `seal seat-${seat}`, viewBox: "-27 -28 54 54", "aria-hidden": "true" },
    svg("path", { d: outline }),
  );
}

/** The bot that stands in for a player who is away, and takes a seat where nothing else is said. */
export const USUAL_BOT = "medium";

/**
 * What a bot is called: in the language of the reader where the words know it.
 * @param {string} bot
 */
export function botName(bot) {
  return has(`terms.bots.${bot}`) ? t(`terms.bots.${bot}`) : bot;
}

/**
 * Who sits there, to be compared. An imported game is on one player's seats, whose names it kept.
 * @param {Seat} seat
 */
function sitterOf(seat) {
  return seat.name || (seat.player?.id ?? seat.bot);
}

/**
 * The name of the player at a seat, and the number of the seat where two have the same name, such as two bots of a kind.
 * @param {Summary} game @param {number} seat @returns {{name: string, number: string}}
 */
function nameParts(game, seat) {
  const own = game.seats[seat];
  if (!own) return { name: "?", number: "" };
  const sitter = sitterOf(own);
  if (!sitter) return { name: t("ui.seats.open"), number: "" };
  const twins = game.seats.filter((other) => sitterOf(other) === sitter);
  const name = own.name || own.player?.name || botName(own.bot ?? "");
  return { name, number: twins.length > 1 ? ` ${seat + 1}` : "" };
}

/** The name of a seat for a sentence. @param {Summary} game @param {number} seat */
export function seatName(game, seat) {
  const { name, number } = nameParts(game, seat);
  return `${isolate(name)}${number}`;
}

/** The name of a seat as an element: where there is little room the name is cut, and never the number. @param {Summary} game @param {number} seat */
export function nameTag(game, seat) {
  const { name, number } = nameParts(game, seat);
  return h("span", { class: "name" }, h("bdi", {}, name), number && h("span", {}, number), signOf(game, seat));
}

/** The sign of a bot of others after the name of its seat; nothing for a person. @param {Summary} game @param {number} seat */
export function signOf(game, seat) {
  const sitting = game.seats[seat];
  return sitting && !sitting.name ? botSign(sitting.player) : null;
}

/** States of a seat that all should see; `seated`, `bot` and `open` show themselves. */
const BADGES = new Set(["away", "forfeited", "vacant", "offered", "overdue"]);

/**
 * A word after a name: away, left, free, invited.
 * @param {any} seat
 */
export function badge({ state }) {
  return BADGES.has(state) ? h("span", { class: "badge", "data-state": state }, t(`ui.badges.${state}`)) : null;
}

/** The seats in a fixed order: those of this person first. @param {Game} game @param {number[]} mine */
export function inOrder(game, mine) {
  const all = game.seats.map(({ seat }) => seat);
  const first = mine[0] ?? 0;
  return [...all.slice(first), ...all.slice(0, first)];
}

/**
 * The seats, this person's first: name, score, and what a seat holds, in brief and in full.
 * @param {import("../table/table.js").Table} table
 * @param {View | null} view the view that is shown (another one than the table's during a replay)
 * @param {{seat: number} | null} decision
 * @param {boolean} isFinal the counting is over: its scores are shown
 */
export function seatStrip(table, view, decision, isFinal) {
  const { game, mine } = table;
  const module = gameModule(game.game);
  const scores = (isFinal && game.result?.scores) || (view ? module.scores(view) : []);
  const turns = view ? (module.seatOrder?.(view) ?? []) : [];
  return h(
    "ol",
    { class: "seats", "aria-label": t("ui.seats.title") },
    inOrder(game, mine).map((seat) => {
      const playing = decision?.seat === seat;
      const own = mine.includes(seat);
      return h(
        "li",
        { class: `seat${playing ? " playing" : ""}${own ? " mine" : ""}`, "data-seat": seat },
        h(
          "div",
          { class: "who" },
          seal(seat),
          nameTag(game, seat),
          badge(game.seats[seat]),
          playing ? spoken(` (${t("ui.seats.playing")})`) : null,
          own ? spoken(` (${t("ui.seats.you")})`) : null,
          turns.length ? turn(turns.indexOf(seat) + 1) : null,
        ),
        view ? holds(module, view, seat, scores[seat]) : null,
        h(
          "button",
          { class: "seat-open", "data-key": `seat-${seat}` },
          t("ui.card.seat.open", { name: seatName(game, seat) }),
        ),
      );
    }),
  );
}

/** The place in the turn order. @param {number} n */
function turn(n) {
  return h("span", { class: "turn-order", title: t("ui.sheet.turn", { n }) }, String(n));
}

/** @param {import("../play/game_module.js").GameModule} module @param {View} view @param {number} seat @param {number} score */
function holds(module, view, seat, score) {
  return h(
    "div",
    { class: "holds" },
    h("b", { class: "score", "data-what": "score", "data-n": score }, score),
    spoken(` ${t("ui.points")} `),
    h("span", { class: "brief" }, (module.brief ?? module.holds)(view, seat)),
    h("span", { class: "full" }, module.holds(view, seat)),
  );
}
