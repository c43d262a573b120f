/**
 * The controls of the games. Each game on offer has a module `play/<game>/index.js`; for a game
 * without controls of its own the server sends `play/general/index.js` at that address. A decision
 * that a module does not know is asked as a list of all legal moves.
 */

import { h } from "../dom.js";
import { has, t } from "../i18n.js";
import { facets } from "./facets.js";
import { importGame } from "./games.js";
import { loadPieces } from "./pieces.js";

/**
 * @typedef {import("../table/model.js").Move} Move
 * @typedef {import("../table/model.js").View} View
 * @typedef {import("../table/model.js").Decision} Decision
 * @typedef {import("../table/board.js").Ghost} Ghost
 * @typedef {import("../table/rail.js").Delta} Delta
 *
 * @typedef {object} Description what a move would do
 * @property {string} title
 * @property {(Node | string | null)[]} lines
 * @property {string} [act] the words of the button, with what it costs; else the title
 * @property {Delta[]} [deltas] differences, shown at the seats
 * @property {Ghost[]} [ghost] what would stand on the board
 * @property {boolean} [costly] not to be made by a slip of the finger
 * @property {boolean} [weighed] the game alone says whether it is costly: a draw follows every turn
 *
 * @typedef {object} How
 * @property {boolean} [preset] the client has chosen the move, not the person
 * @property {boolean} [direct] the choice names the act on a button of its own: that is confirmation enough
 * @property {string} [missing] the step that is missing, in words for the button
 * @property {boolean} [told] the control has asked the server already what the move leads to
 *
 * @typedef {object} Ask what a control needs
 * @property {{id: string, version: number}} game which game is asked, at which version
 * @property {View} view
 * @property {Decision} decision
 * @property {Decision & {version: number}} question the decision, and the version at which it was asked
 * @property {Move[]} moves
 * @property {(seat: number) => string} name
 * @property {import("../table/board.js").Board} board
 * @property {import("../table/sheet.js").Sheet} [sheet] where the control lies
 * @property {(move: Move | null, after?: Move | Move[] | null, how?: How) => void} choose `after`: moves of the same gesture
 * @property {(targets: import("../table/board.js").Target[]) => void} touch
 * @property {() => void} [confirm] make the chosen move, as the button does
 * @property {{read: () => any, write: (value: any) => void}} [draft] what is chosen so far, kept over a reload; what is
 *   read may be illegal by now
 * @property {(kind: string) => boolean} [isAnswered] whether a standing answer declines a kind of question
 * @property {any[] | null} [events] all events up to now; null: not loaded
 *
 * @typedef {object} GameModule the export `controls` of a module
 * @property {(view: View) => number[]} scores
 * @property {(view: View, seat: number) => Node | null} holds all that a seat has
 * @property {(view: View, seat: number) => Node | null} [brief] what counts most of it, for a chip of 64 pixels
 * @property {(view: View) => import("../table/rail.js").Row[]} [compare] the rows of the sheet that compares the seats
 * @property {(decision: Decision, view: View) => string | null} [asking] what asks on the board: the name of a
 *   section, or a selector
 * @property {(view: View) => string} [headline] how far the play is, beside the title; else round and phase
 * @property {(view: View) => number[]} [seatOrder]
 * @property {Record<string, string[]>} [sources] the reasons of points by source, in the order of the matrix
 * @property {number} [usualSeats] how many seats a new game has before anything is changed
 * @property {(board: import("../table/board.js").Board, moment: () => {id: string, version: number} | null,
 *   name: (seat: number) => string) => void} [attend] watches the board while the page of a table is open
 * @property {(ask: Ask) => HTMLElement | null} control null: not a kind it knows
 * @property {(move: Move, ask: Ask, after?: Move | Move[] | null) => Description | null} describe
 * @property {(before: View, after: View) => Delta[]} [deltas] differences at all seats, when the service has said
 *   what a move leads to
 * @property {(ask: Ask) => string | null} [stakes] what is at stake, in a line under the question
 * @property {(decision: Decision) => boolean} [readsEvents] whether this question needs `Ask.events`
 * @property {(move: Move) => {kind: string, move: Move} | null} [later] a question of this round that can be answered
 *   together with this move
 * @property {(move: Move) => string | null} [declined] the kind of question that a later move of a gesture declines
 * @property {(board: import("../table/board.js").Board, moves: Move[], decision: Decision) => void} [shade] draws a
 *   turn that was not made over the board; else the first move is drawn as `describe` says
 * @property {(move: Move, why: any[]) => Move[]} [planned] a move and what the same seat plans after it, by the facts
 * @property {(subject: Record<string, string>, view: View, asked: Decision | null) =>
 *   import("../inspect/card.js").Facts | null} [inspect] what a thing on the board is
 */

/** The modules that are loaded, by game. @type {Map<string, GameModule>} */
const loaded = new Map();

/**
 * Load what a table of a game needs: the controls, and what its pieces are under its options.
 * @param {{game: string, options: Record<string, string | number>}} of
 */
export async function loadTable({ game, options }) {
  await Promise.all([loadGame(game), loadPieces(game, options)]);
}

/**
 * Load the controls of a game; `gameModule` finds them from then on.
 * @param {string} game @returns {Promise<GameModule>}
 */
export async function loadGame(game) {
  const { controls } = await importGame(game);
  loaded.set(game, controls);
  return controls;
}

/** The controls of a game that is loaded. @param {string} game */
export function gameModule(game) {
  return /** @type {GameModule} */ (loaded.get(game));
}

/**
 * The control for a decision.
 * @param {string} game @param {Ask} ask
 */
export function control(game, ask) {
  return gameModule(game).control(ask) ?? generic(game, ask);
}

/**
 * Any decision of any game: the list of its moves. A move whose place the picture shows can be
 * touched there as well.
 * @param {string} game @param {Ask} ask
 */
function generic(game, ask) {
  return facets(ask, [
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
  if (at && !board.view.shows(at)) board.view.scrollTo(at);
}

/**
 * What asks on the board: a place that the decision names, or a section of the picture.
 * @param {string} game @param {Decision} decision @param {View} view @returns {string | null}
 */
export function asking(game, decision, view) {
  return gameModule(game).asking?.(decision, view) ?? null;
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
