/** Asking a question with the controls of its game; a decision that these do not know is a list of all legal moves. */

import { h } from "../elements/dom.js";
import { has, t } from "../platform/i18n.js";
import { makeFacets } from "./facets.js";
import { gameModule } from "./game_module.js";

/**
 * @typedef {import("./game_module.js").Ask} Ask
 * @typedef {import("./game_module.js").Description} Description
 */

/**
 * The control for a decision.
 * @param {string} game @param {Ask} ask
 */
export function makeControl(game, ask) {
  return gameModule(game).control(ask) ?? generic(game, ask);
}

/**
 * Any decision of any game: the list of its moves. A move whose place the picture shows can be
 * touched there as well.
 * @param {string} game @param {Ask} ask
 */
function generic(game, ask) {
  return makeFacets(ask, [
    {
      label: t("ui.play.choose"),
      key: (move) => JSON.stringify(move),
      option: (key) => ({ face: plain(game, JSON.parse(key)), place: placeOf(key, ask) }),
    },
  ]);
}

/**
 * The place on the board that a move names by its members, as in `[data-x="1"][data-y="2"]`.
 * @param {string} key @param {Ask} ask
 */
function placeOf(key, { board }) {
  const { type: _, ...rest } = JSON.parse(key);
  const place = Object.entries(rest)
    .map(([name, value]) => `[data-${CSS.escape(name)}="${CSS.escape(String(value))}"]`)
    .join("");
  return place && board.find(place) ? place : undefined;
}

/**
 * Where on the board a move is made; null: nowhere, or the game does not say.
 * @param {string} game @param {Move} move @param {Ask} ask
 */
export function findPlace(game, move, ask) {
  const said = gameModule(game).placeOf?.(move) ?? describe(game, move, ask).ghost?.[0]?.place;
  return said ?? placeOf(JSON.stringify(move), ask) ?? null;
}

/**
 * A move in the words of its game (`ui.<game>.moves.<type>`), else its members one by one.
 * @param {string} game @param {Move} move
 */
function plain(game, move) {
  const { type, ...rest } = move;
  const template = `ui.${game}.moves.${type}`;
  if (has(template)) return t(template, rest);
  const details = Object.entries(rest).map(
    ([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  return [type, ...details].join(", ").replaceAll("_", " ");
}

/**
 * What a move would do.
 * @param {string} game @param {Move} move @param {Ask} ask
 * @param {Move | Move[] | null} [after] moves of the same gesture
 * @returns {Description}
 */
export function describe(game, move, ask, after = null) {
  return gameModule(game).describe(move, ask, after) ?? { title: plain(game, move), lines: [] };
}

/**
 * Draw moves that are not made over the board, until the next call of `Board.touch`.
 * @param {string} game @param {Move[]} moves the moves of a turn @param {Ask} ask what they would answer
 */
export function shade(game, moves, ask) {
  const module = gameModule(game);
  if (module.shade) {
    module.shade(ask.board, moves, ask.decision);
    return;
  }
  const { board } = ask;
  const list = describe(game, moves[0], ask).ghost ?? [];
  board.ghosts(list);
  const at = list.length ? board.find(list[0].place) : null;
  if (at && !board.viewport.shows(at)) board.viewport.scrollTo(at);
}

/**
 * What asks on the board: a place that the decision names, or a section of the picture.
 * @param {string} game @param {Decision} decision @param {View} view @returns {string | null}
 */
export function findAsking(game, decision, view) {
  return gameModule(game).asking?.(decision, view) ?? null;
}

/** The question in words. @param {string} game @param {Decision} decision */
export function sayQuestion(game, decision) {
  const key = `terms.${game}.asks.${decision.kind}`;
  const text = t(key);
  return text === key ? t("ui.play.choose") : text;
}

/** @param {Description} description */
export function drawDescription(description) {
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
