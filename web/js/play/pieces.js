/**
 * What the pieces of a game cost, do and are worth, as the service says it for the options of a
 * game: no number of a rule stands in the client.
 */

import { api } from "../platform/api.js";

/**
 * @typedef {Record<string, number>} Bundle
 * @typedef {object} Does
 * @property {Bundle[]} [take] one of these is produced
 * @property {[Bundle, Bundle][]} [trade] one of these exchanges
 * @property {Bundle} [get] all of this
 * @property {string} [builds] a kind of building
 * @property {Bundle} [income] at the start of each round
 * @property {number} [trigger] the space of the bailiff that scores a section
 * @property {string} [special] a rule of its own
 * @property {Bundle} [price] at the inn: of a worker; of a favour: instead of the usual price
 * @property {Bundle} [bribe] what a step of the provost costs where it is not free
 * @property {{houses: number, favour: number}[]} [houses] of a section: so many bring so many favours
 * @property {number} [parts] of a section: so many houses fit in
 * @property {number} [columns] of a section: columns of the favours that are open until it is scored
 * @property {number} [penalty] of a section: points lost without a house
 * @property {number} [none_given] of the batch: points lost in the castle without a batch
 * @property {string[]} [edges] of a tile: north, east, south, west
 * @property {[Bundle, Bundle]} [worth] of a good: what counts at the end, and its points
 *
 * @typedef {object} Piece
 * @property {string} id
 * @property {string} kind
 * @property {string} name
 * @property {string} effect
 * @property {Does} does
 * @property {Bundle | null} price
 * @property {number | null} points
 * @property {number} favours
 * @property {string} owner
 * @property {Bundle[]} owner_gets
 * @property {number} [column]
 * @property {number} [copies] how many there are
 */

/** The names of pieces, by their ids. @param {Piece[]} some */
export const namesOf = (some) => Object.fromEntries(some.map(({ id, name }) => [id, name]));

/** The pieces of the table that is shown. @type {Piece[]} */
let pieces = [];
/** Counts the pages and chapters that need pieces: an answer for one that was left counts no more. */
let turns = 0;

/**
 * A page or a chapter begins that needs pieces.
 * @returns {number} its turn: a page that loads something else first takes it before, and gives it to `loadPieces`
 */
export function takeTurn() {
  turns += 1;
  return turns;
}

/**
 * Load the pieces of a game under its options; `findPiece` knows them from then on, unless another turn has begun meanwhile.
 * @param {string} game @param {Record<string, string | number>} options @param {number} turn
 */
export async function loadPieces(game, options, turn = takeTurn()) {
  if (turn !== turns) return;
  const answer = await api.pieces(game, options);
  if (turn === turns) pieces = answer.pieces;
}

export function listPieces() {
  return pieces;
}

/** A piece by its id; undefined for a piece that this game lacks. @param {string} id */
export function findPiece(id) {
  return pieces.find((piece) => piece.id === id);
}

/** @param {string} line @param {number} column */
export function findColumn(line, column) {
  return pieces.find((piece) => piece.id === line && piece.column === column);
}

/** A good, or the money. @param {string} id */
export function findGood(id) {
  return pieces.find((piece) => piece.id === id && piece.kind === "good");
}

/** The pieces that bring a good: one of several, or all that they give. @param {string} good */
export function listSources(good) {
  const brings = (/** @type {Does} */ { take = [], trade = [], get = {} }) =>
    [...take, get, ...trade.map(([, gain]) => gain)].some((bundle) => good in bundle);
  return pieces.filter(({ does }) => brings(does));
}

export function countColumns() {
  return Math.max(0, ...pieces.map((piece) => piece.column ?? 0));
}
