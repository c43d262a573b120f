/**
 * The games that this client has controls for. A game that is not in here, or a decision whose kind
 * its module does not know, is still playable: as a list of all legal moves.
 */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { carcassonne } from "./carcassonne/index.js";
import { caylus } from "./caylus/index.js";
import { facets } from "./facets.js";

/**
 * @typedef {import("../table/model.js").Move} Move
 * @typedef {import("../table/model.js").View} View
 * @typedef {import("../table/model.js").Decision} Decision
 * @typedef {{title: string, lines: (Node | string | null)[]}} Description
 *
 * @typedef {object} Ask what a control needs
 * @property {View} view
 * @property {Decision} decision
 * @property {Move[]} moves
 * @property {(seat: number) => string} name
 * @property {import("../table/board.js").Board} board
 * @property {(move: Move | null) => void} choose
 * @property {(targets: {place: string, pick: () => void, chosen: boolean}[]) => void} touch
 *
 * @typedef {object} GameModule
 * @property {(view: View) => number[]} scores
 * @property {(view: View, seat: number) => Node | null} holds what a seat has, in the strip
 * @property {(view: View) => number[]} [seatOrder]
 * @property {(ask: Ask) => HTMLElement | null} control null: not a kind it knows
 * @property {(move: Move, ask: Ask) => Description | null} describe
 */

/** @type {Record<string, GameModule>} */
const GAMES = { carcassonne, caylus };

/** @type {GameModule} */
const UNKNOWN = {
  scores: (view) => view.scores ?? [],
  holds: () => null,
  control: () => null,
  describe: () => null,
};

/** @param {string} game */
export function gameModule(game) {
  return GAMES[game] ?? UNKNOWN;
}

/**
 * The control for a decision.
 * @param {string} game @param {Ask} ask
 */
export function control(game, ask) {
  return gameModule(game).control(ask) ?? generic(ask);
}

/** Any decision of any game: the list of its moves. @param {Ask} ask */
function generic(ask) {
  return facets(ask, [
    {
      label: t("ui.play.choose"),
      key: (move) => JSON.stringify(move),
      option: (key) => ({ face: plain(JSON.parse(key)) }),
    },
  ]);
}

/** A move in plain words, for games and kinds without a description. @param {Move} move */
export function plain(move) {
  const { type, ...rest } = move;
  const details = Object.entries(rest).map(
    ([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  return [type, ...details].join(", ").replaceAll("_", " ");
}

/**
 * What a move would do.
 * @param {string} game @param {Move} move @param {Ask} ask
 * @returns {Description}
 */
export function describe(game, move, ask) {
  return gameModule(game).describe(move, ask) ?? { title: plain(move), lines: [] };
}

/** The question in words. @param {string} game @param {Decision} decision */
export function question(game, decision) {
  const key = `terms.${game}.asks.${decision.kind}`;
  const text = t(key);
  return text === key ? t("ui.play.choose") : text;
}

/** @param {Description} description */
export function described(description) {
  return h(
    "div",
    { class: "would" },
    h("strong", {}, description.title),
    h(
      "ul",
      {},
      description.lines.filter(Boolean).map((line) => h("li", {}, line)),
    ),
  );
}
