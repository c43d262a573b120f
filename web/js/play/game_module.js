/**
 * What the controls of a game are, and the controls that are loaded. Each game on offer has a module
 * `play/<game>/index.js`; for a game without controls of its own the server sends
 * `play/general/index.js` at that address.
 */

import { importGame } from "./import_game.js";
import { loadPieces } from "./pieces.js";

/**
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {import("../board/board.js").Ghost} Ghost
 * @typedef {import("../board/board.js").Target} Target
 *
 * @typedef {{seat: number, what: string, by: number}} Delta a difference that a move would make
 * @typedef {{label: Node | string, cells: (Node | string)[], lists?: string[][]}} Row a row of the comparison:
 *   a cell for each seat; lists: what the cells count, by seat, in words below the table
 *
 * @typedef {Record<string, string>} Subject the `data-` members of a thing on the picture
 * @typedef {object} Facts what a game says of a thing
 * @property {string} title
 * @property {(Node | string | null)[]} lines
 * @property {import("./pieces.js").Piece} [piece]
 * @property {number | null} [owner] a seat
 * @property {{label: string, seats: number[]}} [who] whose workers are there
 * @property {{label: string, counts: number[]}} [counts] how many of something each seat has
 * @property {Move | null} [move] that would use the thing now
 * @property {HTMLElement | null} [foot] what leads on from here
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
 * @typedef {object} HowChosen
 * @property {boolean} [preset] the client has chosen the move, not the person
 * @property {boolean} [direct] the choice names the act on a button of its own: that is confirmation enough
 * @property {string} [missing] the step that is missing, in words for the button
 * @property {boolean} [told] the control has asked the server already what the move leads to
 *
 * @typedef {object} Ask what a control needs
 * @property {{id: string, version: number} | undefined} game which game is asked, at which version; undefined: the
 *   question is closed
 * @property {View} view
 * @property {Decision} decision
 * @property {Decision & {version: number}} question the decision, and the version at which it was asked
 * @property {Move[]} moves
 * @property {(seat: number) => string} name
 * @property {Board} board
 * @property {import("../elements/sheet.js").Sheet} [sheet] where the control lies
 * @property {(move: Move | null, after?: Move | Move[] | null, how?: HowChosen) => void} choose `after`: moves of the same gesture
 * @property {(targets: Target[]) => void} touch
 * @property {() => void} [confirm] make the chosen move, as the button does
 * @property {{read: () => any, write: (value: any) => void}} [draft] what is chosen so far, kept over a reload; what is
 *   read may be illegal by now
 * @property {(kind: string) => boolean} [isAnswered] whether a standing answer declines a kind of question
 * @property {any[] | null} [events] all events up to now; null: not loaded
 * @property {boolean} [isTest] nothing is chosen at the start, because the choice is what is asked
 *
 * @typedef {object} Opening what chance brings at the beginning of a game, to be chosen
 * @property {string} label what it is
 * @property {string[]} ids all that may come
 * @property {Record<string, string>} named the names of these
 * @property {number} many so many are chosen, in their order
 * @property {(drawn: string[], seats: number) => {setup: any, draws: string[], bag?: Record<string, number>}} start
 *   the chance of a transcript
 *
 * @typedef {object} GameModule the export `controls` of a module
 * @property {(pieces: import("./pieces.js").Piece[]) => Opening} [opening]
 * @property {(view: View) => number[]} scores
 * @property {(view: View, seat: number) => Node | null} holds all that a seat has
 * @property {(view: View, seat: number) => Node | null} [brief] what counts most of it, for a chip of 64 pixels
 * @property {(view: View, seat: number) => Node} [stock] what the chip leaves out and a choice pays with
 * @property {(view: View, seat: number) => string} [holdsWords] what a seat has, by name, and what it is good for
 * @property {(view: View) => Row[]} [compare] the rows of the sheet that compares the seats
 * @property {(decision: Decision, view: View) => string | null} [asking] what asks on the board: the name of a
 *   section, or a selector
 * @property {(view: View) => string} [headline] how far the play is, after the title; else round and phase
 * @property {(view: View) => number[]} [seatOrder]
 * @property {Record<string, string[]>} [sources] the reasons of points by source, in the order of the matrix
 * @property {number} [usualSeats] how many seats a new game has before anything is changed
 * @property {(board: Board, moment: () => {id: string, version: number} | null,
 *   name: (seat: number) => string) => void} [attend] watches the board while the page of a table is open
 * @property {(ask: Ask) => HTMLElement | null} control null: not a kind it knows
 * @property {(move: Move, ask: Ask, after?: Move | Move[] | null) => Description | null} describe
 * @property {(before: View, after: View) => Delta[]} [deltas] differences at all seats, when the service has said
 *   what a move leads to
 * @property {(ask: Ask) => string | null} [stakes] what is at stake, in a line under the question
 * @property {(decision: Decision) => boolean} [readsEvents] whether this question needs `Ask.events`
 * @property {(move: Move) => {kind: string, move: Move} | null} [later] a question of this round that can be answered
 *   together with this move
 * @property {(view: View, asked: Decision, seat: number) => {decision: Decision, moves: Move[]} | null} [foresee] the next
 *   question to a seat while another seat is asked, as far as the view tells it; its moves may be illegal by then
 * @property {(move: Move, view: View, decision: Decision) => any} [reliesOn] what a person relies on who plans this move,
 *   as JSON: the plan is made only when it is the same at the turn
 * @property {(move: Move) => string | null} [declined] the kind of question that a later move of a gesture declines
 * @property {(move: Move) => string | null} [placeOf] where on the board a move is made; else the first ghost of
 *   `describe`, or what its members name
 * @property {(board: Board, moves: Move[], decision: Decision) => void} [shade] draws a
 *   turn that was not made over the board; else the first move is drawn as `describe` says
 * @property {(move: Move, why: any[]) => Move[]} [planned] a move and what the same seat plans after it, by the facts
 * @property {(subject: Record<string, string>, view: View, asked: Decision | null) =>
 *   Facts | null} [inspect] what a thing on the board is
 */

/** The modules that are loaded, by game. @type {Map<string, GameModule>} */
const loaded = new Map();

/**
 * Load what a table of a game needs: the controls, and what its pieces are under its options.
 * @param {{game: string, options: Record<string, string | number>}} of @param {number} [turn] of `takeTurn` in `pieces.js`
 */
export async function loadTable({ game, options }, turn) {
  await Promise.all([loadGame(game), loadPieces(game, options, turn)]);
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

/** @param {string} game */
export function gameModule(game) {
  return /** @type {GameModule} */ (loaded.get(game));
}
